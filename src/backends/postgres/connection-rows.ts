import { isDeepStrictEqual } from 'node:util'
import type { Entity, EntityRef, EntityType, Relation, StatedRelation } from '../../model/graph.ts'
import type { Connections } from '../../text/connections.ts'
import { foldTitle } from '../../text/links.ts'
import { storable } from './entry-row.ts'
import { inOneGo } from './in-one-go.ts'
import type { Tenant } from './tenant.ts'

/** How much of a title is looked up by; the rest is compared with the entry itself. */
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

export interface KeyedConnections {
  readonly key: number
  readonly connections: Connections
}

/** What an entry was tied by until now. `about` is as its row has it: what it was found to be about may have been found by other rules. */
export interface KnownTies extends Pick<Connections, 'title' | 'links'> {
  readonly key: number
  readonly about: string | null
}

/** Whether the rows would be the same: of a title only its head is kept. */
export function isTiedAsBefore(
  known: KnownTies,
  { title, links, entities, relations }: Connections,
): boolean {
  return (
    headOf(known.title) === headOf(title) &&
    known.about === (entities.length === 0 ? null : packAbout(entities, relations)) &&
    isDeepStrictEqual(known.links, links)
  )
}

/** Writes what ties entries to others, with the entries themselves: they come and go together. */
export async function putConnections(tenant: Tenant, items: readonly KeyedConnections[]): Promise<void> {
  const titles = items.flatMap(({ key, connections: { title } }) =>
    title === '' ? [] : [{ key, head: headOf(title) }],
  )
  const links = items.flatMap(({ key, connections }) =>
    connections.links.map(({ at, target, text }) => ({
      key,
      at,
      target: storable(target),
      folded: storable(foldTitle(target)),
      text: storable(text),
    })),
  )
  const about = items.flatMap(({ key, connections: { entities, relations } }) =>
    entities.length === 0 ? [] : [{ key, packed: packAbout(entities, relations) }],
  )
  const uses = items.flatMap(({ key, connections: { entities } }) => usesOf(key, entities))
  const asked: Promise<unknown>[] = []
  if (titles.length > 0)
    asked.push(
      tenant.query(
        `INSERT INTO title (project, head, key)
         SELECT $1, r.head, r.key FROM json_to_recordset($2::json) AS r(head text, key int) ON CONFLICT DO NOTHING`,
        JSON.stringify(titles),
      ),
    )
  if (links.length > 0)
    asked.push(
      tenant.query(
        `INSERT INTO link (project, key, at, target, folded, text)
         SELECT $1, r.* FROM json_to_recordset($2::json) AS r(key int, at int, target text, folded text, text text) ON CONFLICT DO NOTHING`,
        JSON.stringify(links),
      ),
    )
  if (about.length > 0)
    asked.push(
      tenant.query(
        `INSERT INTO about (project, key, packed)
         SELECT $1, r.key, r.packed FROM json_to_recordset($2::json) AS r(key int, packed text) ON CONFLICT DO NOTHING`,
        JSON.stringify(about),
      ),
    )
  if (uses.length > 0)
    asked.push(
      tenant.query(
        `INSERT INTO entity_use (project, entity, key)
         SELECT $1, r.entity, r.key FROM json_to_recordset($2::json) AS r(entity text, key int) ON CONFLICT DO NOTHING`,
        JSON.stringify(uses),
      ),
    )
  await inOneGo(asked)
}

/** `gone` is what the entries were tied by until now: each row is found by its key. */
export async function removeConnections(tenant: Tenant, gone: readonly KnownTies[]): Promise<void> {
  const keys = gone.map(({ key }) => key)
  const titles = gone.filter(({ title }) => title !== '')
  const uses = gone.flatMap(({ key, about }) =>
    about === null ? [] : usesOf(key, unpackAbout(about).entities),
  )
  await inOneGo([
    tenant.query(
      `DELETE FROM title t USING unnest($2::text[], $3::int[]) AS r(head, key)
       WHERE t.project = $1 AND t.head = r.head AND t.key = r.key`,
      titles.map(({ title }) => headOf(title)),
      titles.map(({ key }) => key),
    ),
    tenant.query('DELETE FROM link l WHERE l.project = $1 AND l.key = ANY ($2::int[])', keys),
    tenant.query('DELETE FROM about a WHERE a.project = $1 AND a.key = ANY ($2::int[])', keys),
    tenant.query(
      `DELETE FROM entity_use u USING unnest($2::text[], $3::int[]) AS r(entity, key)
       WHERE u.project = $1 AND u.entity = r.entity AND u.key = r.key`,
      uses.map(({ entity }) => entity),
      uses.map(({ key }) => key),
    ),
  ])
}

function usesOf(
  key: number,
  entities: readonly EntityRef[],
): { readonly key: number; readonly entity: string }[] {
  return [...new Set(entities.map(entityKey))].map(entity => ({ key, entity }))
}

export interface About {
  readonly entities: readonly (EntityRef & { readonly text: string })[]
  readonly relations: readonly Relation[]
}

/** `{"e":[["service","redis","Redis"],["service","memcached"]],"r":[[0,"replaces",1]]}` */
function packAbout(entities: readonly Entity[], relations: readonly Relation[]): string {
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
