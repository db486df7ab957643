import { tokenHash, weighText } from '../../pipeline/retrieve/first-cut.ts'
import { FIELDS } from '../../pipeline/retrieve/rank.ts'
import type { SearchStatistics } from '../../pipeline/retrieve/search-index.ts'
import type { IndexedText } from '../../pipeline/store/entry-index.ts'
import { inOneGo } from './in-one-go.ts'
import { blockOf, PLACE_SHIFT, packPosting, placeOf } from './posting-block.ts'
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

  /** Under the lock of the project. */
  async write(tenant: Tenant): Promise<void> {
    await inOneGo([...this.#takeOut(tenant), ...this.#putIn(tenant), ...this.#count(tenant)])
  }

  #takeOut(tenant: Tenant): Promise<unknown>[] {
    if (this.#removed.length === 0) return []
    const gone = this.#removed.flatMap(({ key, text }) =>
      [...new Set(tokensOf(text).map(tokenHash))].map(token => ({ token, key })),
    )
    return [
      tenant.query(
        'DELETE FROM analysed a WHERE a.project = $1 AND a.key = ANY ($2::int[])',
        this.#removed.map(({ key }) => key),
      ),
      tenant.query(
        `WITH gone AS (SELECT r.token, r.block, array_agg(r.place) AS places FROM unnest($2::int[], $3::int[], $4::int[]) AS r(token, block, place)
           GROUP BY r.token, r.block)
         UPDATE posting p SET packed = ARRAY(SELECT v FROM unnest(p.packed) AS v WHERE v >> ${PLACE_SHIFT} <> ALL (g.places))
         FROM gone g WHERE p.project = $1 AND p.token = g.token AND p.block = g.block`,
        gone.map(({ token }) => token),
        gone.map(({ key }) => blockOf(key)),
        gone.map(({ key }) => placeOf(key)),
      ),
      tenant.query(
        `DELETE FROM posting p USING unnest($2::int[], $3::int[]) AS r(token, block)
         WHERE p.project = $1 AND p.token = r.token AND p.block = r.block AND p.packed = '{}'`,
        gone.map(({ token }) => token),
        gone.map(({ key }) => blockOf(key)),
      ),
    ]
  }

  #putIn(tenant: Tenant): Promise<unknown>[] {
    if (this.#added.length === 0) return []
    const postings = this.#added.flatMap(({ key, text }) => {
      const { frequencyByToken, length } = weighText(text)
      const frequencyByHash = new Map<number, number>()
      for (const [token, frequency] of frequencyByToken) {
        const hash = tokenHash(token)
        frequencyByHash.set(hash, (frequencyByHash.get(hash) ?? 0) + frequency)
      }
      return Array.from(frequencyByHash, ([token, frequency]) => ({
        token,
        key,
        packed: packPosting(key, frequency, length),
      }))
    })
    return [
      tenant.query(
        `INSERT INTO analysed (project, key, language, body, tags, files, kind, date, lengths)
         SELECT $1, r.* FROM json_to_recordset($2::json)
           AS r(key int, language text, body text, tags text, files text, kind text, date text, lengths text) ON CONFLICT DO NOTHING`,
        JSON.stringify(
          this.#added.map(({ key, text }) => ({
            key,
            ...text,
            lengths: FIELDS.map(field => countTokens(text[field])).join(' '),
          })),
        ),
      ),
      tenant.query(
        `INSERT INTO posting AS p (project, token, block, packed)
         SELECT $1, r.token, r.block, array_agg(r.packed) FROM unnest($2::int[], $3::int[], $4::int[]) AS r(token, block, packed)
         GROUP BY r.token, r.block
         ON CONFLICT (project, token, block) DO UPDATE SET packed = p.packed || excluded.packed`,
        postings.map(({ token }) => token),
        postings.map(({ key }) => blockOf(key)),
        postings.map(({ packed }) => packed),
      ),
    ]
  }

  #count(tenant: Tenant): Promise<unknown>[] {
    const deltaByToken = new Map<string, number>()
    const count = (texts: readonly KeyedText[], sign: number) => {
      for (const { text } of texts)
        for (const token of new Set(tokensOf(text)))
          deltaByToken.set(token, (deltaByToken.get(token) ?? 0) + sign)
    }
    count(this.#added, 1)
    count(this.#removed, -1)
    const changed = [...deltaByToken].filter(([, df]) => df !== 0)
    if (changed.length === 0) return []
    changed.sort(([a], [b]) => (a < b ? -1 : 1))
    const lessened = changed.filter(([, df]) => df < 0).map(([token]) => token)
    const counted = tenant.query(
      `INSERT INTO term AS t (project, token, df) SELECT $1, r.* FROM unnest($2::text[], $3::int[]) AS r(token, df)
       ON CONFLICT (project, token) DO UPDATE SET df = t.df + excluded.df`,
      changed.map(([token]) => token),
      changed.map(([, df]) => df),
    )
    if (lessened.length === 0) return [counted]
    return [
      counted,
      tenant.query(
        'DELETE FROM term t WHERE t.project = $1 AND t.token = ANY ($2::text[]) AND t.df <= 0',
        lessened,
      ),
    ]
  }

  /** Of the project from now on, packed as before. */
  statisticsAfter(packed: string): string {
    return JSON.stringify(this.#statistics(parseStatistics(packed)))
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
