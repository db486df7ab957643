import type { QueryPlan } from './query-plan.ts'

export const FIELDS = ['body', 'tags', 'files', 'kind', 'date'] as const
export type Field = (typeof FIELDS)[number]
export type FieldTokens = Readonly<Record<Field, string>>

/**
 * BM25F over five fields, with context borrowed from the session:
 *
 *   tf(d,v)    = Σ_field weight · Σ_occurrence (1 + lead, in the first tokens of the body) / (1 − b + b · length / average)
 *   tf'(d,v)   = tf(d,v) + Σ_neighbour borrow[distance] · tf(neighbour,v)
 *   score(d)   = Σ_term  weight · max_variant ( weight · idf · tf' / (k1 + tf') )
 *              + pairShare · Σ_pair  min ( worth of the two terms )
 *
 * A pair is two terms that follow each other in the question and in the body, at most `pairReach` tokens on.
 * A term counts once, by its best variant. Borrowing inside the saturation means that a neighbour mostly supplies
 * the words that the entry itself lacks (the question that it answers), and adds little to those it has.
 */
export const RANKING = {
  /** Boosts of the seed's section 6 (content, tags, filePaths, category); the date is ours. */
  fieldWeights: { body: 2, tags: 1.5, files: 1.2, kind: 1, date: 1 },
  /** How much a long field is held against it. A kind or a date is as long as it is. */
  b: { body: 0.75, tags: 0.5, files: 0.5, kind: 0, date: 0 },
  /** The usual 1 to 1.5, times the weight of the body. */
  k1: 2,
  /** The opening says what an entry is about: its first tokens count more. */
  lead: 0.5,
  leadTokens: 16,
  /** Words that stand together as they were asked are more likely meant. */
  pairShare: 0.25,
  pairReach: 2,
  /** Share of a neighbour one and two places away in the session. */
  borrow: [0.3, 0.15],
  /** Candidates, best first, whose neighbours are fetched. */
  expanded: 50,
} as const

export type RankingConstants = {
  readonly fieldWeights: Readonly<Record<Field, number>>
  readonly b: Readonly<Record<Field, number>>
  readonly k1: number
  readonly lead: number
  readonly leadTokens: number
  readonly pairShare: number
  readonly pairReach: number
  readonly borrow: readonly number[]
  readonly expanded: number
}

export interface Candidate {
  readonly id: string
  readonly tokens: FieldTokens
  /** UTC; the newer of two equals comes first. */
  readonly date: string
  readonly session?: string
  /** Grows with the order of writing within the session. */
  readonly order: number
}

export interface CorpusStats {
  /** Mean number of tokens a field. */
  readonly averageLengths: Readonly<Record<Field, number>>
}

/** A stretch of one session, in order: a candidate with what stands around it. */
export type Neighbourhood = readonly Candidate[]

export interface NeighbourNeed {
  readonly session: string
  readonly order: number
  /** How many entries before and after. */
  readonly reach: number
}

export interface Ranked {
  readonly id: string
  readonly score: number
}

export interface RankInput {
  readonly plan: QueryPlan
  readonly candidates: readonly Candidate[]
  readonly stats: CorpusStats
  /** The answers to `neighbourNeeds`; none when the store has no sessions. */
  readonly neighbourhoods?: readonly Neighbourhood[]
}

/** The stretches of sessions to fetch before `rankCandidates`: around the best candidates by their own words. */
export function neighbourNeeds(input: RankInput, constants: RankingConstants = RANKING): NeighbourNeed[] {
  const reach = constants.borrow.length
  const inSession = input.candidates.filter(candidate => candidate.session !== undefined)
  if (reach === 0 || inSession.length === 0) return []
  const scorer = makeScorer(input, constants)
  return inSession
    .map(candidate => ({ candidate, score: scorer.score(scorer.read(candidate)) }))
    .sort(byScore)
    .slice(0, constants.expanded)
    .map(({ candidate }) => ({ session: candidate.session ?? '', order: candidate.order, reach }))
}

export function rankCandidates(input: RankInput, constants: RankingConstants = RANKING): Ranked[] {
  const scorer = makeScorer(input, constants)
  const { entries, next, previous } = linkNeighbours(input)
  const readingById = new Map<string, Reading>()
  for (const entry of entries.values()) readingById.set(entry.id, scorer.read(entry))
  const scored: Scored[] = []
  for (const [id, own] of readingById) {
    const frequencies = own.frequencies.slice()
    for (const links of [next, previous]) {
      let at: string | undefined = id
      for (const share of constants.borrow) {
        at = links.get(at)
        const neighbour: Reading | undefined = at === undefined ? undefined : readingById.get(at)
        if (at === undefined || neighbour === undefined) break
        addShare(frequencies, share, neighbour.frequencies)
      }
    }
    const candidate = entries.get(id)
    const score = scorer.score({ ...own, frequencies })
    if (candidate !== undefined && score > 0) scored.push({ candidate, score })
  }
  return scored.sort(byScore).map(({ candidate, score }) => ({ id: candidate.id, score }))
}

interface Scored {
  readonly candidate: Candidate
  readonly score: number
}

function byScore(a: Scored, b: Scored): number {
  return b.score - a.score || compareCandidates(a.candidate, b.candidate)
}

function addShare(sum: Float64Array, share: number, other: Float64Array): void {
  for (let i = 0; i < sum.length; i += 1) sum[i] = (sum[i] ?? 0) + share * (other[i] ?? 0)
}

/** Newer first, then by id, so that equal scores come in the same order on every machine. */
function compareCandidates(a: Candidate, b: Candidate): number {
  if (a.date !== b.date) return a.date > b.date ? -1 : 1
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

function linkNeighbours(input: RankInput) {
  const entries = new Map<string, Candidate>()
  const next = new Map<string, string>()
  const previous = new Map<string, string>()
  for (const candidate of input.candidates) entries.set(candidate.id, candidate)
  for (const neighbourhood of input.neighbourhoods ?? []) {
    neighbourhood.forEach((entry, i) => {
      if (!entries.has(entry.id)) entries.set(entry.id, entry)
      const follower = neighbourhood[i + 1]
      if (follower === undefined) return
      next.set(entry.id, follower.id)
      previous.set(follower.id, entry.id)
    })
  }
  return { entries, next, previous }
}

interface Slot {
  readonly term: number
  /** weight of the term · weight of the variant · idf */
  readonly worth: number
  /** Place of the term in the question. */
  readonly position: number
}

/** What an entry itself has of the question. */
interface Reading {
  /** Weighted frequency by slot. */
  readonly frequencies: Float64Array
  /** Worth of the pairs that stand together. */
  readonly pairs: number
}

interface Scorer {
  read(candidate: Candidate): Reading
  score(reading: Reading): number
}

/** A slot is what is counted together: the variants of a term that mean the same, or one guess. */
function makeScorer(input: RankInput, constants: RankingConstants): Scorer {
  const { slots, slotsByToken } = makeSlots(input.plan)
  const fields = FIELDS.map(name => ({
    name,
    weight: constants.fieldWeights[name],
    b: constants.b[name],
    average: Math.max(input.stats.averageLengths[name], 1e-9),
    lead: name === 'body' ? constants.lead : 0,
  }))

  return {
    read(candidate) {
      const frequencies = new Float64Array(slots.length)
      const hits: Hit[] = []
      for (const field of fields) {
        const text = candidate.tokens[field.name]
        if (text.length === 0) continue
        const tokens = text.split(' ')
        const scale = field.weight / (1 - field.b + (field.b * tokens.length) / field.average)
        for (let i = 0; i < tokens.length; i += 1) {
          const found = slotsByToken.get(tokens[i] ?? '')
          if (found === undefined) continue
          const amount = i < constants.leadTokens ? scale * (1 + field.lead) : scale
          for (const slot of found) {
            frequencies[slot] = (frequencies[slot] ?? 0) + amount
            const hit = slots[slot]
            if (field.name === 'body' && hit !== undefined) hits.push({ at: i, slot: hit })
          }
        }
      }
      return { frequencies, pairs: worthOfPairs(hits, constants.pairReach) }
    },
    score({ frequencies, pairs }) {
      const bestByTerm = new Map<number, number>()
      slots.forEach(({ term, worth }, i) => {
        const tf = frequencies[i] ?? 0
        const score = (worth * tf) / (constants.k1 + tf)
        if (score > (bestByTerm.get(term) ?? 0)) bestByTerm.set(term, score)
      })
      let score = constants.pairShare * pairs
      for (const best of bestByTerm.values()) score += best
      return score
    },
  }
}

function makeSlots(plan: QueryPlan) {
  const slots: Slot[] = []
  const slotsByToken = new Map<string, number[]>()
  ;[...plan.terms, ...plan.pruned].forEach((term, index) => {
    let same: number | undefined
    for (const variant of term.variants) {
      let slot = variant.weight === 1 ? same : undefined
      if (slot === undefined) {
        slot = slots.length
        slots.push({
          term: index,
          worth: term.weight * variant.weight * variant.idf,
          position: term.position,
        })
        if (variant.weight === 1) same = slot
      }
      const known = slotsByToken.get(variant.token)
      if (known === undefined) slotsByToken.set(variant.token, [slot])
      else known.push(slot)
    }
  })
  return { slots, slotsByToken }
}

interface Hit {
  readonly at: number
  readonly slot: Slot
}

/** Each pair counts once, by its best occurrence. `hits` are in the order of the body. */
function worthOfPairs(hits: readonly Hit[], reach: number): number {
  const worthByPosition = new Map<number, number>()
  for (let i = 1; i < hits.length; i += 1) {
    const later = hits[i]
    for (let j = i - 1; j >= 0; j -= 1) {
      const earlier = hits[j]
      if (later === undefined || earlier === undefined || later.at - earlier.at > reach) break
      if (later.slot.position - earlier.slot.position !== 1 || later.at === earlier.at) continue
      const worth = Math.min(later.slot.worth, earlier.slot.worth)
      const { position } = later.slot
      if (worth > (worthByPosition.get(position) ?? 0)) worthByPosition.set(position, worth)
    }
  }
  let sum = 0
  for (const worth of worthByPosition.values()) sum += worth
  return sum
}
