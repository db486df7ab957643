import { LAYOUT, type MemoryFile, type MemoryPart, rowsOf } from '../../../kernel/layout.ts'
import type { JournalRecord } from '../../../kernel/model/journal.ts'

const NOTHING: readonly MemoryPart[] = []
/** Temporary files of Cairn and of editors, written before they replace a file. */
const TEMPORARY = /\.cairn-tmp$|~$|\.sw[a-z]$|^\.#|^#.*#$|^4913$/

/** The parts that a change of this path concerns. Relative to `.memory/`, with `/`. */
export function partsOf(path: string): readonly MemoryPart[] {
  if (TEMPORARY.test(path.slice(path.lastIndexOf('/') + 1))) return NOTHING
  const row = rowsOf(path).find(({ live }) => live !== undefined)
  return row === undefined || row.tables !== undefined ? NOTHING : (row.live ?? NOTHING)
}

/** Whether the content of this folder is watched. `''` is the memory itself. */
export function isWatchedFolder(folder: string): boolean {
  const levels =
    rowsOf(`${folder}/`).find(({ watchedLevels }) => watchedLevels !== undefined)?.watchedLevels ?? 0
  return folder === '' || folder.split('/').length <= levels
}

/** Whether an event in `.vault/` may matter: the index and the locks are written all the time. */
export function mayConcernPage(name: string): boolean {
  return DATA_NEWS.some(start => name.startsWith(start))
}
const DATA_NEWS = Object.values(LAYOUT)
  .filter(({ path, live }: MemoryFile) => path.startsWith(LAYOUT.data.path) && live !== undefined)
  .map(({ path }) => path.slice(LAYOUT.data.path.length).replace(/\/$/, ''))
  .filter(name => name !== '')

/** Name → stamp of its version. */
export type FolderSnapshot = ReadonlyMap<string, string>

/** The parts concerned by what came, went or changed in one folder. */
export function partsChanged(folder: string, before: FolderSnapshot, after: FolderSnapshot): Set<MemoryPart> {
  const changed = new Set<MemoryPart>()
  const note = (name: string) => {
    for (const part of partsOf(folder === '' ? name : `${folder}/${name}`)) changed.add(part)
  }
  for (const [name, stamp] of after) if (before.get(name) !== stamp) note(name)
  for (const name of before.keys()) if (!after.has(name)) note(name)
  return changed
}

/** The parts that a record of the journal concerns, whichever store has them. */
export function partsOfRecord({ changes }: Pick<JournalRecord, 'changes'>): Set<MemoryPart> {
  const parts = new Set(LAYOUT.journal.live)
  for (const change of changes) {
    const own =
      change.type === 'entry'
        ? (LAYOUT.entries.live ?? NOTHING)
        : partsOf(change.type === 'document' ? change.name : change.path.replace(/^\.memory\//, ''))
    for (const part of own) parts.add(part)
  }
  return parts
}
