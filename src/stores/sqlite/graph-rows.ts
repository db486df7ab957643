import type { Connections } from '../../kernel/text/connections.ts'
import { foldTitle, linkTitleOf } from '../../kernel/text/links.ts'
import { entityKey, headOf, packAbout, unpackAbout } from '../sql/about-row.ts'
import { storable } from '../sql/entry-fields.ts'
import type { SqliteStatement } from './driver.ts'

export interface StatementSource {
  statement(sql: string): SqliteStatement
}

/**
 * Writes what ties an entry to others. In the transaction of the entry itself: they come and go together.
 * A bulk import pays for every row, so an entry has one row for all that it is about, and one for each entity.
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

/** Before the entry's row changes: its content tells which title it had. */
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

/** Content that holds a NUL is kept as bytes. */
export function textOf(content: string | Uint8Array): string {
  return typeof content === 'string' ? content : new TextDecoder('utf-8', { ignoreBOM: true }).decode(content)
}
