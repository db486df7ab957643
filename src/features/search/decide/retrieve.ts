import type { EntryFilter } from '../../../kernel/model/search.ts'
import { expandAliases } from '../../../kernel/text/aliases.ts'
import { LANGUAGES, type Language } from '../../../kernel/text/language.ts'
import { analyseQuery, type QueryTerm } from '../../../kernel/text/query-terms.ts'
import { spellingsOf, type VocabularyNeed, type VocabularyWord, vocabularyNeeds } from './expansion.ts'
import { centreOf, FUSION, fuse, meaningOf, nearness, type Scored } from './fuse.ts'
import type { SearchIndex, SearchStatistics, VectorIndex, VectorMean } from './ports.ts'
import { type Lookup, planQuery, type QueryPlan } from './query-plan.ts'
import {
  type Candidate,
  FIELDS,
  RANKING,
  type Ranked,
  type RankInput,
  type SharedWords,
  startRanking,
} from './rank.ts'
import { preferSuccessors } from './succession.ts'

/** Entries that the engine's first cut hands to the ranking. 500 rank no better on any set (ADR 0005), and cost a cold start. */
const MIN_CANDIDATES = 64
/** The same of documents, whose texts are ten times as long: half as many, for half the price of a cold start. */
const MIN_DOCUMENTS = 32
/** Words of the vocabulary that one unknown word may be compared with. */
const MAX_WORDS = 2_000
/** Entries, best first, that are asked whether a newer one replaces them. */
const ASKED_FOR_SUCCESSORS = 64

interface RetrieveInput {
  readonly query: string
  readonly filter: EntryFilter
  /** How many entries the caller will show. */
  readonly wanted: number
  readonly aliases: Readonly<Record<string, readonly string[]>>
  /** UTC to the minute: what "yesterday" refers to. */
  readonly now: string
  /** What the question means; without it words alone decide. */
  readonly meaning?: { readonly vector: Float32Array; readonly index?: VectorIndex | undefined } | undefined
  /** For lists: an entry that waits for its vector ranks above entries that are only near in meaning. */
  readonly promotesUnmeasured?: boolean | undefined
  /** By id, the newer entry that took the place of each of these, where one did. */
  readonly successors?: ((ids: readonly string[]) => Promise<ReadonlyMap<string, string>>) | undefined
  /** The documents of the workspaces, where they are to answer too. */
  readonly documentCollection?: DocumentCollection | undefined
  /** The project's own name: its words occur in any prompt and are not evidence for an entry. */
  readonly projectName?: string | undefined
}

/** A second collection that answers the same question. */
export interface DocumentCollection {
  readonly index: SearchIndex
  readonly filter: EntryFilter
  /** Without vectors its words alone decide. */
  readonly vectors?: VectorIndex | undefined
}

export interface Retrieved {
  /** Best first. */
  readonly ranked: readonly Scored[]
  readonly plan: QueryPlan
}

/** One collection as it is asked. */
interface SearchedCollection extends DocumentCollection {
  readonly isDocuments: boolean
}

/**
 * question -> terms -> plan -> candidates -> ranking -> fusion. Reads through the ports, decides, changes nothing.
 *
 * With two collections, word rarity and the mean vector are computed over both: a word that a collection of three has once is
 * not rare because of that, and scores of both are comparable. Length is compared within one collection:
 * next to an entry every plan is long.
 */
export async function retrieve(index: SearchIndex, input: RetrieveInput): Promise<Retrieved> {
  const own: SearchedCollection = {
    index,
    filter: input.filter,
    vectors: input.meaning?.index,
    isDocuments: false,
  }
  const collections =
    input.documentCollection === undefined ? [own] : [own, { ...input.documentCollection, isDocuments: true }]
  return retrieveFrom(collections, input)
}

/** The same of the documents alone. */
export async function retrieveDocuments(
  collection: DocumentCollection,
  input: RetrieveInput,
): Promise<Retrieved> {
  return retrieveFrom([{ ...collection, isDocuments: true }], input)
}

async function retrieveFrom(
  collections: readonly SearchedCollection[],
  input: RetrieveInput,
): Promise<Retrieved> {
  const statistics: SearchStatistics[] = []
  for (const { index } of collections) statistics.push(await index.statistics())
  const plan = await planFor(collections, statistics, input)
  const { projectName: query = '', aliases, now } = input
  const uncounted = new Set(query === '' ? [] : tokensOf(termsFor(statistics, { query, aliases, now })))
  const ranked: RankedCollection[] = []
  for (const [at, collection] of collections.entries()) {
    const own = statistics[at]
    if (own !== undefined)
      ranked.push({
        collection,
        byWords: await rankCollection(collection, plan, own, { ...input, uncounted }),
      })
  }
  if (ranked.every(({ byWords }) => byWords.length === 0)) return { ranked: [], plan }
  const scored = await withMeaning(ranked, plan, input)
  return { ranked: await withSuccessors(scored, input), plan }
}

interface RankedCollection {
  readonly collection: SearchedCollection
  readonly byWords: readonly Ranked[]
}

export async function rankCollection(
  collection: SearchedCollection,
  plan: QueryPlan,
  statistics: SearchStatistics,
  input: Pick<RetrieveInput, 'wanted' | 'meaning'> & Pick<RankInput, 'uncounted'>,
): Promise<readonly Ranked[]> {
  const { index, filter } = collection
  const found = await Promise.all([
    findByWords(collection, plan, input),
    input.meaning &&
      collection.vectors?.findNearest({
        vector: input.meaning.vector,
        filter,
        limit: collection.isDocuments ? MIN_DOCUMENTS : FUSION.nearest,
      }),
  ])
  const candidates = found.flatMap(some => some ?? [])
  if (candidates.length === 0) return []
  const averageLengths = Object.fromEntries(
    FIELDS.map(field => [field, statistics.totalLength[field] / Math.max(1, statistics.documentCount)]),
  ) as Record<(typeof FIELDS)[number], number>
  const ranking = startRanking({
    plan,
    candidates: distinct(candidates),
    stats: { averageLengths },
    ...(input.uncounted !== undefined && { uncounted: input.uncounted }),
  })
  const neighbourhoods =
    ranking.needs.length === 0 ? [] : await index.findNeighbourhoods(ranking.needs, filter)
  return ranking.finish(neighbourhoods)
}

async function planFor(
  collections: readonly SearchedCollection[],
  statistics: readonly SearchStatistics[],
  input: RetrieveInput,
): Promise<QueryPlan> {
  const terms = termsFor(statistics, input)
  const tokens = tokensOf(terms)
  const dfByToken = new Map<string, number>()
  const add = (token: string, df: number) => dfByToken.set(token, (dfByToken.get(token) ?? 0) + df)
  const countIn = async (tokens: readonly string[]) => {
    for (const { index } of collections)
      for (const [token, df] of await index.documentFrequencies(tokens)) add(token, df)
  }
  await countIn(tokens)
  return planTerms(terms, statistics, {
    dfByToken,
    count: countIn,
    vocabularyOf: need => readVocabulary(collections, need),
  })
}

/** What the question asks for, in the languages that the entries are in. */
export function termsFor(
  statistics: readonly SearchStatistics[],
  { query, aliases, now }: Pick<RetrieveInput, 'query' | 'aliases' | 'now'>,
): QueryTerm[] {
  const languages = languagesOf(statistics)
  return expandAliases(analyseQuery(query, { languages, now }), { aliases, languages })
}

export function tokensOf(terms: readonly QueryTerm[]): string[] {
  return terms.flatMap(term => term.variants.map(({ token }) => token))
}

function languagesOf(statistics: readonly SearchStatistics[]): Set<Language> {
  return new Set(
    LANGUAGES.filter(language => statistics.some(own => (own.documentsByLanguage[language] ?? 0) > 0)),
  )
}

/** What a plan asks of all collections together. */
interface WordCounts {
  /** How many entries have each token; tokens that are looked up later are added. */
  readonly dfByToken: Map<string, number>
  /** Adds these tokens to `dfByToken`, as far as there are any. */
  readonly count: (tokens: readonly string[]) => Promise<void>
  readonly vocabularyOf: (need: VocabularyNeed) => Promise<readonly VocabularyWord[]>
}

export async function planTerms(
  terms: readonly QueryTerm[],
  statistics: readonly SearchStatistics[],
  { dfByToken, count, vocabularyOf }: WordCounts,
): Promise<QueryPlan> {
  const documentCount = statistics.reduce((sum, own) => sum + own.documentCount, 0)
  const input = { terms, documentCount, dfOf: (token: string) => dfByToken.get(token) ?? 0 }
  const spellings = spellingsOf(input, languagesOf(statistics))
  const respelt = new Set(
    Array.from(spellings.values(), ({ completed, near }) => [...completed, ...near]).flat(),
  )
  const uncounted = [...respelt].filter(token => !dfByToken.has(token))
  if (uncounted.length > 0) await count(uncounted)
  const vocabulary = new Map<string, readonly VocabularyWord[]>()
  const needs = vocabularyNeeds(input, spellings)
  const found = await Promise.all(needs.map(vocabularyOf))
  for (const [at, { prefix }] of needs.entries()) {
    const words = found[at] ?? []
    for (const { token, df } of words) dfByToken.set(token, df)
    vocabulary.set(prefix, words)
  }
  return planQuery({ ...input, guesses: { vocabulary, spellings } })
}

async function readVocabulary(
  collections: readonly SearchedCollection[],
  need: VocabularyNeed,
): Promise<readonly VocabularyWord[]> {
  const [only, ...others] = collections
  const words = (await only?.index.vocabulary(need, MAX_WORDS)) ?? []
  if (others.length === 0) return words
  const dfByToken = new Map(words.map(({ token, df }) => [token, df]))
  for (const { index } of others) {
    for (const { token, df } of await index.vocabulary(need, MAX_WORDS))
      dfByToken.set(token, (dfByToken.get(token) ?? 0) + df)
  }
  return Array.from(dfByToken, ([token, df]) => ({ token, df }))
}

async function findByWords(
  { index, filter, isDocuments }: SearchedCollection,
  plan: QueryPlan,
  input: Pick<RetrieveInput, 'wanted'>,
): Promise<Candidate[]> {
  if (plan.match.length === 0) return []
  const look = ({ match, order }: Lookup) =>
    index.findCandidates({
      match,
      order,
      weights: RANKING.fieldWeights,
      filter,
      limit: Math.max(isDocuments ? MIN_DOCUMENTS : MIN_CANDIDATES, 2 * input.wanted),
    })
  const found = await look(plan)
  if (plan.fallback === undefined || found.length >= input.wanted) return found
  return [...found, ...(await look(plan.fallback))]
}

function distinct(candidates: readonly Candidate[]): Candidate[] {
  return [...new Map(candidates.map(candidate => [candidate.id, candidate])).values()]
}

async function withMeaning(
  ranked: readonly RankedCollection[],
  plan: QueryPlan,
  { meaning, promotesUnmeasured }: RetrieveInput,
): Promise<readonly Scored[]> {
  if (meaning === undefined) {
    return together(
      ranked.map(({ collection, byWords }) =>
        byWords.flatMap(({ id, score, shared, isMatch, isNearMatch }) => {
          if (score === 0 || !(isMatch || (plan.isQuestion && isNearMatch))) return []
          const words = shareOf(score, plan.ceiling)
          const own = { id, score: words, words, meaning: 0, shared: worthOf(shared, plan) }
          return [marked(collection, isMatch ? own : { ...own, ...SESSION_MATCH })]
        }),
      ),
    )
  }
  const around = await sharedMean(ranked)
  const fused: Scored[][] = []
  for (const each of ranked) fused.push(await fuseCollection(each, plan, { vector: meaning.vector, around }))
  // Stable: for equal sums the order by words, then by date, remains.
  const all = together(fused).sort((a, b) => b.score - a.score)
  const best = all[0]?.score ?? 0
  const minAlone = Math.max(FUSION.minAlone, FUSION.minShareAlone * best)
  const found = all.flatMap((scored): Scored[] => {
    const { isSessionMatch, ...own } = scored
    if (own.isBorrowed === true && fuse(0, own.meaning) >= minAlone) return [own]
    const isFound = own.isBorrowed !== true || isSessionMatch === true
    return isFound && own.score >= FUSION.minShare * best ? [scored] : []
  })
  return promotesUnmeasured === true ? unmeasuredFirst(found) : found
}

const SESSION_MATCH = { isBorrowed: true, isSessionMatch: true } as const

/** An entry without a vector has only its words: with one of them it ranks above entries that are only near in meaning. */
function unmeasuredFirst(found: readonly Scored[]): readonly Scored[] {
  const bestAlone = found.find(({ isBorrowed }) => isBorrowed === true)?.score
  if (bestAlone === undefined || !found.some(({ isUnmeasured }) => isUnmeasured === true)) return found
  return found
    .map(scored =>
      scored.isUnmeasured === true && scored.isBorrowed !== true
        ? { ...scored, score: Math.max(scored.score, bestAlone) }
        : scored,
    )
    .sort((a, b) => b.score - a.score || Number(a.isBorrowed === true) - Number(b.isBorrowed === true))
}

/** What words and meaning give together, of each that was ranked by words. */
export async function fuseCollection(
  { collection, byWords }: RankedCollection,
  plan: Pick<QueryPlan, 'ceiling' | 'rareIdf' | 'isQuestion'>,
  { vector, around }: { readonly vector: Float32Array; readonly around?: VectorMean | undefined },
): Promise<Scored[]> {
  const ids = byWords.map(({ id }) => id)
  const measurement = await collection.vectors?.measure(vector, ids, around)
  const centre = measurement && centreOf(vector, measurement)
  return byWords.map(({ id, score, tokens, shared, isMatch, isNearMatch }) => {
    const measured = measurement?.measuredById.get(id)
    const words = shareOf(score, plan.ceiling)
    const near =
      measured === undefined || centre === undefined ? 0 : meaningOf(nearness(measured, centre), tokens)
    const sum = Math.min(1, fuse(words, near))
    return marked(collection, {
      ...{ id, score: sum, words, meaning: near, shared: worthOf(shared, plan) },
      ...(!isMatch && { isBorrowed: true as const }),
      ...(!isMatch && isNearMatch && plan.isQuestion && { isSessionMatch: true as const }),
      ...(measured === undefined && { isUnmeasured: true as const }),
    })
  })
}

function worthOf({ count, idf }: SharedWords, { rareIdf }: Pick<QueryPlan, 'rareIdf'>) {
  return { count, worth: idf / Math.max(rareIdf, 1e-9) }
}

/** A share of the worth of the question. */
function shareOf(score: number, ceiling: number): number {
  return ceiling <= 0 ? 0 : Math.min(1, score / ceiling)
}

function marked({ isDocuments }: SearchedCollection, scored: Scored): Scored {
  return isDocuments ? { ...scored, isDocument: true } : scored
}

/** One list, best first. If an entry has the id of a document, the id means the entry. */
function together(lists: readonly (readonly Scored[])[]): Scored[] {
  const [own = [], ...others] = lists
  if (others.every(list => list.length === 0)) return [...own]
  const known = new Set(own.map(({ id }) => id))
  return [...own, ...others.flat().filter(({ id }) => !known.has(id))].sort((a, b) => b.score - a.score)
}

/** Of all vectors of the collections; undefined where there is one collection, which knows its own. */
async function sharedMean(ranked: readonly RankedCollection[]): Promise<VectorMean | undefined> {
  if (ranked.length < 2) return undefined
  const means: VectorMean[] = []
  for (const { collection } of ranked) {
    const own = await collection.vectors?.mean()
    if (own !== undefined && own.count > 0) means.push(own)
  }
  return meanOf(means)
}

/** Of several collections together, each by how many it has. */
export function meanOf(means: readonly VectorMean[]): VectorMean | undefined {
  const [first, ...others] = means
  if (first === undefined || others.length === 0) return first
  const count = means.reduce((sum, own) => sum + own.count, 0)
  const mean = first.mean.map(
    (_, i) => means.reduce((sum, own) => sum + own.count * (own.mean[i] ?? 0), 0) / count,
  )
  return { mean, count }
}

async function withSuccessors(
  scored: readonly Scored[],
  { successors, filter }: RetrieveInput,
): Promise<readonly Scored[]> {
  const asked = scored
    .slice(0, ASKED_FOR_SUCCESSORS)
    .flatMap(({ id, isDocument }) => (isDocument === true ? [] : [id]))
  if (successors === undefined || asked.length === 0) return scored
  // The caller that asks for successors has applied the reader; any other filter may exclude a newer entry.
  const mayAdd = Object.keys(filter).every(key => key === 'reader' || key === 'exceptSuggestions')
  return preferSuccessors(scored, await successors(asked), mayAdd)
}
