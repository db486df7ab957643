import { postingWorths, tokenHash } from '../../pipeline/retrieve/posting-worth.ts'
import { FIELDS } from '../../pipeline/retrieve/rank.ts'
import type { SearchStatistics } from '../../pipeline/retrieve/search-index.ts'
import type { IndexedText } from '../../pipeline/store/entry-index.ts'
import { parseStatistics } from './project-row.ts'
import type { Tenant } from './tenant.ts'

export interface KeyedText {
  readonly key: number
  readonly text: IndexedText
}

/** What one write adds to the words of a project and takes from them. */
export class TextChanges {
  readonly #added: KeyedText[] = []
  readonly #removed: KeyedText[] = []

  add(text: KeyedText): void {
    this.#added.push(text)
  }

  remove(text: KeyedText): void {
    this.#removed.push(text)
  }

  /** Under the lock of the project. The answer is its statistics from now on. */
  async write(tenant: Tenant, packedStatistics: string): Promise<string> {
    await this.#takeOut(tenant)
    await this.#putIn(tenant)
    await this.#count(tenant)
    return JSON.stringify(this.#statistics(parseStatistics(packedStatistics)))
  }

  async #takeOut(tenant: Tenant): Promise<void> {
    if (this.#removed.length === 0) return
    await tenant.query(
      'DELETE FROM analysed a WHERE a.project = $1 AND a.key = ANY ($2::int[])',
      this.#removed.map(({ key }) => key),
    )
    const gone = this.#removed.flatMap(({ key, text }) =>
      [...new Set(tokensOf(text).map(tokenHash))].map(token => ({ token, key })),
    )
    await tenant.query(
      `DELETE FROM posting p USING json_to_recordset($2::json) AS r(token int, key int)
       WHERE p.project = $1 AND p.token = r.token AND p.key = r.key`,
      JSON.stringify(gone),
    )
  }

  async #putIn(tenant: Tenant): Promise<void> {
    if (this.#added.length === 0) return
    await tenant.query(
      `INSERT INTO analysed (project, key, language, body, tags, files, kind, date, lengths)
       SELECT $1, r.* FROM json_to_recordset($2::json)
         AS r(key int, language text, body text, tags text, files text, kind text, date text, lengths text)
       ON CONFLICT DO NOTHING`,
      JSON.stringify(
        this.#added.map(({ key, text }) => ({
          key,
          ...text,
          lengths: FIELDS.map(field => countTokens(text[field])).join(' '),
        })),
      ),
    )
    const postings = this.#added.flatMap(({ key, text }) => {
      const worthByHash = new Map<number, number>()
      for (const [token, worth] of postingWorths(text)) {
        const hash = tokenHash(token)
        worthByHash.set(hash, (worthByHash.get(hash) ?? 0) + worth)
      }
      return [...worthByHash].map(([token, worth]) => ({ token, key, worth }))
    })
    await tenant.query(
      `INSERT INTO posting (project, token, key, worth)
       SELECT $1, r.token, r.key, r.worth FROM json_to_recordset($2::json) AS r(token int, key int, worth real)
       ON CONFLICT DO NOTHING`,
      JSON.stringify(postings),
    )
  }

  async #count(tenant: Tenant): Promise<void> {
    const deltaByToken = new Map<string, number>()
    const count = (texts: readonly KeyedText[], sign: number) => {
      for (const { text } of texts)
        for (const token of new Set(tokensOf(text)))
          deltaByToken.set(token, (deltaByToken.get(token) ?? 0) + sign)
    }
    count(this.#added, 1)
    count(this.#removed, -1)
    const changed = [...deltaByToken].filter(([, df]) => df !== 0).map(([token, df]) => ({ token, df }))
    if (changed.length === 0) return
    await tenant.query(
      `INSERT INTO term AS t (project, token, df)
       SELECT $1, r.token, r.df FROM json_to_recordset($2::json) AS r(token text, df int)
       ON CONFLICT (project, token) DO UPDATE SET df = t.df + excluded.df`,
      JSON.stringify(changed),
    )
    const lessened = changed.filter(({ df }) => df < 0).map(({ token }) => token)
    if (lessened.length > 0)
      await tenant.query(
        'DELETE FROM term t WHERE t.project = $1 AND t.token = ANY ($2::text[]) AND t.df <= 0',
        lessened,
      )
  }

  #statistics(known: SearchStatistics): SearchStatistics {
    const totalLength = { ...known.totalLength }
    const documentsByLanguage: Record<string, number> = { ...known.documentsByLanguage }
    const count = (texts: readonly KeyedText[], sign: number) => {
      for (const { text } of texts) {
        for (const field of FIELDS) totalLength[field] += sign * countTokens(text[field])
        documentsByLanguage[text.language] = (documentsByLanguage[text.language] ?? 0) + sign
      }
    }
    count(this.#added, 1)
    count(this.#removed, -1)
    return {
      documentCount: known.documentCount + this.#added.length - this.#removed.length,
      totalLength,
      documentsByLanguage,
    }
  }
}

function tokensOf(text: IndexedText): string[] {
  return FIELDS.flatMap(field => (text[field] === '' ? [] : text[field].split(' ')))
}

function countTokens(text: string): number {
  return text === '' ? 0 : text.split(' ').length
}
