import { isDeepStrictEqual } from 'node:util'
import type { EntityRef } from '../../kernel/model/graph.ts'
import type { Connections } from '../../kernel/text/connections.ts'
import { foldTitle } from '../../kernel/text/links.ts'
import { entityKey, headOf, packAbout, storable, unpackAbout } from '../sql/entry-fields.ts'
import { inOneGo } from './sql-pool.ts'
import type { Tenant } from './tenant.ts'

export interface KeyedConnections {
  readonly key: number
  readonly connections: Connections
}

/** The previous connections of an entry. `about` is as stored: older rules may have produced it. */
export interface KnownTies extends Pick<Connections, 'title' | 'links'> {
  readonly key: number
  readonly about: string | null
}

/** Whether the rows would be the same: of a title only its head is stored. */
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

/** Writes the connections of entries together with the entries. */
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

/** `gone` has the previous connections, so that each row is found by its key. */
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
