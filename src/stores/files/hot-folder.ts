import * as path from 'node:path'
import type { HotFiles, PathState, RuleFileReading } from '../../addons/rules/decide/hot-files.ts'
import { LAYOUT } from '../../kernel/layout.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import { asStorageError, type Disk, errnoOf } from '../../kernel/system/disk.ts'
import { isInside, type MemoryPaths, placeIn } from '../../kernel/system/paths.ts'
import { plainFileInfo } from '../../kernel/system/plain-file.ts'
import { isTemporary, realPathOf, replaceFile } from './safe-path.ts'

/** A rule file has a few KB; what is larger is not read whole. */
const MAX_BYTES = 1_048_576
const LEVELS = 3
const MAX_FILES = 500
const OWN_FOLDERS: ReadonlySet<string> = new Set(['.git', '.memory'])
/** Error codes for "links are not permitted" and "links are not supported". */
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EACCES'])

/** Rules, skills and the folders of hosts, below the project. */
export function hotFolder({
  paths,
  disk,
  clock,
}: {
  readonly paths: MemoryPaths
  readonly disk: Disk
  readonly clock: Clock
}): HotFiles {
  const madeFile = placeIn(paths.memory, LAYOUT.hotFolders)
  const realRoot = () => disk.realPath(paths.root) ?? paths.root

  function locate(place: string): string {
    const whole = path.resolve(paths.root, place)
    const relative = path.relative(paths.root, whole)
    const isOwn = OWN_FOLDERS.has((relative.split(path.sep)[0] ?? '').toLowerCase())
    if (place !== '' && !place.includes('\0') && relative !== '' && isInside(whole, paths.root) && !isOwn)
      return whole
    throw refused(place, 'is not a place for rules or skills of this project')
  }

  /** The real path; undefined: nothing there, outside the project, or circular links. */
  function realInside(whole: string): string | undefined {
    const real = realPathOf(disk, whole)
    return real !== undefined && isInside(real, realRoot()) ? real : undefined
  }

  /** The nearest folder on the way that is a link. */
  function linkOnTheWay(whole: string): string | undefined {
    for (let folder = path.dirname(whole); folder !== paths.root; folder = path.dirname(folder)) {
      if (!isInside(folder, paths.root)) return undefined
      if (disk.isLink(folder)) return folder
    }
    return undefined
  }

  /** Whether a link on the path, or the path itself, is broken, circular or leads out of the project. */
  function leadsAway(whole: string): boolean {
    for (let at = whole; at !== paths.root && isInside(at, paths.root); at = path.dirname(at))
      if (disk.isLink(at) && realInside(at) === undefined) return true
    return false
  }

  const nameOf = (whole: string, root = paths.root) => path.relative(root, whole).split(path.sep).join('/')

  function read(place: string): RuleFileReading {
    const whole = locate(place)
    const isLink = disk.isLink(whole)
    const real = realInside(whole)
    if (real === undefined) {
      if (!isLink && realPathOf(disk, whole) === undefined && linkOnTheWay(whole) === undefined)
        return { kind: 'absent' }
      return { kind: 'unreadable', why: 'is a link that is broken, circular or leads out of the project' }
    }
    // Reading a pipe or a device could block for ever.
    const file = plainFileInfo(real)
    if (file === undefined) return { kind: 'unreadable', why: 'is not a plain file' }
    if (file.size > MAX_BYTES)
      return {
        kind: 'unreadable',
        why: `has ${Math.ceil(file.size / 1_048_576)} MB, too large for such a file`,
      }
    const bytes = disk.readRange(real, 0, MAX_BYTES)
    if (bytes === undefined) return { kind: 'absent' }
    return decoded(bytes, file.mtimeMs)
  }

  function look(place: string): PathState {
    const whole = locate(place)
    if (linkOnTheWay(whole) !== undefined) {
      const real = realInside(whole)
      return { kind: 'behind a link', ...(real !== undefined && { real: nameOf(real, realRoot()) }) }
    }
    const says = disk.readLink(whole)
    if (says !== undefined) {
      const named = path.resolve(path.dirname(whole), says)
      return {
        kind: 'link',
        says,
        ...(isInside(named, paths.root) && { leadsTo: nameOf(named) }),
        isBroken: realInside(whole) === undefined,
      }
    }
    const isFolder = disk.isFolder(whole)
    if (isFolder === undefined) return { kind: 'nothing' }
    if (isFolder) return { kind: 'folder' }
    const reading = read(place)
    return { kind: 'file', ...(reading.kind === 'text' && { text: reading.text }) }
  }

  /** Requires that no folder on the path is a link, so that a new file is where its path says. */
  function plain(place: string): string {
    const whole = locate(place)
    const link = linkOnTheWay(whole)
    if (link !== undefined) throw refused(place, `is behind the link ${nameOf(link)}`)
    return whole
  }

  function writable(place: string): string {
    const whole = plain(place)
    const folder = path.dirname(whole)
    if (disk.isFolder(folder) !== true) disk.makeFolder(folder)
    return whole
  }

  function list(folder: string, levels: number = LEVELS): { paths: string[]; missing?: string } {
    const found: string[] = []
    const walk = (below: string, depth: number): boolean => {
      // A folder behind a link may be one of those above it.
      if (depth > 0 && disk.isLink(locate(below))) return true
      for (const item of items(below)) {
        if (isTemporary(item.name)) continue
        const name = `${below}/${item.name}`
        const isFolder = item.isDirectory() || (item.isSymbolicLink() && leadsToFolder(name))
        if (!isFolder) found.push(name)
        else if (depth + 1 < levels && !walk(name, depth + 1)) return false
        if (found.length >= MAX_FILES) return false
      }
      return true
    }
    const whole = locate(folder)
    const isBehindLink = disk.isLink(whole) || linkOnTheWay(whole) !== undefined
    // A missing file behind a link that stays inside is only absent.
    if (isBehindLink && realInside(whole) === undefined && leadsAway(whole))
      return { paths: [], missing: 'is a link that is broken, circular or leads out of the project' }
    return walk(folder, 0)
      ? { paths: found }
      : { paths: found, missing: `has more than the ${MAX_FILES} files that are read` }
  }

  function leadsToFolder(place: string): boolean {
    const real = realInside(locate(place))
    return real !== undefined && disk.isFolder(real) === true
  }

  function items(folder: string) {
    const whole = locate(folder)
    if (realInside(whole) === undefined || disk.isFolder(whole) !== true) return []
    return [...(disk.listFolder(whole) ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** Folders of the project that linking created: unlinking removes these, and no folder of the user. */
  function madeFolders(): readonly string[] {
    const bytes = disk.readFile(madeFile)
    const names = bytes === undefined ? undefined : parsedJson(new TextDecoder().decode(bytes))
    return Array.isArray(names) ? names.filter(name => typeof name === 'string') : []
  }

  function noteMade(place: string): void {
    const known = madeFolders()
    const names = new Set(known)
    for (let folder = path.dirname(locate(place)); folder !== paths.root; folder = path.dirname(folder)) {
      if (disk.isFolder(folder) !== undefined) break
      names.add(nameOf(folder))
    }
    if (names.size > known.length) keepMade([...names])
  }

  function keepMade(names: readonly string[]): void {
    if (disk.isFolder(paths.vaultData) !== true) disk.makeFolder(paths.vaultData)
    replaceFile(disk, madeFile, `${JSON.stringify(names)}\n`, clock.nowMs())
  }

  const orSubject =
    <Values extends unknown[], T>(work: (place: string, ...values: Values) => T) =>
    async (place: string, ...values: Values): Promise<T> => {
      try {
        return work(place, ...values)
      } catch (error) {
        throw asStorageError(error, place)
      }
    }

  return {
    list: orSubject(list),
    read: orSubject(read),
    look: orSubject(look),
    names: orSubject(folder =>
      items(folder)
        .slice(0, MAX_FILES)
        .map(({ name }) => name),
    ),
    exists: orSubject(place => realPathOf(disk, locate(place)) !== undefined),

    makeLink: orSubject((place, target: string) => {
      noteMade(place)
      const whole = writable(place)
      // For a new file the system refuses to replace one that another process created meanwhile.
      const isFree = !disk.isLink(whole) && disk.stamp(whole) === undefined
      const made = isFree ? whole : `${whole}.${clock.nowMs().toString(36)}.cairn-tmp`
      try {
        disk.makeLink(made, target)
      } catch (error) {
        if (NO_LINKS.has(errnoOf(error) ?? '')) return false
        throw error
      }
      try {
        if (!isFree) disk.rename(made, whole)
      } catch (error) {
        disk.remove(made)
        throw error
      }
      disk.syncFolder(path.dirname(whole))
      return true
    }),

    writeCopy: orSubject((place, text: string) => {
      noteMade(place)
      replaceFile(disk, writable(place), text, clock.nowMs())
    }),

    remove: orSubject((place, withFolder: boolean = false) => {
      const whole = plain(place)
      disk.remove(whole)
      if (withFolder) disk.removeEmptyFolder(path.dirname(whole))
    }),

    clearAway: orSubject(place => {
      const made = madeFolders()
      const removed = new Set<string>()
      let folder = path.dirname(plain(place))
      // `.codex` and `.cursor/rules` are the user's own, empty or not, unless linking made them.
      while (made.includes(nameOf(folder)) && disk.removeEmptyFolder(folder)) {
        removed.add(nameOf(folder))
        folder = path.dirname(folder)
      }
      if (removed.size > 0) keepMade(made.filter(name => !removed.has(name)))
    }),
  }
}

/** A damaged list names no folder: an empty one then stays. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function decoded(bytes: Uint8Array, changedMs: number): RuleFileReading {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return { kind: 'text', text, changedMs }
  } catch (error) {
    if (error instanceof TypeError) return { kind: 'unreadable', why: 'is not UTF-8 text' }
    throw error
  }
}

function refused(place: string, why: string): CairnError {
  return new CairnError({
    code: 'memory_outside_project',
    message: `${place} ${why}.`,
    hint: 'Name a folder inside the project (`hot.rules`, `skills.folder`), or replace the link with its target.',
  })
}
