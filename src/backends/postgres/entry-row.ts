import type { Category } from '../../model/category.ts'
import type { Entry, Origin, Status } from '../../model/entry.ts'
import { timeOfId } from '../../model/entry-id.ts'
import type { Anchoring } from '../../model/freshness.ts'

export interface EntryRow {
  readonly key: number
  readonly id: string
  readonly agent: string
  readonly category: string
  readonly kind: string
  readonly status: string
  readonly origin: string
  readonly date: string
  readonly updated: string | null
  readonly importance: number
  readonly confidence: number | null
  readonly session: string | null
  readonly tags: string
  readonly files: string
  readonly extra: string | null
  readonly anchors: string | null
  readonly content: string
  /** The content where it holds a NUL, which no text of PostgreSQL does. */
  readonly raw: Uint8Array | null
}

export const ENTRY_COLUMNS =
  'e.key, e.id, e.agent, e.category, e.kind, e.status, e.origin, e.date, e.updated, e.importance, e.confidence, e.session, e.tags, e.files, e.extra, e.anchors, e.content, e.raw'

/** A list is one text with a line break before, between and after, so that one LIKE finds an item, the end of a path or a folder. */
export function packList(items: readonly string[]): string {
  return items.length === 0 ? '' : `\n${items.join('\n')}\n`
}

export function unpackList(packed: string): string[] {
  return packed === '' ? [] : packed.slice(1, -1).split('\n')
}

/** PostgreSQL's text holds every character but NUL. */
export function storable(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text
}

export function contentOfRow({ content, raw }: Pick<EntryRow, 'content' | 'raw'>): string {
  return raw === null ? content : new TextDecoder('utf-8', { ignoreBOM: true }).decode(raw)
}

export function entryOfRow(row: EntryRow): Entry {
  return {
    id: row.id,
    agent: row.agent,
    category: row.category as Category,
    kind: row.kind,
    status: row.status as Status,
    origin: row.origin as Origin,
    date: row.date,
    ...(row.updated !== null && { updated: row.updated }),
    content: contentOfRow(row),
    tags: unpackList(row.tags),
    files: unpackList(row.files),
    importance: row.importance,
    ...(row.confidence !== null && { confidence: row.confidence }),
    ...(row.session !== null && { session: row.session }),
    ...(row.anchors !== null && (JSON.parse(row.anchors) as Anchoring)),
    ...(row.extra !== null && { extra: JSON.parse(row.extra) as Record<string, string> }),
  }
}

/** What `json_to_recordset` makes a row of. `raw` is in hexadecimal digits. */
export function rowOfEntry(key: number, entry: Entry, fingerprint: string): Record<string, unknown> {
  const { anchors, commit, content } = entry
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
    anchors: anchors === undefined && commit === undefined ? null : JSON.stringify({ anchors, commit }),
    fingerprint,
    content: storable(content),
    raw: content.includes('\0') ? Buffer.from(content, 'utf8').toString('hex') : null,
  }
}

/** Ids that other tools chose carry no time: such an entry takes its place by its date. */
function timeOfDate(date: string): number {
  const ms = Date.parse(date.includes('T') ? `${date}Z` : date)
  return Number.isNaN(ms) ? 0 : ms
}
