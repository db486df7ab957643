import {
  assembleGraph,
  type EntityTie,
  type LinkTie,
  MAX_SHARING,
  weighNeighbours,
} from '../../features/search/decide/entry-graph.ts'
import type { GraphIndex, GraphQuery } from '../../features/search/decide/ports.ts'
import type { Category } from '../../kernel/model/category.ts'
import type { Backlink, EntityRef, EntityUse, Graph, Link, Neighbour } from '../../kernel/model/graph.ts'
import type { EntryFilter } from '../../kernel/model/search.ts'
import { entityNamed } from '../../kernel/text/entities/entity-names.ts'
import {
  foldTitle,
  headlineOf,
  type LinkLookup,
  linkTitleOf,
  MIN_PREFIX_LENGTH,
  resolveLink,
} from '../../kernel/text/links.ts'
import {
  type About,
  entityKey,
  entityOfKey,
  HEAD_CHARACTERS,
  headOf,
  storable,
  unpackAbout,
} from '../sql/entry-fields.ts'
import { contentOfRow, type EntryRow } from './entry-row.ts'
import { conditionOf } from './filter-sql.ts'
import type { Tenant } from './tenant.ts'

/** Rows compared at most for one link: many entries begin alike (`Decision: we use …`). */
const MAX_COMPARED = 500

/** Fetches everything needed to resolve these targets together: one round trip each would be a hundred for a page of links. */
async function lookUpTargets(tenant: Tenant, targets: readonly string[]): Promise<LinkLookup> {
  const ids = await tenant.query<{ id: string }>(
    'SELECT e.id FROM entry e WHERE e.project = $1 AND e.id = ANY ($2::text[])',
    targets.map(storable),
  )
  const files = await tenant.query<{ agent: string; category: Category }>(
    'SELECT DISTINCT e.agent, e.category FROM entry e WHERE e.project = $1',
  )
  const heads = [...new Set(targets.map(target => headOf(foldTitle(target))).filter(head => head !== ''))]
  const titled = await tenant.query<Pick<EntryRow, 'id' | 'content' | 'raw'>>(
    `SELECT f.id, f.content, f.raw FROM unnest($2::text[]) AS h(head) CROSS JOIN LATERAL (
       SELECT e.id, e.content, e.raw, t.key FROM title t JOIN entry e ON e.project = $1 AND e.key = t.key
       WHERE t.project = $1 AND t.head >= h.head AND t.head < h.head || U&'\\+10FFFF' ORDER BY t.key LIMIT ${MAX_COMPARED}) f`,
    heads,
  )
  const known = new Set(ids.map(({ id }) => id))
  const vaults = new Set(files.map(({ agent, category }) => `${agent}/${category}`))
  const titles = new Map(titled.map(row => [row.id, linkTitleOf(contentOfRow(row))]))
  const idsWhere = (isMeant: (title: string) => boolean) =>
    [...titles].filter(([, title]) => isMeant(title)).map(([id]) => id)
  return {
    hasEntry: id => known.has(id),
    hasVaultFile: (agent, category) => vaults.has(`${agent}/${category}`),
    idsByTitle: wanted => idsWhere(title => title === wanted),
    idsByTitlePrefix: prefix => idsWhere(title => title.startsWith(prefix)),
  }
}

/** Links that may name one entry: more of them add no information. */
const MAX_BACKLINKS = 500
/** Links resolved to count the broken ones. */
const MAX_COUNTED_LINKS = 5_000

interface LinkRow {
  readonly id: string
  readonly at: number
  readonly target: string
  readonly text: string
}

/** Fetches for the graph from PostgreSQL. Weights and selection are decided by the feature. */
export function postgresGraph(tenant: Tenant): GraphIndex {
  return {
    linksOf: async id => (await linksOf(tenant, [id])).get(id) ?? [],
    backlinksOf: id => backlinksOf(tenant, id),
    entitiesOf: ids => entitiesOf(tenant, ids),
    relationsOf: async id => [...((await aboutOf(tenant, [id])).get(id)?.relations ?? [])],
    findEntities: (name, limit) => findEntities(tenant, name, limit),
    entriesWith: (entity, limit, filter = {}) => entriesWith(tenant, entity, limit, filter),
    neighbours: (ids, limit, filter = {}) => neighboursOf(tenant, ids, limit, filter),
    graph: query => graphOf(tenant, query),
  }
}

async function linksOf(tenant: Tenant, ids: readonly string[]): Promise<Map<string, Link[]>> {
  const rows = await tenant.query<LinkRow>(
    `SELECT e.id, l.at, l.target, l.text FROM entry e JOIN link l ON l.project = $1 AND l.key = e.key
     WHERE e.project = $1 AND e.id = ANY ($2::text[]) ORDER BY e.id, l.at`,
    ids,
  )
  if (rows.length === 0) return new Map()
  const lookup = await lookUpTargets(
    tenant,
    rows.map(({ target }) => target),
  )
  const linksById = new Map<string, Link[]>()
  for (const { id, at, target, text } of rows) {
    const link = { target, text, at, to: resolveLink(target, lookup, id) }
    linksById.set(id, [...(linksById.get(id) ?? []), link])
  }
  return linksById
}

/** Every link that may mean the entry: by its id, its vault file, its title or the beginning of the title. */
async function backlinksOf(tenant: Tenant, id: string): Promise<Backlink[]> {
  const entry = await tenant.one<{ agent: string; category: Category } & Pick<EntryRow, 'content' | 'raw'>>(
    'SELECT e.agent, e.category, e.content, e.raw FROM entry e WHERE e.project = $1 AND e.id = $2',
    id,
  )
  if (entry === undefined) return []
  const title = linkTitleOf(contentOfRow(entry))
  const file = `${entry.agent}/${entry.category}`
  const named = new Set([title, file, `${file}.md`])
  for (let length = MIN_PREFIX_LENGTH; length < title.length; length++) named.add(title.slice(0, length))
  named.delete('')
  const rows = await tenant.query<LinkRow>(
    `SELECT e.id, l.at, l.target, l.text FROM link l JOIN entry e ON e.project = $1 AND e.key = l.key
     WHERE l.project = $1 AND (l.target = $2 OR l.folded = ANY ($3::text[]))
     ORDER BY e.order_ms DESC, e.id DESC, l.at LIMIT ${MAX_BACKLINKS}`,
    id,
    [...named].map(storable),
  )
  if (rows.length === 0) return []
  const lookup = await lookUpTargets(
    tenant,
    rows.map(({ target }) => target),
  )
  return rows.flatMap(({ id: from, at, target, text }): Backlink[] => {
    if (from === id) return []
    const to = resolveLink(target, lookup, from)
    if (to.kind === 'entry' && to.id === id) return [{ id: from, target, text, at, by: 'entry' }]
    const isFile = to.kind === 'file' && to.agent === entry.agent && to.category === entry.category
    return isFile ? [{ id: from, target, text, at, by: 'file' }] : []
  })
}

async function aboutOf(tenant: Tenant, ids: readonly string[]): Promise<Map<string, About>> {
  const rows = await tenant.query<{ id: string; packed: string }>(
    `SELECT e.id, a.packed FROM entry e JOIN about a ON a.project = $1 AND a.key = e.key
     WHERE e.project = $1 AND e.id = ANY ($2::text[])`,
    ids,
  )
  return new Map(rows.map(({ id, packed }) => [id, unpackAbout(packed)]))
}

async function entitiesOf(tenant: Tenant, ids: readonly string[]): Promise<Map<string, EntityUse[]>> {
  const about = await aboutOf(tenant, ids)
  const uses = await countUses(
    tenant,
    [...about.values()].flatMap(({ entities }) => entities.map(entityKey)),
  )
  return new Map(
    [...about].map(([id, { entities }]) => [
      id,
      entities.map(entity => ({ ...entity, entries: uses.get(entityKey(entity)) ?? 0 })),
    ]),
  )
}

async function countUses(tenant: Tenant, keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await tenant.query<{ entity: string; n: number }>(
    `SELECT u.entity, count(*)::int AS n FROM entity_use u WHERE u.project = $1 AND u.entity = ANY ($2::text[]) GROUP BY u.entity`,
    [...new Set(keys)],
  )
  return new Map(rows.map(({ entity, n }) => [entity, n]))
}

/** `redis`, `service:redis`, or `session.ts` for any path with that end. */
async function findEntities(tenant: Tenant, name: string, limit: number): Promise<EntityUse[]> {
  const { refs, fileEnd } = entityNamed(name)
  const found = await usesOfKeys(tenant, refs.map(entityKey))
  if (found.length > 0 || fileEnd === undefined) return found.slice(0, limit)
  const ending = await tenant.query<{ entity: string }>(
    `SELECT DISTINCT u.entity FROM entity_use u
     WHERE u.project = $1 AND u.entity >= 'file:' AND u.entity < 'file;' AND right(u.entity, length($2)) = $2 LIMIT ${MAX_COMPARED}`,
    storable(fileEnd),
  )
  return (
    await usesOfKeys(
      tenant,
      ending.map(({ entity }) => entity),
    )
  ).slice(0, limit)
}

/** The most used first; entities without an entry are left out. */
async function usesOfKeys(tenant: Tenant, keys: readonly string[]): Promise<EntityUse[]> {
  const uses = await countUses(tenant, keys)
  return [...new Set(keys)]
    .map(key => {
      const entity = entityOfKey(key)
      return { ...entity, text: entity.name, entries: uses.get(key) ?? 0 }
    })
    .filter(({ entries }) => entries > 0)
    .sort((a, b) => b.entries - a.entries)
}

async function entriesWith(
  tenant: Tenant,
  entity: EntityRef,
  limit: number,
  filter: EntryFilter,
): Promise<string[]> {
  const { sql, values } = conditionOf(filter, 4)
  const rows = await tenant.query<{ id: string }>(
    `SELECT e.id FROM entity_use u JOIN entry e ON e.project = $1 AND e.key = u.key
     WHERE u.project = $1 AND u.entity = $2${sql} ORDER BY e.order_ms DESC, e.id DESC LIMIT $3`,
    entityKey(entity),
    limit,
    ...values,
  )
  return rows.map(({ id }) => id)
}

async function neighboursOf(
  tenant: Tenant,
  ids: readonly string[],
  limit: number,
  filter: EntryFilter,
): Promise<Neighbour[]> {
  if (ids.length === 0) return []
  const links: LinkTie[] = []
  const linksById = await linksOf(tenant, ids)
  for (const of of ids) {
    for (const { to } of linksById.get(of) ?? [])
      if (to.kind === 'entry') links.push({ kind: 'link', of, id: to.id, direction: 'to' })
    for (const { id, by } of await backlinksOf(tenant, of))
      if (by === 'entry') links.push({ kind: 'link', of, id, direction: 'from' })
  }
  const allowed = await allowedIds(tenant, [...new Set(links.map(tie => tie.id))], filter)
  const ties = [...links.filter(({ id }) => allowed.has(id)), ...(await entityTies(tenant, ids, filter))]
  return weighNeighbours(ties, limit, ids)
}

/** Entries that share a rare entity with one of these. */
async function entityTies(tenant: Tenant, ids: readonly string[], filter: EntryFilter): Promise<EntityTie[]> {
  const about = await aboutOf(tenant, ids)
  const uses = await countUses(
    tenant,
    [...about.values()].flatMap(({ entities }) => entities.map(entityKey)),
  )
  const rare = [...uses].filter(([, entries]) => entries >= 2 && entries <= MAX_SHARING).map(([key]) => key)
  if (rare.length === 0) return []
  const { sql, values } = conditionOf(filter, 3)
  const rows = await tenant.query<{ entity: string; id: string }>(
    `SELECT u.entity, e.id FROM entity_use u JOIN entry e ON e.project = $1 AND e.key = u.key
     WHERE u.project = $1 AND u.entity = ANY ($2::text[])${sql} ORDER BY u.entity, e.order_ms DESC, e.id DESC`,
    rare,
    ...values,
  )
  const idsByEntity = new Map<string, string[]>()
  for (const { entity, id } of rows) idsByEntity.set(entity, [...(idsByEntity.get(entity) ?? []), id])
  return [...about].flatMap(([of, { entities }]) =>
    entities.flatMap((entity): EntityTie[] => {
      const key = entityKey(entity)
      const { type, name } = entity
      return (idsByEntity.get(key) ?? [])
        .filter(id => id !== of)
        .map(id => ({ kind: 'entity', of, id, entity: { type, name }, entries: uses.get(key) ?? 0 }))
    }),
  )
}

async function allowedIds(
  tenant: Tenant,
  ids: readonly string[],
  filter: EntryFilter,
): Promise<ReadonlySet<string>> {
  if (ids.length === 0 || Object.keys(filter).length === 0) return new Set(ids)
  const { sql, values } = conditionOf(filter, 3)
  const rows = await tenant.query<{ id: string }>(
    `SELECT e.id FROM entry e WHERE e.project = $1 AND e.id = ANY ($2::text[])${sql}`,
    ids,
    ...values,
  )
  return new Set(rows.map(({ id }) => id))
}

async function graphOf(tenant: Tenant, { filter, entity, depth, limit }: GraphQuery): Promise<Graph> {
  const ids = new Set(
    entity === undefined
      ? await mostConnected(tenant, limit, filter)
      : await entriesWith(tenant, entity, limit, filter),
  )
  let rim: readonly string[] = [...ids]
  for (let step = 1; step < depth && ids.size < limit && rim.length > 0; step++) {
    rim = (await neighboursOf(tenant, rim, limit, filter))
      .map(({ id }) => id)
      .filter(id => !ids.has(id))
      .slice(0, limit - ids.size)
    for (const id of rim) ids.add(id)
  }
  const chosen = [...ids]
  const about = await aboutOf(tenant, chosen)
  const linksById = await linksOf(tenant, chosen)
  return assembleGraph(
    {
      entries: await labelsOf(tenant, chosen),
      uses: [...about].flatMap(([id, { entities }]) =>
        entities.map(({ type, name, text }) => ({ id, entity: { type, name }, text })),
      ),
      links: [...linksById].flatMap(([from, links]) =>
        links.flatMap(({ to }) => (to.kind === 'entry' ? [{ from, to: to.id }] : [])),
      ),
      relations: [...about.values()].flatMap(({ relations }) => relations),
      totals: await totalsOf(tenant, filter),
    },
    limit,
  )
}

/** Ordered by links first, which an author wrote, then by entities shared with another entry. */
async function mostConnected(tenant: Tenant, limit: number, filter: EntryFilter): Promise<string[]> {
  const { sql, values } = conditionOf(filter, 3)
  const rows = await tenant.query<{ id: string }>(
    `SELECT e.id FROM (
       SELECT w.key, sum(w.weight) AS weight FROM (
         SELECT l.key, 4 AS weight FROM link l WHERE l.project = $1
         UNION ALL
         SELECT t.key, 4 FROM link l JOIN title t ON t.project = $1 AND t.head = left(l.folded, ${HEAD_CHARACTERS}) WHERE l.project = $1
         UNION ALL
         SELECT o.key, 4 FROM link l JOIN entry o ON o.project = $1 AND o.id = l.target WHERE l.project = $1
         UNION ALL
         SELECT a.key, 0 FROM about a WHERE a.project = $1
         UNION ALL
         SELECT u.key, 1 FROM entity_use u WHERE u.project = $1 AND u.entity IN
           (SELECT m.entity FROM entity_use m WHERE m.project = $1 GROUP BY m.entity HAVING count(*) > 1)
       ) w GROUP BY w.key
     ) c JOIN entry e ON e.project = $1 AND e.key = c.key WHERE true${sql} ORDER BY c.weight DESC, e.order_ms DESC LIMIT $2`,
    limit,
    ...values,
  )
  return rows.map(({ id }) => id)
}

async function labelsOf(
  tenant: Tenant,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly label: string }[]> {
  const rows = await tenant.query<{ id: string; content: string }>(
    'SELECT e.id, left(e.content, 400) AS content FROM entry e WHERE e.project = $1 AND e.id = ANY ($2::text[])',
    ids,
  )
  return rows.map(({ id, content }) => ({ id, label: headlineOf(content) || id }))
}

async function totalsOf(tenant: Tenant, filter: EntryFilter): Promise<Graph['totals']> {
  const { sql, values } = conditionOf(filter, 2)
  const counted = await tenant.one<{ entries: number; entities: number; links: number }>(
    `SELECT (SELECT count(*)::int FROM entry e WHERE e.project = $1${sql}) AS entries,
       (SELECT count(DISTINCT u.entity)::int FROM entity_use u JOIN entry e ON e.project = $1 AND e.key = u.key
        WHERE u.project = $1${sql}) AS entities,
       (SELECT count(*)::int FROM link l JOIN entry e ON e.project = $1 AND e.key = l.key WHERE l.project = $1${sql}) AS links`,
    ...values,
  )
  const rows = await tenant.query<Pick<LinkRow, 'id' | 'target'>>(
    `SELECT e.id, l.target FROM link l JOIN entry e ON e.project = $1 AND e.key = l.key WHERE l.project = $1${sql} LIMIT ${MAX_COUNTED_LINKS}`,
    ...values,
  )
  const lookup = await lookUpTargets(
    tenant,
    rows.map(({ target }) => target),
  )
  return {
    entries: counted?.entries ?? 0,
    entities: counted?.entities ?? 0,
    links: counted?.links ?? 0,
    dangling: rows.filter(({ id, target }) => resolveLink(target, lookup, id).kind === 'dangling').length,
  }
}
