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
}

/** Fetches for retrieval from the SQLite index. Ranks nothing but FTS5's own first cut. */
export function sqliteSearch(index: () => SqliteIndex): SearchIndex {
  return {
    async statistics(): Promise<SearchStatistics> {
      const stored = readStatistics(index())
      return { documentCount: stored.documents, totalLength: stored.length, documentsByLanguage: stored.languages }
    },

    async documentFrequencies(tokens) {
      const find = index().statement('SELECT df FROM term WHERE token = ?')
      const frequencies = new Map<string, number>()
      for (const token of tokens) {
        const row = find.get(token) as { df: number } | undefined
        if (row !== undefined) frequencies.set(token, row.df)
      }
      return frequencies
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
      const before = index().statement(neighboursSql('<', 'DESC'))
      const fromHere = index().statement(neighboursSql('>=', 'ASC'))
      const stretches = needs.map(({ session, order, reach }) => [
        ...(before.all(session, order, reach) as { key: number }[]).reverse(),
        ...(fromHere.all(session, order, reach + 1) as { key: number }[]),
      ])
      const candidateByKey = loadCandidates(index(), [...new Set(stretches.flat().map(row => row.key))], filter)
      return stretches.map(stretch =>
        stretch.flatMap(({ key }) => {
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

function neighboursSql(side: '<' | '>=', direction: 'ASC' | 'DESC'): string {
  return `SELECT key FROM entry WHERE session = ? AND order_ms ${side} ? ORDER BY order_ms ${direction}, key ${direction} LIMIT ?`
}

function loadCandidates(index: SqliteIndex, keys: readonly number[], filter: EntryFilter): Map<number, Candidate> {
  const { sql, values } = conditionOf(filter)
  const rows = index
    .statement(
      `SELECT e.key, e.id, e.session, e.order_ms, e.date AS entry_date, a.body, a.tags, a.files, a.kind, a.date
       FROM entry e JOIN analysed a ON a.key = e.key WHERE e.key IN (SELECT value FROM json_each(?))${sql}`,
    )
    .all(JSON.stringify(keys), ...values) as CandidateRow[]
  return new Map(
    rows.map(row => [
      row.key,
      {
        id: row.id,
        tokens: { body: row.body, tags: row.tags, files: row.files, kind: row.kind, date: row.date },
        date: row.entry_date,
        ...(row.session !== null && { session: row.session }),
        order: row.order_ms,
      },
    ]),
  )
}
