import type { Entry } from '../../kernel/model/entry.ts'
import { timeOfId } from '../../kernel/model/entry-id.ts'
import {
  ENTRY_FIELDS,
  type EntryFields,
  entryOfFields,
  packAnchoring,
  packList,
  storable,
} from '../sql/entry-fields.ts'

export interface EntryRow extends EntryFields {
  readonly content: string
  /** The content if it contains a NUL, which a text of PostgreSQL cannot. */
  readonly raw: Uint8Array | null
}

export const ENTRY_COLUMNS = `${ENTRY_FIELDS}, e.content, e.raw`

export function contentOfRow({ content, raw }: Pick<EntryRow, 'content' | 'raw'>): string {
  return raw === null ? content : new TextDecoder('utf-8', { ignoreBOM: true }).decode(raw)
}

export function entryOfRow(row: EntryRow): Entry {
  return entryOfFields(row, contentOfRow(row))
}

/** A row for `json_to_recordset`. `raw` is in hexadecimal digits. */
export function rowOfEntry(key: number, entry: Entry, fingerprint: string): Record<string, unknown> {
  const { content } = entry
  return {
    key,
    id: storable(entry.id),
    order_ms: timeOfId(entry.id) ?? timeOfDate(entry.date),
    agent: entry.agent,
    category: entry.category,
    kind: storable(entry.kind),
    status: entry.status,
    origin: entry.origin,
    date: storable(entry.date),
    updated: entry.updated ?? null,
    importance: entry.importance,
    confidence: entry.confidence ?? null,
    session: entry.session === undefined ? null : storable(entry.session),
    tags: storable(packList(entry.tags)),
    files: storable(packList(entry.files)),
    extra: entry.extra === undefined ? null : JSON.stringify(entry.extra),
    anchors: packAnchoring(entry),
    fingerprint,
    content: storable(content),
    raw: content.includes('\0') ? Buffer.from(content, 'utf8').toString('hex') : null,
  }
}

/** Ids of other tools contain no time: such an entry is ordered by its date. */
function timeOfDate(date: string): number {
  const ms = Date.parse(date.includes('T') ? `${date}Z` : date)
  return Number.isNaN(ms) ? 0 : ms
}
