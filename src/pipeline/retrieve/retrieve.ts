import type { EntryFilter } from '../../model/search.ts'
import { expandAliases } from '../../text/aliases.ts'
import { LANGUAGES, type Language } from '../../text/language.ts'
import { analyseQuery } from '../../text/query-terms.ts'
import { vocabularyNeeds } from './expansion.ts'
import { centreOf, FUSION, fuse, meaningOf, nearness } from './fuse.ts'
import { type Lookup, planQuery, type QueryPlan } from './query-plan.ts'
import { type Candidate, FIELDS, RANKING, type Ranked, startRanking } from './rank.ts'
import type { Scored } from './scored.ts'
import type { SearchIndex, SearchStatistics } from './search-index.ts'
import { preferSuccessors } from './succession.ts'
import type { VectorIndex } from './vector-index.ts'

/** Entries that the engine's first cut hands to the ranking. 500 rank no better on any set (ADR 0005), and cost a cold start. */
const LEAST_CANDIDATES = 64
/** Words of the vocabulary that one unknown word may be compared with. */
const MOST_WORDS = 2_000
/** Entries, best first, that are asked whether a newer one replaces them. */
const ASKED_FOR_SUCCESSORS = 64

export interface RetrieveInput {
  readonly query: string
  readonly filter: EntryFilter
  /** How many entries the caller will show. */
  readonly wanted: number
  readonly aliases: Readonly<Record<string, readonly string[]>>
  /** UTC to the minute: what "yesterday" refers to. */
  readonly now: string
  /** What the question means; without it words alone decide. */
  readonly meaning?: { readonly vector: Float32Array; readonly index: VectorIndex } | undefined
  /** By id, the newer entry that took the place of each of these, where one did. */
  readonly successors?: ((ids: readonly string[]) => Promise<ReadonlyMap<string, string>>) | undefined
}

export interface Retrieved {
  /** Best first. */
  readonly ranked: readonly Scored[]
  readonly plan: QueryPlan
}

/** question -> terms -> plan -> candidates -> ranking -> fusion. Reads through the ports, decides, changes nothing. */
export async function retrieve(index: SearchIndex, input: RetrieveInput): Promise<Retrieved> {
  const statistics = await index.statistics()
  const plan = await planFor(index, statistics, input)
  const candidates = [
    ...(await findByWords(index, plan, input)),
    ...((await input.meaning?.index.findNearest({
      vector: input.meaning.vector,
      filter: input.filter,
      limit: FUSION.nearest,
    })) ?? []),
  ]
  if (candidates.length === 0) return { ranked: [], plan }

  const averageLengths = Object.fromEntries(
    FIELDS.map(field => [field, statistics.totalLength[field] / Math.max(1, statistics.documentCount)]),
  ) as Record<(typeof FIELDS)[number], number>
  const ranking = startRanking({ plan, candidates: distinct(candidates), stats: { averageLengths } })
  const neighbourhoods =
    ranking.needs.length === 0 ? [] : await index.findNeighbourhoods(ranking.needs, input.filter)
  const byWords = ranking.finish(neighbourhoods)
  const scored = await withMeaning(byWords, plan.ceiling, input)
  return { ranked: await withSuccessors(scored, input), plan }
}

async function planFor(
  index: SearchIndex,
  statistics: SearchStatistics,
  input: RetrieveInput,
): Promise<QueryPlan> {
  const languages = new Set<Language>(
    LANGUAGES.filter(language => (statistics.documentsByLanguage[language] ?? 0) > 0),
  )
  const terms = expandAliases(analyseQuery(input.query, { languages, now: input.now }), {
    aliases: input.aliases,
    languages,
  })
  const { documentCount } = statistics
  const dfByToken = new Map(
    await index.documentFrequencies(terms.flatMap(term => term.variants.map(({ token }) => token))),
  )
  const dfOf = (token: string) => dfByToken.get(token) ?? 0
  const vocabulary = new Map<string, readonly { token: string; df: number }[]>()
  for (const need of vocabularyNeeds({ terms, documentCount, dfOf })) {
    const words = await index.vocabulary(need, MOST_WORDS)
    for (const { token, df } of words) dfByToken.set(token, df)
    vocabulary.set(need.prefix, words)
  }
  return planQuery({ terms, documentCount, dfOf, vocabulary })
}

async function findByWords(index: SearchIndex, plan: QueryPlan, input: RetrieveInput): Promise<Candidate[]> {
  if (plan.match === '') return []
  const look = ({ match, order }: Lookup) =>
    index.findCandidates({
      match,
      order,
      weights: RANKING.fieldWeights,
      filter: input.filter,
      limit: Math.max(LEAST_CANDIDATES, 2 * input.wanted),
    })
  const found = await look(plan)
  if (plan.fallback === undefined || found.length >= input.wanted) return found
  return [...found, ...(await look(plan.fallback))]
}

function distinct(candidates: readonly Candidate[]): Candidate[] {
  return [...new Map(candidates.map(candidate => [candidate.id, candidate])).values()]
}

async function withMeaning(
  byWords: readonly Ranked[],
  ceiling: number,
  { meaning }: RetrieveInput,
): Promise<Scored[]> {
  const wordsOf = (score: number) => (ceiling <= 0 ? 0 : Math.min(1, score / ceiling))
  if (meaning === undefined) {
    return byWords.flatMap(({ id, score }) =>
      score > 0 ? [{ id, score: wordsOf(score), words: wordsOf(score), meaning: 0 }] : [],
    )
  }
  const { vector, index } = meaning
  const measurement = await index.measure(
    vector,
    byWords.map(({ id }) => id),
  )
  const { measuredById } = measurement
  const centre = centreOf(vector, measurement)
  const fused = byWords
    .map(({ id, score, tokens }): Scored => {
      const measured = measuredById.get(id)
      const words = wordsOf(score)
      const near = measured === undefined ? 0 : meaningOf(nearness(measured, centre), tokens)
      return { id, score: Math.min(1, fuse(words, near)), words, meaning: near }
    })
    // Stable: where the sum is equal, the order by words, then by date, stands.
    .sort((a, b) => b.score - a.score)
  const best = fused[0]?.score ?? 0
  const leastAlone = Math.max(FUSION.leastAlone, FUSION.leastShareAlone * best)
  return fused.filter(({ words, score }) => score >= (words > 0 ? FUSION.leastShare * best : leastAlone))
}

async function withSuccessors(
  scored: readonly Scored[],
  { successors, filter }: RetrieveInput,
): Promise<readonly Scored[]> {
  const asked = scored.slice(0, ASKED_FOR_SUCCESSORS).map(({ id }) => id)
  if (successors === undefined || asked.length === 0) return scored
  // Who asks for them has looked at what the reader may see; any other narrowing may exclude a newer entry.
  const mayAdd = Object.keys(filter).every(key => key === 'reader')
  return preferSuccessors(scored, await successors(asked), mayAdd)
}
