import { CairnError } from '../model/errors.ts'
import type { Change, EntryChange, JournalRecord } from '../model/journal.ts'
import { isMonthPage, pageFolderOf } from '../model/vault-layout.ts'
import { applyDocumentEdits, editsOf, invertEdits } from './document-edits.ts'
import { applyAmongOthers, invertFileEdits } from './file-edits.ts'
import { sameEntry } from './observe.ts'
import type { DocumentName, JsonObject, Mutation, StoreView } from './ports.ts'

/** Says, record by record from the newest on, whether one is still in effect. An undo that was itself undone has no effect. */
export function undoneTracker(): (record: JournalRecord) => boolean {
  const undone = new Set<string>()
  return record => {
    const isUndone = undone.has(record.id)
    if (!isUndone && record.undoes !== undefined) undone.add(record.undoes)
    return isUndone
  }
}

/**
 * The mutation that undoes one: before and after are swapped. Only entries that are still as the record left them can be undone; if one
 * changed since, it is named, and nothing is done. For a document or a file, only the places that the record touched count.
 */
export async function planUndo(
  record: JournalRecord,
  view: StoreView,
  hash: (text: string) => string,
): Promise<Mutation> {
  const changed: string[] = []
  const changes: Change[] = []
  const documents = new Map<string, JsonObject>()
  const files = new Map<string, string | null>()
  for (const change of [...record.changes].reverse()) {
    if (change.type === 'document') {
      const { name } = change
      const before = documents.get(name) ?? (await view.readDocument(name as DocumentName))
      const { document: after, refused } = applyDocumentEdits(before, invertEdits(editsOf(change)), {
        amongOthers: true,
      })
      if (refused.length > 0) changed.push(name)
      documents.set(name, after)
      changes.push({ type: 'document', name, before, after })
    } else if (change.type === 'file') {
      const { path } = change
      if (change.lossy === true) throw notKept(record, path)
      const before = files.has(path) ? (files.get(path) ?? null) : ((await view.readFile(path)) ?? null)
      const edited = applyAmongOthers(before, invertFileEdits(change), hash)
      if (edited.kind === 'refused') changed.push(path)
      else {
        files.set(path, edited.text)
        changes.push({ type: 'file', path, before, after: edited.text })
      }
    } else {
      const id = (change.after ?? change.before)?.id ?? ''
      const path = change.after && change.before && (await view.findRestorable([id])).get(id)?.place?.path
      if (!sameEntry(await view.findEntry(id), change.after) || !isInReach(change, path)) changed.push(id)
      changes.push(undone(change, path ?? undefined))
    }
  }
  if (changed.length > 0) {
    changed.reverse()
    throw new CairnError({
      code: 'undo_conflict',
      message: `Record ${record.id} (${record.action}) cannot be undone: ${changed.slice(0, 3).join(', ')} changed since.`,
      hint: `Undo the later changes first: \`cairn log --entry ${changed[0]}\` shows them.`,
      details: { changed },
    })
  }
  return { action: 'undo', changes, undoes: record.id }
}

function notKept(record: JournalRecord, path: string): CairnError {
  return new CairnError({
    code: 'undo_conflict',
    message: `Record ${record.id} (${record.action}) cannot be undone: the text that it removed from ${path} contained a secret, which the journal never stores.`,
    hint: 'Restore the file with git, without the secret.',
    details: { changed: [path] },
  })
}

/** Before and after are swapped, and so are the files. What the change left in its file stays there. `path` is the current file. */
function undone({ left, ...change }: EntryChange, path: string | undefined): EntryChange {
  const back = { ...change, before: change.after, after: change.before }
  if (path === undefined) return back
  if (change.from !== undefined) return { ...back, from: path, place: { path: change.from } }
  return { ...back, place: left ?? { path } }
}

/** For an entry that only moved: whether it is still where it moved to. A head file that grew since may have moved it into a page. */
function isInReach({ from, place }: EntryChange, path: string | null | undefined): boolean {
  if (from === undefined || place === undefined || path === place.path) return true
  return path != null && isMonthPage(path) && pageFolderOf(path) === pageFolderOf(place.path)
}
