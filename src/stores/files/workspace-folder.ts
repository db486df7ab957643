import type { Dirent } from 'node:fs'
import * as path from 'node:path'
import {
  type DocumentPlace,
  isPlanFolder,
  isPlanName,
  kindOfFolder,
  type PlaceKind,
  placeOf,
  type WorkspaceRoots,
} from '../../addons/workspaces/decide/place.ts'
import { isScopeName, scopeOf, scopeParts } from '../../addons/workspaces/decide/scope.ts'
import type {
  FileText,
  SnapshotOptions,
  WorkspaceFolder,
} from '../../addons/workspaces/decide/workspace-folder.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Problem } from '../../kernel/model/search.ts'
import { RESOURCE_KINDS, type Scope } from '../../kernel/model/workspace.ts'
import { asStorageError, type Disk, errnoOf } from '../../kernel/system/disk.ts'
import { isInside, type MemoryPaths } from '../../kernel/system/paths.ts'
import {
  isPlainFile,
  isUnreadable,
  plainFileInfo,
  readStart,
  stampOfPlainFile,
} from '../../kernel/system/plain-file.ts'
import { findGitFolder } from './git-folder.ts'

const HEAD_BYTES = 4_096
/** Longer front matter is ignored. */
const MAX_HEAD_BYTES = 65_536
const MAX_BYTES = 1_048_576
const MAX_FILES = 20_000
const MAX_ITEMS = 200_000
const MAX_SCOPE_DEPTH = 3
const DASH = 45
const LINE_END = 10
const BLANKS: ReadonlySet<number> = new Set([9, LINE_END, 13, 32])
const CLOSING = Buffer.from('\n---')
const MAX_PLAN_DEPTH = 3

/** The workspaces of a project. Throws `config_value_invalid` when a root is not a folder of it. */
export function workspaceFolder(paths: MemoryPaths, disk: Disk, configured: WorkspaceRoots): WorkspaceFolder {
  const roots = {
    resources: checkedRoot('workspaces.resources', configured.resources, paths),
    learnings: checkedRoot('workspaces.learnings', configured.learnings, paths),
  }
  const wholeOf = (name: string) => `${paths.root}/${name}`
  let knownRealRoot: string | undefined
  const realRoot = () => {
    knownRealRoot ??= disk.realPath(paths.root) ?? paths.root
    return knownRealRoot
  }

  const isOursByFolder = new Map<string, boolean>()

  /** Whether the folder of a file is where its path says; checked once per folder. */
  function isInOurs(name: string): boolean {
    const folder = name.slice(0, name.lastIndexOf('/'))
    let known = isOursByFolder.get(folder)
    if (known === undefined) {
      const real = disk.realPath(wholeOf(folder))
      known = real !== undefined && isOurs(real, realRoot())
      isOursByFolder.set(folder, known)
    }
    return known
  }

  /** The plain file of a name, or the reason why it must not be opened. */
  function behind(name: string): { readonly real: string } | 'outside' | 'gone' {
    const seen = plainFileInfo(wholeOf(name))
    if (seen === undefined) return 'gone'
    return isOurs(seen.realPath, realRoot()) ? { real: seen.realPath } : 'outside'
  }

  const head = Buffer.allocUnsafe(HEAD_BYTES)

  /** The front matter of a plain file if the first bytes contain it, as nearly always; otherwise undefined. */
  function readShortHead(name: string): FileText | undefined {
    const length = isInOurs(name) ? readStart(wholeOf(name), head) : undefined
    if (length === undefined) return undefined
    const start = head[0] === 0xef ? 3 : 0
    if (head[start] !== DASH || head[start + 1] !== DASH || head[start + 2] !== DASH) return undefined
    const closing = head.indexOf(CLOSING, start + 3)
    if (closing < 0 || closing + 4 > length) return undefined
    const lineEnd = head.indexOf(LINE_END, closing + 4)
    const end = lineEnd < 0 || lineEnd >= length ? length : lineEnd + 1
    // Four dashes, or text after them, are not the end.
    for (let at = closing + 4; at < end; at++) if (!BLANKS.has(head[at] ?? 0)) return undefined
    const text = head.toString('utf8', 0, end)
    return text.includes('\0') ? undefined : { kind: 'read', text, isWhole: length < HEAD_BYTES }
  }

  function readHead(name: string): FileText {
    try {
      const short = readShortHead(name)
      if (short !== undefined) return short
    } catch (error) {
      if (isUnreadable(error)) return { kind: 'unreadable', problem: unreadable(name, error) }
      throw asStorageError(error, name)
    }
    return read(name, HEAD_BYTES, hasWholeFrontMatter, MAX_HEAD_BYTES)
  }

  function read(name: string, first: number, isEnough: (bytes: Buffer) => boolean, most: number): FileText {
    try {
      const found = behind(name)
      if (found === 'gone') return { kind: 'gone' }
      if (found === 'outside') return { kind: 'unreadable', problem: outside(name) }
      for (let size = first; ; size = most) {
        const part = disk.readRange(found.real, 0, size + 1)
        if (part === undefined) return { kind: 'gone' }
        const bytes = Buffer.from(part.buffer, part.byteOffset, Math.min(part.length, size))
        const isWhole = part.length <= size
        if (!isWhole && size < most && !isEnough(bytes)) continue
        if (bytes.includes(0)) return { kind: 'unreadable', problem: notText(name) }
        return { kind: 'read', text: bytes.toString('utf8'), isWhole }
      }
    } catch (error) {
      if (isUnreadable(error)) return { kind: 'unreadable', problem: unreadable(name, error) }
      throw asStorageError(error, name)
    }
  }

  return {
    roots,
    exists: () => Object.values(roots).some(root => disk.isFolder(wholeOf(root)) === true),
    survey: options =>
      new Surveyor({ disk, roots, wholeOf, realRoot: realRoot(), isOursByFolder }, options).survey(),
    stamp(name) {
      const plain = isInOurs(name) ? stampOfPlainFile(wholeOf(name)) : undefined
      if (plain !== undefined) return { path: name, ...plain }
      const found = behind(name)
      const stamp = typeof found === 'string' ? undefined : disk.stamp(found.real)
      return stamp && { path: name, ...stamp }
    },
    readHead,
    readText: name => read(name, MAX_BYTES, () => true, MAX_BYTES),
    firstCommits: async () => {
      if (findGitFolder(paths.root, disk) === undefined) return new Map()
      return (await import('./git-history.ts')).firstCommits(paths.root, roots.resources)
    },
  }
}

/** One walk over the folders, with its results and problems. */
class Surveyor {
  private readonly places: DocumentPlace[] = []
  private readonly scopes = new Map<string, Scope>()
  private readonly problems: Problem[] = []
  private readonly folders: string[] = []
  private hasLinks = false
  private itemsLeft = MAX_ITEMS

  constructor(
    private readonly folder: {
      readonly disk: Disk
      readonly roots: WorkspaceRoots
      readonly wholeOf: (name: string) => string
      readonly realRoot: string
      /** A listed folder needs no second check before its files are read. */
      readonly isOursByFolder: Map<string, boolean>
    },
    private readonly options: SnapshotOptions = {},
  ) {}

  survey() {
    const { roots } = this.folder
    for (const [name, root] of Object.entries(roots)) {
      if (name === 'learnings' && root === roots.resources) continue
      const kinds: PlaceKind[] =
        name === 'resources' ? ['plan', 'overview', 'abstract', ...RESOURCE_KINDS] : ['decision', 'lesson']
      // Without kinds of files only the scopes are listed.
      if (this.options.kinds?.size === 0 || this.wants(kinds)) this.walkRoot(root)
    }
    if (this.isFull())
      this.problems.push({
        code: 'too_many_files',
        path: roots.resources,
        message: `There are more than ${MAX_FILES} files; the rest was left out.`,
        hint: 'Name a narrower scope, or move what is not a workspace elsewhere.',
      })
    const scopes = [...this.scopes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, scope]) => scope)
    const { places, folders, hasLinks, problems } = this
    return { scopes, places, folders, hasLinks, problems }
  }

  private wants(kinds: readonly PlaceKind[]): boolean {
    return this.options.kinds === undefined || kinds.some(kind => this.options.kinds?.has(kind))
  }

  private isFull(): boolean {
    return this.places.length >= MAX_FILES || this.itemsLeft <= 0
  }

  private walkRoot(root: string): void {
    const { disk, wholeOf, realRoot } = this.folder
    const real = this.guarded(root, () => disk.realPath(wholeOf(root)))
    if (real === undefined) return
    if (!isOurs(real, realRoot)) return void this.problems.push(outside(root))
    if (disk.isFolder(real) === true) this.walkScope(root, [])
  }

  /** A scope's own files, and the scopes below it. */
  private walkScope(folder: string, parts: readonly string[]): void {
    const wanted = this.options.around && scopeParts(this.options.around)[parts.length]
    const found: DocumentPlace[] = []
    for (const { name, isFolder } of this.itemsOf(folder)) {
      const at = `${folder}/${name}`
      const kind = isFolder ? kindOfFolder(name) : undefined
      if (!isFolder) {
        const place = placeOf(at, this.folder.roots)
        if (place !== undefined && this.wants([place.kind])) found.push(place)
      } else if (kind !== undefined) {
        if (parts.length > 0 && this.wants([kind]))
          this.walkDocuments(at, MAX_PLAN_DEPTH, { kind, scope: scopeOf(parts) })
      } else if (!/^[_.]/.test(name) && parts.length < MAX_SCOPE_DEPTH) {
        if (!isScopeName(name)) this.problems.push(oddName(at))
        else if (wanted === undefined || name.normalize('NFC') === wanted) {
          const below = [...parts, name.normalize('NFC')]
          this.scopes.set(below.join('/'), scopeOf(below))
          this.walkScope(at, below)
        }
      }
    }
    this.places.push(...this.oneOfEach(found))
  }

  private walkDocuments(
    folder: string,
    deeper: number,
    of: Pick<DocumentPlace, 'kind' | 'scope'>,
    within = '',
  ): void {
    for (const { name, isFolder } of this.itemsOf(folder)) {
      const path = `${folder}/${name}`
      if (isFolder) {
        if (deeper > 0 && isPlanFolder(name)) this.walkDocuments(path, deeper - 1, of, `${within}${name}/`)
      } else if (isPlanName(name)) this.places.push({ ...of, path, id: `${within}${name.slice(0, -3)}` })
    }
  }

  /** `OVERVIEW.md` and `Overview.md` in one folder: the canonical name wins, and the other is reported. */
  private oneOfEach(found: readonly DocumentPlace[]): DocumentPlace[] {
    if (found.length < 2) return [...found]
    const chosen = new Map<string, DocumentPlace>()
    const usual = (place: DocumentPlace) => /\/(?:OVERVIEW|ABSTRACT|decisions|lessons)\.md$/.test(place.path)
    for (const place of [...found].sort((a, b) => Number(usual(b)) - Number(usual(a)))) {
      const name = path.posix.basename(place.path).toLowerCase()
      const first = chosen.get(name)
      if (first === undefined) chosen.set(name, place)
      else
        this.problems.push({
          code: 'duplicate_file',
          path: place.path,
          message: `${place.path} has the same meaning as ${path.posix.basename(first.path)} next to it; it was left out.`,
          hint: `Expected: one file. Move its content to ${first.path} and remove it.`,
        })
    }
    return [...chosen.values()]
  }

  /** The content of a folder, with links resolved. */
  private itemsOf(folder: string): { name: string; isFolder: boolean }[] {
    if (this.isFull()) return []
    const { disk, wholeOf } = this.folder
    const items = this.guarded(folder, () => disk.listFolder(wholeOf(folder))) ?? []
    this.folder.isOursByFolder.set(folder, true)
    this.itemsLeft -= items.length
    this.folders.push(folder)
    const seen: { name: string; isFolder: boolean }[] = []
    for (const item of [...items].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (item.isFile()) seen.push({ name: item.name, isFolder: false })
      else if (item.isDirectory()) seen.push({ name: item.name, isFolder: true })
      else if (item.isSymbolicLink()) seen.push(...this.behindLink(folder, item))
    }
    return seen
  }

  private behindLink(folder: string, item: Dirent): { name: string; isFolder: boolean }[] {
    const { disk, wholeOf, realRoot } = this.folder
    this.hasLinks = true
    const at = `${folder}/${item.name}`
    const real = this.guarded(at, () => disk.realPath(wholeOf(at)) ?? null)
    if (real === undefined) return []
    if (real === null) {
      this.problems.push({
        code: 'link_dangling',
        path: at,
        message: `${at} is a broken link; it was left out.`,
        hint: 'Remove the link, or create its target.',
      })
      return []
    }
    if (!isOurs(real, realRoot)) {
      this.problems.push(outside(at))
      return []
    }
    const isFolder = disk.isFolder(real) === true
    if (isFolder && isInside(disk.realPath(wholeOf(folder)) ?? '', real)) {
      this.problems.push({
        code: 'link_loop',
        path: at,
        message: `${at} is a link to one of its parent folders; it was not followed.`,
        hint: 'Remove the link.',
      })
      return []
    }
    return isFolder || isPlainFile(real) ? [{ name: item.name, isFolder }] : []
  }

  /** undefined: it could not be read, which is reported. */
  private guarded<T>(name: string, look: () => T): T | undefined {
    try {
      return look()
    } catch (error) {
      if (!isUnreadable(error)) throw asStorageError(error, name)
      this.problems.push(unreadable(name, error))
      return undefined
    }
  }
}

/** Inside the project, but not in `.git` or `.memory`. */
function isOurs(real: string, realRoot: string): boolean {
  if (!isInside(real, realRoot)) return false
  const top = path.relative(realRoot, real).split(path.sep)[0]
  return top !== '.git' && top !== '.memory'
}

function checkedRoot(key: string, value: string, paths: MemoryPaths): string {
  const whole = path.resolve(paths.root, value)
  const relative = path.relative(paths.root, whole).split(path.sep).join('/')
  if (relative !== '' && !path.isAbsolute(value) && isOurs(whole, paths.root)) return relative
  throw new CairnError({
    code: 'config_value_invalid',
    message: `\`${key}\` must name a folder inside the project, not "${value.slice(0, 80)}".`,
    hint: `\`cairn config unset ${key}\` goes back to the default.`,
  })
}

/** Whether the front matter is complete; a file without one is not read further. */
function hasWholeFrontMatter(bytes: Buffer): boolean {
  const start = bytes[0] === 0xef ? 3 : 0
  return bytes.subarray(start, start + 3).toString('latin1') !== '---' || bytes.includes('\n---', start + 3)
}

function outside(name: string): Problem {
  return {
    code: 'link_outside',
    path: name,
    message: `${name} is a link that leads out of the project, or into .git or .memory; it was left out.`,
    hint: 'Replace the link with its target.',
  }
}

function unreadable(name: string, error: unknown): Problem {
  const code = errnoOf(error) ?? 'unknown'
  return {
    code: code === 'ELOOP' ? 'link_loop' : 'unreadable',
    path: name,
    message: `${name} could not be read (${code}); it was left out.`,
    hint: code === 'ELOOP' ? 'Remove the link: it points to itself.' : 'Check its permissions.',
  }
}

function notText(name: string): Problem {
  return {
    code: 'not_text',
    path: name,
    line: 1,
    message: `${name} is not UTF-8 text; it was left out.`,
    hint: 'Expected: Markdown in UTF-8. Save it as UTF-8, or move it elsewhere.',
  }
}

function oddName(name: string): Problem {
  return {
    code: 'scope_name_invalid',
    path: name,
    message: `${name} has a name that is not allowed for a scope; its content was left out.`,
    hint: 'Expected: a name without / \\ : * ? " < > | and without blanks at its ends, at most 100 characters.',
  }
}
