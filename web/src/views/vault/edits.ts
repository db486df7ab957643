import { type Answered, ApiError, type Asked, call } from '../../api/client.ts'
import type { Entry } from './pages.ts'

type Fields = Omit<Asked<'edit'>, 'target' | 'expect'>

export type Saved =
  | { readonly kind: 'saved'; readonly answer: Answered<'edit'> }
  /** The entry changed in the meantime; nothing was written. */
  | { readonly kind: 'changed'; readonly current: string }
  | { readonly kind: 'gone' }

/** Saves an edit if the entry still has the text `seen`. */
export async function saveEdit(id: string, fields: Fields, seen: string): Promise<Saved> {
  try {
    const answer = await call('edit', { target: id, ...fields, expect: seen })
    return { kind: 'saved', answer }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'entry_changed')
      return { kind: 'changed', current: String(error.details.current ?? '') }
    if (error.code === 'entry_not_found') return { kind: 'gone' }
    throw error
  }
}

/** The fields that differ from the entry. The others are not sent, and so not overwritten. */
export function changedFields(entry: Entry, edited: Required<Fields>): Fields {
  const isSame = (name: keyof Fields) =>
    JSON.stringify(edited[name]) === JSON.stringify(entry[name as keyof Entry])
  return Object.fromEntries(
    (Object.keys(edited) as (keyof Fields)[]).filter(name => !isSame(name)).map(name => [name, edited[name]]),
  )
}

/** Parses `a, b, c` from one field. */
export function readList(typed: string): string[] {
  const words = typed.split(/[,\n]/).map(word => word.trim())
  return [...new Set(words.filter(word => word !== ''))]
}
