import type { Memory } from '../../kernel/memory.ts'
import type { Problem } from '../../kernel/model/search.ts'
import {
  type Overview,
  type Plan,
  type PlanStatus,
  type Scope,
  scopeName,
} from '../../kernel/model/workspace.ts'
import { readLearnings } from './decide/learnings-file.ts'
import type { DocumentPlace } from './decide/place.ts'
import type { WorkspacePorts } from './decide/ports.ts'
import { readOverview, readPlan } from './decide/read-fields.ts'
import { isWithin } from './decide/scope.ts'
import { cleaner } from './redacted-fields.ts'
import { atMost, readAll, snapshotOf } from './retrieve.ts'

/** One scope with its counts, without the scopes below it. */
interface ScopeListing {
  readonly scope: string
  readonly name?: string
  readonly description?: string
  readonly plans: number
  readonly statuses: Readonly<Partial<Record<PlanStatus, number>>>
  readonly decisions: number
  readonly lessons: number
}

export interface WorkspacesListing {
  readonly scopes: readonly ScopeListing[]
  readonly total: number
  readonly problems: readonly Problem[]
  readonly roots: { readonly resources: string; readonly learnings: string }
}

/** Lists all scopes, or those in one, with counts. Reads every file and reports what is wrong with any of them. */
export async function listWorkspaces(
  memory: Memory & WorkspacePorts,
  { scope, limit }: { readonly scope?: Scope | undefined; readonly limit: number },
): Promise<WorkspacesListing> {
  const folder = await memory.workspaces()
  const survey =
    scope === undefined
      ? folder.survey()
      : snapshotOf(folder, scope, ['plan', 'overview', 'abstract', 'decision', 'lesson'])
  const isAsked = (own: Scope) => scope === undefined || isWithin(own, scope)
  const of = (...kinds: DocumentPlace['kind'][]) =>
    survey.places.filter(place => kinds.includes(place.kind) && isAsked(place.scope))
  const head = (place: DocumentPlace) => folder.readHead(place.path)
  const plans = await readAll<Plan>(of('plan'), head, readPlan)
  const overviews = await readAll<Overview>(of('overview'), head, readOverview)
  const problems = [...survey.problems, ...plans.problems, ...overviews.problems]

  const plansByScope = new Map<string, Plan[]>()
  for (const plan of plans.values) {
    const name = scopeName(plan.scope)
    plansByScope.set(name, [...(plansByScope.get(name) ?? []), plan])
  }
  const overviewByScope = new Map(overviews.values.map(overview => [scopeName(overview.scope), overview]))
  const learnings = new Map<string, { decision: number; lesson: number }>()
  for (const place of of('decision', 'lesson')) {
    const file = folder.readText(place.path)
    if (file.kind === 'unreadable') problems.push(file.problem)
    if (file.kind !== 'read') continue
    const read = readLearnings(file.text, place)
    problems.push(...read.problems)
    const counts = learnings.get(scopeName(place.scope)) ?? { decision: 0, lesson: 0 }
    if (place.kind === 'decision' || place.kind === 'lesson') counts[place.kind] += read.learnings.length
    learnings.set(scopeName(place.scope), counts)
  }
  for (const place of of('abstract'))
    problems.push({
      code: 'abstract_file',
      path: place.path,
      message: `${place.path} is a separate file; an abstract belongs in the front matter of OVERVIEW.md.`,
      hint: '`cairn workspace migrate` moves it there.',
    })

  const names = survey.scopes.filter(isAsked).map(scopeName)
  const clean = await cleaner(memory)
  return {
    scopes: clean(
      names.slice(0, limit).map(name => {
        const { name: title, description } = overviewByScope.get(name) ?? {}
        const own = plansByScope.get(name) ?? []
        const counts = learnings.get(name)
        return {
          scope: name,
          ...(title !== undefined && { name: title }),
          ...(description !== undefined && { description }),
          plans: own.length,
          statuses: tally(own),
          decisions: counts?.decision ?? 0,
          lessons: counts?.lesson ?? 0,
        }
      }),
    ),
    total: names.length,
    problems: clean(atMost(problems, folder.roots.resources)),
    roots: folder.roots,
  }
}

function tally(plans: readonly Plan[]): Partial<Record<PlanStatus, number>> {
  const counts: Partial<Record<PlanStatus, number>> = {}
  for (const { status } of plans) if (status !== undefined) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
