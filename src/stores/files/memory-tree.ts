import { isPlainPath } from '../../features/upkeep/decide/archive.ts'
import { ABANDONED_MS, TEMPORARY } from '../../features/validate/decide/judge-tree.ts'
import type {
  FileReading,
  MemoryMender,
  MemoryTree,
  TreeItem,
  TreeListing,
} from '../../features/validate/decide/ports.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import { asStorageError, type Disk, errnoOf } from '../../kernel/system/disk.ts'
import { isInside, type MemoryPaths } from '../../kernel/system/paths.ts'
import { replaceFile, safePaths } from './safe-path.ts'

/** More than years of work; a clone could have any number. */
const MAX_ITEMS = 200_000
const MAX_LEVELS = 16
const RANDOM_BOUND = 2 ** 31

/** `.memory/` from the outside: no link is followed, nothing is written. */
export function memoryTree(paths: MemoryPaths, disk: Disk): MemoryTree {
  const absolute = (path: string) => `${paths.memory}/${path}`

  return {
    async open() {
      if (disk.isFolder(paths.memory) !== true) return undefined
      return { ...listing(), read }
    },

    async readEnd(path, maxBytes) {
      const file = absolute(path)
      const look = disk.fileInfo(file)
      if (look?.kind !== 'file') return undefined
      const end = disk.readTail(file, maxBytes)
      return end && { bytes: end.tail, isWhole: end.tail.length === end.size }
    },
  }

  function read(path: string, maxBytes: number): FileReading {
    const file = absolute(path)
    try {
      const plain = disk.readPlain(file, maxBytes)
      if (plain === undefined) return { kind: 'absent' }
      if (plain !== 'link') return plain
      if (leadsTo(path) !== 'inside')
        return { kind: 'unreadable', why: 'it is a link that leads out of .memory' }
      const real = disk.realPath(file)
      const behind = real === undefined ? undefined : disk.readPlain(real, maxBytes)
      return behind === undefined || behind === 'link' ? { kind: 'absent' } : behind
    } catch (error) {
      const errno = errnoOf(error)
      if (errno === undefined) throw error
      return { kind: 'unreadable', why: `the system refuses it (${errno})` }
    }
  }

  function listing(): TreeListing {
    const items: TreeItem[] = []
    const unreadable: { path: string; why: string }[] = []
    let isWhole = true
    const walk = (folder: string, level: number) => {
      let names: readonly { readonly name: string }[]
      try {
        names = disk.listFolder(folder === '' ? paths.memory : absolute(folder)) ?? []
      } catch (error) {
        const errno = errnoOf(error)
        if (errno === undefined) throw error
        unreadable.push({ path: folder, why: `the system refuses it (${errno})` })
        return
      }
      for (const { name } of names) {
        if (items.length >= MAX_ITEMS || level > MAX_LEVELS) {
          isWhole = false
          return
        }
        const path = folder === '' ? name : `${folder}/${name}`
        const look = disk.fileInfo(absolute(path))
        // It may have gone since the folder was listed.
        if (look === undefined) continue
        items.push(look.kind === 'link' ? { path, ...look, leads: leadsTo(path) } : { path, ...look })
        if (look.kind === 'folder') walk(path, level + 1)
      }
    }
    walk('', 1)
    return { items, isWhole, unreadable }
  }

  function leadsTo(path: string): 'inside' | 'outside' | 'nowhere' {
    const real = realPathOf(absolute(path))
    const memory = disk.realPath(paths.memory)
    if (real === undefined || memory === undefined) return 'nowhere'
    return isInside(real, memory) ? 'inside' : 'outside'
  }

  /** A link to itself leads nowhere. */
  function realPathOf(file: string): string | undefined {
    try {
      return disk.realPath(file)
    } catch (error) {
      if (errnoOf(error) !== 'ELOOP') throw error
      return undefined
    }
  }
}

export function memoryMender(parts: {
  readonly paths: MemoryPaths
  readonly disk: Disk
  readonly clock: Clock
  /** Runs under the lock of this memory. */
  readonly exclusively: <T>(work: () => T | Promise<T>) => Promise<T>
}): MemoryMender {
  const { paths, disk, clock, exclusively } = parts
  const safe = safePaths(paths, disk)
  return {
    addIgnored: lines =>
      exclusively(() =>
        storing('.gitignore', () => {
          const bytes = disk.readFile(safe.check(paths.gitignore))
          const text = bytes === undefined ? '' : new TextDecoder().decode(bytes)
          const known = text.split('\n').map(line => line.trim())
          // A later line overrules an earlier one: a line that is there already is repeated at the end.
          const missing = lines.filter(line => !known.includes(line) || known.includes(`!${line}`))
          if (missing.length === 0) return
          const start = text === '' || text.endsWith('\n') ? text : `${text}\n`
          replaceFile(disk, paths.gitignore, `${start}${missing.join('\n')}\n`, clock.random(RANDOM_BOUND))
        }),
      ),

    removeLeftover: path =>
      exclusively(() =>
        storing(path, () => {
          if (!isPlainPath(path) || !path.endsWith(TEMPORARY)) return false
          const file = safe.check(`${paths.memory}/${path}`)
          const look = disk.fileInfo(file)
          // Another process may be writing to it.
          if (look === undefined || clock.nowMs() - look.mtimeMs <= ABANDONED_MS) return false
          if (look.kind === 'folder') disk.removeFolder(file)
          else disk.remove(file)
          return true
        }),
      ),
  }

  function storing<T>(name: string, work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw asStorageError(error, `.memory/${name}`)
    }
  }
}
