import type { EntryFilter } from '../../model/search.ts'
import { expandAliases } from '../../text/aliases.ts'
import { LANGUAGES, type Language } from '../../text/language.ts'
import { analyseQuery } from '../../text/query-terms.ts'
import { vocabularyNeeds } from './expansion.ts'
import { type Lookup, planQuery, type QueryPlan } from './query-plan.ts'
import { FIELDS, RANKING, type Ranked, startRanking } from './rank.ts'
import type { SearchIndex } from './search-index.ts'

/** Entries that the engine's first cut hands to the ranking. 500 rank no better on any set (ADR 0005), and cost a cold start. */
const LEAST_CANDIDATES = 64
/** Words of the vocabulary that one unknown word may be compared with. */
const MOST_WORDS = 2_000

export interface RetrieveInput {
  readonly query: string
  readonly filter: EntryFilter
  /** How many entries the caller will show. */
  readonly wanted: number
  readonly aliases: Readonly<Record<string, readonly string[]>>
  /** UTC to the minute: what "yesterday" refers to. */
  readonly now: string
}

export interface Retrieved {
  readonly ranked: readonly Ranked[]
  readonly plan: QueryPlan
}

/** question -> terms -> plan -> candidates -> ranking. Reads through the port, decides, changes nothing. */
export async function retrieve(index: SearchIndex, input: RetrieveInput): Promise<Retrieved> {
  const statistics = await index.statistics()
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
  const plan = planQuery({ terms, documentCount, dfOf, vocabulary })
  if (plan.match === '') return { ranked: [], plan }

  const look = ({ match, order }: Lookup) =>
    index.findCandidates({
      match,
      order,
      weights: RANKING.fieldWeights,
      filter: input.filter,
      limit: Math.max(LEAST_CANDIDATES, 2 * input.wanted),
    })
  const candidates = await look(plan)
  if (plan.fallback !== undefined && candidates.length < input.wanted) {
    const known = new Set(candidates.map(candidate => candidate.id))
    candidates.push(...(await look(plan.fallback)).filter(candidate => !known.has(candidate.id)))
  }
  const averageLengths = Object.fromEntries(
    FIELDS.map(field => [field, statistics.totalLength[field] / Math.max(1, documentCount)]),
  ) as Record<(typeof FIELDS)[number], number>
  const ranking = startRanking({ plan, candidates, stats: { averageLengths } })
  const neighbourhoods =
    ranking.needs.length === 0 ? [] : await index.findNeighbourhoods(ranking.needs, input.filter)
  return { ranked: ranking.finish(neighbourhoods), plan }
}
