import type { Entry } from '../../../kernel/model/entry.ts'
import {
  FACTORS,
  type FactorContext,
  type FactorValues,
  factorsOf,
  productOf,
} from '../../search/decide/factors.ts'
import type { Scored } from '../../search/decide/fuse.ts'

export const SELECTION_LIMITS = {
  topK: 15,
  perSession: 2,
  injected: 3,
  /** Maximum workspace documents among them: long texts with many words must not displace entries. */
  documents: 2,
} as const

/** What an item must have to be injected. */
export interface Floor {
  /** Each item needs this relevance (`Scored.score`). */
  readonly relevance: number
  /** The best item needs this relevance, or nothing is injected. */
  readonly best: number
  /**
   * Minimum sum of meaning and shared words (`agreementOf`), for the first item and for each further one. An item that
   * has the share `covered` of the worth of the prompt's words does not need meaning.
   */
  readonly agreement?: { readonly first: number; readonly further: number; readonly covered: number }
  /** Each item needs this share of the best one's relevance. */
  readonly shareOfBest: number
  /** Minimum number of content words in common with the prompt, and their minimum worth (1: a word that no other entry has). */
  readonly shared?: SharedWords
  /** What an item without a vector needs instead of `relevance` and `agreement`: it is as new as the last write. */
  readonly unmeasured?: { readonly relevance: number; readonly shared: SharedWords }
}

interface SharedWords {
  readonly count: number
  readonly worth: number
}

/**
 * A wrong memory costs more than a missing one. The floors were measured on two kinds of prompts (ADR 0056):
 *
 *   question   asked outside a session. The prompt is complete, so meaning alone may decide; the fewer of its words the
 *              memory has, the better the best item must match.
 *   command    what a session will be about, for its start brief: like a question, but each item shares a word with it.
 *   session    a prompt of a running session depends on earlier messages, so some entry is always near in meaning, and the words of
 *              the domain are always shared. On eight projects both together separated helpful items from noise; the floor is higher if
 *              the prompt reports trouble, since any two problems are similar, and higher for a second item than for the first.
 */
export type FloorKind = 'question' | 'command' | 'session'

export const FLOORS = {
  question: { relevance: 0.13, best: 0.13, unknownWords: 0.07, shareOfBest: 0.3 },
  command: { shared: { count: 1, worth: 0 } },
  session: {
    relevance: 0.15,
    agreement: { first: 0.45, further: 0.58, trouble: 0.1, covered: 0.35 },
    shareOfBest: 0.6,
    byWords: { relevance: 0.1, shared: { count: 2, worth: 2 } },
  },
  /** A prompt that reads like a request for general knowledge. */
  general: 0.28,
  /** By words alone, of a question: the same floors at about half the height, since half of the score is missing. */
  wordsShare: 0.55,
} as const

export function floorFor(given: {
  readonly kind: FloorKind
  readonly isGeneral: boolean
  /** The prompt reports an error or something that does not work. */
  readonly isTrouble: boolean
  /** False if there are no vectors to compare. */
  readonly hasMeaning: boolean
  readonly knownShare: number
}): Floor {
  const scale = given.hasMeaning ? 1 : FLOORS.wordsShare
  const general = given.isGeneral ? FLOORS.general : 0
  if (given.kind === 'session') {
    const { relevance, shareOfBest, byWords } = FLOORS.session
    const { first, further, trouble, covered } = FLOORS.session.agreement
    const more = given.isTrouble ? trouble : 0
    const agreement = { first: first + more, further: further + more, covered }
    const floor = given.hasMeaning ? { relevance, agreement, unmeasured: byWords } : byWords
    return { ...floor, best: Math.max(floor.relevance, scale * general), shareOfBest }
  }
  const { relevance, best, unknownWords, shareOfBest } = FLOORS.question
  const least = best + unknownWords * (1 - given.knownShare)
  const floor = { relevance: scale * relevance, best: scale * Math.max(least, general), shareOfBest }
  return given.kind === 'command' ? { ...floor, ...FLOORS.command } : floor
}

type CutReason =
  | 'below the floor'
  | 'too little in common'
  | 'far behind the best'
  | 'beyond the best 15'
  | 'beyond the best 5'
  | 'enough of its session'
  | 'enough documents'
  | 'beyond the best 3'
  | 'replaced'

export interface Considered {
  readonly entry: Entry
  readonly scored: Scored
  readonly factors: FactorValues
  readonly score: number
  /** A standing rule whose trigger applies. */
  readonly isTriggered?: true
  /** Absent for selected items. */
  readonly cut?: CutReason
}

interface SelectInput {
  readonly ranked: readonly Scored[]
  readonly entryById: ReadonlyMap<string, Entry>
  readonly context: FactorContext
  readonly floor: Floor
  readonly topK: number
  /** Standing rules whose trigger is in the prompt: they need only the relevance. */
  readonly isTriggered?: (entry: Entry) => boolean
}

/**
 * Every candidate with its score and why it is in or out, best first:
 *
 *   floor ▶ in common ▶ share of the best ▶ factors ▶ best 15 ▶ at most 2 of a session, 2 documents ▶ best 3
 */
export function selectEntries(input: SelectInput): Considered[] {
  const { entryById, context, floor, topK, isTriggered = () => false } = input
  const considered = input.ranked
    .flatMap(scored => {
      const entry = entryById.get(scored.id)
      if (entry === undefined) return []
      const factors = factorsOf(entry, context)
      const triggered = isTriggered(entry) && { isTriggered: true as const }
      return [{ entry, scored, factors, score: scored.score * productOf(factors), ...triggered }]
    })
    .sort((a, b) => b.score - a.score)

  const bySession = new Map<string, number>()
  const best = Math.max(0, ...considered.map(item => item.scored.score))
  const missing = (item: Considered) => missingOf(item, floor, best)
  const top = considered.filter(item => missing(item) === undefined).slice(0, topK)
  let chosen = 0
  let documents = 0
  return considered.map(item => {
    const cut = reasonFor(item)
    return cut === undefined ? item : { ...item, cut }
  })

  function reasonFor(item: Considered): CutReason | undefined {
    const lacks = missing(item)
    if (lacks !== undefined) return lacks
    // While retrieval is slow, only five are selected (`slo.ts`).
    if (!top.includes(item)) return topK < 15 ? 'beyond the best 5' : 'beyond the best 15'
    const { session } = item.entry
    const injected = session === undefined ? 0 : (bySession.get(session) ?? 0)
    if (injected >= SELECTION_LIMITS.perSession) return 'enough of its session'
    const isDocument = item.scored.isDocument === true
    if (isDocument && documents >= SELECTION_LIMITS.documents) return 'enough documents'
    if (chosen >= SELECTION_LIMITS.injected) return 'beyond the best 3'
    if (chosen > 0 && isMeasured(item) && !agrees(item, floor, 'further')) return 'too little in common'
    if (isDocument) documents += 1
    if (session !== undefined) bySession.set(session, injected + 1)
    chosen += 1
    return undefined
  }
}

/** How much one shared word adds to the nearness in meaning; above the maximum, more words add nothing new. */
const WORD_SHARE = 0.06
const MAX_WORTH = 6

function agreementOf(item: Considered): number {
  return item.scored.meaning + WORD_SHARE * Math.min(sharedBy(item).worth, MAX_WORTH)
}

function agrees(item: Considered, { agreement }: Floor, which: 'first' | 'further'): boolean {
  return (
    agreement === undefined || item.scored.words >= agreement.covered || agreementOf(item) >= agreement[which]
  )
}

/** A file that is open or edited counts as a word of the prompt. */
function sharedBy({ scored, factors }: Considered): { readonly count: number; readonly worth: number } {
  const file = factors.files >= FACTORS.openFile ? 1 : 0
  const { count = 0, worth = 0 } = scored.shared ?? {}
  return { count: count + file, worth: worth + file }
}

function isMeasured({ scored, isTriggered }: Considered): boolean {
  return scored.isUnmeasured !== true && isTriggered !== true
}

function missingOf(item: Considered, floor: Floor, best: number): CutReason | undefined {
  const { scored, isTriggered } = item
  if (scored.replacedBy !== undefined) return 'replaced'
  if (isTriggered === true) return scored.score < floor.relevance ? 'below the floor' : undefined
  const byWords = scored.isUnmeasured === true ? floor.unmeasured : undefined
  const { relevance, shared } = byWords ?? floor
  if (scored.score < relevance) return 'below the floor'
  if (byWords === undefined && best < floor.best) return 'below the floor'
  const { count, worth } = sharedBy(item)
  if (shared !== undefined && (count < shared.count || worth < shared.worth)) return 'too little in common'
  if (byWords === undefined && !agrees(item, floor, 'first')) return 'too little in common'
  return scored.score < floor.shareOfBest * best ? 'far behind the best' : undefined
}
