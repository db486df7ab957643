import type { Category } from '../../model/category.ts'
import type { Entry } from '../../model/entry.ts'
import type { EntryChange } from '../../model/journal.ts'
import { isPage } from './observe.ts'
import { editSummary, planPages, planRollover, type RolloverLimits } from './rollover.ts'
import { entriesOf, insertEntries, insertSegments, removeSegments, replaceEntry } from './vault-edit.ts'
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

/** From "this entry changes so" to "these files get this text". Pure: it reads through `sight` and writes nothing. */
export function planFiles(changes: readonly EntryChange[], sight: VaultSight, limits: FileLimits): FilePlan {
  const files = new Map<string, VaultFile>()
  const loaded = new Map<string, VaultFile>()
  const losing = new Set<string>()
  const pathById = new Map<string, string>()
  const growing = new Set<string>()
  const insertsByPath = new Map<string, Entry[]>()
  const removesByPath = new Map<string, string[]>()
  const file = (path: string): VaultFile => {
    const known = files.get(path)
    if (known !== undefined) return known
    const fresh = sight.load(path)
    loaded.set(path, fresh)
    files.set(path, fresh)
    return fresh
  }
  const insert = (entry: Entry) => {
    const path = sight.headPath(entry.agent, entry.category)
    growing.add(path)
    push(insertsByPath, path, entry)
    pathById.set(entry.id, path)
  }

  const keepSummaryTrue = (path: string, before: Entry, after: Entry | null) => {
    if (!isPage(path)) return
    const head = `${path.slice(0, path.lastIndexOf('/'))}.md`
    // As it stands in the file: the journal's version may lack a secret that somebody typed there.
    const standing = entriesOf(file(path)).find(entry => entry.id === before.id) ?? before
    const edited = editSummary(file(head), standing, after)
    if (edited !== files.get(head)) files.set(head, edited)
  }

  for (const { before, after } of changes) {
    const from = before === null ? undefined : sight.locate(before.id)
    if (after === null) {
      if (from === undefined || before === null) continue
      push(removesByPath, from, before.id)
      keepSummaryTrue(from, before, null)
    } else if (from === undefined || before === null) insert(after)
    else if (before.agent === after.agent && before.category === after.category) {
      keepSummaryTrue(from, before, after)
      files.set(from, replaceEntry(file(from), after))
      pathById.set(after.id, from)
    } else {
      insert(after)
      push(removesByPath, from, before.id)
      keepSummaryTrue(from, before, null)
    }
  }
  for (const [path, entries] of insertsByPath) files.set(path, insertEntries(file(path), entries))
  for (const [path, ids] of removesByPath) {
    files.set(path, withoutEntries(file(path), new Set(ids)))
    if (!insertsByPath.has(path)) losing.add(path)
  }

  const moves: { id: string; path: string }[] = []
  for (const path of growing) {
    const folder = path.replace(/\.md$/, '')
    const rollover = planRollover({
      head: file(path),
      limits,
      movedBefore: () => sight.countInPages(folder),
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

function writeOrder(path: string, losing: ReadonlySet<string>): number {
  return losing.has(path) ? 2 : isPage(path) ? 0 : 1
}

export function withoutEntries(file: VaultFile, ids: ReadonlySet<string>): VaultFile {
  return removeSegments(
    file,
    new Set(file.segments.filter(segment => segment.type === 'entry' && ids.has(segment.entry.id))),
  )
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/, '')
}

function push<T>(groups: Map<string, T[]>, key: string, value: T): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [value])
  else group.push(value)
}
