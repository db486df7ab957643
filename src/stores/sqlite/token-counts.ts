import type { IndexedText } from '../../kernel/vault/entry-index.ts'
import { storedJson } from '../sql/stored-value.ts'
import type { SqliteStatement } from './driver.ts'
import { type Shelf, VAULT_SHELF } from './shelf.ts'

interface StatementSource {
  statement(sql: string): SqliteStatement
}

const FIELDS = ['body', 'tags', 'files', 'kind', 'date'] as const

export interface StoredStatistics {
  documents: number
  length: Record<(typeof FIELDS)[number], number>
  languages: Record<string, number>
}

/** What one update adds to and takes from the term table and the totals; written once, at its end. */
export class TokenCounts {
  readonly #deltaByToken = new Map<string, number>()
  readonly #statistics = emptyStatistics()

  constructor(readonly shelf: Shelf = VAULT_SHELF) {}

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
      `INSERT INTO ${this.shelf}term (token, df) VALUES (?, ?) ON CONFLICT (token) DO UPDATE SET df = df + excluded.df`,
    )
    const clean = source.statement(`DELETE FROM ${this.shelf}term WHERE token = ? AND df <= 0`)
    for (const [token, delta] of this.#deltaByToken) {
      if (delta === 0) continue
      upsert.run(token, delta)
      if (delta < 0) clean.run(token)
    }
    const { documents, length, languages } = this.#statistics
    if (documents === 0 && FIELDS.every(field => length[field] === 0)) return
    const stored = readStatistics(source, this.shelf)
    stored.documents += documents
    for (const field of FIELDS) stored.length[field] += length[field]
    for (const [language, n] of Object.entries(languages)) {
      stored.languages[language] = (stored.languages[language] ?? 0) + n
    }
    source
      .statement('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)')
      .run(`${this.shelf}statistics`, JSON.stringify(stored))
  }

  /** Whether the term table and the totals say what was added. */
  areIn(source: StatementSource): boolean {
    const stored = readStatistics(source, this.shelf)
    const { documents, length, languages } = this.#statistics
    const terms = source.statement(`SELECT token, df FROM ${this.shelf}term`).all() as {
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

export function readStatistics(source: StatementSource, shelf: Shelf = VAULT_SHELF): StoredStatistics {
  const row = source.statement('SELECT value FROM meta WHERE key = ?').get(`${shelf}statistics`) as
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
