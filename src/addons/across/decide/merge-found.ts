import { FLOORS } from '../../../features/brief/decide/select.ts'
import type { PlannedTerm, QueryPlan } from '../../../features/search/decide/query-plan.ts'
import { RANKING } from '../../../features/search/decide/rank.ts'
import type { FoundIn, ProjectName } from '../../../kernel/model/across.ts'
import type { Entry } from '../../../kernel/model/entry.ts'
import type { DocumentReference } from '../../../kernel/model/workspace.ts'
import { fingerprint } from '../../../kernel/text/fingerprint.ts'

/**
 * A score is a share of what the question is worth, and every project is asked with the same plan: how rare a word is, is counted in all of
 * them together. So the scores of two projects mean the same, which those of two searches do not: a word that a project of ten entries has
 * once is rare there, and may be the commonest of all elsewhere.
 */
export const ACROSS = {
  /** Less than this is a filler word. */
  leastScore: 0.08,
  /** A project whose best is a faint echo of another's best has nothing that fits. */
  leastShareOfBest: 0.25,
  /** Something is always nearest in meaning: what has no word of the question, or filler words alone, needs what a brief asks for. */
  leastByMeaning: FLOORS.question.relevance,
  /** Of an entry that a newer one replaced. */
  replacedShare: 0.5,
} as const

export interface FoundInProject {
  readonly project: ProjectName
  readonly entry: Entry
  readonly score: number
  /** What of the score its words gave. */
  readonly words: number
  readonly replacedBy?: string | undefined
  /** Set where it is no entry but a document of a workspace. */
  readonly document?: DocumentReference | undefined
}

export interface MergedFound {
  readonly score: number
  /** The one that is shown: the best, and of equals the newest. */
  readonly entry: Entry
  readonly from: readonly FoundIn[]
}

/** What is told at least: this score, and this share of the best of all. */
export interface ScoreFloor {
  readonly leastScore: number
  readonly leastShareOfBest: number
}

export function leastScore(best: number, floor: ScoreFloor = ACROSS): number {
  return Math.max(floor.leastScore, floor.leastShareOfBest * best)
}

/** Beside a best of so much. */
export function isTold(
  { score, words }: Pick<FoundInProject, 'score' | 'words'>,
  best: number,
  floor: ScoreFloor = ACROSS,
): boolean {
  const isSaid = words >= floor.leastScore || score >= Math.max(floor.leastScore, ACROSS.leastByMeaning)
  return isSaid && score >= leastScore(best, floor)
}

/**
 * The most that an entry could score in a project that has these words: it need not be asked when this is below what is told.
 *
 *   score / ceiling  <=  (1 + pairShare) · Σ worth of the words it has / ceiling
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

/** One list of what several projects have. The same text is one result; the order is the same whoever was asked first. */
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

/** Here first, then the newest; then by name, so that no two runs differ. */
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
