import type { Everywhere } from '../model/across.ts'
import type { EntryFilter } from '../model/search.ts'
import {
  type Floor,
  type Found,
  leastScore,
  mergeFound,
  potentialOf,
} from '../pipeline/across/merge-found.ts'
import type { AcrossProjects } from '../pipeline/across/rooms.ts'
import type { VocabularyNeed, VocabularyWord } from '../pipeline/retrieve/expansion.ts'
import type { QueryPlan } from '../pipeline/retrieve/query-plan.ts'
import { planTerms, rankShelf, termsFor, tokensOf } from '../pipeline/retrieve/retrieve.ts'
import type { SearchStatistics } from '../pipeline/retrieve/search-index.ts'
import { snippetMaker } from '../pipeline/retrieve/snippet.ts'
import { utcMinute } from '../text/dates.ts'
import { type Asking, Visit, type Visited } from './visit.ts'

export interface AcrossQuestion {
  readonly query: string
  readonly filter: EntryFilter
  readonly limit: number
  /** Of the project that is asked in. */
  readonly aliases: Readonly<Record<string, readonly string[]>>
  /** Another than for a search. */
  readonly floor?: Floor
}

/** Words of one project's vocabulary that a word nobody has is compared with. */
const WORDS_OF_EACH = 300

interface Counted extends Visited {
  readonly statistics: SearchStatistics
  /** In how many of its entries each word of the question stands. */
  readonly dfByToken: Map<string, number>
}

/**
 * All memories as one: how rare a word is, is counted over all of them, one plan is made from that, and each project that has the words is
 * ranked by it. What a project could score at most is known from the words it has, so one in which nothing fits is not asked.
 *
 *   enter ──▶ count words ──▶ one plan ──▶ the promising ones: candidates, rank ──▶ one list
 */
export async function searchEverywhere(
  projects: AcrossProjects,
  question: AcrossQuestion,
  asking: Asking,
): Promise<Everywhere> {
  const visit = new Visit(asking)
  try {
    const counted = await count(visit, await visit.enter(projects), question, asking)
    visit.searched(counted.rooms.length)
    const found = await rank(visit, counted, question)
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

async function count(
  visit: Visit,
  visited: readonly Visited[],
  { query, aliases }: AcrossQuestion,
  { clock }: Asking,
): Promise<{ readonly rooms: readonly Counted[]; readonly plan: QueryPlan }> {
  const measured = await visit.each(visited, ({ room }) => room.search.statistics())
  const statistics = measured.map(({ result }) => result)
  const terms = termsFor(statistics, { query, aliases, now: utcMinute(clock.nowMs()) })
  const tokens = tokensOf(terms)
  const rooms = (
    await visit.each(
      measured.map(({ item, result }) => ({ ...item, statistics: result })),
      async ({ room }) => new Map(await room.search.documentFrequencies(tokens)),
    )
  ).map(({ item, result }): Counted => ({ ...item, dfByToken: result }))

  const dfByToken = new Map<string, number>()
  for (const { dfByToken: own } of rooms)
    for (const [token, df] of own) dfByToken.set(token, (dfByToken.get(token) ?? 0) + df)
  const plan = await planTerms(
    terms,
    rooms.map(room => room.statistics),
    dfByToken,
    need => readVocabulary(visit, rooms, need),
  )
  return { rooms, plan }
}

/** Near words of all projects, added up; each project remembers those that it has. */
async function readVocabulary(
  visit: Visit,
  rooms: readonly Counted[],
  need: VocabularyNeed,
): Promise<VocabularyWord[]> {
  const read = await visit.each(rooms, ({ room }) => room.search.vocabulary(need, WORDS_OF_EACH))
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

async function rank(
  visit: Visit,
  { rooms, plan }: { readonly rooms: readonly Counted[]; readonly plan: QueryPlan },
  { filter, limit, floor }: AcrossQuestion,
): Promise<Found[]> {
  if (plan.match.length === 0 || plan.ceiling <= 0) return []
  const promising = rooms
    .map(counted => ({ ...counted, potential: potentialOf(plan, token => counted.dfByToken.has(token)) }))
    .filter(({ potential }) => potential > 0)
    // Stable: of equals, the one that was used last is asked first.
    .sort((a, b) => b.potential - a.potential)
  let best = 0
  const found: Found[] = []
  await visit.each(promising, async ({ project, room, statistics, potential }) => {
    if (potential < leastScore(best, floor)) return
    const shelf = { index: room.search, filter: { ...filter, ...room.boundary }, isDocuments: false }
    const ranked = await rankShelf(shelf, plan, statistics, { wanted: limit, meaning: undefined })
    const scored = ranked
      .map(({ id, score }) => ({ id, score: Math.min(1, score / plan.ceiling) }))
      .filter(({ score }) => score >= leastScore(best, floor))
      .slice(0, 2 * limit)
    if (scored.length === 0) return
    const ids = scored.map(({ id }) => id)
    const entryById = await room.search.loadEntries(ids)
    const replacedBy = await room.replaced(ids)
    for (const { id, score } of scored) {
      const entry = entryById.get(id)
      if (entry === undefined) continue
      found.push({ project, entry, score, replacedBy: replacedBy.get(id) })
      best = Math.max(best, replacedBy.has(id) ? 0 : score)
    }
  })
  return found
}
