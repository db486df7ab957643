import type { RetirableEntry } from '../../features/upkeep/decide/ports.ts'
import type { Category } from '../../kernel/model/category.ts'
import type { ConflictPair, ConflictReason, ConflictType } from '../../kernel/model/conflict.ts'
import type { Entry, Origin, Status } from '../../kernel/model/entry.ts'
import type { Anchoring } from '../../kernel/model/freshness.ts'
import type { Entity, EntityRef, EntityType, Relation, StatedRelation } from '../../kernel/model/graph.ts'
import { checkedRow, storedJson } from './stored-value.ts'

/** The columns of an entry in every database, without its content. */
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

/** Columns of `entry e`. */
export const ENTRY_FIELDS =
  'e.key, e.id, e.agent, e.category, e.kind, e.status, e.origin, e.date, e.updated, e.importance, e.confidence, e.session, e.tags, e.files, e.extra, e.anchors'

export function entryOfFields(row: EntryFields, content: string): Entry {
  checkedRow(row)
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
 * item, the end of a path or a folder, and neither tags nor paths can contain a line break.
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

/** SQLite's text ends at a NUL, and PostgreSQL's cannot contain one. */
export function storable(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text
}

/** The length of the indexed start of a title; the rest is compared with the entry: indexing a whole title costs four times as much. */
export const HEAD_CHARACTERS = 24

export function headOf(title: string): string {
  return storable(title.slice(0, HEAD_CHARACTERS))
}

/** `service:redis` */
export function entityKey({ type, name }: EntityRef): string {
  return storable(`${type}:${name}`)
}

export function entityOfKey(key: string): EntityRef {
  const colon = key.indexOf(':')
  return { type: key.slice(0, colon) as EntityType, name: key.slice(colon + 1) }
}

/** The entities and relations of an entry in one row, since a bulk import pays for every row. */
export interface About {
  readonly entities: readonly (EntityRef & { readonly text: string })[]
  readonly relations: readonly Relation[]
}

/** `{"e":[["service","redis","Redis"],["service","memcached"]],"r":[[0,"replaces",1]]}` */
export function packAbout(entities: readonly Entity[], relations: readonly Relation[]): string {
  const placeOf = ({ type, name }: EntityRef) =>
    entities.findIndex(entity => entity.type === type && entity.name === name)
  return JSON.stringify({
    e: entities.map(({ type, name, text }) => (text === name ? [type, name] : [type, name, text])),
    r: relations
      .map(({ from, relation, to }) => [placeOf(from), relation, placeOf(to)] as const)
      .filter(([from, , to]) => from >= 0 && to >= 0),
  })
}

export function unpackAbout(packed: string): About {
  const { e, r } = storedJson<{
    e: [EntityType, string, string?][]
    r: [number, StatedRelation, number][]
  }>('the entities of an entry', packed)
  const entities = e.map(([type, name, text = name]) => ({ type, name, text }))
  const refOf = (place: number): EntityRef => {
    const [type, name] = e[place] ?? ['file', '']
    return { type, name }
  }
  return {
    entities,
    relations: r.map(([from, relation, to]) => ({ from: refOf(from), relation, to: refOf(to) })),
  }
}

/** Without the content: a hundred thousand entries would need too much memory, and the plan does not use it. */
export const CAPTURED_COLUMNS =
  'e.id, e.agent, e.kind, e.status, e.origin, e.date, e.updated, e.importance, e.fingerprint, a.count, a.last_ms, a.unused'

export interface CapturedRow {
  readonly id: string
  readonly agent: string
  readonly kind: string
  readonly status: string
  readonly origin: string
  readonly date: string
  readonly updated: string | null
  readonly importance: number
  readonly fingerprint: string
  readonly count: number | null
  readonly last_ms: number | null
  readonly unused: number | null
}

export function capturedOfRow(row: CapturedRow): RetirableEntry {
  checkedRow(row)
  return {
    id: row.id,
    agent: row.agent,
    kind: row.kind,
    status: row.status as Status,
    origin: row.origin as Origin,
    date: row.date,
    ...(row.updated !== null && { updated: row.updated }),
    importance: row.importance,
    fingerprint: row.fingerprint,
    accessCount: row.count ?? 0,
    ...(row.last_ms !== null && { lastAccessMs: row.last_ms }),
    ...(row.unused !== null && row.unused > 0 && { unusedSessions: row.unused }),
  }
}

/** Columns of `conflict c` with the older entry `o` and the newer one `n`. */
export const PAIR_COLUMNS = 'o.id AS older, n.id AS newer, c.type, c.confidence, c.reason, c.detected_ms'
export const PAIR_ORDER = 'ORDER BY c.confidence DESC, o.id'

/** A condition on entry `n`: its text may say that it replaces another. */
export const NAMING_TEXT = `(${['supersedes', 'replaces', 'substitui'].map(verb => `lower(n.content) LIKE '%${verb}%[[%'`).join(' OR ')})`

export interface PairRow {
  readonly older: string
  readonly newer: string
  readonly type: string
  readonly confidence: number
  readonly reason: string
  readonly detected_ms: number
}

export function pairOfRow(row: PairRow): ConflictPair {
  checkedRow(row)
  return {
    older: row.older,
    newer: row.newer,
    type: row.type as ConflictType,
    confidence: row.confidence,
    reason: storedJson<ConflictReason>('the reason of a conflict', row.reason),
    detectedAt: row.detected_ms,
  }
}
