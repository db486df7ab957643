import type { Entry } from '../../kernel/model/entry.ts'
import type { EntryChange, JournalRecord } from '../../kernel/model/journal.ts'
import type { SettledJournal } from '../../kernel/vault/entry-index.ts'
import type { FilePlan } from '../../kernel/vault/plan-files.ts'
import type { DocumentName, JsonObject, TextWrite } from '../../kernel/vault/ports.ts'

/** What an entry was before a change that may take it out of its file. */
export function leavingEntry({ before, after, place, from }: EntryChange): Entry | undefined {
  if (before === null || from !== undefined) return undefined
  return after === null && place !== undefined ? undefined : before
}

export function entryChanges(record: JournalRecord): EntryChange[] {
  return record.changes.filter(change => change.type === 'entry')
}

/**
 * Every writer finishes what it finds before it begins, so that only the last write can be half done. More than that have come with
 * a pull, where a team shares its journal: they tell what others did, and the files have come with them.
 *
 * Whoever was to finish it may have died as well, after it had journaled what it saw in the files. What was seen of an entry
 * is later than what was written of it.
 */
export function halfDone(
  writes: readonly JournalRecord[],
  records: readonly JournalRecord[],
): JournalRecord | undefined {
  const last = writes.at(-1)
  if (last === undefined) return undefined
  const seen = new Set(
    records.slice(records.indexOf(last) + 1).flatMap(record => entryChanges(record).map(idOf)),
  )
  const changes = last.changes.filter(change => change.type !== 'entry' || !seen.has(idOf(change)))
  return { ...last, changes }
}

export function idOf({ before, after }: EntryChange): string | undefined {
  return (after ?? before)?.id
}

/** What a decision comes to. */
export interface Application {
  readonly plan: FilePlan
  readonly changes: readonly EntryChange[]
  readonly documents: ReadonlyMap<DocumentName, JsonObject>
  /** What they were made from. */
  readonly documentBefore: (name: DocumentName) => JsonObject
  /** Files of the project outside the memory. */
  readonly texts: readonly TextWrite[]
  readonly settled?: SettledJournal
  readonly isUndo?: boolean
}
