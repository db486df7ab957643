import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Change, EntryChange, JournaledChange, JournalRecord } from '../../kernel/model/journal.ts'
import { textHash } from '../../kernel/system/content-hash.ts'
import type { SettledJournal } from '../../kernel/vault/entry-index.ts'
import { applyFileEdits } from '../../kernel/vault/file-edits.ts'
import type { FilePlan } from '../../kernel/vault/plan-files.ts'
import type { DocumentName, JsonObject, ProjectTexts, TextWrite } from '../../kernel/vault/ports.ts'

/** The entry before a change that may remove it from its file. */
export function leavingEntry({ before, after, place, from }: EntryChange): Entry | undefined {
  if (before === null || from !== undefined) return undefined
  return after === null && place !== undefined ? undefined : before
}

export function entryChanges(record: JournalRecord): EntryChange[] {
  return record.changes.filter(change => change.type === 'entry')
}

/**
 * Every writer finishes the write of a dead process first, so only the last write can be unfinished. Other unsettled records came with a
 * pull of a shared journal, together with their files. The process that should finish it may have died too, after it journaled changes that
 * it observed: an observation of an entry is newer than the write.
 */
export function unfinishedRecord(
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

/** The result of a decision. */
export interface Application {
  readonly plan: FilePlan
  readonly changes: readonly EntryChange[]
  readonly documents: ReadonlyMap<DocumentName, JsonObject>
  /** The documents before the change. */
  readonly documentBefore: (name: DocumentName) => JsonObject
  /** Files of the project outside the memory. */
  readonly texts: readonly TextWrite[]
  readonly settled?: SettledJournal
  readonly isUndo?: boolean
}

/** An editor may have saved the file since the decision: no lock of ours excludes it. */
export function textWrites(changes: readonly Change[], texts: ProjectTexts): TextWrite[] {
  return changes.flatMap(change => {
    if (change.type !== 'file') return []
    if ((texts.read(change.path) ?? null) !== change.before) throw fileChanged(change.path)
    return change.before === change.after ? [] : [{ path: change.path, text: change.after }]
  })
}

/** The remaining writes of a dead process. Files that were written, or changed since, stay. */
export function unfinishedWrites(changes: readonly JournaledChange[], texts: ProjectTexts): TextWrite[] {
  return changes.flatMap(change => {
    if (change.type !== 'file') return []
    const current = readable(change.path, texts)
    if (current === undefined) return []
    const edited = applyFileEdits(current.text, change, textHash)
    return edited.kind === 'edited' ? [{ path: change.path, text: edited.text }] : []
  })
}

function readable(path: string, texts: ProjectTexts): { readonly text: string | null } | undefined {
  try {
    return { text: texts.read(path) ?? null }
  } catch (error) {
    // The file is something else now, so this write is obsolete.
    if (error instanceof CairnError) return undefined
    throw error
  }
}

function fileChanged(path: string): CairnError {
  return new CairnError({
    code: 'file_changed',
    message: `${path} was changed by another program in the meantime; nothing was written.`,
    hint: 'Check the file, then try again.',
  })
}

export function noDocument(name: DocumentName): JsonObject {
  throw new Error(`${name} is not written here`)
}
