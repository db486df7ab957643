import type { Entry } from '../../model/entry.ts'
import type { EntryFilter } from '../../model/search.ts'
import type { VocabularyWord } from '../../pipeline/retrieve/expansion.ts'
import type { Match } from '../../pipeline/retrieve/match.ts'
import { tokenHash } from '../../pipeline/retrieve/posting-worth.ts'
import { type Candidate, FIELD_BORDER, FIELDS, RANKING } from '../../pipeline/retrieve/rank.ts'
import type { ListedOptions, SearchIndex } from '../../pipeline/retrieve/search-index.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOfRow } from './entry-row.ts'
import { conditionOf } from './filter-sql.ts'
import { readStatistics } from './project-row.ts'
import type { Tenant } from './tenant.ts'

/** Words of the vocabulary that one range scan may read. */
const MOST_SCANNED_WORDS = 50_000

/** Fetches for retrieval from PostgreSQL. Ranks nothing but the first cut. */
export function postgresSearch(tenant: Tenant): SearchIndex {
  return {
    statistics: () => readStatistics(tenant),

    async documentFrequencies(tokens) {
      const rows = await tenant.query<VocabularyWord>(
        'SELECT t.token, t.df FROM term t WHERE t.project = $1 AND t.token = ANY ($2::text[])',
        tokens,
      )
      return new Map(rows.map(({ token, df }) => [token, df]))
    },

    async vocabulary({ prefix, minLength, maxLength }, limit) {
      return tenant.query<VocabularyWord>(
        `SELECT w.token, w.df FROM (SELECT t.token, t.df FROM term t
           WHERE t.project = $1 AND t.token >= $2 AND t.token < $3 LIMIT ${MOST_SCANNED_WORDS}) w
         WHERE length(w.token) BETWEEN $4 AND $5 ORDER BY w.df DESC, w.token LIMIT $6`,
        prefix,
        `${prefix}\u{10ffff}`,
        minLength,
        maxLength,
        limit,
      )
    },

    async findCandidates({ match, order, filter, limit }) {
      const { hashes, sides } = sidesOf(match)
      const { sql, values } = conditionOf(filter, 5)
      const worth =
        order === 'bm25'
          ? `sum(ln(1 + (s.n - h.df + 0.5) / (h.df + 0.5)) * h.worth / (h.worth + ${RANKING.k1})) DESC, `
          : ''
      const found = `
        WITH asked AS (SELECT a.token, a.side FROM unnest($2::int[], $3::smallint[]) AS a(token, side)),
        size AS (SELECT greatest((p.statistics::json ->> 'documentCount')::int, 1) AS n FROM project p WHERE p.project = $1),
        hit AS (SELECT p.key, a.side, p.worth, count(*) OVER (PARTITION BY p.token) AS df
          FROM asked a JOIN posting p ON p.project = $1 AND p.token = a.token)
        SELECT h.key FROM hit h CROSS JOIN size s ${sql === '' ? '' : 'JOIN entry e ON e.project = $1 AND e.key = h.key'}
        WHERE true${sql} GROUP BY h.key
        HAVING bool_or(h.side = 0) OR (bool_or(h.side = 1) AND bool_or(h.side = 2))
        ORDER BY ${worth}h.key DESC LIMIT $4`
      const keys = await tenant.query<{ key: number }>(found, hashes, sides, limit, ...values)
      return loadCandidates(
        tenant,
        keys.map(({ key }) => key),
      )
    },

    async findNeighbourhoods(needs, filter) {
      const reach = Math.max(...needs.map(need => need.reach))
      const rows = await tenant.query<{ before: number[] | null; from_here: number[] | null }>(
        `SELECT
           (SELECT array_agg(b.key ORDER BY b.order_ms, b.key) FROM (SELECT e.key, e.order_ms FROM entry e
              WHERE e.project = $1 AND e.session = n.session AND e.order_ms < n.place
              ORDER BY e.order_ms DESC, e.key DESC LIMIT $3) b) AS before,
           (SELECT array_agg(b.key ORDER BY b.order_ms, b.key) FROM (SELECT e.key, e.order_ms FROM entry e
              WHERE e.project = $1 AND e.session = n.session AND e.order_ms >= n.place
              ORDER BY e.order_ms, e.key LIMIT 1 + $3) b) AS from_here
         FROM json_to_recordset($2::json) AS n(session text, place bigint)`,
        JSON.stringify(needs.map(({ session, order }) => ({ session, place: order }))),
        reach,
      )
      const stretches = rows.map(({ before, from_here }) => [...(before ?? []), ...(from_here ?? [])])
      const candidates = await loadCandidates(tenant, [...new Set(stretches.flat())], filter)
      const candidateByKey = new Map(candidates.map(candidate => [candidate.key, candidate]))
      return stretches.map(stretch => stretch.flatMap(key => candidateByKey.get(key) ?? []))
    },

    listEntries: options => listEntries(tenant, options),

    async loadEntries(ids): Promise<ReadonlyMap<string, Entry>> {
      const rows = await tenant.query<EntryRow>(
        `SELECT ${ENTRY_COLUMNS} FROM entry e WHERE e.project = $1 AND e.id = ANY ($2::text[])`,
        ids,
      )
      return new Map(rows.map(row => [row.id, entryOfRow(row)]))
    },
  }
}

export async function listEntries(
  tenant: Tenant,
  { filter, limit, offset }: ListedOptions,
): Promise<{ entries: Entry[]; total: number }> {
  const { sql, values } = conditionOf(filter, 4)
  const rows = await tenant.query<EntryRow>(
    `SELECT ${ENTRY_COLUMNS} FROM entry e WHERE e.project = $1${sql} ORDER BY e.order_ms DESC, e.id DESC LIMIT $2 OFFSET $3`,
    limit,
    offset,
    ...values,
  )
  if (offset === 0 && rows.length < limit) return { entries: rows.map(entryOfRow), total: rows.length }
  const counted = conditionOf(filter, 2)
  const count = await tenant.one<{ n: number }>(
    `SELECT count(*)::int AS n FROM entry e WHERE e.project = $1${counted.sql}`,
    ...counted.values,
  )
  return { entries: rows.map(entryOfRow), total: count?.n ?? 0 }
}

/** A token that stands alone is enough (0); of a part with two words both sides are wanted (1 and 2). */
function sidesOf(match: Match): { hashes: number[]; sides: number[] } {
  const sideByHash = new Map<number, number>()
  const isSingle = (words: Match[number]) => words.length === 1
  for (const words of [...match.filter(part => !isSingle(part)), ...match.filter(isSingle)])
    for (const [side, tokens] of words.entries())
      for (const token of tokens) sideByHash.set(tokenHash(token), isSingle(words) ? 0 : side + 1)
  return { hashes: [...sideByHash.keys()], sides: [...sideByHash.values()] }
}

export type KeyedCandidate = Candidate & { readonly key: number }

const CANDIDATE_TEXT = FIELDS.map(field => `a.${field}`).join(
  ` || E'${FIELD_BORDER === '\n' ? '\\n' : FIELD_BORDER}' || `,
)

/** In the order of the keys, those that the filter lets through. */
export async function loadCandidates(
  tenant: Tenant,
  keys: readonly number[],
  filter: EntryFilter = {},
): Promise<KeyedCandidate[]> {
  if (keys.length === 0) return []
  const { sql, values } = conditionOf(filter, 3)
  const rows = await tenant.query<Omit<KeyedCandidate, 'lengths'> & { lengths: string }>(
    `SELECT e.key, e.id, e.session, e.order_ms AS "order", e.date, ${CANDIDATE_TEXT} AS text, a.lengths
     FROM entry e JOIN analysed a ON a.project = $1 AND a.key = e.key
     WHERE e.project = $1 AND e.key = ANY ($2::int[])${sql} ORDER BY array_position($2::int[], e.key)`,
    keys,
    ...values,
  )
  return rows.map(row => ({ ...row, lengths: row.lengths.split(' ').map(Number) }))
}
