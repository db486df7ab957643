import type { Category } from '../model/category.ts'
import type { Entry } from '../model/entry.ts'
import type { EntryChange, EntryPlace } from '../model/journal.ts'
import {
  type Area,
  areaOf,
  isLocalPath,
  isMonthPage,
  isPage,
  pageFolderOf,
  parseVaultPath,
} from '../model/vault-layout.ts'
import { entryFileName } from './entry-file-name.ts'
import {
  editSummary,
  planPages,
  planRollover,
  type RolloverLimits,
  type SummaryEdit,
  withSummaryOf,
} from './rollover.ts'
import { entriesOf, insertEntries, insertSegments, removeSegments, replaceEntries } from './vault-edit.ts'
import { renderVaultFile, type VaultFile } from './vault-file.ts'
import type { FileWrite } from './vault-folder.ts'

/** The part of the vault that the planner may read. */
export interface VaultLookup {
  /** The current file of an entry. */
  locate(id: string): string | undefined
  /** Other files that contain it too. */
  twins(id: string): readonly string[]
  load(path: string): VaultFile
  /** The folder of the pages of a category: `dev/decisions`, `local/dev/decisions`. */
  pageFolder(area: Area, agent: string, category: Category): string
  pages(folder: string): readonly { readonly path: string; readonly bytes: number }[]
  /** How many entries have rolled over into the pages of a folder. */
  countInPages(folder: string): number
}

export interface FilePlan {
  /** In the order to write: files that gain an entry before files that lose it. */
  readonly writes: readonly FileWrite[]
  readonly files: ReadonlyMap<string, VaultFile>
  /** The file of each added or changed entry afterwards. */
  readonly pathById: ReadonlyMap<string, string>
  /** Entries that only rolled over. */
  readonly moves: readonly { readonly id: string; readonly path: string }[]
}

/** More new entries than this in one write share pages: 100,000 files would make every read slow. */
const MAX_ENTRY_FILES = 200

interface FileLimits extends RolloverLimits {
  readonly pageBytes: number
  /** What is committed without confirmation by a person (`vault.share`). */
  readonly shared: readonly string[]
  /** The suffix of the names of the pages that a large import writes, so that no other branch writes the same ones. */
  readonly importLabel: string
  /** UTC ISO; dates the summary of a rollover. */
  readonly now: string
}

/**
 * From changes of entries to texts of files. Pure: it reads through `snapshot` and writes nothing. `full` names head files without
 * changes that must also roll over.
 */
export function planFiles(
  changes: readonly EntryChange[],
  lookup: VaultLookup,
  limits: FileLimits,
  full: readonly string[] = [],
): FilePlan {
  const files = new Map<string, VaultFile>()
  const loaded = new Map<string, VaultFile>()
  const losing = new Set<string>()
  const pathById = new Map<string, string>()
  const growing = new Set<string>(full)
  const insertsByPath = new Map<string, Entry[]>()
  const replacesByPath = new Map<string, Entry[]>()
  const removesByPath = new Map<string, string[]>()
  const editsByFolder = new Map<string, SummaryEdit[]>()
  const textById = new Map<string, string>()
  const standingByPath = new Map<string, ReadonlyMap<string, Entry>>()
  const shifts: Shift[] = []
  const file = (path: string): VaultFile => {
    const known = files.get(path)
    if (known !== undefined) return known
    const fresh = lookup.load(path)
    loaded.set(path, fresh)
    files.set(path, fresh)
    return fresh
  }
  const insertAt = (path: string, entry: Entry, place?: EntryPlace) => {
    if (isMonthPage(path))
      push(editsByFolder, pageFolderOf(path), { before: null, after: entry, preview: place?.preview })
    else if (!isPage(path) && isLocalPath(path)) growing.add(path)
    if (place?.text !== undefined) textById.set(entry.id, place.text)
    push(insertsByPath, path, entry)
    pathById.set(entry.id, path)
  }
  /** New entries for files of their own, by folder: many at once share pages. */
  const arrivingByFolder = new Map<string, Entry[]>()
  const insert = (entry: Entry, place?: EntryPlace) => {
    if (place !== undefined && isPlaceOf(entry, place.path)) return insertAt(place.path, entry, place)
    const path = usualPath(entry, lookup, limits.shared)
    if (isPage(path)) push(arrivingByFolder, pageFolderOf(path), entry)
    else insertAt(path, entry, place)
  }
  const keepSummaryTrue = (path: string, before: Entry, after: Entry | null) => {
    if (!isMonthPage(path)) return
    // As in the file: the journal's version may lack a secret that a person typed there.
    const known = standingByPath.get(path)
    const standing = known ?? new Map(entriesOf(file(path)).map(entry => [entry.id, entry]))
    if (known === undefined) standingByPath.set(path, standing)
    push(editsByFolder, pageFolderOf(path), {
      before: standing.get(before.id) ?? before,
      after,
    })
  }

  for (const { before, after, place, from: leaves } of changes) {
    const from = before === null ? undefined : lookup.locate(before.id)
    if (leaves !== undefined) {
      if (after === null || place === undefined) continue
      // A record may come from anywhere: both ends must be files of this category.
      if (![leaves, place.path].every(path => isPlaceOf(after, path))) continue
      for (const twin of lookup.twins(after.id)) if (twin !== from) push(removesByPath, twin, after.id)
      if (from === leaves || from === place.path)
        shifts.push({ entry: after, from: leaves, to: place.path, isDone: from === place.path })
    } else if (after === null) {
      if (from === undefined || before === null) continue
      push(removesByPath, from, before.id)
      keepSummaryTrue(from, before, null)
      // A remaining copy would become the entry. Upkeep only removes local entries: that changes no file that git tracks.
      if (areaOf(before, limits.shared) === 'vault')
        for (const twin of lookup.twins(before.id)) if (twin !== from) push(removesByPath, twin, before.id)
    } else if (from === undefined || before === null) insert(after, place)
    else if (place === undefined ? staysInFile(before, after, from, limits.shared) : place.path === from) {
      keepSummaryTrue(from, before, after)
      push(replacesByPath, from, after)
      pathById.set(after.id, from)
    } else {
      insert(after, place)
      push(removesByPath, from, before.id)
      keepSummaryTrue(from, before, null)
    }
  }
  const arriving = [...arrivingByFolder.values()].reduce((sum, entries) => sum + entries.length, 0)
  for (const [folder, entries] of arrivingByFolder) {
    const files = arriving > MAX_ENTRY_FILES ? importPages(entries, folder, lookup, limits) : undefined
    for (const entry of entries) insertAt(files?.get(entry) ?? `${folder}/${entryFileName(entry)}`, entry)
  }
  /** How many entries the pages contain afterwards. */
  const countInPages = (folder: string) =>
    (editsByFolder.get(folder) ?? []).reduce(
      (count, { before, after }) => count + Number(before === null) - Number(after === null),
      lookup.countInPages(folder),
    )
  for (const [folder, edits] of editsByFolder) {
    const head = `${folder}.md`
    files.set(head, editSummary(file(head), edits, countInPages(folder)))
  }
  for (const [path, entries] of replacesByPath) files.set(path, replaceEntries(file(path), entries))
  for (const [path, entries] of insertsByPath) files.set(path, insertEntries(file(path), entries, textById))
  for (const [path, ids] of removesByPath) {
    files.set(path, withoutEntries(file(path), new Set(ids)))
    if (!insertsByPath.has(path)) losing.add(path)
  }

  const moves: { id: string; path: string }[] = []
  for (const [leaves, gone] of groupBy(shifts, ({ from }) => from)) {
    const standing = file(leaves)
    const leaving = new Map(
      gone.filter(({ isDone }) => !isDone).map(shift => [shift.entry.id, shift.to] as const),
    )
    // An entry that is there twice is added once.
    const segments = new Map(
      standing.segments.flatMap(segment =>
        segment.type === 'entry' && leaving.has(segment.entry.id) ? [[segment.entry.id, segment]] : [],
      ),
    )
    for (const [to, arriving] of groupBy([...segments.values()], ({ entry }) => leaving.get(entry.id) ?? ''))
      files.set(to, insertSegments(file(to), arriving, standing.encoding))
    for (const to of new Set(leaving.values())) if (!isPage(to) && isLocalPath(to)) growing.add(to)
    files.set(leaves, withoutEntries(file(leaves), new Set(segments.keys())))
    losing.add(leaves)
    for (const id of segments.keys()) moves.push({ id, path: leaving.get(id) ?? '' })
  }
  const shiftedFolders = new Set(shifts.flatMap(({ from, to }) => [pageFolderOf(from), pageFolderOf(to)]))
  for (const folder of shiftedFolders) {
    const isHere = (path: string) => isMonthPage(path) && pageFolderOf(path) === folder
    const arrived = shifts.filter(({ from, to }) => isHere(to) && !isHere(from)).map(({ entry }) => entry)
    const returned = shifts.filter(({ from, to }) => isHere(from) && !isHere(to)).map(({ entry }) => entry)
    if (arrived.length + returned.length === 0) continue
    const change = shifts
      .filter(({ isDone }) => !isDone)
      .reduce((sum, { from, to }) => sum + Number(isHere(to)) - Number(isHere(from)), 0)
    const count = countInPages(folder) + change
    const head = `${folder}.md`
    files.set(head, withSummaryOf(file(head), { arrived, returned, count, now: limits.now }))
  }
  for (const path of growing) {
    const folder = pageFolderOf(path)
    const rollover = planRollover({
      head: file(path),
      limits,
      movedBefore: () => countInPages(folder),
      now: limits.now,
    })
    if (rollover === null) continue
    files.set(path, rollover.head)
    losing.add(path)
    const pages = lookup.pages(folder).map(page => ({ name: nameOf(page.path), bytes: page.bytes }))
    const moved = rollover.moved.map(segment => ({
      ...segment,
      // The blank line between it and the next, and the `---` that it may lack.
      bytes: Buffer.byteLength(segment.raw, 'utf8') + 8,
    }))
    for (const [page, segments] of planPages({ moved, pages, pageBytes: limits.pageBytes, label: '' })) {
      const pagePath = `${folder}/${page}.md`
      const entries = segments.map(segment => segment.entry)
      files.set(pagePath, insertSegments(file(pagePath), segments, rollover.head.encoding))
      for (const { id } of entries) {
        if (pathById.has(id)) pathById.set(id, pagePath)
        else moves.push({ id, path: pagePath })
      }
    }
  }

  const writes = [...files]
    .filter(([path, content]) => content !== loaded.get(path))
    .sort(([a], [b]) => writeOrder(a, losing) - writeOrder(b, losing))
    .map(([path, content]) => ({
      path,
      bytes: content.segments.length === 0 ? null : renderVaultFile(content),
    }))
  return { writes, files, pathById, moves }
}

/** A move of an entry from one file of its category to another. `isDone`: a crash came after it had been added. */
interface Shift {
  readonly entry: Entry
  readonly from: string
  readonly to: string
  readonly isDone: boolean
}

function writeOrder(path: string, losing: ReadonlySet<string>): number {
  return losing.has(path) ? 2 : isPage(path) ? 0 : 1
}

export function withoutEntries(file: VaultFile, ids: ReadonlySet<string>): VaultFile {
  return removeSegments(
    file,
    new Set(file.segments.filter(segment => segment.type === 'entry' && ids.has(segment.entry.id))),
  )
}

/** The path of a new entry, unless it is one of many. */
export function usualPath(
  entry: Entry,
  lookup: Pick<VaultLookup, 'pageFolder'>,
  shared: readonly string[],
): string {
  const area = areaOf(entry, shared)
  const folder = lookup.pageFolder(area, entry.agent, entry.category)
  return area === 'local' ? `${folder}.md` : `${folder}/${entryFileName(entry)}`
}

/** A record may come from anywhere: its path must be a file of this category. */
function isPlaceOf({ agent, category }: Entry, path: string): boolean {
  const place = parseVaultPath(path)
  return place?.agent === agent && place.category === category && PLAIN_PATH.test(path)
}

/** Not hidden, and no path that leads elsewhere on any file system. */
const PLAIN_PATH = /^(?:[^./\\:\p{Cc}][^/\\:\p{Cc}]*(?:\/|$))+$/u

/**
 * An entry leaves its file if the change gives it to another agent or category, or moves it between committed and local entries. Entries
 * that format 1 stored in a committed file stay there until a person confirms or migrates them.
 */
export function staysInFile(before: Entry, after: Entry, path: string, shared: readonly string[]): boolean {
  if (before.agent !== after.agent || before.category !== after.category) return false
  const area = areaOf(after, shared)
  return area === areaOf(before, shared) || area === (isLocalPath(path) ? 'local' : 'vault')
}

/** The page of each entry of a large import: `shared/decisions/2026-02-k3f9.md`. */
function importPages(
  entries: readonly Entry[],
  folder: string,
  lookup: VaultLookup,
  { pageBytes, importLabel }: FileLimits,
): Map<Entry, string> {
  const pages = lookup.pages(folder).map(page => ({ name: nameOf(page.path), bytes: page.bytes }))
  const moved = entries.map(entry => ({ entry, bytes: Buffer.byteLength(entry.content) + USUAL_FRAME_BYTES }))
  const planned = planPages({ moved, pages, pageBytes, label: `-${importLabel}` })
  return new Map(
    [...planned].flatMap(([name, items]) => items.map(({ entry }) => [entry, `${folder}/${name}.md`])),
  )
}

/** Comment, heading and end of an entry. */
const USUAL_FRAME_BYTES = 160

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/, '')
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) push(groups, keyOf(item), item)
  return groups
}

function push<T>(groups: Map<string, T[]>, key: string, value: T): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [value])
  else group.push(value)
}
