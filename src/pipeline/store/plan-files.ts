import type { Category } from '../../model/category.ts'
import type { Entry } from '../../model/entry.ts'
import type { EntryChange, EntryPlace } from '../../model/journal.ts'
import { isPage } from './observe.ts'
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

/** The vault as the planner may look at it. */
export interface VaultSight {
  /** The file an entry stands in now. */
  locate(id: string): string | undefined
  load(path: string): VaultFile
  headPath(agent: string, category: Category): string
  /** The pages in the folder of a head file: `dev/decisions/`. */
  pages(folder: string): readonly { readonly path: string; readonly bytes: number }[]
  countInPages(folder: string): number
}

export interface FilePlan {
  /** In the order to write: what gains an entry before what loses it. */
  readonly writes: readonly FileWrite[]
  readonly files: ReadonlyMap<string, VaultFile>
  /** Where each added or changed entry stands afterwards. */
  readonly pathById: ReadonlyMap<string, string>
  /** Entries that only rolled over. */
  readonly moves: readonly { readonly id: string; readonly path: string }[]
}

export interface FileLimits extends RolloverLimits {
  readonly pageBytes: number
  /** UTC ISO; dates the summary of a rollover. */
  readonly now: string
}

/**
 * From "this entry changes so" to "these files get this text". Pure: it reads through `sight` and writes nothing.
 * `full` names head files that nobody writes to and that are to roll over all the same.
 */
export function planFiles(
  changes: readonly EntryChange[],
  sight: VaultSight,
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
    const fresh = sight.load(path)
    loaded.set(path, fresh)
    files.set(path, fresh)
    return fresh
  }
  const insert = (entry: Entry, place?: EntryPlace) => {
    const head = sight.headPath(entry.agent, entry.category)
    const path = place !== undefined && isPageOf(head, place.path) ? place.path : head
    if (path === head) growing.add(head)
    else push(editsByFolder, folderOf(head), { before: null, after: entry, preview: place?.preview })
    if (place?.text !== undefined) textById.set(entry.id, place.text)
    push(insertsByPath, path, entry)
    pathById.set(entry.id, path)
  }
  const keepSummaryTrue = (path: string, before: Entry, after: Entry | null) => {
    if (!isPage(path)) return
    // As it stands in the file: the journal's version may lack a secret that somebody typed there.
    const known = standingByPath.get(path)
    const standing = known ?? new Map(entriesOf(file(path)).map(entry => [entry.id, entry]))
    if (known === undefined) standingByPath.set(path, standing)
    push(editsByFolder, path.slice(0, path.lastIndexOf('/')), {
      before: standing.get(before.id) ?? before,
      after,
    })
  }

  for (const { before, after, place, from: leaves } of changes) {
    const from = before === null ? undefined : sight.locate(before.id)
    if (leaves !== undefined) {
      if (after === null || place === undefined) continue
      const head = sight.headPath(after.agent, after.category)
      // A record may come from anywhere: both ends must be files of this very category.
      if (![leaves, place.path].every(path => path === head || isPageOf(head, path))) continue
      if (from === leaves || from === place.path)
        shifts.push({ entry: after, head, from: leaves, to: place.path, isDone: from === place.path })
    } else if (after === null) {
      if (from === undefined || before === null) continue
      push(removesByPath, from, before.id)
      keepSummaryTrue(from, before, null)
    } else if (from === undefined || before === null) insert(after, place)
    else if (before.agent === after.agent && before.category === after.category) {
      keepSummaryTrue(from, before, after)
      push(replacesByPath, from, after)
      pathById.set(after.id, from)
    } else {
      insert(after)
      push(removesByPath, from, before.id)
      keepSummaryTrue(from, before, null)
    }
  }
  /** How many entries the pages hold when all this is done. */
  const countInPages = (folder: string) =>
    (editsByFolder.get(folder) ?? []).reduce(
      (count, { before, after }) => count + Number(before === null) - Number(after === null),
      sight.countInPages(folder),
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
    // One that stands twice there arrives once.
    const segments = new Map(
      standing.segments.flatMap(segment =>
        segment.type === 'entry' && leaving.has(segment.entry.id) ? [[segment.entry.id, segment]] : [],
      ),
    )
    for (const [to, arriving] of groupBy([...segments.values()], ({ entry }) => leaving.get(entry.id) ?? ''))
      files.set(to, insertSegments(file(to), arriving, standing.encoding))
    files.set(leaves, withoutEntries(standing, new Set(segments.keys())))
    losing.add(leaves)
    for (const id of segments.keys()) moves.push({ id, path: leaving.get(id) ?? '' })
  }
  for (const [head, own] of groupBy(shifts, shift => shift.head)) {
    const arrived = own.filter(({ from }) => from === head).map(({ entry }) => entry)
    const returned = own.filter(({ to }) => to === head).map(({ entry }) => entry)
    if (arrived.length + returned.length === 0) continue
    const folder = folderOf(head)
    const change = own
      .filter(({ isDone }) => !isDone)
      .reduce((sum, { from, to }) => sum + Number(from === head) - Number(to === head), 0)
    const count = countInPages(folder) + change
    files.set(head, withSummaryOf(file(head), { arrived, returned, count, now: limits.now }))
  }
  for (const path of growing) {
    const folder = folderOf(path)
    const rollover = planRollover({
      head: file(path),
      limits,
      movedBefore: () => countInPages(folder),
      now: limits.now,
    })
    if (rollover === null) continue
    files.set(path, rollover.head)
    losing.add(path)
    const pages = sight.pages(folder).map(page => ({ name: nameOf(page.path), bytes: page.bytes }))
    for (const [page, segments] of planPages({ moved: rollover.moved, pages, pageBytes: limits.pageBytes })) {
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

/** An entry on its way from one file of its category to another. `isDone`: a crash came after it had arrived. */
interface Shift {
  readonly entry: Entry
  readonly head: string
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

/** A record may come from anywhere: what it names must be a page of this very file. */
function isPageOf(head: string, path: string): boolean {
  const folder = `${folderOf(head)}/`
  return path.startsWith(folder) && /^[\w.-]+\.md$/.test(path.slice(folder.length))
}

function folderOf(head: string): string {
  return head.replace(/\.md$/, '')
}

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
