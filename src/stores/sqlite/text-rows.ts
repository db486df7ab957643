import type { IndexedText } from '../../kernel/vault/entry-index.ts'
import { storedJson } from '../sql/stored-value.ts'
import type { StatementSource } from './driver.ts'

/**
 * The index has two collections in tables of the same shape: the entries of the vaults, and the documents of the workspaces, whose tables
 * start with `doc_`. A query of one collection never reads the other.
 */
export type Collection = '' | 'doc_'

export const ENTRIES_COLLECTION: Collection = ''
export const DOCUMENTS_COLLECTION: Collection = 'doc_'

const FIELDS = ['body', 'tags', 'files', 'kind', 'date'] as const

interface StoredStatistics {
  documents: number
  length: Record<(typeof FIELDS)[number], number>
  languages: Record<string, number>
}

/** The changes of one update to the term table and the totals; written once, at its end. */
export class TokenCounts {
  readonly #deltaByToken = new Map<string, number>()
  readonly #statistics = emptyStatistics()

  constructor(readonly collection: Collection = ENTRIES_COLLECTION) {}

  add(text: IndexedText, sign: 1 | -1): void {
    const distinct = new Set<string>()
    for (const field of FIELDS) {
      const tokens = text[field] === '' ? [] : text[field].split(' ')
      this.#statistics.length[field] += sign * tokens.length
      for (const token of tokens) distinct.add(token)
    }
    for (const token of distinct) this.#deltaByToken.set(token, (this.#deltaByToken.get(token) ?? 0) + sign)
    this.#statistics.documents += sign
    this.#statistics.languages[text.language] = (this.#statistics.languages[text.language] ?? 0) + sign
  }

  writeTo(source: StatementSource): void {
    const upsert = source.statement(
      `INSERT INTO ${this.collection}term (token, df) VALUES (?, ?) ON CONFLICT (token) DO UPDATE SET df = df + excluded.df`,
    )
    const clean = source.statement(`DELETE FROM ${this.collection}term WHERE token = ? AND df <= 0`)
    for (const [token, delta] of this.#deltaByToken) {
      if (delta === 0) continue
      upsert.run(token, delta)
      if (delta < 0) clean.run(token)
    }
    const { documents, length, languages } = this.#statistics
    if (documents === 0 && FIELDS.every(field => length[field] === 0)) return
    const stored = readStatistics(source, this.collection)
    stored.documents += documents
    for (const field of FIELDS) stored.length[field] += length[field]
    for (const [language, n] of Object.entries(languages)) {
      stored.languages[language] = (stored.languages[language] ?? 0) + n
    }
    source
      .statement('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)')
      .run(`${this.collection}statistics`, JSON.stringify(stored))
  }

  /** Whether the term table and the totals match the added texts. */
  areIn(source: StatementSource): boolean {
    const stored = readStatistics(source, this.collection)
    const { documents, length, languages } = this.#statistics
    const terms = source.statement(`SELECT token, df FROM ${this.collection}term`).all() as {
      token: string
      df: number
    }[]
    return (
      stored.documents === documents &&
      FIELDS.every(field => stored.length[field] === length[field]) &&
      Object.keys({ ...stored.languages, ...languages }).every(
        language => (stored.languages[language] ?? 0) === (languages[language] ?? 0),
      ) &&
      terms.length === this.#deltaByToken.size &&
      terms.every(({ token, df }) => this.#deltaByToken.get(token) === df)
    )
  }
}

export function readStatistics(
  source: StatementSource,
  collection: Collection = ENTRIES_COLLECTION,
): StoredStatistics {
  const row = source.statement('SELECT value FROM meta WHERE key = ?').get(`${collection}statistics`) as
    | { value: string }
    | undefined
  return row === undefined ? emptyStatistics() : storedJson('the word statistics', row.value)
}

function emptyStatistics(): StoredStatistics {
  return { documents: 0, length: { body: 0, tags: 0, files: 0, kind: 0, date: 0 }, languages: {} }
}

export function countTokens(text: string): number {
  return text === '' ? 0 : text.split(' ').length
}

/** Writes the tokens of one entry or document, for search and statistics. */
export function putText(
  index: StatementSource,
  collection: Collection,
  { key, text, counts }: { readonly key: number; readonly text: IndexedText; readonly counts: TokenCounts },
): void {
  const fields = [text.body, text.tags, text.files, text.kind, text.date]
  index
    .statement(
      `INSERT INTO ${collection}analysed (key, language, body, tags, files, kind, date, lengths) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(key, text.language, ...fields, fields.map(countTokens).join(' '))
  index
    .statement(
      `INSERT INTO ${collection}fulltext (rowid, body, tags, files, kind, date) VALUES (?, ?, ?, ?, ?, ?)`,
    )
    .run(key, ...fields)
  counts.add(text, 1)
}

/** Removes the tokens of an entry. False: there were none. */
export function removeText(
  index: StatementSource,
  collection: Collection,
  key: number,
  counts: TokenCounts,
): boolean {
  const text = index
    .statement(`SELECT language, body, tags, files, kind, date FROM ${collection}analysed WHERE key = ?`)
    .get(key) as IndexedText | undefined
  if (text === undefined) return false
  index
    .statement(
      `INSERT INTO ${collection}fulltext (${collection}fulltext, rowid, body, tags, files, kind, date) VALUES ('delete', ?, ?, ?, ?, ?, ?)`,
    )
    .run(key, text.body, text.tags, text.files, text.kind, text.date)
  index.statement(`DELETE FROM ${collection}analysed WHERE key = ?`).run(key)
  counts.add(text, -1)
  return true
}
