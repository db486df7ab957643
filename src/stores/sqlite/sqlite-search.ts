import type { VocabularyWord } from '../../features/search/decide/expansion.ts'
import type { SearchIndex, SearchStatistics } from '../../features/search/decide/ports.ts'
import type { Match } from '../../features/search/decide/query-plan.ts'
import { type Candidate, FIELD_BORDER, FIELDS } from '../../features/search/decide/rank.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { checkedRow, storedJson } from '../sql/stored-value.ts'
import type { SqliteValue } from './driver.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOfRow } from './entry-rows.ts'
import { conditionOf } from './filter-sql.ts'
import type { SqliteIndex } from './sqlite-index.ts'
import { type Collection, ENTRIES_COLLECTION, readStatistics } from './text-rows.ts'

/** `"raft" OR ("test" AND "error")`. Tokens are letters and digits only, and quoted: no word of the question is read as an operator. */
export function ftsExpression(match: Match): string {
  return match
    .map(words => (words.length > 1 ? `(${words.map(anyForm).join(' AND ')})` : words.map(anyForm).join('')))
    .join(' OR ')
}

function anyForm(tokens: readonly string[]): string {
  const quoted = tokens.map(token => `"${token}"`)
  return quoted.length > 1 ? `(${quoted.join(' OR ')})` : quoted.join('')
}

/** Maximum words of the vocabulary in one range scan: 'co' has some ten thousand in a million entries. */
const MAX_SCANNED_WORDS = 50_000

/** Queries for retrieval. The only ranking is FTS5's preselection. */
export function sqliteSearch(
  index: () => SqliteIndex,
  collection: Collection = ENTRIES_COLLECTION,
): SearchIndex {
  return {
    async statistics(): Promise<SearchStatistics> {
      const stored = readStatistics(index(), collection)
      return {
        documentCount: stored.documents,
        totalLength: stored.length,
        documentsByLanguage: stored.languages,
      }
    },

    async documentFrequencies(tokens) {
      const rows = index()
        .statement(`SELECT token, df FROM ${collection}term WHERE token IN (SELECT value FROM json_each(?))`)
        .all(JSON.stringify(tokens)) as VocabularyWord[]
      return new Map(rows.map(checkedRow).map(row => [row.token, row.df]))
    },

    async vocabulary({ prefix, minLength, maxLength }, limit) {
      const afterPrefix = `${prefix}\u{10ffff}`
      const { packed } = index()
        .statement(vocabularySql(collection))
        .get(prefix, afterPrefix, minLength, maxLength, limit) as { packed: string }
      return storedJson<VocabularyWord[]>('the words of the vocabulary', packed)
    },

    async findCandidates({ match, order, weights, filter, limit }) {
      const { sql, values } = conditionOf(filter)
      const join = sql === '' ? '' : `JOIN ${collection}entry e ON e.key = f.rowid`
      const bm25 = `bm25(${FIELDS.map(field => weights[field]).join(', ')})`
      const [ranked, ...ranking] =
        order === 'bm25'
          ? [`AND f.rank MATCH ?${sql} ORDER BY f.rank`, bm25]
          : [`${sql} ORDER BY f.rowid DESC`]
      const found = `SELECT f.rowid AS key FROM ${collection}fulltext f ${join} WHERE f.${collection}fulltext MATCH ? ${ranked} LIMIT ?`
      return loadCandidates(index(), collection, found, [ftsExpression(match), ...ranking, ...values, limit])
    },

    async findNeighbourhoods(needs, filter) {
      const reach = Math.max(...needs.map(need => need.reach))
      const places = JSON.stringify(needs.map(({ session, order }) => [session, order]))
      const rows = index().statement(neighbourhoodsSql(collection)).all(reach, places) as {
        before: string
        fromHere: string
      }[]
      const stretches = rows.map(({ before, fromHere }) => [
        ...storedJson<number[]>('a list of keys', before).reverse(),
        ...storedJson<number[]>('a list of keys', fromHere),
      ])
      const { sql, values } = conditionOf(filter)
      const keys = JSON.stringify([...new Set(stretches.flat())])
      const found = `SELECT e.key FROM json_each(?) JOIN ${collection}entry e ON e.key = value WHERE 1${sql}`
      const candidates = loadCandidates(index(), collection, found, [keys, ...values])
      const candidateByKey = new Map(candidates.map(candidate => [candidate.key, candidate]))
      return stretches.map(stretch =>
        stretch.flatMap(key => {
          const candidate = candidateByKey.get(key)
          return candidate === undefined ? [] : [candidate]
        }),
      )
    },

    async listEntries(options) {
      return index().list(options, collection)
    },

    async loadEntries(ids): Promise<ReadonlyMap<string, Entry>> {
      const rows = index()
        .statement(
          `SELECT ${ENTRY_COLUMNS} FROM ${collection}entry e WHERE e.id IN (SELECT value FROM json_each(?))`,
        )
        .all(JSON.stringify(ids)) as EntryRow[]
      return new Map(rows.map(row => [row.id, entryOfRow(row)]))
    },
  }
}

/** All rows in one value, as with the candidates below. */
const vocabularySql = (collection: Collection) => `
  SELECT json_group_array(json_object('token', token, 'df', df)) AS packed
  FROM (SELECT token, df FROM (SELECT token, df FROM ${collection}term WHERE token >= ? AND token < ? LIMIT ${MAX_SCANNED_WORDS})
        WHERE length(token) BETWEEN ? AND ? ORDER BY df DESC, token LIMIT ?)`

/** One statement for all: in a cold process the locks of a hundred small ones cost more than the queries. */
const neighbourhoodsSql = (collection: Collection) => `
  SELECT
    (SELECT json_group_array(key) FROM (SELECT key FROM ${collection}entry
       WHERE session = need.value ->> 0 AND order_ms < need.value ->> 1
       ORDER BY order_ms DESC, key DESC LIMIT ?1)) AS before,
    (SELECT json_group_array(key) FROM (SELECT key FROM ${collection}entry
       WHERE session = need.value ->> 0 AND order_ms >= need.value ->> 1
       ORDER BY order_ms, key LIMIT 1 + ?1)) AS fromHere
  FROM json_each(?2) AS need`

/**
 * Loads the candidates for the keys of a statement as one JSON text: a driver returns row by row and column by column at 0.6 µs each, which
 * for a hundred candidates costs more than reading them. The lengths are stored as `41 2 1 1 5`.
 */
export function loadCandidates(
  index: SqliteIndex,
  collection: Collection,
  found: string,
  values: readonly SqliteValue[],
): KeyedCandidate[] {
  const { packed } = index
    .statement(
      `SELECT json_group_array(json_object('key', e.key, 'id', e.id, 'session', e.session, 'order', e.order_ms,
         'date', e.date, 'text', ${CANDIDATE_TEXT}, 'lengths', json('[' || replace(a.lengths, ' ', ',') || ']'))) AS packed
       FROM (${found}) AS found CROSS JOIN ${collection}entry e ON e.key = found.key
         CROSS JOIN ${collection}analysed a ON a.key = found.key`,
    )
    .get(...values) as { packed: string }
  return storedJson('the candidates of a search', packed)
}

type KeyedCandidate = Candidate & { readonly key: number }

const CANDIDATE_TEXT = FIELDS.map(field => `a.${field}`).join(` || '${FIELD_BORDER}' || `)
