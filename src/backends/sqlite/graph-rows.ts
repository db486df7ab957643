import type { Entity, EntityRef, EntityType, Relation, StatedRelation } from '../../model/graph.ts'
import type { Connections } from '../../text/connections.ts'
import { foldTitle, titleOf } from '../../text/links.ts'
import type { SqliteStatement } from './driver.ts'

export interface StatementSource {
  statement(sql: string): SqliteStatement
}

/** How much of a title the index holds. The rest is compared with the entry itself: a whole title costs four times as much to write. */
export const HEAD_CHARACTERS = 24

export function headOf(title: string): string {
  return title.slice(0, HEAD_CHARACTERS)
}

/** `service:redis` */
export function entityKey({ type, name }: EntityRef): string {
  return storable(`${type}:${name}`)
}

export function entityOfKey(key: string): EntityRef {
  const colon = key.indexOf(':')
  return { type: key.slice(0, colon) as EntityType, name: key.slice(colon + 1) }
}

/**
 * Writes what ties an entry to others. In the transaction of the entry itself: they come and go together.
 * A bulk import pays for every row, so an entry has one row for all that it is about, and one for each entity.
 */
export function putConnections(index: StatementSource, key: number, connections: Connections): void {
  const { title, links, entities, relations } = connections
  if (title !== '')
    index.statement('INSERT OR IGNORE INTO title (head, key) VALUES (?, ?)').run(storable(headOf(title)), key)
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
  const title = titleOf(textOf(row.content))
  index.statement('DELETE FROM title WHERE head = ? AND key = ?').run(storable(headOf(title)), key)
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

export interface About {
  readonly entities: readonly (EntityRef & { readonly text: string })[]
  readonly relations: readonly Relation[]
}

/** `{"e":[["service","redis","Redis"],["service","memcached"]],"r":[[0,"replaces",1]]}` */
function packAbout(entities: readonly Entity[], relations: readonly Relation[]): string {
  const placeOf = ({ type, name }: EntityRef) =>
    entities.findIndex(entity => entity.type === type && entity.name === name)
  return storable(
    JSON.stringify({
      e: entities.map(({ type, name, text }) => (text === name ? [type, name] : [type, name, text])),
      r: relations
        .map(({ from, relation, to }) => [placeOf(from), relation, placeOf(to)] as const)
        .filter(([from, , to]) => from >= 0 && to >= 0),
    }),
  )
}

export function unpackAbout(packed: string): About {
  const { e, r } = JSON.parse(packed) as {
    e: [EntityType, string, string?][]
    r: [number, StatedRelation, number][]
  }
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

/** SQLite's text ends at a NUL. */
function storable(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text
}
