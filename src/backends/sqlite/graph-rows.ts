import type { Connections } from '../../text/connections.ts'
import { foldTitle } from '../../text/links.ts'
import type { SqliteStatement } from './driver.ts'

export interface StatementSource {
  statement(sql: string): SqliteStatement
}

/** Writes what ties an entry to others. In the transaction of the entry itself: they come and go together. */
export function putConnections(index: StatementSource, key: number, connections: Connections): void {
  const { title, links, entities, relations } = connections
  if (title !== '')
    index.statement('INSERT OR REPLACE INTO title (key, title) VALUES (?, ?)').run(key, storable(title))
  for (const { at, target, text } of links) {
    index
      .statement('INSERT OR REPLACE INTO link (key, at, target, folded, text) VALUES (?, ?, ?, ?, ?)')
      .run(key, at, storable(target), storable(foldTitle(target)), storable(text))
  }
  const numbers = new Map<string, number>()
  for (const { type, name, text, at } of entities) {
    const row = index
      .statement(
        `INSERT INTO entity (type, name, entries) VALUES (?, ?, 1)
         ON CONFLICT (type, name) DO UPDATE SET entries = entries + 1 RETURNING number`,
      )
      .get(type, storable(name)) as { number: number }
    numbers.set(`${type} ${name}`, row.number)
    index
      .statement('INSERT OR IGNORE INTO entity_use (key, entity, at, text) VALUES (?, ?, ?, ?)')
      .run(key, row.number, at, text === name ? null : storable(text))
  }
  for (const { from, relation, to } of relations) {
    const source = numbers.get(`${from.type} ${from.name}`)
    const target = numbers.get(`${to.type} ${to.name}`)
    if (source === undefined || target === undefined) continue
    index
      .statement('INSERT OR IGNORE INTO relation (key, source, relation, target) VALUES (?, ?, ?, ?)')
      .run(key, source, relation, target)
  }
}

export function removeConnections(index: StatementSource, key: number): void {
  const used = index.statement('SELECT entity FROM entity_use WHERE key = ?').all(key) as { entity: number }[]
  for (const { entity } of used) {
    index.statement('UPDATE entity SET entries = entries - 1 WHERE number = ?').run(entity)
    index.statement('DELETE FROM entity WHERE number = ? AND entries <= 0').run(entity)
  }
  for (const table of ['title', 'link', 'entity_use', 'relation']) {
    index.statement(`DELETE FROM ${table} WHERE key = ?`).run(key)
  }
}

/** SQLite's text ends at a NUL. */
function storable(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text
}
