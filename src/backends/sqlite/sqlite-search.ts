import type { Entry } from '../../model/entry.ts'
import type { EntryFilter } from '../../model/search.ts'
import type { VocabularyWord } from '../../pipeline/retrieve/expansion.ts'
import { type Candidate, FIELDS } from '../../pipeline/retrieve/rank.ts'
import type { SearchIndex, SearchStatistics } from '../../pipeline/retrieve/search-index.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOfRow } from './entry-row.ts'
import { conditionOf } from './filter-sql.ts'
import type { SqliteIndex } from './sqlite-index.ts'
import { readStatistics } from './token-counts.ts'

/** Words of the vocabulary that one range scan may read: 'co' of a million entries has some ten thousand. */
const MOST_SCANNED_WORDS = 50_000

interface CandidateRow {
  readonly key: number
  readonly id: string
  readonly session: string | null
  readonly order_ms: number
  readonly entry_date: string
  readonly body: string
  readonly tags: string
  readonly files: string
  readonly kind: string
  readonly date: string
  readonly lengths: string
}

/** Fetches for retrieval from the SQLite index. Ranks nothing but FTS5's own first cut. */
export function sqliteSearch(index: () => SqliteIndex): SearchIndex {
  return {
    async statistics(): Promise<SearchStatistics> {
      const stored = readStatistics(index())
      return {
        documentCount: stored.documents,
        totalLength: stored.length,
        documentsByLanguage: stored.languages,
      }
    },

    async documentFrequencies(tokens) {
      const rows = index()
        .statement('SELECT token, df FROM term WHERE token IN (SELECT value FROM json_each(?))')
        .all(JSON.stringify(tokens)) as VocabularyWord[]
      return new Map(rows.map(row => [row.token, row.df]))
    },

    async vocabulary({ prefix, minLength, maxLength }, limit) {
      const sql = `SELECT token, df FROM (SELECT token, df FROM term WHERE token >= ? AND token < ? LIMIT ${MOST_SCANNED_WORDS})
                   WHERE length(token) BETWEEN ? AND ? ORDER BY df DESC, token LIMIT ?`
      const afterPrefix = `${prefix}\u{10ffff}`
      return index().statement(sql).all(prefix, afterPrefix, minLength, maxLength, limit) as VocabularyWord[]
    },

    async findCandidates({ match, order, weights, filter, limit }) {
      const { sql, values } = conditionOf(filter)
      const join = sql === '' ? '' : 'JOIN entry e ON e.key = f.rowid'
      const bm25 = `bm25(${FIELDS.map(field => weights[field]).join(', ')})`
      const rows =
        order === 'bm25'
          ? index()
              .statement(
                `SELECT f.rowid AS key FROM fulltext f ${join}
                 WHERE f.fulltext MATCH ? AND f.rank MATCH ?${sql} ORDER BY f.rank LIMIT ?`,
              )
              .all(match, bm25, ...values, limit)
          : index()
              .statement(
                `SELECT f.rowid AS key FROM fulltext f ${join} WHERE f.fulltext MATCH ?${sql} ORDER BY f.rowid DESC LIMIT ?`,
              )
              .all(match, ...values, limit)
      const keys = (rows as { key: number }[]).map(row => row.key)
      return [...loadCandidates(index(), keys, {}).values()]
    },

    async findNeighbourhoods(needs, filter) {
      const reach = Math.max(...needs.map(need => need.reach))
      const places = JSON.stringify(needs.map(({ session, order }) => [session, order]))
      const rows = index().statement(NEIGHBOURHOODS_SQL).all(reach, places) as {
        before: string
        fromHere: string
      }[]
      const stretches = rows.map(({ before, fromHere }) => [
        ...(JSON.parse(before) as number[]).reverse(),
        ...(JSON.parse(fromHere) as number[]),
      ])
      const candidateByKey = loadCandidates(index(), [...new Set(stretches.flat())], filter)
      return stretches.map(stretch =>
        stretch.flatMap(key => {
          const candidate = candidateByKey.get(key)
          return candidate === undefined ? [] : [candidate]
        }),
      )
    },

    async loadEntries(ids): Promise<ReadonlyMap<string, Entry>> {
      const rows = index()
        .statement(`SELECT ${ENTRY_COLUMNS} FROM entry e WHERE e.id IN (SELECT value FROM json_each(?))`)
        .all(JSON.stringify(ids)) as EntryRow[]
      return new Map(rows.map(row => [row.id, entryOfRow(row)]))
    },
  }
}

/** One statement for all: in a cold process the locks of a hundred small ones cost more than the looking. */
const NEIGHBOURHOODS_SQL = `
  SELECT
    (SELECT json_group_array(key) FROM (SELECT key FROM entry
       WHERE session = need.value ->> 0 AND order_ms < need.value ->> 1
       ORDER BY order_ms DESC, key DESC LIMIT ?1)) AS before,
    (SELECT json_group_array(key) FROM (SELECT key FROM entry
       WHERE session = need.value ->> 0 AND order_ms >= need.value ->> 1
       ORDER BY order_ms, key LIMIT 1 + ?1)) AS fromHere
  FROM json_each(?2) AS need`

export function loadCandidates(
  index: SqliteIndex,
  keys: readonly number[],
  filter: EntryFilter,
): Map<number, Candidate> {
  const { sql, values } = conditionOf(filter)
  const rows = index
    .statement(
      `SELECT e.key, e.id, e.session, e.order_ms, e.date AS entry_date, a.body, a.tags, a.files, a.kind, a.date, a.lengths
       FROM entry e JOIN analysed a ON a.key = e.key WHERE e.key IN (SELECT value FROM json_each(?))${sql}`,
    )
    .all(JSON.stringify(keys), ...values) as CandidateRow[]
  return new Map(
    rows.map(row => [
      row.key,
      {
        id: row.id,
        tokens: { body: row.body, tags: row.tags, files: row.files, kind: row.kind, date: row.date },
        lengths: lengthsOf(row.lengths),
        date: row.entry_date,
        ...(row.session !== null && { session: row.session }),
        order: row.order_ms,
      },
    ]),
  )
}

/** `41 2 1 1 5`, in the order of the fields. */
function lengthsOf(packed: string): Candidate['lengths'] {
  const [body = 0, tags = 0, files = 0, kind = 0, date = 0] = packed.split(' ').map(Number)
  return { body, tags, files, kind, date }
}
