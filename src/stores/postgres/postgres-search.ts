import type { VocabularyWord } from '../../features/search/decide/expansion.ts'
import { FIRST_CUT, tokenHash } from '../../features/search/decide/first-cut.ts'
import type { ListedOptions, SearchIndex } from '../../features/search/decide/ports.ts'
import type { Match } from '../../features/search/decide/query-plan.ts'
import { type Candidate, FIELD_BORDER, FIELDS } from '../../features/search/decide/rank.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOfRow } from './entry-row.ts'
import { conditionOf } from './filter-sql.ts'
import { glanceAt, parseStatistics } from './project-row.ts'
import type { Tenant } from './tenant.ts'
import { frequencySql, keySql, lengthSql } from './text-rows.ts'
import { knownKeys } from './vector-rows.ts'

/** Words of the vocabulary that one range scan may read. */
const MAX_SCANNED_WORDS = 50_000

/** Fetches candidates for retrieval from PostgreSQL. It ranks only the first cut. */
export function postgresSearch(tenant: Tenant): SearchIndex {
  return {
    statistics: async () => parseStatistics((await glanceAt(tenant)).statistics),

    async documentFrequencies(tokens) {
      const rows = await tenant.query<VocabularyWord>(
        'SELECT t.token, t.df FROM term t WHERE t.project = $1 AND t.token = ANY ($2::text[])',
        tokens,
      )
      return new Map(rows.map(({ token, df }) => [token, df]))
    },

    async vocabulary({ prefix, minLength, maxLength }, limit) {
      // As one array: there may be thousands, and parsing a row for each takes longer than comparing.
      const row = await tenant.one<{ words: string | null }>(
        `SELECT string_agg(w.token || ' ' || w.df, ' ' ORDER BY w.df DESC, w.token) AS words FROM (
           SELECT s.token, s.df FROM (SELECT t.token, t.df FROM term t
             WHERE t.project = $1 AND t.token >= $2 AND t.token < $3 LIMIT ${MAX_SCANNED_WORDS}) s
           WHERE length(s.token) BETWEEN $4 AND $5 ORDER BY s.df DESC, s.token LIMIT $6) w`,
        prefix,
        `${prefix}\u{10ffff}`,
        minLength,
        maxLength,
        limit,
      )
      return wordsOf(row?.words ?? '')
    },

    async findCandidates({ match, order, filter, limit }) {
      const { tokens, sides, times } = sidesOf(match)
      const { documentCount, totalLength } = parseStatistics((await glanceAt(tenant)).statistics)
      const length = FIELDS.reduce((sum, field) => sum + totalLength[field], 0)
      const { sql, values } = conditionOf(filter, 9)
      const [worth, sorted] = order === 'bm25' ? [WORTH_SQL, 'key'] : ['0::bigint', 'key DESC']
      // Materialised: inlined, the rarity of a token would be computed again for each of its entries.
      const rows = await tenant.query<CandidateRow>(
        `WITH asked AS MATERIALIZED (SELECT a.hash, a.side, a.times *
             greatest(ln(greatest($7::float8 - t.df + 0.5, 0.5) / (t.df + 0.5::float8)), ${FIRST_CUT.minIdf}::float8) AS idf
           FROM unnest($2::text[], $3::int[], $4::smallint[], $5::smallint[]) AS a(token, hash, side, times)
             JOIN term t ON t.project = $1 AND t.token = a.token),
         listed AS (SELECT a.side, a.idf, p.block, unnest(p.packed) AS packed
           FROM asked a JOIN posting p ON p.project = $1 AND p.token = a.hash),
         hit AS (SELECT l.side, l.idf, ${keySql('l.block', 'l.packed')} AS key, ${frequencySql('l.packed')} AS tf,
           ${FIRST_CUT.k1} * (1 - ${FIRST_CUT.b} + ${FIRST_CUT.b}::float8 * ${lengthSql('l.packed')} / $8::float8) AS against FROM listed l),
         best AS (SELECT h.key, ${worth} AS worth
           FROM hit h ${sql === '' ? '' : 'JOIN entry e ON e.project = $1 AND e.key = h.key'}
           WHERE true${sql} GROUP BY h.key
           HAVING bool_or(h.side = 0) OR (bool_or(h.side = 1) AND bool_or(h.side = 2))
           ORDER BY worth DESC, ${sorted} LIMIT $6)
         SELECT ${CANDIDATE_COLUMNS} FROM best b JOIN entry e ON e.project = $1 AND e.key = b.key
           JOIN analysed a ON a.project = $1 AND a.key = b.key ORDER BY b.worth DESC, b.${sorted}`,
        tokens,
        tokens.map(tokenHash),
        sides,
        times,
        limit,
        documentCount,
        Math.max(length / Math.max(documentCount, 1), 1),
        ...values,
      )
      return candidatesOf(tenant, rows)
    },

    async findNeighbourhoods(needs, filter) {
      const { sql, values } = conditionOf(filter, 5)
      const rows = await tenant.query<CandidateRow & { place: number }>(
        `SELECT s.place, ${CANDIDATE_COLUMNS}
         FROM unnest($2::text[], $3::bigint[]) WITH ORDINALITY AS n(session, at, place) CROSS JOIN LATERAL (
           (SELECT e.key, n.place FROM entry e WHERE e.project = $1 AND e.session = n.session AND e.order_ms < n.at
              ORDER BY e.order_ms DESC, e.key DESC LIMIT $4)
           UNION ALL
           (SELECT e.key, n.place FROM entry e WHERE e.project = $1 AND e.session = n.session AND e.order_ms >= n.at
              ORDER BY e.order_ms, e.key LIMIT 1 + $4)) s
           JOIN entry e ON e.project = $1 AND e.key = s.key JOIN analysed a ON a.project = $1 AND a.key = s.key
         WHERE true${sql} ORDER BY s.place, e.order_ms, e.key`,
        needs.map(({ session }) => session),
        needs.map(({ order }) => order),
        Math.max(...needs.map(({ reach }) => reach)),
        ...values,
      )
      const stretches: KeyedCandidate[][] = needs.map(() => [])
      const candidates = await candidatesOf(tenant, rows)
      for (const [at, { place }] of rows.entries()) {
        const candidate = candidates[at]
        if (candidate !== undefined) stretches[place - 1]?.push(candidate)
      }
      return stretches
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

/** `token df token df …`: no token contains a blank. */
function wordsOf(packed: string): VocabularyWord[] {
  const parts = packed.split(' ')
  const words: VocabularyWord[] = []
  for (let at = 0; at + 1 < parts.length; at += 2)
    words.push({ token: parts[at] as string, df: Number(parts[at + 1]) })
  return words
}

/**
 * Rounded, so that entries with the same tokens get the same score whatever the order of the sum; among equal ones FTS5 takes the first.
 */
const WORTH_SQL = `round(1e12::float8 * sum(h.idf * h.tf * ${FIRST_CUT.k1 + 1} / (h.tf + h.against)))::bigint`

/**
 * Of a part of the query, a single token is enough (0), and so is a token that is a form of both words; otherwise both words are required
 * (1 and 2). A repeated token counts as often.
 */
function sidesOf(match: Match): { tokens: string[]; sides: number[]; times: number[] } {
  const askedByToken = new Map<string, { readonly side: number; readonly times: number }>()
  for (const words of match)
    for (const [at, tokens] of words.entries())
      for (const token of tokens) {
        const side = words.length === 1 ? 0 : at + 1
        const known = askedByToken.get(token)
        askedByToken.set(token, {
          side: known === undefined || known.side === side ? side : 0,
          times: (known?.times ?? 0) + 1,
        })
      }
  const asked = [...askedByToken.values()]
  return {
    tokens: [...askedByToken.keys()],
    sides: asked.map(({ side }) => side),
    times: asked.map(({ times }) => times),
  }
}

export type KeyedCandidate = Candidate & { readonly key: number }
type CandidateRow = Omit<KeyedCandidate, 'lengths'> & { readonly lengths: string }

const CANDIDATE_TEXT = FIELDS.map(field => `a.${field}`).join(
  ` || E'${FIELD_BORDER === '\n' ? '\\n' : FIELD_BORDER}' || `,
)
const CANDIDATE_COLUMNS = `e.key, e.id, e.session, e.order_ms AS "order", e.date, ${CANDIDATE_TEXT} AS text, a.lengths`

async function candidatesOf(tenant: Tenant, rows: readonly CandidateRow[]): Promise<KeyedCandidate[]> {
  const keyById = await knownKeys(tenant)
  return rows.map(({ key, id, session, order, date, text, lengths }) => {
    keyById.set(id, key)
    return { key, id, session: session ?? null, order, date, text, lengths: lengths.split(' ').map(Number) }
  })
}

/** In the order of the keys. */
export async function loadCandidates(tenant: Tenant, keys: readonly number[]): Promise<KeyedCandidate[]> {
  if (keys.length === 0) return []
  const rows = await tenant.query<CandidateRow>(
    `SELECT ${CANDIDATE_COLUMNS} FROM unnest($2::int[]) WITH ORDINALITY AS k(key, place) JOIN entry e ON e.project = $1 AND e.key = k.key
       JOIN analysed a ON a.project = $1 AND a.key = k.key ORDER BY k.place`,
    keys,
  )
  return candidatesOf(tenant, rows)
}
