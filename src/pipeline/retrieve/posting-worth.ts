import { FIELDS, type Field, RANKING } from './rank.ts'

/** Tokens of a field that neither speak for an entry nor against it. The exact mean changes with every entry; the first cut needs it roughly. */
const USUAL_LENGTH: Readonly<Record<Field, number>> = { body: 30, tags: 2, files: 6, kind: 1, date: 5 }

/**
 * What each token counts for in an entry, for a store that keeps its own postings: the tf of `rank.ts` with usual lengths in place of the means.
 *
 *   worth(token) = Σ_field weight · occurrences / (1 − b + b · length / usual)
 *
 * The best by  Σ idf · worth / (k1 + worth)  are ranked exactly afterwards.
 */
export function postingWorths(text: Readonly<Record<Field, string>>): Map<string, number> {
  const worths = new Map<string, number>()
  for (const field of FIELDS) {
    const tokens = text[field] === '' ? [] : text[field].split(' ')
    const b = RANKING.b[field]
    const each = RANKING.fieldWeights[field] / (1 - b + (b * tokens.length) / USUAL_LENGTH[field])
    for (const token of tokens) worths.set(token, (worths.get(token) ?? 0) + each)
  }
  return worths
}

/** FNV-1a over UTF-16, as a signed number of 32 bits: a posting names its token by it. Two tokens that share one only meet in the first cut. */
export function tokenHash(token: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < token.length; at++) hash = Math.imul(hash ^ token.charCodeAt(at), 0x01000193)
  return hash | 0
}
