import type { Category } from '../../kernel/model/category.ts'
import type { Entry, Origin, Status } from '../../kernel/model/entry.ts'
import type { Anchoring } from '../../kernel/model/freshness.ts'
import { soundRow, storedJson } from './stored-value.ts'

/** What the row of an entry has in every database; its content is kept as each can. */
export interface EntryFields {
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
  /** The anchors and the commit, as JSON. */
  readonly anchors: string | null
}

/** Of `entry e`. */
export const ENTRY_FIELDS =
  'e.key, e.id, e.agent, e.category, e.kind, e.status, e.origin, e.date, e.updated, e.importance, e.confidence, e.session, e.tags, e.files, e.extra, e.anchors'

export function entryOfFields(row: EntryFields, content: string): Entry {
  soundRow(row)
  return {
    id: row.id,
    agent: row.agent,
    category: row.category as Category,
    kind: row.kind,
    status: row.status as Status,
    origin: row.origin as Origin,
    date: row.date,
    ...(row.updated !== null && { updated: row.updated }),
    content,
    tags: unpackList(row.tags),
    files: unpackList(row.files),
    importance: row.importance,
    ...(row.confidence !== null && { confidence: row.confidence }),
    ...(row.session !== null && { session: row.session }),
    ...(row.anchors !== null && storedJson<Anchoring>('the anchors of an entry', row.anchors)),
    ...(row.extra !== null && {
      extra: storedJson<Record<string, string>>('the extra fields of an entry', row.extra),
    }),
  }
}

/**
 * A list is one text with a line break before, between and after: `\nauth\nmiddleware\n`. One LIKE finds a whole
 * item, the end of a path or a folder, and neither tags nor paths can hold a line break.
 */
export function packList(items: readonly string[]): string {
  return items.length === 0 ? '' : `\n${items.join('\n')}\n`
}

export function unpackList(packed: string): string[] {
  return packed === '' ? [] : packed.slice(1, -1).split('\n')
}

export function packAnchoring({ anchors, commit }: Anchoring): string | null {
  return anchors === undefined && commit === undefined ? null : JSON.stringify({ anchors, commit })
}

/** The text of SQLite ends at a NUL, and that of PostgreSQL has none. */
export function storable(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text
}
