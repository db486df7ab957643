import * as path from 'node:path'
import type { FileSample } from '../../features/freshness/decide/file-words.ts'
import type { FileStatus, ProjectFiles } from '../../features/freshness/decide/ports.ts'
import { asStorageError, type Disk } from '../../kernel/system/disk.ts'
import { isInside, type MemoryPaths } from '../../kernel/system/paths.ts'
import { isUnreadable, type PlainFile, plainFileInfo, readPart } from '../../kernel/system/plain-file.ts'
import { findGitFolder, headCommit } from './git-folder.ts'

const MAX_BYTES = 1_048_576
const BYTES_OF_AN_END = 65_536
const LINE_NUMBER = /:\d+(?:[:-]\d+)*$/
const NOT_LOOKED_INTO: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  'vendor',
  'dist',
  'build',
  'out',
  'target',
  'coverage',
  '__pycache__',
  'venv',
])

/** The project around `.memory/`. Links are followed as long as they stay inside. */
export function projectFiles(paths: MemoryPaths, disk: Disk): ProjectFiles {
  let realRoot: string | undefined

  /** People write `./src/a.ts`, the whole path, and `src/a.ts:42`. */
  function locate(file: string): string | undefined {
    const whole = path.resolve(paths.root, file)
    if (file === '' || file.includes('\0') || !isInside(whole, paths.root)) return undefined
    const top = path.relative(paths.root, whole).split(path.sep)[0]
    return top === '.git' || top === '.memory' || top === '' ? undefined : whole
  }

  function find(file: string): PlainFile | undefined {
    const whole = locate(file)
    if (whole === undefined) return undefined
    const seen =
      plainFileInfo(whole) ??
      (LINE_NUMBER.test(whole) ? plainFileInfo(whole.replace(LINE_NUMBER, '')) : undefined)
    realRoot ??= disk.realPath(paths.root) ?? paths.root
    return seen !== undefined && isInside(seen.realPath, realRoot) ? seen : undefined
  }

  function see(file: string): FileStatus {
    try {
      const found = find(file)
      if (found === undefined) return { kind: 'absent' }
      const { size, mtimeMs, inode } = found
      return { kind: 'file', stamp: { size, mtimeMs, inode } }
    } catch (error) {
      if (isUnreadable(error)) return { kind: 'unreadable' }
      throw asStorageError(error, file)
    }
  }

  function read(file: string): FileSample | undefined {
    try {
      const found = find(file)
      if (found === undefined) return undefined
      const { realPath, size } = found
      if (size <= MAX_BYTES) return { kind: 'whole', bytes: readPart(realPath, 0, size) }
      const head = readPart(realPath, 0, BYTES_OF_AN_END)
      return { kind: 'ends', head, tail: readPart(realPath, size - BYTES_OF_AN_END, BYTES_OF_AN_END), size }
    } catch (error) {
      if (isUnreadable(error)) return undefined
      throw asStorageError(error, file)
    }
  }

  /** Level by level: deep files come last. */
  function list(most: number, isIgnored: (path: string) => boolean): string[] {
    const files: string[] = []
    let left = most
    for (let level = ['']; level.length > 0 && left > 0; ) {
      const next: string[] = []
      for (const folder of level) {
        for (const item of itemsOf(folder)) {
          if (left-- <= 0) return files
          const name = folder === '' ? item.name : `${folder}/${item.name}`
          if (isIgnored(name)) continue
          if (item.isFile()) files.push(name)
          else if (item.isDirectory() && !item.name.startsWith('.') && !NOT_LOOKED_INTO.has(item.name))
            next.push(name)
        }
      }
      level = next
    }
    return files
  }

  function itemsOf(folder: string) {
    try {
      return disk.listFolder(path.join(paths.root, folder)) ?? []
    } catch (error) {
      // A folder without read permission has no files for us.
      if (isUnreadable(error)) return []
      throw asStorageError(error, folder)
    }
  }

  return {
    see: async files => new Map(files.map(file => [file, see(file)])),
    read: async file => read(file),
    commit: async () => headCommit(paths.root, disk),
    list: async (most, isIgnored = () => false) => list(most, isIgnored),
    readAt: async (commit, file) => {
      const whole = locate(file)
      if (whole === undefined)
        return { kind: 'unknown', code: 'no_file', why: 'it is not a file of the project' }
      if (findGitFolder(paths.root, disk) === undefined)
        return { kind: 'unknown', code: 'no_repository', why: 'the project is not in a git repository' }
      const { readBlob } = await import('./git-history.ts')
      const name = (place: string) => path.relative(paths.root, place).split(path.sep).join('/')
      const read = await readBlob(paths.root, commit, name(whole))
      const isNamedByLine = read.kind === 'unknown' && read.code === 'no_file' && LINE_NUMBER.test(whole)
      return isNamedByLine ? readBlob(paths.root, commit, name(whole.replace(LINE_NUMBER, ''))) : read
    },
    renames: async () => {
      if (findGitFolder(paths.root, disk) === undefined) return { kind: 'known', renames: [] }
      return (await import('./git-history.ts')).gitRenames(paths.root)
    },
  }
}
