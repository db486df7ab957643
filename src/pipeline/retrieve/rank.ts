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
 *
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
  if (reach === 0) return []
  const scorer = makeScorer(input, constants)
  return input.candidates
    .filter(candidate => candidate.session !== undefined)
    .map(candidate => ({ candidate, score: scorer.score(scorer.frequencies(candidate)) }))
    .sort((a, b) => b.score - a.score || compareCandidates(a.candidate, b.candidate))
    .slice(0, constants.expanded)
    .map(({ candidate }) => ({ session: candidate.session ?? '', order: candidate.order, reach }))
}

export function rankCandidates(input: RankInput, constants: RankingConstants = RANKING): Ranked[] {
  const scorer = makeScorer(input, constants)
  const { entries, next, previous } = linkNeighbours(input)
  const frequencies = new Map<string, Float64Array>()
  for (const entry of entries.values()) frequencies.set(entry.id, scorer.frequencies(entry))
  const ranked: { candidate: Candidate; score: number }[] = []
  for (const candidate of entries.values()) {
    const own = frequencies.get(candidate.id) ?? new Float64Array()
    const borrowed = own.slice()
    for (const links of [next, previous]) {
      let at: string | undefined = candidate.id
      for (const share of constants.borrow) {
        at = links.get(at)
        const neighbour: Float64Array | undefined = at === undefined ? undefined : frequencies.get(at)
        if (at === undefined || neighbour === undefined) break
        for (let i = 0; i < borrowed.length; i += 1)
          borrowed[i] = (borrowed[i] ?? 0) + share * (neighbour[i] ?? 0)
      }
    }
    const score = scorer.score(borrowed)
    if (score > 0) ranked.push({ candidate, score })
  }
  return ranked
    .sort((a, b) => b.score - a.score || compareCandidates(a.candidate, b.candidate))
    .map(({ candidate, score }) => ({ id: candidate.id, score }))
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
}

interface Scorer {
  /** Weighted frequency of each slot in an entry. */
  frequencies(candidate: Candidate): Float64Array
  score(frequencies: Float64Array): number
}

/** A slot is what is counted together: the variants of a term that mean the same, or one guess. */
function makeScorer(input: RankInput, constants: RankingConstants): Scorer {
  const terms = [...input.plan.terms, ...input.plan.pruned]
  const slots: Slot[] = []
  const slotsByToken = new Map<string, number[]>()
  terms.forEach((term, index) => {
    let same: number | undefined
    for (const variant of term.variants) {
      let slot = variant.weight === 1 ? same : undefined
      if (slot === undefined) {
        slot = slots.length
        slots.push({ term: index, worth: term.weight * variant.weight * variant.idf })
        if (variant.weight === 1) same = slot
      }
      const known = slotsByToken.get(variant.token)
      if (known === undefined) slotsByToken.set(variant.token, [slot])
      else known.push(slot)
    }
  })
  const fields = FIELDS.map(name => ({
    name,
    weight: constants.fieldWeights[name],
    b: constants.b[name],
    average: Math.max(input.stats.averageLengths[name], 1e-9),
    lead: name === 'body' ? constants.lead : 0,
  }))

  return {
    frequencies(candidate) {
      const total = new Float64Array(slots.length)
      for (const field of fields) {
        const text = candidate.tokens[field.name]
        if (text.length === 0) continue
        const tokens = text.split(' ')
        const scale = field.weight / (1 - field.b + (field.b * tokens.length) / field.average)
        for (let i = 0; i < tokens.length; i += 1) {
          const hit = slotsByToken.get(tokens[i] ?? '')
          if (hit === undefined) continue
          const amount = i < constants.leadTokens ? scale * (1 + field.lead) : scale
          for (const slot of hit) total[slot] = (total[slot] ?? 0) + amount
        }
      }
      return total
    },
    score(frequencies) {
      let score = 0
      let term = -1
      let best = 0
      slots.forEach((slot, i) => {
        if (slot.term !== term) {
          score += best
          best = 0
          term = slot.term
        }
        const tf = frequencies[i] ?? 0
        best = Math.max(best, (slot.worth * tf) / (constants.k1 + tf))
      })
      return score + best
    },
  }
}
