import type { Category } from '../../model/category.ts'
import type { Entry, Origin, Status } from '../../model/entry.ts'
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
  /** The anchors and the commit, as JSON. */
  readonly anchors: string | null
  readonly path: string
  /** Bytes when the text holds a NUL: SQLite's text ends there. */
  readonly content: string | Uint8Array
}

export const ENTRY_COLUMNS =
  'e.key, e.id, e.agent, e.category, e.kind, e.status, e.origin, e.date, e.updated, e.importance, e.confidence, e.session, e.tags, e.files, e.extra, e.anchors, e.path, e.content'

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

export function packContent(content: string): string | Uint8Array {
  return content.includes('\0') ? new TextEncoder().encode(content) : content
}

function unpackContent(packed: string | Uint8Array): string {
  return typeof packed === 'string' ? packed : new TextDecoder('utf-8', { ignoreBOM: true }).decode(packed)
}

export function packAnchoring({ anchors, commit }: Anchoring): string | null {
  return anchors === undefined && commit === undefined ? null : JSON.stringify({ anchors, commit })
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
    content: unpackContent(row.content),
    tags: unpackList(row.tags),
    files: unpackList(row.files),
    importance: row.importance,
    ...(row.confidence !== null && { confidence: row.confidence }),
    ...(row.session !== null && { session: row.session }),
    ...(row.anchors !== null && (JSON.parse(row.anchors) as Anchoring)),
    ...(row.extra !== null && { extra: JSON.parse(row.extra) as Record<string, string> }),
  }
}
