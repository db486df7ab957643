import * as path from 'node:path'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Disk } from '../../kernel/system/disk.ts'
import { isInside, MEMORY_FOLDER, type MemoryPaths, PROJECT_TEXT } from '../../kernel/system/paths.ts'
import type { ProjectTexts } from '../../kernel/vault/ports.ts'

/** Rules, plans and overviews are far smaller; a log that was named by mistake is not read whole. */
const MAX_BYTES = 4 * 1_048_576
const TEMPORARY = '.cairn-tmp'
const OWN_FOLDERS: ReadonlySet<string> = new Set(['.git', '.memory'])

/** The project around `.memory/`, as texts that are read and replaced whole. */
export function projectTexts(paths: MemoryPaths, disk: Disk): ProjectTexts {
  function locate(file: string): string {
    const whole = path.resolve(paths.root, file)
    const isFile = file !== '' && !file.includes('\0') && whole !== paths.root && isInside(whole, paths.root)
    if (!isFile || isOwn(path.relative(paths.root, whole), file))
      throw outside(file, 'is not a file of the project')
    return whole
  }

  function checkInside(whole: string, file: string): void {
    const real = disk.realPath(whole)
    const root = disk.realPath(paths.root) ?? paths.root
    if (real === undefined) return
    if (!isInside(real, root)) throw outside(file, 'leads out of the project by a link')
    if (isOwn(path.relative(root, real), file))
      throw outside(file, 'leads by a link to files that only git or Cairn write')
  }

  /** The path may have a link to a folder inside; the file itself must not be a link. */
  function checkWritable(whole: string, file: string): void {
    if (disk.isLink(whole)) throw outside(file, 'is a link, and Cairn does not write through a link')
    for (let folder = path.dirname(whole); isInside(folder, paths.root); folder = path.dirname(folder)) {
      if (disk.realPath(folder) === undefined) continue
      checkInside(folder, file)
      return
    }
  }

  /** Removes a folder without files. */
  function clearAway(emptied: string): void {
    let folder = emptied
    while (folder !== paths.root && isInside(folder, paths.root) && disk.removeEmptyFolder(folder))
      folder = path.dirname(folder)
  }

  const texts: ProjectTexts = {
    read(file) {
      const whole = locate(file)
      checkInside(whole, file)
      const stamp = disk.stamp(whole)
      if (stamp === undefined) return undefined
      if (disk.isFolder(whole) === true) throw unreadable(file, 'is a folder, and a text file was expected')
      if (stamp.size > MAX_BYTES) throw unreadable(file, `is larger than ${MAX_BYTES / 1_048_576} MB`)
      const bytes = disk.readFile(whole)
      if (bytes === undefined) return undefined
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        throw unreadable(file, 'is not UTF-8 text')
      }
    },

    linkTarget(file) {
      const whole = locate(file)
      if (!disk.isLink(whole)) return undefined
      const real = disk.realPath(whole)
      const root = disk.realPath(paths.root) ?? paths.root
      if (real === undefined || !isInside(real, root)) return undefined
      return slashed(path.relative(root, real))
    },

    write(writes) {
      const planned = writes.map(({ path: file, text }) => ({ file, text, whole: locate(file) }))
      for (const { whole, file } of planned) checkWritable(whole, file)
      const temporary: { from: string; to: string }[] = []
      const folders = new Set<string>()
      try {
        for (const { whole, text } of planned) {
          const folder = path.dirname(whole)
          if (text !== null && disk.isFolder(folder) !== true) disk.makeFolder(folder)
          folders.add(folder)
          if (text === null) continue
          const from = `${whole}${TEMPORARY}`
          temporary.push({ from, to: whole })
          // The new file has the same read permissions.
          disk.writeFile(from, new TextEncoder().encode(text), whole)
        }
      } catch (error) {
        for (const { from } of temporary) disk.remove(from)
        throw Object.assign(new Error('nothing was renamed', { cause: error }), { untouched: true })
      }
      for (const { from, to } of temporary) disk.rename(from, to)
      for (const { whole, text } of planned) if (text === null) disk.remove(whole)
      for (const folder of folders) if (disk.isFolder(folder) === true) disk.syncFolder(folder)
      for (const { whole, text } of planned) if (text === null) clearAway(path.dirname(whole))
    },
  }
  return {
    ...texts,
    read: file => looking(file, () => texts.read(file)),
    linkTarget: file => looking(file, () => texts.linkTarget(file)),
  }
}

const WHY_UNREADABLE: Readonly<Record<string, string>> = {
  ELOOP: 'is a circular link',
  ENOTDIR: 'cannot exist: a file has the name of its folder',
  EACCES: 'cannot be read: permission denied',
  EPERM: 'cannot be read: permission denied',
}

/** An error names the file that a link, a folder or rights make unreadable. */
function looking<T>(file: string, look: () => T): T {
  try {
    return look()
  } catch (error) {
    const why = WHY_UNREADABLE[(error as NodeJS.ErrnoException).code ?? '']
    if (why === undefined) throw error
    throw unreadable(file, why)
  }
}

/** Also on file systems where `.GIT` is the same. Of the memory only the text about the project may be written as a whole. */
function isOwn(relative: string, file: string): boolean {
  const isProjectText = file === PROJECT_TEXT && [MEMORY_FOLDER, PROJECT_TEXT].includes(slashed(relative))
  return !isProjectText && OWN_FOLDERS.has((relative.split(path.sep)[0] ?? '').toLowerCase())
}

function slashed(relative: string): string {
  return relative.split(path.sep).join('/')
}

function outside(file: string, why: string): CairnError {
  return new CairnError({
    code: 'memory_outside_project',
    message: `${file} ${why}.`,
    hint: 'Name a plain file inside the project, or replace the link with its target.',
  })
}

function unreadable(file: string, why: string): CairnError {
  return new CairnError({
    code: 'source_unreadable',
    message: `${file} ${why}.`,
    hint: 'It was not changed. Correct or move the file, then try again.',
  })
}
