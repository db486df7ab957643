import type { Measured } from './ports.ts'

/**
 * How words and meaning become one score:
 *
 *   meaning = max(0, centred cosine) · (1 − e^(−tokens of the entry / 10))
 *   score   = words + 0.8 · meaning
 *
 * `words` is the full-text score as a share of what the question could reach, so that a poor best match counts as poor.
 * The cosine is taken after part of the vault's mean vector was subtracted from both sides: what all entries have in
 * common (their language, their subject) says nothing about this one. A text of a few words is near to much and says
 * little, hence the last factor. ADR 0011 has what each part gives.
 */
export const FUSION = {
  meaningWeight: 0.8,
  /** How much of the mean is subtracted: this much in a large vault, half of it in a vault with `centringEntries` entries. */
  centring: 0.6,
  centringEntries: 20,
  /** An entry with this many tokens counts 63 % of its nearness, one with twice as many 86 %. */
  saturationTokens: 10,
  /** Entries that the vectors alone add to the ranking. */
  nearest: 64,
  /** Something is always nearest: an entry without a word of the question needs this score, and this share of the best. */
  minAlone: 0.1,
  minShareAlone: 0.3,
  /** An entry that shares a filler word with the question needs this share of the best score: less is noise. */
  minShare: 0.05,
} as const

export function fuse(words: number, meaning: number): number {
  return words + FUSION.meaningWeight * meaning
}

interface Centre {
  /** How much of the mean is subtracted: the mean of a few entries is mostly those entries. */
  readonly share: number
  /** Dot product of the question with the mean. */
  readonly queryToMean: number
  /** Squared length of the mean. */
  readonly meanSquared: number
}

export function centreOf(
  query: Float32Array,
  { mean, count }: { readonly mean: Float32Array; readonly count: number },
): Centre {
  let queryToMean = 0
  let meanSquared = 0
  for (let i = 0; i < mean.length; i += 1) {
    const value = mean[i] ?? 0
    queryToMean += value * (query[i] ?? 0)
    meanSquared += value * value
  }
  const share = (FUSION.centring * count) / (count + FUSION.centringEntries)
  return { share, queryToMean, meanSquared }
}

/**
 * The cosine of (v − a·m) and (q − a·m) from the plain one:
 *
 *   (v·q − a·v·m − a·q·m + a²·m·m) / (|v − a·m| · |q − a·m|)
 */
export function nearness(
  { cosine, toMean }: Measured,
  { share: a, queryToMean, meanSquared }: Centre,
): number {
  const shared = a * a * meanSquared
  const dot = cosine - a * toMean - a * queryToMean + shared
  const lengths = Math.sqrt((1 - 2 * a * toMean + shared) * (1 - 2 * a * queryToMean + shared))
  const centred = lengths > 1e-6 ? dot / lengths : 0
  return Math.max(0, Math.min(1, centred))
}

export function meaningOf(nearness: number, tokens: number): number {
  return nearness * (1 - Math.exp(-tokens / FUSION.saturationTokens))
}

/** An entry with its evidence before the factors. */
export interface Scored {
  readonly id: string
  /** 0 to 1. */
  readonly score: number
  /** How much of what the question asks for the entry has in words, 0 to 1, its session's context included. */
  readonly words: number
  /** How near it is in meaning, 0 to 1. */
  readonly meaning: number
  /** It has no word of the question itself: its session has one, or it is near in meaning. */
  readonly isBorrowed?: true
  /** It is not near enough in meaning to be a hit by itself. */
  readonly isSessionMatch?: true
  /** It has no vector yet, so that only its words can be compared. */
  readonly isUnmeasured?: true
  /** Content words in common with the question, and their worth: 1 is a word that no other entry has. */
  readonly shared?: { readonly count: number; readonly worth: number }
  /** From the documentSearch of the workspaces' documents. */
  readonly isDocument?: true
  /** The newer entry that replaces this one; it is listed directly before it. */
  readonly replacedBy?: string
  /** The older entry whose place this one has taken. */
  readonly replaces?: string
}
