import { tokenHash, type WeighedText, weighText } from '../../features/search/decide/first-cut.ts'
import type { SearchStatistics } from '../../features/search/decide/ports.ts'
import { FIELDS } from '../../features/search/decide/rank.ts'
import type { IndexedText } from '../../kernel/vault/entry-index.ts'
import { parseStatistics } from './project-row.ts'
import { inOneGo } from './sql-pool.ts'
import type { Tenant } from './tenant.ts'

/**
 * A row of `posting` holds the entries of one token among 256 keys that follow each other, one number each:
 *
 *   30      23 22               12 11              0
 *   ├ key % 256 ┤├ frequency · 10 ┤├ entry's length ┤      block = key / 256
 *
 * A row for each token and entry took 4.5 KB an entry, this takes 1.5 and is read as fast (ADR 53). Blocks, and not one list a token: a write
 * then rewrites a kilobyte of a frequent token at most, however large the project is. The weights of the fields are whole tenths: up to a
 * frequency of 204 and a length of 4,095 tokens the first cut is as exact as from the text.
 */
const BLOCK_BITS = 8
const FREQUENCY_BITS = 11
const LENGTH_BITS = 12
const PLACE_SHIFT = FREQUENCY_BITS + LENGTH_BITS
const FREQUENCY_STEPS = 10

const KEY_MASK = 2 ** BLOCK_BITS - 1
const FREQUENCY_MASK = 2 ** FREQUENCY_BITS - 1
const LENGTH_MASK = 2 ** LENGTH_BITS - 1

function blockOf(key: number): number {
  return key >> BLOCK_BITS
}

/** Of a key in its block. */
export function placeOf(key: number): number {
  return key & KEY_MASK
}

function packPosting(key: number, frequency: number, length: number): number {
  const steps = Math.min(Math.round(frequency * FREQUENCY_STEPS), FREQUENCY_MASK)
  return (placeOf(key) << PLACE_SHIFT) | (steps << LENGTH_BITS) | Math.min(length, LENGTH_MASK)
}

/** As SQL, from a packed number and its block. */
export const keySql = (block: string, packed: string) =>
  `(${block} << ${BLOCK_BITS}) + (${packed} >> ${PLACE_SHIFT})`
export const frequencySql = (packed: string) =>
  `((${packed} >> ${LENGTH_BITS}) & ${FREQUENCY_MASK}) / ${FREQUENCY_STEPS}::float8`
export const lengthSql = (packed: string) => `(${packed} & ${LENGTH_MASK})`

interface KeyedText {
  readonly key: number
  readonly text: IndexedText
}

interface WeighedChange extends KeyedText {
  readonly weighed: WeighedText
}

interface Posting {
  readonly token: number
  readonly key: number
  readonly packed: number
}

/** The words that one write adds to a project and removes from it. */
export class TextChanges {
  readonly #added: WeighedChange[] = []
  readonly #removed: WeighedChange[] = []

  add({ key, text }: KeyedText): void {
    this.#added.push({ key, text, weighed: weighText(text) })
  }

  remove({ key, text }: KeyedText): void {
    this.#removed.push({ key, text, weighed: weighText(text) })
  }

  /** Under the lock of the project. */
  async write(tenant: Tenant): Promise<void> {
    await inOneGo([...this.#writeTexts(tenant), ...this.#writePostings(tenant), ...this.#count(tenant)])
  }

  #writeTexts(tenant: Tenant): Promise<unknown>[] {
    const textByKey = new Map(this.#removed.map(({ key, text }) => [key, text]))
    const changed = this.#added.filter(({ key, text }) => !isSameText(textByKey.get(key), text))
    for (const { key } of this.#added) textByKey.delete(key)
    const gone = [...textByKey.keys()]
    return [
      ...(gone.length === 0
        ? []
        : [tenant.query('DELETE FROM analysed a WHERE a.project = $1 AND a.key = ANY ($2::int[])', gone)]),
      ...(changed.length === 0
        ? []
        : [
            tenant.query(
              `INSERT INTO analysed (project, key, language, body, tags, files, kind, date, lengths)
               SELECT $1, r.* FROM json_to_recordset($2::json)
                 AS r(key int, language text, body text, tags text, files text, kind text, date text, lengths text)
               ON CONFLICT (project, key) DO UPDATE SET language = excluded.language, body = excluded.body, tags = excluded.tags,
                 files = excluded.files, kind = excluded.kind, date = excluded.date, lengths = excluded.lengths`,
              JSON.stringify(
                changed.map(({ key, text }) => ({
                  key,
                  ...text,
                  lengths: FIELDS.map(field => countTokens(text[field])).join(' '),
                })),
              ),
            ),
          ]),
    ]
  }

  /**
   * Writes only differences: an entry that gained a word and lost one has two. If its length changed, all of its postings did, and each is
   * written once.
   */
  #writePostings(tenant: Tenant): Promise<unknown>[] {
    const { gone, replaced, came } = this.#postings()
    const out = [...gone, ...replaced]
    return [
      ...(out.length === 0
        ? []
        : [
            tenant.query(
              `WITH changed AS (
                 SELECT r.token, r.block, array_agg(r.place) AS places, array_agg(r.packed) FILTER (WHERE r.packed IS NOT NULL) AS packed
                 FROM unnest($2::int[], $3::int[], $4::int[], $5::int[]) AS r(token, block, place, packed) GROUP BY r.token, r.block)
               UPDATE posting p SET packed = ARRAY(SELECT v FROM unnest(p.packed) AS v WHERE v >> ${PLACE_SHIFT} <> ALL (c.places)) || c.packed
               FROM changed c WHERE p.project = $1 AND p.token = c.token AND p.block = c.block`,
              numbers(out, ({ token }) => token),
              numbers(out, ({ key }) => blockOf(key)),
              numbers(out, ({ key }) => placeOf(key)),
              // Deletions come first; the others have a replacement.
              numbers(out, ({ packed }, at) => (at < gone.length ? 'NULL' : packed)),
            ),
          ]),
      ...(gone.length === 0
        ? []
        : [
            tenant.query(
              `DELETE FROM posting p USING unnest($2::int[], $3::int[]) AS r(token, block)
               WHERE p.project = $1 AND p.token = r.token AND p.block = r.block AND p.packed = '{}'`,
              numbers(gone, ({ token }) => token),
              numbers(gone, ({ key }) => blockOf(key)),
            ),
          ]),
      ...(came.length === 0
        ? []
        : [
            tenant.query(
              `INSERT INTO posting AS p (project, token, block, packed)
               SELECT $1, r.token, r.block, array_agg(r.packed) FROM unnest($2::int[], $3::int[], $4::int[]) AS r(token, block, packed)
               GROUP BY r.token, r.block
               ON CONFLICT (project, token, block) DO UPDATE SET packed = p.packed || excluded.packed`,
              numbers(came, ({ token }) => token),
              numbers(came, ({ key }) => blockOf(key)),
              numbers(came, ({ packed }) => packed),
            ),
          ]),
    ]
  }

  #postings(): Record<'gone' | 'replaced' | 'came', Posting[]> {
    const beforeByKey = new Map(this.#removed.map(({ key, weighed }) => [key, packedByToken(key, weighed)]))
    const gone: Posting[] = []
    const replaced: Posting[] = []
    const came: Posting[] = []
    for (const { key, weighed } of this.#added) {
      const before = beforeByKey.get(key)
      for (const [token, packed] of packedByToken(key, weighed)) {
        const known = before?.get(token)
        before?.delete(token)
        if (known === undefined) came.push({ token, key, packed })
        else if (known !== packed) replaced.push({ token, key, packed })
      }
    }
    for (const [key, left] of beforeByKey)
      for (const [token, packed] of left) gone.push({ token, key, packed })
    return { gone, replaced, came }
  }

  #count(tenant: Tenant): Promise<unknown>[] {
    const deltaByToken = new Map<string, number>()
    const count = (texts: readonly WeighedChange[], sign: number) => {
      for (const { weighed } of texts)
        for (const token of weighed.frequencyByToken.keys())
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

  /** The new statistics of the project, packed as before. */
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

/** By the hash of a token; equal hashes are one token. */
function packedByToken(key: number, { frequencyByToken, length }: WeighedText): Map<number, number> {
  const frequencyByHash = new Map<number, number>()
  for (const [token, frequency] of frequencyByToken) {
    const hash = tokenHash(token)
    frequencyByHash.set(hash, (frequencyByHash.get(hash) ?? 0) + frequency)
  }
  return new Map(
    Array.from(frequencyByHash, ([hash, frequency]) => [hash, packPosting(key, frequency, length)]),
  )
}

/** An array in the syntax of PostgreSQL: the driver would quote each of hundreds of thousands of numbers. */
function numbers<Item>(
  items: readonly Item[],
  numberOf: (item: Item, at: number) => number | 'NULL',
): string {
  return `{${items.map(numberOf).join(',')}}`
}

function isSameText(before: IndexedText | undefined, after: IndexedText): boolean {
  return (
    before !== undefined &&
    before.language === after.language &&
    FIELDS.every(field => before[field] === after[field])
  )
}

function countTokens(text: string): number {
  return text === '' ? 0 : text.split(' ').length
}
