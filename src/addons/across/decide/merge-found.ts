import { FLOORS } from '../../../features/brief/decide/select.ts'
import type { PlannedTerm, QueryPlan } from '../../../features/search/decide/query-plan.ts'
import { RANKING } from '../../../features/search/decide/rank.ts'
import type { FoundIn, ProjectName } from '../../../kernel/model/across.ts'
import type { Entry } from '../../../kernel/model/entry.ts'
import type { DocumentReference } from '../../../kernel/model/workspace.ts'
import { fingerprint } from '../../../kernel/text/fingerprint.ts'

/**
 * A score is a share of the maximum of the query, and every project ranks by the same plan: the rarity of a word is counted over all of
 * them. So scores of two projects are comparable, unlike those of two separate searches: a word that a project of ten entries contains
 * once is rare there, and may be common everywhere else.
 */
const ACROSS = {
  /** Below this, a word is a filler word. */
  leastScore: 0.08,
  /** A project whose best score is far below another's has no relevant result. */
  leastShareOfBest: 0.25,
  /** Something is always nearest in meaning: a result without a word of the query, or with filler words only, must reach the floor of a brief. */
  leastByMeaning: FLOORS.question.relevance,
  /** Factor for an entry that a newer one replaced. */
  replacedShare: 0.5,
} as const

export interface FoundInProject {
  readonly project: ProjectName
  readonly entry: Entry
  readonly score: number
  /** The part of the score that comes from words. */
  readonly words: number
  readonly replacedBy?: string | undefined
  /** Set for a document of a workspace. */
  readonly document?: DocumentReference | undefined
}

interface MergedFound {
  readonly score: number
  /** The result that is shown: the best, and of equals the newest. */
  readonly entry: Entry
  readonly from: readonly FoundIn[]
}

/** The floor: an absolute score, and a share of the best score. */
export interface ScoreFloor {
  readonly leastScore: number
  readonly leastShareOfBest: number
}

export function leastScore(best: number, floor: ScoreFloor = ACROSS): number {
  return Math.max(floor.leastScore, floor.leastShareOfBest * best)
}

/** The floor for a given best score. */
export function isTold(
  { score, words }: Pick<FoundInProject, 'score' | 'words'>,
  best: number,
  floor: ScoreFloor = ACROSS,
): boolean {
  const isSaid = words >= floor.leastScore || score >= Math.max(floor.leastScore, ACROSS.leastByMeaning)
  return isSaid && score >= leastScore(best, floor)
}

/**
 * The highest score that an entry of a project with these words can reach: the project is skipped if this is below the floor.
 *
 *   score / ceiling  <=  (1 + pairShare) · Σ weights of the words it has / ceiling
 */
export function potentialOf(plan: QueryPlan, has: (token: string) => boolean): number {
  if (plan.ceiling <= 0) return 0
  const worth = [...plan.terms, ...plan.pruned].reduce((sum, term) => sum + bestWorth(term, has), 0)
  return Math.min(1, ((1 + RANKING.pairShare) * worth) / plan.ceiling)
}

function bestWorth({ weight, variants }: PlannedTerm, has: (token: string) => boolean): number {
  return Math.max(
    0,
    ...variants.map(variant => (has(variant.token) ? weight * variant.weight * variant.idf : 0)),
  )
}

/** Merges the results of several projects. Equal texts are one result; the order does not depend on the order of the projects. */
export function mergeFound(
  found: readonly FoundInProject[],
  limit: number,
  floor: ScoreFloor = ACROSS,
): MergedFound[] {
  const judged = found.map(each =>
    each.replacedBy === undefined ? each : { ...each, score: each.score * ACROSS.replacedShare },
  )
  const best = Math.max(0, ...judged.map(({ score }) => score))
  const byPrint = new Map<string, FoundInProject[]>()
  for (const each of judged.filter(each => isTold(each, best, floor)).sort(inOrder)) {
    const print = fingerprint(each.entry.content)
    const same = byPrint.get(print)
    if (same === undefined) byPrint.set(print, [each])
    else same.push(each)
  }
  return [...byPrint.values()].slice(0, limit).flatMap(same => {
    const [best] = same
    if (best === undefined) return []
    return [{ score: best.score, entry: best.entry, from: [...same].sort(byPlace).map(foundIn) }]
  })
}

function inOrder(a: FoundInProject, b: FoundInProject): number {
  return b.score - a.score || byPlace(a, b)
}

/** Here first, then the newest; then by name, so that the order is stable. */
function byPlace(a: FoundInProject, b: FoundInProject): number {
  return (
    Number(b.project.isHere) - Number(a.project.isHere) ||
    compare(b.entry.date, a.entry.date) ||
    compare(a.project.name, b.project.name) ||
    compare(a.project.id, b.project.id) ||
    compare(a.entry.id, b.entry.id)
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function foundIn({ project, entry, replacedBy, document }: FoundInProject): FoundIn {
  const { id, agent, kind, status, date, session, files } = entry
  return {
    project,
    entry: id,
    agent,
    kind,
    status,
    date,
    ...(session !== undefined && { session }),
    files,
    ...(document !== undefined && { document }),
    ...(replacedBy !== undefined && { replacedBy }),
  }
}
