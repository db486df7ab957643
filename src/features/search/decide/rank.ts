import type { PlannedTerm, PlannedVariant, QueryPlan } from './query-plan.ts'

/** Separates the fields of a candidate; no token contains it. */
export const FIELD_BORDER = '\n'

export const FIELDS = ['body', 'tags', 'files', 'kind', 'date'] as const
export type RankedField = (typeof FIELDS)[number]

/**
 * BM25F over five fields, with context borrowed from the session:
 *
 *   tf(d,v)    = Σ_field weight · Σ_occurrence (1 + lead, at the start of the body) / (1 − b + b · length / average)
 *   tf'(d,v)   = tf(d,v) + Σ_neighbour borrow[distance] · tf(neighbour,v)
 *   score(d)   = Σ_term  weight · max_variant ( weight · idf · tf' / (k1 + tf') )
 *              + pairShare · Σ_pair  min ( worth of the two terms )
 *
 * A pair is two terms that follow each other in the question and in the body, at most `pairReach` tokens on.
 * A term counts once, by its best variant. Borrowing inside the saturation means that a neighbour mostly supplies
 * the words that the entry itself lacks (the question that it answers), and adds little to those it has.
 */
export const RANKING = {
  /** Boosts of the seed's section 6 (content, tags, filePaths, category); the date is our addition. */
  fieldWeights: { body: 2, tags: 1.5, files: 1.2, kind: 1, date: 1 },
  /** The penalty for a long field. Kinds and dates have none. */
  b: { body: 0.75, tags: 0.5, files: 0.5, kind: 0, date: 0 },
  /** The usual 1 to 1.5, times the weight of the body. */
  k1: 2,
  /** The opening states the subject of an entry: its first words count more. */
  lead: 0.5,
  leadCharacters: 100,
  /** Words that are adjacent as in the question are better evidence. */
  pairShare: 0.25,
  pairReach: 2,
  /** Share of a neighbour one and two places away in the session. */
  borrow: [0.3, 0.15],
  /** Candidates, best first, whose neighbours are fetched. */
  expanded: 10,
} as const

type RankingConstants = {
  readonly fieldWeights: Readonly<Record<RankedField, number>>
  readonly b: Readonly<Record<RankedField, number>>
  readonly k1: number
  readonly lead: number
  readonly leadCharacters: number
  readonly pairShare: number
  readonly pairReach: number
  readonly borrow: readonly number[]
  readonly expanded: number
}

export interface Candidate {
  readonly id: string
  /** The tokens of each field, in the order of FIELDS, with a border between two fields. */
  readonly text: string
  /** How many tokens each field has, in the same order. */
  readonly lengths: readonly number[]
  /** UTC; the newer of two equals comes first. */
  readonly date: string
  /** Absent or null: the entry is not part of a session. */
  readonly session?: string | null
  /** Grows with the order of writing within the session. */
  readonly order: number
}

interface CorpusStats {
  /** Mean number of tokens a field. */
  readonly averageLengths: Readonly<Record<RankedField, number>>
}

/** Consecutive entries of one session: a candidate with its neighbours. */
export type Neighbourhood = readonly Candidate[]

export interface NeighbourNeed {
  readonly session: string
  readonly order: number
  /** How many entries before and after. */
  readonly reach: number
}

export interface Ranked {
  readonly id: string
  /** 0 for an entry that has no word of the question. */
  readonly score: number
  /** Tokens of its body. */
  readonly tokens: number
  readonly shared: SharedWords
  /** It has a word of the question itself, or a guess at one; filler words count only where nothing else was asked. */
  readonly isMatch: boolean
  /** The entry, or a neighbour in its session, has a word of the question. */
  readonly isNearMatch: boolean
}

/** Content words of the question that the entry itself has: no stop words, no guesses, nothing borrowed from its session. */
export interface SharedWords {
  readonly count: number
  /** The sum of their idf. */
  readonly idf: number
}

export interface RankInput {
  readonly plan: QueryPlan
  readonly candidates: readonly Candidate[]
  readonly stats: CorpusStats
  /** Tokens that are not evidence if an entry shares them with the question: those of the project's own name. */
  readonly uncounted?: ReadonlySet<string>
}

/** A ranking in two steps, since the second needs what only the first can ask for. */
interface Ranking {
  /** The stretches of sessions to fetch: around the best candidates by their own words. */
  readonly needs: readonly NeighbourNeed[]
  finish(neighbourhoods: readonly Neighbourhood[]): Ranked[]
}

export function startRanking(input: RankInput, constants: RankingConstants = RANKING): Ranking {
  const scorer = makeScorer(input, constants)
  const readingById = new Map<string, Reading>()
  const read = (candidate: Candidate): Reading => {
    const reading = readingById.get(candidate.id) ?? scorer.read(candidate)
    readingById.set(candidate.id, reading)
    return reading
  }
  const reach = constants.borrow.length
  const inSession =
    reach === 0 ? [] : input.candidates.filter(candidate => typeof candidate.session === 'string')
  return {
    needs: inSession
      .map(candidate => ({ candidate, score: scorer.score(read(candidate)) }))
      .sort(byScore)
      .slice(0, constants.expanded)
      .map(({ candidate }) => ({ session: candidate.session ?? '', order: candidate.order, reach })),

    finish(neighbourhoods) {
      const { entries, next, previous } = linkNeighbours(input.candidates, neighbourhoods)
      const scored: Finished[] = []
      for (const candidate of entries.values()) read(candidate)
      for (const [id, candidate] of entries) {
        const own = read(candidate)
        let frequencies = own.frequencies
        for (const links of [next, previous]) {
          let at: string | undefined = id
          for (const share of constants.borrow) {
            at = links.get(at)
            const neighbour: Reading | undefined = at === undefined ? undefined : readingById.get(at)
            if (at === undefined || neighbour === undefined) break
            // Most candidates have no neighbours: theirs need no copy.
            if (frequencies === own.frequencies) frequencies = own.frequencies.slice()
            addShare(frequencies, share, neighbour)
          }
        }
        const score = scorer.score({ frequencies, pairs: own.pairs })
        scored.push({ candidate, score, isNearMatch: scorer.isNearMatch(frequencies) })
      }
      return scored.sort(byScore).map(({ candidate, score, isNearMatch }) => ({
        id: candidate.id,
        score,
        tokens: candidate.lengths[0] ?? 0,
        shared: scorer.sharedOf(read(candidate)),
        isMatch: scorer.isMatch(read(candidate)),
        isNearMatch,
      }))
    },
  }
}

interface Scored {
  readonly candidate: Candidate
  readonly score: number
}

interface Finished extends Scored {
  readonly isNearMatch: boolean
}

function byScore(a: Scored, b: Scored): number {
  return b.score - a.score || compareCandidates(a.candidate, b.candidate)
}

/** Only the slots that the neighbour has: a loop over all of them is hot enough for V8 to spend 1.5 ms optimising it. */
function addShare(sum: Float64Array, share: number, { frequencies, slots }: Reading): void {
  for (const slot of slots) sum[slot] = (sum[slot] ?? 0) + share * (frequencies[slot] ?? 0)
}

/** Newer first, then by id, so that equal scores come in the same order on every machine. */
function compareCandidates(a: Candidate, b: Candidate): number {
  if (a.date !== b.date) return a.date > b.date ? -1 : 1
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

function linkNeighbours(candidates: readonly Candidate[], neighbourhoods: readonly Neighbourhood[]) {
  const entries = new Map<string, Candidate>()
  const next = new Map<string, string>()
  const previous = new Map<string, string>()
  for (const candidate of candidates) entries.set(candidate.id, candidate)
  for (const neighbourhood of neighbourhoods) {
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
  /** The idf of a content word in the form it was asked in; 0 for stop words and guesses. */
  readonly ownIdf: number
  readonly isFiller: boolean
}

/** The words of the question that an entry has. */
interface Reading {
  /** Weighted frequency by slot. */
  readonly frequencies: Float64Array
  /** The slots that are not zero. */
  readonly slots: readonly number[]
  /** Worth of the adjacent pairs. */
  readonly pairs: number
}

interface Scorer {
  read(candidate: Candidate): Reading
  score(reading: Pick<Reading, 'frequencies' | 'pairs'>): number
  sharedOf(reading: Pick<Reading, 'slots'>): SharedWords
  isMatch(reading: Pick<Reading, 'slots'>): boolean
  isNearMatch(frequencies: Float64Array): boolean
}

/** A slot counts variants together: those of a term that mean the same, or one guess. */
function makeScorer(input: RankInput, constants: RankingConstants): Scorer {
  const { slots, slotsByToken } = makeSlots(input)
  // Not where something else was asked that no entry has.
  const isFillerOnly = !input.plan.isQuestion && slots.every(({ isFiller }) => isFiller)
  const fields = FIELDS.map(name => ({
    weight: constants.fieldWeights[name],
    b: constants.b[name],
    average: Math.max(input.stats.averageLengths[name], 1e-9),
    lead: name === 'body' ? constants.lead : 0,
  }))

  const pattern = tokenPattern([...slotsByToken.keys()])
  const termOf = Int32Array.from(slots, slot => slot.term)
  const worthOf = Float64Array.from(slots, slot => slot.worth)
  const bestByTerm = new Float64Array(Math.max(0, ...slots.map(slot => slot.term + 1)))

  return {
    read({ text, lengths }) {
      const frequencies = new Float64Array(slots.length)
      const present: number[] = []
      const hits: Hit[] = []
      let at = 0
      let end = text.indexOf(FIELD_BORDER)
      // Not matchAll: it makes an expression of its own for every text.
      pattern.lastIndex = 0
      for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
        const token = match[1] ?? ''
        while (end !== -1 && match.index + match[0].length - token.length > end) {
          at += 1
          end = text.indexOf(FIELD_BORDER, end + 1)
        }
        const field = fields[at]
        if (field === undefined) break
        const lengthPenalty = 1 - field.b + (field.b * (lengths[at] ?? 0)) / field.average
        const isLead = field.lead > 0 && match.index < constants.leadCharacters
        const amount = (field.weight * (isLead ? 1 + field.lead : 1)) / lengthPenalty
        for (const slot of slotsByToken.get(token) ?? []) {
          const before = frequencies[slot] ?? 0
          if (before === 0) present.push(slot)
          frequencies[slot] = before + amount
          const hit = slots[slot]
          if (at === 0 && hit !== undefined) hits.push({ at: match.index, slot: hit })
        }
      }
      const pairs = worthOfPairs(hits, (from, to) => isWithin(text, { from, to }, constants.pairReach))
      return { frequencies, slots: present, pairs }
    },
    sharedOf(reading) {
      let count = 0
      let idf = 0
      // A term has one slot for its own forms, so no word counts twice.
      for (const at of reading.slots) {
        const ownIdf = slots[at]?.ownIdf ?? 0
        if (ownIdf === 0) continue
        count += 1
        idf += ownIdf
      }
      return { count, idf }
    },
    isMatch: reading => reading.slots.some(at => isFillerOnly || slots[at]?.isFiller === false),
    isNearMatch: frequencies => frequencies.some((tf, at) => tf > 0 && slots[at]?.isFiller === false),
    score({ frequencies, pairs }) {
      bestByTerm.fill(0)
      for (let i = 0; i < frequencies.length; i += 1) {
        const tf = frequencies[i] ?? 0
        if (tf === 0) continue
        const score = ((worthOf[i] ?? 0) * tf) / (constants.k1 + tf)
        const term = termOf[i] ?? 0
        if (score > (bestByTerm[term] ?? 0)) bestByTerm[term] = score
      }
      let score = constants.pairShare * pairs
      for (let term = 0; term < bestByTerm.length; term += 1) score += bestByTerm[term] ?? 0
      return score
    },
  }
}

/**
 * One expression finds every token of the question in a text, so the regular-expression engine does the work. A loop
 * in JavaScript over all tokens of all candidates is so hot that V8 spends 20 ms optimising it in a process that lives
 * for 40.
 */
function tokenPattern(tokens: readonly string[]): RegExp {
  return new RegExp(`(?:^|[ \\n])(${tokens.length === 0 ? '(?!)' : tokens.join('|')})(?=[ \\n]|$)`, 'g')
}

/** Whether at most `reach` tokens are between two positions of the text. */
function isWithin(text: string, { from, to }: { from: number; to: number }, reach: number): boolean {
  let blanks = 0
  for (let at = text.indexOf(' ', from + 1); at !== -1 && at <= to; at = text.indexOf(' ', at + 1)) {
    blanks += 1
    if (blanks > reach) return false
  }
  return true
}

function makeSlots({ plan, uncounted }: Pick<RankInput, 'plan' | 'uncounted'>) {
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
          ownIdf: isEvidence(term, variant, uncounted) ? term.idf : 0,
          isFiller: term.source === 'stop-word',
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

function isEvidence(
  { source }: PlannedTerm,
  { weight, token }: PlannedVariant,
  uncounted: ReadonlySet<string> | undefined,
): boolean {
  return source !== 'stop-word' && weight === 1 && uncounted?.has(token) !== true
}

interface Hit {
  readonly at: number
  readonly slot: Slot
}

/** Each pair counts once, by its best occurrence. `hits` are in the order of the body. */
function worthOfPairs(hits: readonly Hit[], isNear: (from: number, to: number) => boolean): number {
  const worthByPosition = new Map<number, number>()
  for (let i = 1; i < hits.length; i += 1) {
    const later = hits[i]
    for (let j = i - 1; j >= 0; j -= 1) {
      const earlier = hits[j]
      if (later === undefined || earlier === undefined) break
      if (later.slot.position - earlier.slot.position !== 1 || later.at === earlier.at) continue
      if (!isNear(earlier.at, later.at)) break
      const worth = Math.min(later.slot.worth, earlier.slot.worth)
      const { position } = later.slot
      if (worth > (worthByPosition.get(position) ?? 0)) worthByPosition.set(position, worth)
    }
  }
  let sum = 0
  for (const worth of worthByPosition.values()) sum += worth
  return sum
}
