import type { Category } from '../../model/category.ts'
import type {
  Backlink,
  EntityRef,
  EntityType,
  EntityUse,
  Graph,
  Link,
  Neighbour,
  Relation,
  StatedRelation,
} from '../../model/graph.ts'
import type { EntryFilter } from '../../model/search.ts'
import { assembleGraph } from '../../pipeline/retrieve/assemble-graph.ts'
import type { GraphIndex, GraphQuery } from '../../pipeline/retrieve/graph-index.ts'
import {
  type EntityTie,
  type LinkTie,
  MOST_SHARING,
  weighNeighbours,
} from '../../pipeline/retrieve/weigh-neighbours.ts'
import { foldText } from '../../text/fold.ts'
import { headlineOf, type LinkLookup, resolveLink, SHORTEST_PREFIX } from '../../text/links.ts'
import { conditionOf } from './filter-sql.ts'
import type { SqliteIndex } from './sqlite-index.ts'

/** Links that may name one entry: more of them say nothing more. */
const MOST_BACKLINKS = 500
/** Links that are resolved to count those that lead nowhere. */
const MOST_COUNTED_LINKS = 5_000

interface LinkRow {
  readonly id: string
  readonly at: number
  readonly target: string
  readonly text: string
}

/** Fetches for the graph from the SQLite index. What a tie weighs, and what a graph shows, is decided above. */
export function sqliteGraph(index: () => SqliteIndex): GraphIndex {
  return {
    linksOf: async id => linksOf(index(), id),
    backlinksOf: async id => backlinksOf(index(), id),
    entitiesOf: async ids => entitiesOf(index(), ids),
    relationsOf: async id => relationsOf(index(), [id]),
    findEntities: async (name, limit) => findEntities(index(), name, limit),
    entriesWith: async (entity, limit) => entriesWith(index(), entity, limit, {}),
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

/** Every link that may mean the entry: by its id, its vault file, its title or the beginning of that. */
function backlinksOf(index: SqliteIndex, id: string): Backlink[] {
  const entry = index
    .statement(
      'SELECT e.agent, e.category, t.title FROM entry e LEFT JOIN title t ON t.key = e.key WHERE e.id = ?',
    )
    .get(id) as { agent: string; category: Category; title: string | null } | undefined
  if (entry === undefined) return []
  const title = entry.title ?? ''
  const file = `${entry.agent}/${entry.category}`
  const named = new Set([title, file, `${file}.md`])
  for (let length = SHORTEST_PREFIX; length < title.length; length++) named.add(title.slice(0, length))
  named.delete('')
  const rows = index
    .statement(
      `SELECT e.id, l.at, l.target, l.text FROM link l JOIN entry e ON e.key = l.key
       WHERE l.target = ?1 OR l.folded IN (SELECT value FROM json_each(?2))
       ORDER BY e.order_ms DESC, e.id DESC, l.at LIMIT ${MOST_BACKLINKS}`,
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
  const idsOf = (rows: unknown[]) => (rows as { id: string }[]).map(row => row.id)
  return {
    hasEntry: id => index.statement('SELECT 1 FROM entry WHERE id = ?').get(id) !== undefined,
    hasVaultFile: (agent, category) =>
      index.statement('SELECT 1 FROM entry WHERE agent = ? AND category = ? LIMIT 1').get(agent, category) !==
      undefined,
    // Three: the entry that links may be one of them, and two others are ambiguous already.
    idsByTitle: title =>
      idsOf(
        index
          .statement('SELECT e.id FROM title t JOIN entry e ON e.key = t.key WHERE t.title = ? LIMIT 3')
          .all(title),
      ),
    idsByTitlePrefix: prefix =>
      idsOf(
        index
          .statement(
            'SELECT e.id FROM title t JOIN entry e ON e.key = t.key WHERE t.title >= ? AND t.title < ? LIMIT 3',
          )
          .all(prefix, `${prefix}\u{10ffff}`),
      ),
  }
}

interface UseRow {
  readonly id: string
  readonly type: EntityType
  readonly name: string
  readonly text: string | null
  readonly entries: number
}

function usesOf(index: SqliteIndex, ids: readonly string[]): UseRow[] {
  return index
    .statement(
      `SELECT e.id, n.type, n.name, u.text, n.entries
       FROM entry e JOIN entity_use u ON u.key = e.key JOIN entity n ON n.number = u.entity
       WHERE e.id IN (SELECT value FROM json_each(?)) ORDER BY e.id, u.at`,
    )
    .all(JSON.stringify(ids)) as UseRow[]
}

function entitiesOf(index: SqliteIndex, ids: readonly string[]): Map<string, EntityUse[]> {
  const usesById = new Map<string, EntityUse[]>()
  for (const { id, ...row } of usesOf(index, ids)) {
    const known = usesById.get(id)
    if (known === undefined) usesById.set(id, [useOf(row)])
    else known.push(useOf(row))
  }
  return usesById
}

function useOf({ type, name, text, entries }: Omit<UseRow, 'id'>): EntityUse {
  return { type, name, text: text ?? name, entries }
}

function relationsOf(index: SqliteIndex, ids: readonly string[]): Relation[] {
  const rows = index
    .statement(
      `SELECT DISTINCT s.type AS sourceType, s.name AS source, r.relation, t.type AS targetType, t.name AS target
       FROM entry e JOIN relation r ON r.key = e.key
       JOIN entity s ON s.number = r.source JOIN entity t ON t.number = r.target
       WHERE e.id IN (SELECT value FROM json_each(?)) ORDER BY 2, 3, 5`,
    )
    .all(JSON.stringify(ids)) as {
    sourceType: EntityType
    source: string
    relation: StatedRelation
    targetType: EntityType
    target: string
  }[]
  return rows.map(row => ({
    from: { type: row.sourceType, name: row.source },
    relation: row.relation,
    to: { type: row.targetType, name: row.target },
  }))
}

/** `redis`, `service:redis`, `session.ts` for any path that ends so. */
function findEntities(index: SqliteIndex, name: string, limit: number): EntityUse[] {
  const [, type, rest] = /^(file|package|command|service|person):(.*)$/s.exec(name) ?? []
  const bare = (rest ?? name).trim().replace(/^@(?!.*\/)/, '')
  const rows = index
    .statement(
      `SELECT type, name, NULL AS text, entries FROM entity
       WHERE name IN (?1, ?2) AND (?3 IS NULL OR type = ?3) ORDER BY entries DESC, type LIMIT ?4`,
    )
    .all(bare, foldText(bare), type ?? null, limit) as UseRow[]
  if (rows.length > 0) return rows.map(useOf)
  const ending = index
    .statement(
      `SELECT type, name, NULL AS text, entries FROM entity
       WHERE type = 'file' AND substr(name, -length(?1)) = ?1 AND (?2 IS NULL OR type = ?2)
       ORDER BY entries DESC, name LIMIT ?3`,
    )
    .all(`/${bare.replace(/^\.?\//, '')}`, type ?? null, limit) as UseRow[]
  return ending.map(useOf)
}

function entriesWith(index: SqliteIndex, entity: EntityRef, limit: number, filter: EntryFilter): string[] {
  const { sql, values } = conditionOf(filter)
  const rows = index
    .statement(
      `SELECT e.id FROM entity n JOIN entity_use u ON u.entity = n.number JOIN entry e ON e.key = u.key
       WHERE n.name = ? AND n.type = ?${sql} ORDER BY e.order_ms DESC, e.id DESC LIMIT ?`,
    )
    .all(entity.name, entity.type, ...values, limit) as { id: string }[]
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
  const { sql, values } = conditionOf(filter)
  const shared = index
    .statement(
      `SELECT o.id AS \`of\`, e.id, n.type, n.name, n.entries
       FROM entry o JOIN entity_use mine ON mine.key = o.key JOIN entity n ON n.number = mine.entity
       JOIN entity_use theirs ON theirs.entity = n.number AND theirs.key <> mine.key
       JOIN entry e ON e.key = theirs.key
       WHERE o.id IN (SELECT value FROM json_each(?)) AND n.entries BETWEEN 2 AND ${MOST_SHARING}${sql}`,
    )
    .all(JSON.stringify(ids), ...values) as (UseRow & { of: string })[]
  const allowed = sql === '' ? undefined : allowedIds(index, [...new Set(links.map(tie => tie.id))], filter)
  const ties = [
    ...links.filter(tie => allowed?.has(tie.id) !== false),
    ...shared.map(
      ({ of, id, type, name, entries }): EntityTie => ({
        kind: 'entity',
        of,
        id,
        entity: { type, name },
        entries,
      }),
    ),
  ]
  return weighNeighbours(ties, limit, ids)
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
  return assembleGraph(
    {
      entries: labelsOf(index, chosen),
      uses: usesOf(index, chosen).map(({ id, type, name, text }) => ({
        id,
        entity: { type, name },
        text: text ?? name,
      })),
      links: chosen.flatMap(from =>
        linksOf(index, from).flatMap(({ to }) => (to.kind === 'entry' ? [{ from, to: to.id }] : [])),
      ),
      relations: relationsOf(index, chosen),
      totals: totalsOf(index, filter),
    },
    limit,
  )
}

/** By links first, which somebody wrote, then by entities that another entry has as well. */
function mostConnected(index: SqliteIndex, limit: number, filter: EntryFilter): string[] {
  const { sql, values } = conditionOf(filter)
  const rows = index
    .statement(
      `SELECT e.id FROM (
         SELECT key, sum(weight) AS weight FROM (
           SELECT key, 4 AS weight FROM link
           UNION ALL
           SELECT t.key, 4 FROM link l JOIN title t ON t.title = l.folded
           UNION ALL
           SELECT e2.key, 4 FROM link l JOIN entry e2 ON e2.id = l.target
           UNION ALL
           SELECT u.key, 1 FROM entity n JOIN entity_use u ON u.entity = n.number WHERE n.entries > 1
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

/** Content that holds a NUL is kept as bytes. */
function textOf(content: string | Uint8Array): string {
  return typeof content === 'string' ? content : new TextDecoder().decode(content)
}

function totalsOf(index: SqliteIndex, filter: EntryFilter): Graph['totals'] {
  const { sql, values } = conditionOf(filter)
  const count = (statement: string) => (index.statement(statement).get(...values) as { n: number }).n
  const rows = index
    .statement(
      `SELECT e.id, l.target FROM link l JOIN entry e ON e.key = l.key WHERE 1${sql} LIMIT ${MOST_COUNTED_LINKS}`,
    )
    .all(...values) as LinkRow[]
  const lookup = lookupIn(index)
  return {
    entries: count(`SELECT count(*) AS n FROM entry e WHERE 1${sql}`),
    entities:
      sql === ''
        ? count('SELECT count(*) AS n FROM entity')
        : count(
            `SELECT count(DISTINCT u.entity) AS n FROM entity_use u JOIN entry e ON e.key = u.key WHERE 1${sql}`,
          ),
    links: count(`SELECT count(*) AS n FROM link l JOIN entry e ON e.key = l.key WHERE 1${sql}`),
    dangling: rows.filter(({ id, target }) => resolveLink(target, lookup, id).kind === 'dangling').length,
  }
}
