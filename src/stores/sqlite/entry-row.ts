import type { Entry } from '../../kernel/model/entry.ts'
import { ENTRY_FIELDS, type EntryFields, entryOfFields } from '../sql/entry-fields.ts'

export interface EntryRow extends EntryFields {
  readonly path: string
  /** Bytes when the text holds a NUL: SQLite's text ends there. */
  readonly content: string | Uint8Array
}

export const ENTRY_COLUMNS = `${ENTRY_FIELDS}, e.path, e.content`

export function packContent(content: string): string | Uint8Array {
  return content.includes('\0') ? new TextEncoder().encode(content) : content
}

function unpackContent(packed: string | Uint8Array): string {
  return typeof packed === 'string' ? packed : new TextDecoder('utf-8', { ignoreBOM: true }).decode(packed)
}

export function entryOfRow(row: EntryRow): Entry {
  return entryOfFields(row, unpackContent(row.content))
}
