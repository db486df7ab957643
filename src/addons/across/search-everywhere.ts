import type { VocabularyNeed, VocabularyWord } from '../../features/search/decide/expansion.ts'
import { fuse } from '../../features/search/decide/fuse.ts'
import type {
  SearchIndex,
  SearchStatistics,
  VectorIndex,
  VectorMean,
  VectorState,
} from '../../features/search/decide/ports.ts'
import type { QueryPlan } from '../../features/search/decide/query-plan.ts'
import {
  fuseCollection,
  meanOf,
  planTerms,
  rankCollection,
  termsFor,
  tokensOf,
} from '../../features/search/decide/retrieve.ts'
import { snippetMaker } from '../../features/search/decide/snippet.ts'
import type { Everywhere } from '../../kernel/model/across.ts'
import type { Degradation, EntryFilter } from '../../kernel/model/search.ts'
import { utcMinute } from '../../kernel/text/dates.ts'
import {
  type FoundInProject,
  isTold,
  leastScore,
  mergeFound,
  potentialOf,
  type ScoreFloor,
} from './decide/merge-found.ts'
import type { AcrossProjects } from './decide/rooms.ts'
import { Visit, type Visited, type VisitOptions } from './visit.ts'

export interface AcrossQuestion {
  readonly query: string
  readonly filter: EntryFilter
  /** Which documents of workspaces are searched too; absent: none. */
  readonly documents?: EntryFilter | undefined
  readonly limit: number
  /** Of the current project. */
  readonly aliases: Readonly<Record<string, readonly string[]>>
  /** A different limit than for a search. */
  readonly floor?: ScoreFloor
  /** Also search by meaning, in the projects whose vectors are of the caller's model. */
  readonly isByMeaning?: boolean
}

/** Words of one project's vocabulary that an unknown word is compared with. */
const WORDS_OF_EACH = 300
/** With more entries without a vector than this, a warning says that words decided in the project. */
const MISSED_ENTRIES = 32
const MISSED_SHARE = 0.2

/** The part of a project that is searched: its entries, or the documents of its workspaces. */
interface Collection extends Visited {
  readonly search: SearchIndex
  readonly vectors: VectorIndex
  readonly filter: EntryFilter
  readonly isDocuments: boolean
}

interface Counted extends Collection {
  readonly statistics: SearchStatistics
  /** For each word of the query, the number of entries that contain it. */
  readonly dfByToken: Map<string, number>
}

/** The vector of the query, and the mean of all compared vectors. */
interface Compared {
  readonly vector: Float32Array
  readonly around: VectorMean | undefined
  readonly rooms: ReadonlySet<Counted>
}

/**
 * Searches all memories as one: the rarity of words is counted over all of them, one plan is made from that, and each project with the
 * words is ranked by it. The words of a project bound its best score, so projects below the floor are skipped, unless they may match by
 * meaning.
 */
export async function searchEverywhere(
  projects: AcrossProjects,
  question: AcrossQuestion,
  asking: VisitOptions,
): Promise<Everywhere> {
  const visit = new Visit(asking)
  try {
    const counted = await count(visit, await visit.enter(projects), question, asking)
    visit.searched(new Set(counted.rooms.map(({ project }) => project.id)).size)
    const compared = question.isByMeaning === true ? await compare(visit, counted.rooms, question) : undefined
    const found = await rank(visit, { ...counted, compared }, question)
    const merged = mergeFound(found, question.limit, question.floor)
    const makeSnippet = snippetMaker([...counted.plan.terms, ...counted.plan.pruned])
    const hits = merged.map(({ score, entry, from }) => ({
      score: Math.round(score * 10_000) / 10_000,
      ...makeSnippet(entry.content),
      content: entry.content,
      kind: entry.kind,
      tags: entry.tags,
      from,
    }))
    const told = visit.lookedAt(merged.flatMap(({ from }) => from.map(({ project }) => project)))
    return { hits, ...told }
  } finally {
    await visit.close()
  }
}

function collectionsOf({ project, room }: Visited, { filter, documents }: AcrossQuestion): Collection[] {
  const { search, vectors, boundary } = room
  const own = { project, room, search, vectors, filter: { ...filter, ...boundary }, isDocuments: false }
  if (documents === undefined || room.documents === undefined) return [own]
  return [own, { project, room, ...room.documents, filter: documents, isDocuments: true }]
}

async function count(
  visit: Visit,
  visited: readonly Visited[],
  question: AcrossQuestion,
  { clock }: VisitOptions,
): Promise<{ readonly rooms: readonly Counted[]; readonly plan: QueryPlan }> {
  const { query, aliases } = question
  const collections = visited.flatMap(each => collectionsOf(each, question))
  const measured = await visit.each(collections, ({ search }) => search.statistics())
  const statistics = measured.map(({ result }) => result)
  const terms = termsFor(statistics, { query, aliases, now: utcMinute(clock.nowMs()) })
  const tokens = tokensOf(terms)
  const rooms = (
    await visit.each(
      measured.map(({ item, result }) => ({ ...item, statistics: result })),
      async ({ search }) => new Map(await search.documentFrequencies(tokens)),
    )
  ).map(({ item, result }): Counted => ({ ...item, dfByToken: result }))

  const dfByToken = new Map<string, number>()
  const add = (own: ReadonlyMap<string, number>) => {
    for (const [token, df] of own) dfByToken.set(token, (dfByToken.get(token) ?? 0) + df)
  }
  for (const { dfByToken: own } of rooms) add(own)
  const plan = await planTerms(
    terms,
    rooms.map(room => room.statistics),
    {
      dfByToken,
      count: async guessed => {
        const counted = await visit.each(rooms, ({ search }) => search.documentFrequencies(guessed))
        for (const { item, result } of counted) {
          for (const [token, df] of result) item.dfByToken.set(token, df)
          add(result)
        }
      },
      vocabularyOf: need => readVocabulary(visit, rooms, need),
    },
  )
  return { rooms, plan }
}

/** Similar words of all projects, summed; each project remembers its own. */
async function readVocabulary(
  visit: Visit,
  rooms: readonly Counted[],
  need: VocabularyNeed,
): Promise<VocabularyWord[]> {
  const read = await visit.each(rooms, ({ search }) => search.vocabulary(need, WORDS_OF_EACH))
  const dfByToken = new Map<string, number>()
  for (const { item, result } of read) {
    for (const { token, df } of result) {
      item.dfByToken.set(token, df)
      dfByToken.set(token, (dfByToken.get(token) ?? 0) + df)
    }
  }
  return Array.from(dfByToken, ([token, df]) => ({ token, df })).sort(
    (a, b) => b.df - a.df || (a.token < b.token ? -1 : 1),
  )
}

/** The projects whose vectors can be compared with the query; undefined: none. Projects without are reported. */
async function compare(
  visit: Visit,
  rooms: readonly Counted[],
  { query }: AcrossQuestion,
): Promise<Compared | undefined> {
  const states = await visit.each(rooms, ({ vectors }) => vectors.state())
  for (const { item, result } of states) if (isMissed(result)) visit.note(item.project, BY_WORDS)
  const kept = states.filter(({ result }) => result.count > 0)
  // Without vectors there is nothing to compare: do not load a model.
  const asked = kept.length === 0 ? undefined : await visit.meaningOf(query)
  if (asked === undefined) return undefined
  const same = kept.filter(({ result }) => result.model === asked.model).map(({ item }) => item)
  for (const { item, result } of kept)
    if (result.model !== asked.model && !isMissed(result)) visit.note(item.project, BY_WORDS)
  const means = (await visit.each(same, ({ vectors }) => vectors.mean())).map(({ item, result: mean }) => ({
    item,
    mean,
  }))
  if (means.length === 0) return undefined
  return {
    vector: asked.vector,
    around: meanOf(means.map(({ mean }) => mean)),
    rooms: new Set(means.map(({ item }) => item)),
  }
}

function isMissed({ count: vectors, waiting }: VectorState): boolean {
  return waiting > Math.max(MISSED_ENTRIES, MISSED_SHARE * (vectors + waiting))
}

const BY_WORDS: Degradation = {
  code: 'vectors_waiting',
  message:
    'not all of it has vectors of the model in use, so words decided there. Run `cairn embed` in that project.',
}

async function rank(
  visit: Visit,
  {
    rooms,
    plan,
    compared,
  }: {
    readonly rooms: readonly Counted[]
    readonly plan: QueryPlan
    readonly compared: Compared | undefined
  },
  { limit, floor }: AcrossQuestion,
): Promise<FoundInProject[]> {
  const hasWords = plan.match.length > 0 && plan.ceiling > 0
  const promising = rooms
    .map(counted => ({
      ...counted,
      potential: hasWords ? potentialOf(plan, token => counted.dfByToken.has(token)) : 0,
      isCompared: compared?.rooms.has(counted) === true,
    }))
    .filter(({ potential, isCompared }) => potential > 0 || isCompared)
    // Stable: of equals, the most recently used is searched first.
    .sort((a, b) => b.potential - a.potential)
  let best = 0
  const found: FoundInProject[] = []
  await visit.each(promising, async counted => {
    const { project, room, search, vectors, filter, isDocuments, statistics, potential, isCompared } = counted
    if (!isCompared && potential < leastScore(best, floor)) return
    const collection = { index: search, filter, vectors: isCompared ? vectors : undefined, isDocuments }
    const byWords = await rankCollection(collection, plan, statistics, { wanted: limit, meaning: compared })
    // Session neighbours of a match are reported for their meaning only.
    const judged =
      compared !== undefined && isCompared
        ? (await fuseCollection({ collection, byWords }, plan, compared)).map(each =>
            each.isBorrowed ? { ...each, score: fuse(0, each.meaning), words: 0 } : each,
          )
        : byWords.map(({ id, score, isMatch }) => {
            const words = isMatch ? Math.min(1, score / plan.ceiling) : 0
            return { id, score: words, words }
          })
    if (isCompared) for (const degradation of room.takeDegraded()) visit.note(project, degradation)
    const scored = judged
      .filter(each => isTold(each, best, floor))
      .sort((a, b) => b.score - a.score)
      .slice(0, 2 * limit)
    if (scored.length === 0) return
    const ids = scored.map(({ id }) => id)
    const entryById = await search.loadEntries(ids)
    const replacedBy = isDocuments ? new Map<string, string>() : await room.replaced(ids)
    const documentById = isDocuments ? await room.documents?.references(ids) : undefined
    for (const { id, score, words } of scored) {
      const entry = entryById.get(id)
      if (entry === undefined) continue
      found.push({
        ...{ project, entry, score, words },
        replacedBy: replacedBy.get(id),
        document: documentById?.get(id),
      })
      best = Math.max(best, replacedBy.has(id) ? 0 : score)
    }
  })
  return found
}
