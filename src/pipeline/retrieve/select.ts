import type { Entry } from '../../model/entry.ts'
import { type FactorContext, type FactorValues, factorsOf, productOf } from './factors.ts'
import type { Scored } from './scored.ts'

/** Seed C, section 6. */
export const SELECTION_LIMITS = {
  topK: 15,
  /** The confidence threshold: an entry needs this share of the best one's relevance. */
  shareOfBest: 0.3,
  perSession: 2,
  injected: 5,
  /** Of these, documents of workspaces: long texts with many words must not push out what was remembered. */
  documents: 3,
} as const

/**
 * A wrong memory costs more than a missing one. When not even the best entry reaches the floor, nothing is told, whatever
 * the factors say; a prompt that asks for general knowledge needs a better match. Measured: `npm run bench -- brief`.
 */
export const FLOOR = {
  /** With vectors: of `Scored.score`. */
  relevance: 0.13,
  general: 0.28,
  /** By words alone. */
  words: 0.07,
  generalWords: 0.16,
} as const

export type CutReason =
  | 'below the floor'
  | 'far behind the best'
  | 'beyond the best 15'
  | 'enough of its session'
  | 'enough documents'
  | 'beyond the best 5'
  | 'replaced'

export interface Considered {
  readonly entry: Entry
  readonly scored: Scored
  readonly factors: FactorValues
  readonly score: number
  /** Absent for what is chosen. */
  readonly cut?: CutReason
}

export interface SelectInput {
  readonly ranked: readonly Scored[]
  readonly entryById: ReadonlyMap<string, Entry>
  readonly context: FactorContext
  readonly floor: number
  readonly topK: number
}

/**
 * Every candidate with its score and why it is in or out, best first:
 *
 *   floor ▶ factors ▶ best 15 ▶ at least 30 % of the best ▶ at most 2 of a session, 3 documents ▶ best 5
 */
export function selectEntries({ ranked, entryById, context, floor, topK }: SelectInput): Considered[] {
  const considered = ranked
    .flatMap(scored => {
      const entry = entryById.get(scored.id)
      if (entry === undefined) return []
      const factors = factorsOf(entry, context)
      return [{ entry, scored, factors, score: scored.score * productOf(factors) }]
    })
    .sort((a, b) => b.score - a.score)

  const bySession = new Map<string, number>()
  const best = Math.max(0, ...considered.map(item => item.scored.score))
  const least = best < floor ? Number.POSITIVE_INFINITY : SELECTION_LIMITS.shareOfBest * best
  const isChosen = (item: Considered) => item.scored.score >= least && item.scored.replacedBy === undefined
  const top = considered.filter(isChosen).slice(0, topK)
  let chosen = 0
  let documents = 0
  return considered.map(item => {
    const cut = reasonFor(item)
    return cut === undefined ? item : { ...item, cut }
  })

  function reasonFor(item: Considered): CutReason | undefined {
    if (best < floor) return 'below the floor'
    if (item.scored.score < least) return 'far behind the best'
    if (item.scored.replacedBy !== undefined) return 'replaced'
    if (!top.includes(item)) return 'beyond the best 15'
    const { session } = item.entry
    const told = session === undefined ? 0 : (bySession.get(session) ?? 0)
    if (told >= SELECTION_LIMITS.perSession) return 'enough of its session'
    const isDocument = item.scored.isDocument === true
    if (isDocument && documents >= SELECTION_LIMITS.documents) return 'enough documents'
    if (chosen >= SELECTION_LIMITS.injected) return 'beyond the best 5'
    if (isDocument) documents += 1
    if (session !== undefined) bySession.set(session, told + 1)
    chosen += 1
    return undefined
  }
}
