import { type Answered, ApiError, type Asked, call } from '../../api/client.ts'
import { say, sayFailure } from '../../ui/toasts.tsx'
import type { Entry } from './pages.ts'

interface UndoWords {
  readonly undo: string
  readonly undone: string
}

/** Where confirmations and feedback are kept. */
export const CURATION = 'curation.json'

/** The record by which the last change of an entry, or of a document, is taken back. */
export async function lastRecordOf(what: string): Promise<string | undefined> {
  const { records } = await call('log', { entry: what, limit: 1 })
  return records[0]?.id
}

/** Says what was done; while that stands there it can be taken back. */
export function sayUndoable(
  text: string,
  record: string | undefined,
  words: UndoWords,
  onUndone: () => void,
): void {
  if (record === undefined) {
    say(text)
    return
  }
  const run = () => {
    call('undo', { record }).then(() => {
      say(words.undone)
      onUndone()
    }, sayFailure)
  }
  say(text, { action: { label: words.undo, run } })
}

export type Fields = Omit<Asked<'edit'>, 'target' | 'expect'>

export type Saved =
  | { readonly kind: 'saved'; readonly answer: Answered<'edit'>; readonly record: string | undefined }
  /** It says something else by now; nothing was written. */
  | { readonly kind: 'changed'; readonly current: string }
  | { readonly kind: 'gone' }

/** Saves what was edited, if the entry still says what was seen. */
export async function saveEdit(entry: Entry, fields: Fields, seen: string): Promise<Saved> {
  try {
    const answer = await call('edit', { target: entry.id, ...fields, expect: seen })
    return { kind: 'saved', answer, record: await lastRecordOf(entry.id) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'entry_changed')
      return { kind: 'changed', current: String(error.details.current ?? '') }
    if (error.code === 'entry_not_found') return { kind: 'gone' }
    throw error
  }
}

/** `a, b #c` as it is typed into one field. */
export function readList(typed: string): string[] {
  return [
    ...new Set(
      typed
        .split(/[,\n]/)
        .map(word => word.trim())
        .filter(word => word !== ''),
    ),
  ]
}
