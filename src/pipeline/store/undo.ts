import { CairnError } from '../../model/errors.ts'
import type { Change, JournalRecord } from '../../model/journal.ts'
import { sameEntry } from './observe.ts'
import type { DocumentName, Mutation, StoreView } from './ports.ts'

/**
 * Tells, record by record from the newest on, whether one is still in force. An undo that was itself undone undoes
 * nothing.
 */
export function undoneTracker(): (record: JournalRecord) => boolean {
  const undone = new Set<string>()
  return record => {
    const isUndone = undone.has(record.id)
    if (!isUndone && record.undoes !== undefined) undone.add(record.undoes)
    return isUndone
  }
}

/**
 * The mutation that takes one back: before and after change places. Only what is still as the record left it is taken
 * back; anything changed since is named, and nothing is done.
 */
export async function planUndo(record: JournalRecord, view: StoreView): Promise<Mutation> {
  const changed: string[] = []
  const changes: Change[] = []
  for (const change of record.changes) {
    if (change.type === 'document') {
      const current = await view.readDocument(change.name as DocumentName)
      if (JSON.stringify(current) !== JSON.stringify(change.after)) changed.push(change.name)
      changes.push({ ...change, before: change.after, after: change.before })
    } else {
      const id = (change.after ?? change.before)?.id ?? ''
      if (!sameEntry(await view.findEntry(id), change.after)) changed.push(id)
      changes.push({ ...change, before: change.after, after: change.before })
    }
  }
  if (changed.length > 0) {
    throw new CairnError({
      code: 'undo_conflict',
      message: `Record ${record.id} (${record.action}) cannot be undone: ${changed.slice(0, 3).join(', ')} changed since.`,
      hint: `Undo the later changes first: \`cairn log --entry ${changed[0]}\` shows them.`,
      details: { changed },
    })
  }
  return { action: 'undo', changes: changes.reverse(), undoes: record.id }
}
