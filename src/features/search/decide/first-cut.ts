import { FIELDS, RANKING, type RankedField } from './rank.ts'

/**
 * The first cut of a store with its own postings: BM25 as FTS5 computes it (https://sqlite.org/fts5.html#the_bm25_function), so that
 * every store passes the same entries to the ranking.
 *
 *   tf(token)  = Σ_field weight · occurrences
 *   score      = Σ_token idf · tf · (k1 + 1) / (tf + k1 · (1 − b + b · length / average length))
 *   idf        = ln ((N − df + ½) / (df + ½)), where that is positive; else minIdf
 */
export const FIRST_CUT = { k1: 1.2, b: 0.75, minIdf: 1e-6 } as const

export interface WeighedText {
  readonly frequencyByToken: ReadonlyMap<string, number>
  /** Tokens of all fields together. */
  readonly length: number
}

export function weighText(text: Readonly<Record<RankedField, string>>): WeighedText {
  const frequencyByToken = new Map<string, number>()
  let length = 0
  for (const field of FIELDS) {
    if (text[field] === '') continue
    for (const token of text[field].split(' ')) {
      frequencyByToken.set(token, (frequencyByToken.get(token) ?? 0) + RANKING.fieldWeights[field])
      length += 1
    }
  }
  return { frequencyByToken, length }
}

/** FNV-1a over UTF-16, as a signed number of 32 bits: a posting names its token by it. Two tokens that share one only meet in the first cut. */
export function tokenHash(token: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < token.length; at++) hash = Math.imul(hash ^ token.charCodeAt(at), 0x01000193)
  return hash | 0
}
