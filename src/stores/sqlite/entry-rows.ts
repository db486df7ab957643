import type { Category } from '../../kernel/model/category.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { Connections } from '../../kernel/text/connections.ts'
import { foldTitle, linkTitleOf } from '../../kernel/text/links.ts'
import type { IndexedEntry, IndexedFile } from '../../kernel/vault/entry-index.ts'
import type { EntryCounters } from '../../kernel/vault/ports.ts'
import {
  ENTRY_FIELDS,
  type EntryFields,
  entityKey,
  entryOfFields,
  headOf,
  packAbout,
  packList,
  storable,
  unpackAbout,
} from '../sql/entry-fields.ts'
import { checkedRow, storedJson } from '../sql/stored-value.ts'
import type { StatementSource } from './driver.ts'

export interface EntryRow extends EntryFields {
  readonly path: string
  /** Bytes if the text has a NUL: SQLite's text ends there. */
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

export interface FileRow {
  readonly path: string
  readonly agent: string
  readonly category: string
  readonly size: number
  readonly mtime_ms: number
  readonly inode: number
  readonly checked_ms: number
  readonly hash: string
  readonly problems: string | null
}

export function fileOfRow(row: FileRow): IndexedFile {
  checkedRow(row)
  return {
    path: row.path,
    agent: row.agent,
    category: row.category as Category,
    size: row.size,
    mtimeMs: row.mtime_ms,
    inode: row.inode,
    checkedMs: row.checked_ms,
    hash: row.hash,
    problems: row.problems === null ? [] : storedJson<Problem[]>('the problems of a file', row.problems),
  }
}

/** Accesses since the last upkeep, for all entries together. */
const SINCE_UPKEEP = 'accesses_since_upkeep'

export interface CounterRow {
  readonly fingerprint: string
  readonly count: number | null
  readonly last_ms: number | null
}

/** Columns of `entry e LEFT JOIN access a`. */
export const COUNTER_COLUMNS = 'e.fingerprint, a.count, a.last_ms'

export function countersOfRow(row: CounterRow): EntryCounters {
  const { fingerprint, count, last_ms } = checkedRow(row)
  return { fingerprint, accessCount: count ?? 0, ...(last_ms !== null && { lastAccessMs: last_ms }) }
}

/** Not an access: the time at which the entry became known here. */
export function noteArrival(index: StatementSource, id: string, nowMs: number): void {
  index.statement('INSERT OR IGNORE INTO access (id, count, last_ms) VALUES (?, 0, ?)').run(id, nowMs)
}

export function countAccesses(index: StatementSource, count: number): void {
  index
    .statement(
      `INSERT INTO meta (key, value) VALUES ('${SINCE_UPKEEP}', ?)
       ON CONFLICT (key) DO UPDATE SET value = value + excluded.value`,
    )
    .run(count)
}

export function accessesSinceUpkeep(index: StatementSource): number {
  const row = index.statement('SELECT value FROM meta WHERE key = ?').get(SINCE_UPKEEP)
  return Number((row as { value: number } | undefined)?.value ?? 0)
}

export function forgetAccessesSinceUpkeep(index: StatementSource): void {
  index.statement('DELETE FROM meta WHERE key = ?').run(SINCE_UPKEEP)
}

/** The fields of an indexed entry that matter for its comparison. */
export interface ComparedRow {
  readonly key: number
  readonly agent: string
  readonly kind: string
  readonly status: string
  readonly date: string
  readonly tags: string
  readonly files: string
  readonly fingerprint: string
}

export const COMPARED_COLUMNS = 'key, agent, kind, status, date, tags, files, fingerprint'

/** Call for every new or rewritten entry: it is compared again only if it changed. */
export function awaitComparison(
  index: StatementSource,
  key: number,
  { before, now }: { before: ComparedRow | undefined; now: Pick<IndexedEntry, 'entry' | 'fingerprint'> },
): void {
  if (before !== undefined && saysTheSame(before, now)) return
  if (before !== undefined) forgetComparison(index, key)
  index.statement('INSERT OR IGNORE INTO uncompared (key) VALUES (?)').run(key)
}

/** Call for every removed entry. */
export function forgetComparison(index: StatementSource, key: number): void {
  index.statement('DELETE FROM uncompared WHERE key = ?').run(key)
  index.statement('DELETE FROM conflict WHERE older = ?1 OR newer = ?1').run(key)
}

/** The status counts: only a confirmed entry may replace another one. */
function saysTheSame(
  before: ComparedRow,
  { entry, fingerprint }: Pick<IndexedEntry, 'entry' | 'fingerprint'>,
): boolean {
  return (
    before.fingerprint === fingerprint &&
    before.agent === entry.agent &&
    before.kind === entry.kind &&
    before.status === entry.status &&
    before.date === entry.date &&
    before.tags === packList(entry.tags) &&
    before.files === packList(entry.files)
  )
}

/**
 * Writes the connections of an entry, in the transaction of the entry itself. A bulk import pays for every row, so an entry has one row for
 * all its entities and relations, and one for each entity.
 */
export function putConnections(index: StatementSource, key: number, connections: Connections): void {
  const { title, links, entities, relations } = connections
  if (title !== '')
    index.statement('INSERT OR IGNORE INTO title (head, key) VALUES (?, ?)').run(headOf(title), key)
  for (const { at, target, text } of links) {
    index
      .statement('INSERT OR REPLACE INTO link (key, at, target, folded, text) VALUES (?, ?, ?, ?, ?)')
      .run(key, at, storable(target), storable(foldTitle(target)), storable(text))
  }
  if (entities.length === 0) return
  index
    .statement('INSERT OR REPLACE INTO about (key, packed) VALUES (?, ?)')
    .run(key, packAbout(entities, relations))
  const use = index.statement('INSERT OR IGNORE INTO entity_use (entity, key) VALUES (?, ?)')
  for (const entity of entities) use.run(entityKey(entity), key)
}

/** Call before the row of the entry changes: its content has the old title. */
export function removeConnections(index: StatementSource, key: number): void {
  const row = index
    .statement('SELECT e.content, a.packed FROM entry e LEFT JOIN about a ON a.key = e.key WHERE e.key = ?')
    .get(key) as { content: string | Uint8Array; packed: string | null } | undefined
  if (row === undefined) return
  const title = linkTitleOf(textOf(row.content))
  index.statement('DELETE FROM title WHERE head = ? AND key = ?').run(headOf(title), key)
  index.statement('DELETE FROM link WHERE key = ?').run(key)
  if (row.packed === null) return
  for (const entity of unpackAbout(row.packed).entities)
    index.statement('DELETE FROM entity_use WHERE entity = ? AND key = ?').run(entityKey(entity), key)
  index.statement('DELETE FROM about WHERE key = ?').run(key)
}

/** Content with a NUL is stored as bytes. */
export function textOf(content: string | Uint8Array): string {
  return typeof content === 'string' ? content : new TextDecoder('utf-8', { ignoreBOM: true }).decode(content)
}
