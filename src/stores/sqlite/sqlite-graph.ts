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
import {
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
  unpackAbout,
} from '../sql/entry-fields.ts'
import { textOf } from './entry-rows.ts'
import { conditionOf } from './filter-sql.ts'
import type { SqliteIndex } from './sqlite-index.ts'

/** Maximum number of links to one entry that are read. */
const MAX_BACKLINKS = 500
/** Maximum number of links that are resolved to count dangling ones. */
const MAX_COUNTED_LINKS = 5_000

interface LinkRow {
  readonly id: string
  readonly at: number
  readonly target: string
  readonly text: string
}

/** Queries for the graph. Weights and the selection are decided in the feature. */
export function sqliteGraph(index: () => SqliteIndex): GraphIndex {
  return {
    linksOf: async id => linksOf(index(), id),
    backlinksOf: async id => backlinksOf(index(), id),
    entitiesOf: async ids => entitiesOf(index(), ids),
    relationsOf: async id => [...(aboutOf(index(), [id]).get(id)?.relations ?? [])],
    findEntities: async (name, limit) => findEntities(index(), name, limit),
    entriesWith: async (entity, limit, filter = {}) => entriesWith(index(), entity, limit, filter),
    neighbours: async (ids, limit, filter = {}) => neighboursOf(index(), ids, limit, filter),
    graph: async query => graphOf(index(), query),
  }
}

function linksOf(index: SqliteIndex, id: string): Link[] {
  const rows = index
    .statement(
      'SELECT l.at, l.target, l.text FROM link l JOIN entry e ON e.key = l.key WHERE e.id = ? ORDER BY l.at',
    )
    .all(id) as LinkRow[]
  const lookup = lookupIn(index)
  return rows.map(({ at, target, text }) => ({ target, text, at, to: resolveLink(target, lookup, id) }))
}

/** Every link that may mean the entry: by its id, its vault file, its title or the start of the title. */
function backlinksOf(index: SqliteIndex, id: string): Backlink[] {
  const entry = index.statement('SELECT agent, category, content FROM entry WHERE id = ?').get(id) as
    | { agent: string; category: Category; content: string | Uint8Array }
    | undefined
  if (entry === undefined) return []
  const title = linkTitleOf(textOf(entry.content))
  const file = `${entry.agent}/${entry.category}`
  const named = new Set([title, file, `${file}.md`])
  for (let length = MIN_PREFIX_LENGTH; length < title.length; length++) named.add(title.slice(0, length))
  named.delete('')
  const rows = index
    .statement(
      `SELECT e.id, l.at, l.target, l.text FROM link l JOIN entry e ON e.key = l.key
       WHERE l.target = ?1 OR l.folded IN (SELECT value FROM json_each(?2))
       ORDER BY e.order_ms DESC, e.id DESC, l.at LIMIT ${MAX_BACKLINKS}`,
    )
    .all(id, JSON.stringify([...named])) as LinkRow[]
  const lookup = lookupIn(index)
  return rows.flatMap(({ id: from, at, target, text }): Backlink[] => {
    if (from === id) return []
    const to = resolveLink(target, lookup, from)
    if (to.kind === 'entry' && to.id === id) return [{ id: from, target, text, at, by: 'entry' }]
    const isFile = to.kind === 'file' && to.agent === entry.agent && to.category === entry.category
    return isFile ? [{ id: from, target, text, at, by: 'file' }] : []
  })
}

function lookupIn(index: SqliteIndex): LinkLookup {
  return {
    hasEntry: id => index.statement('SELECT 1 FROM entry WHERE id = ?').get(id) !== undefined,
    hasVaultFile: (agent, category) =>
      index.statement('SELECT 1 FROM entry WHERE agent = ? AND category = ? LIMIT 1').get(agent, category) !==
      undefined,
    idsByTitle: title => idsByHead(index, headOf(title), found => found === title),
    idsByTitlePrefix: prefix => idsByHead(index, headOf(prefix), found => found.startsWith(prefix)),
  }
}

/** Three are enough: one may be the linking entry, and two others are ambiguous already. */
const MAX_TITLED = 3
/** Entries with the same start: `Decision: we use …`. */
const MAX_COMPARED = 500

function idsByHead(index: SqliteIndex, head: string, isMeant: (title: string) => boolean): string[] {
  const ids: string[] = []
  const rows = index
    .statement(
      `SELECT e.id, e.content FROM title t JOIN entry e ON e.key = t.key
       WHERE t.head >= ? AND t.head < ? LIMIT ${MAX_COMPARED}`,
    )
    .iterate(head, `${head}\u{10ffff}`) as Iterable<{ id: string; content: string | Uint8Array }>
  for (const { id, content } of rows) {
    if (isMeant(linkTitleOf(textOf(content)))) ids.push(id)
    if (ids.length === MAX_TITLED) break
  }
  return ids
}

function aboutOf(index: SqliteIndex, ids: readonly string[]): Map<string, About> {
  const rows = index
    .statement(
      'SELECT e.id, a.packed FROM entry e JOIN about a ON a.key = e.key WHERE e.id IN (SELECT value FROM json_each(?))',
    )
    .all(JSON.stringify(ids)) as { id: string; packed: string }[]
  return new Map(rows.map(({ id, packed }) => [id, unpackAbout(packed)]))
}

function entitiesOf(index: SqliteIndex, ids: readonly string[]): Map<string, EntityUse[]> {
  const about = aboutOf(index, ids)
  const entriesByKey = new Map<string, number>()
  const entriesOf = (entity: EntityRef): number => {
    const key = entityKey(entity)
    const entries = entriesByKey.get(key) ?? countUses(index, key)
    entriesByKey.set(key, entries)
    return entries
  }
  return new Map(
    [...about].map(([id, { entities }]) => [
      id,
      entities.map(entity => ({ ...entity, entries: entriesOf(entity) })),
    ]),
  )
}

function countUses(index: SqliteIndex, key: string): number {
  return (index.statement('SELECT count(*) AS n FROM entity_use WHERE entity = ?').get(key) as { n: number })
    .n
}

/** `redis`, `service:redis`, `session.ts` for any path that ends so. */
async function findEntities(index: SqliteIndex, name: string, limit: number): Promise<EntityUse[]> {
  // Loaded here: a brief uses this index too, and does not need the table of services.
  const { entityNamed } = await import('../../kernel/text/entities/entity-names.ts')
  const { refs, fileEnd } = entityNamed(name)
  const found = usesOfKeys(index, [...new Set(refs.map(entityKey))])
  if (found.length > 0 || fileEnd === undefined) return found.slice(0, limit)
  const ending = index
    .statement(
      `SELECT DISTINCT entity FROM entity_use
       WHERE entity >= 'file:' AND entity < 'file;' AND substr(entity, -length(?1)) = ?1 LIMIT ${MAX_COMPARED}`,
    )
    .all(fileEnd) as { entity: string }[]
  return usesOfKeys(
    index,
    ending.map(row => row.entity),
  ).slice(0, limit)
}

/** The most used first, without unused ones. */
function usesOfKeys(index: SqliteIndex, keys: readonly string[]): EntityUse[] {
  return keys
    .map(key => {
      const entity = entityOfKey(key)
      return { ...entity, text: entity.name, entries: countUses(index, key) }
    })
    .filter(({ entries }) => entries > 0)
    .sort((a, b) => b.entries - a.entries)
}

function entriesWith(index: SqliteIndex, entity: EntityRef, limit: number, filter: EntryFilter): string[] {
  const { sql, values } = conditionOf(filter)
  const rows = index
    .statement(
      `SELECT e.id FROM entity_use u JOIN entry e ON e.key = u.key
       WHERE u.entity = ?${sql} ORDER BY e.order_ms DESC, e.id DESC LIMIT ?`,
    )
    .all(entityKey(entity), ...values, limit) as { id: string }[]
  return rows.map(row => row.id)
}

function neighboursOf(
  index: SqliteIndex,
  ids: readonly string[],
  limit: number,
  filter: EntryFilter,
): Neighbour[] {
  const links = ids.flatMap((of): LinkTie[] => [
    ...linksOf(index, of).flatMap(({ to }): LinkTie[] =>
      to.kind === 'entry' ? [{ kind: 'link', of, id: to.id, direction: 'to' }] : [],
    ),
    ...backlinksOf(index, of).flatMap(({ id, by }): LinkTie[] =>
      by === 'entry' ? [{ kind: 'link', of, id, direction: 'from' }] : [],
    ),
  ])
  const isFiltered = Object.keys(filter).length > 0
  const allowed = isFiltered ? allowedIds(index, [...new Set(links.map(tie => tie.id))], filter) : undefined
  const ties = [
    ...links.filter(tie => allowed?.has(tie.id) !== false),
    ...[...aboutOf(index, ids)].flatMap(([of, { entities }]) =>
      entities.flatMap(entity => entityTies(index, of, entity, filter)),
    ),
  ]
  return weighNeighbours(ties, limit, ids)
}

/** Entries that share a rare entity. One row above the limit shows that it is common. */
function entityTies(index: SqliteIndex, of: string, entity: EntityRef, filter: EntryFilter): EntityTie[] {
  const key = entityKey(entity)
  const { n: entries } = index
    .statement(
      `SELECT count(*) AS n FROM (SELECT 1 FROM entity_use WHERE entity = ? LIMIT ${MAX_SHARING + 1})`,
    )
    .get(key) as { n: number }
  if (entries < 2 || entries > MAX_SHARING) return []
  const { type, name } = entity
  return entriesWith(index, entity, MAX_SHARING, filter)
    .filter(id => id !== of)
    .map(id => ({ kind: 'entity', of, id, entity: { type, name }, entries }))
}

function allowedIds(index: SqliteIndex, ids: readonly string[], filter: EntryFilter): Set<string> {
  const { sql, values } = conditionOf(filter)
  const rows = index
    .statement(`SELECT e.id FROM entry e WHERE e.id IN (SELECT value FROM json_each(?))${sql}`)
    .all(JSON.stringify(ids), ...values) as { id: string }[]
  return new Set(rows.map(row => row.id))
}

function graphOf(index: SqliteIndex, { filter, entity, depth, limit }: GraphQuery): Graph {
  const ids = new Set(
    entity === undefined ? mostConnected(index, limit, filter) : entriesWith(index, entity, limit, filter),
  )
  let rim: readonly string[] = [...ids]
  for (let step = 1; step < depth && ids.size < limit && rim.length > 0; step++) {
    rim = neighboursOf(index, rim, limit, filter)
      .map(({ id }) => id)
      .filter(id => !ids.has(id))
      .slice(0, limit - ids.size)
    for (const id of rim) ids.add(id)
  }
  const chosen = [...ids]
  const about = aboutOf(index, chosen)
  return assembleGraph(
    {
      entries: labelsOf(index, chosen),
      uses: [...about].flatMap(([id, { entities }]) =>
        entities.map(({ type, name, text }) => ({ id, entity: { type, name }, text })),
      ),
      links: chosen.flatMap(from =>
        linksOf(index, from).flatMap(({ to }) => (to.kind === 'entry' ? [{ from, to: to.id }] : [])),
      ),
      relations: [...about.values()].flatMap(({ relations }) => relations),
      totals: totalsOf(index, filter),
    },
    limit,
  )
}

/** By links first, then by entities that other entries have too. */
function mostConnected(index: SqliteIndex, limit: number, filter: EntryFilter): string[] {
  const { sql, values } = conditionOf(filter)
  const rows = index
    .statement(
      `SELECT e.id FROM (
         SELECT key, sum(weight) AS weight FROM (
           SELECT key, 4 AS weight FROM link
           UNION ALL
           SELECT t.key, 4 FROM link l JOIN title t ON t.head = substr(l.folded, 1, ${HEAD_CHARACTERS})
           UNION ALL
           SELECT e2.key, 4 FROM link l JOIN entry e2 ON e2.id = l.target
           UNION ALL
           SELECT key, 0 FROM about
           UNION ALL
           SELECT u.key, 1 FROM entity_use u
           WHERE u.entity IN (SELECT entity FROM entity_use GROUP BY entity HAVING count(*) > 1)
         ) GROUP BY key
       ) c JOIN entry e ON e.key = c.key WHERE 1${sql} ORDER BY c.weight DESC, e.order_ms DESC LIMIT ?`,
    )
    .all(...values, limit) as { id: string }[]
  return rows.map(row => row.id)
}

function labelsOf(index: SqliteIndex, ids: readonly string[]): { id: string; label: string }[] {
  const rows = index
    .statement(
      'SELECT e.id, substr(e.content, 1, 400) AS content FROM entry e WHERE e.id IN (SELECT value FROM json_each(?))',
    )
    .all(JSON.stringify(ids)) as { id: string; content: string | Uint8Array }[]
  return rows.map(({ id, content }) => ({ id, label: headlineOf(textOf(content)) || id }))
}

function totalsOf(index: SqliteIndex, filter: EntryFilter): Graph['totals'] {
  const { sql, values } = conditionOf(filter)
  const count = (statement: string) => (index.statement(statement).get(...values) as { n: number }).n
  const rows = index
    .statement(
      `SELECT e.id, l.target FROM link l JOIN entry e ON e.key = l.key WHERE 1${sql} LIMIT ${MAX_COUNTED_LINKS}`,
    )
    .all(...values) as LinkRow[]
  const lookup = lookupIn(index)
  return {
    entries: count(`SELECT count(*) AS n FROM entry e WHERE 1${sql}`),
    entities:
      sql === ''
        ? count('SELECT count(DISTINCT entity) AS n FROM entity_use')
        : count(
            `SELECT count(DISTINCT u.entity) AS n FROM entity_use u JOIN entry e ON e.key = u.key WHERE 1${sql}`,
          ),
    links: count(`SELECT count(*) AS n FROM link l JOIN entry e ON e.key = l.key WHERE 1${sql}`),
    dangling: rows.filter(({ id, target }) => resolveLink(target, lookup, id).kind === 'dangling').length,
  }
}
