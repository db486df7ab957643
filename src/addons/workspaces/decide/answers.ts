import type { Problem } from '../../../kernel/model/search.ts'
import {
  type Learning,
  type Overview,
  type Plan,
  type PlanStatus,
  type Scope,
  scopeName,
} from '../../../kernel/model/workspace.ts'
import { contentOf } from './learnings-file.ts'
import { scopeParts } from './scope.ts'

/** The answers of the three tools (seed B, sections 4.2.2 to 4.2.4). `_meta` says where a document is; it is never searched. */
export interface Meta {
  readonly document_path: string
  readonly document_id: string
}

export interface PlanAnswer {
  readonly name: string
  readonly description?: string
  readonly status?: PlanStatus
  readonly created?: string
  readonly updated?: string
  readonly tags: readonly string[]
  readonly scope: string
  readonly _meta: Meta
}

export type OverviewAnswer =
  | { readonly scope: string; readonly tier: 'T1'; readonly content: string; readonly _meta: Meta }
  | { readonly scope: string; readonly tier: 'T0'; readonly abstract?: string; readonly _meta: Meta }

export interface LearningAnswer {
  readonly content: string
  readonly date?: string
  readonly category?: string
  readonly tags: readonly string[]
  readonly scope: string
  readonly _meta: Meta
}

export interface PlanFilter {
  readonly status?: readonly PlanStatus[] | undefined
  readonly tags?: readonly string[] | undefined
}

export interface LearningFilter {
  readonly tags?: readonly string[] | undefined
  readonly category?: string | undefined
}

/** The newest plans that match the filter, ordered by creation. */
export function selectPlans(
  plans: readonly Plan[],
  { status, tags }: PlanFilter,
  limit: number,
): { readonly plans: readonly Plan[]; readonly total: number } {
  const passing = plans.filter(
    plan =>
      (status === undefined || (plan.status !== undefined && status.includes(plan.status))) &&
      hasOneOf(plan.tags, tags),
  )
  const latest = passing
    .map(plan => ({ plan, changed: plan.updated ?? plan.created ?? '' }))
    .sort((a, b) =>
      a.changed === b.changed ? inOrder(b.plan.path, a.plan.path) : a.changed < b.changed ? 1 : -1,
    )
  const chosen = latest.slice(0, limit).map(({ plan }) => plan)
  return {
    plans: chosen.sort((a, b) => inOrder(a.created ?? '', b.created ?? '') || inOrder(a.path, b.path)),
    total: passing.length,
  }
}

/** The newest learnings that match the filter, from the top scope down, in file order. */
export function selectLearnings(
  learnings: readonly Learning[],
  { tags, category }: LearningFilter,
  limit: number,
): { readonly learnings: readonly Learning[]; readonly total: number } {
  const wanted = category?.trim().toLowerCase()
  const passing = learnings.filter(
    learning =>
      hasOneOf(learning.tags, tags) && (wanted === undefined || learning.category?.toLowerCase() === wanted),
  )
  const chosen = [...passing]
    .sort((a, b) => inOrder(b.date ?? '', a.date ?? '') || b.line - a.line)
    .slice(0, limit)
  const depth = (learning: Learning) => scopeParts(learning.scope).length
  return {
    learnings: chosen.sort((a, b) => depth(a) - depth(b) || inOrder(a.path, b.path) || a.line - b.line),
    total: passing.length,
  }
}

function hasOneOf(tags: readonly string[], wanted: readonly string[] | undefined): boolean {
  if (wanted === undefined || wanted.length === 0) return true
  const plain = (tag: string) => tag.trim().replace(/^#/, '').toLowerCase()
  const own = new Set(tags.map(plain))
  return wanted.some(tag => own.has(plain(tag)))
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * A plan's name is its file name. If two plans of an answer have the same name, both get the name with their scope, which is unique, and
 * the answer says so.
 */
export function answerPlans(
  plans: readonly Plan[],
  all: readonly Plan[],
): { readonly plans: readonly PlanAnswer[]; readonly problems: readonly Problem[] } {
  const firstById = new Map<string, Plan>()
  const shared = new Set<string>()
  const problems: Problem[] = []
  for (const plan of all) {
    const first = firstById.get(plan.id)
    if (first === undefined) firstById.set(plan.id, plan)
    else {
      shared.add(plan.id)
      problems.push(duplicateId(plan, first))
    }
  }
  return {
    plans: plans.map(plan => {
      const { scope, id, path, ...rest } = plan
      const document_id = shared.has(id) ? `${scopeName(scope)}/${id}` : id
      return { ...rest, scope: scopeName(scope), _meta: { document_path: path, document_id } }
    }),
    problems,
  }
}

function duplicateId(plan: Plan, first: Plan): Problem {
  return {
    code: 'duplicate_id',
    path: plan.path,
    line: 1,
    message: `${plan.path} has the same name as ${first.path}; each is called by its scope and its name.`,
    hint: 'Expected: a name that no other plan of the workspace has. Rename one of the files.',
  }
}

/** The overviews of the workspace and of a named repository are shown in full (T1), all others as abstracts (T0). */
export function tierOf(overview: Scope, asked: Scope): 'T0' | 'T1' {
  if (overview.domain === undefined) return 'T1'
  return asked.repository !== undefined && scopeName(overview) === scopeName(asked) ? 'T1' : 'T0'
}

export function answerOverview(overview: Overview, tier: 'T0' | 'T1'): OverviewAnswer {
  const scope = scopeName(overview.scope)
  const _meta = { document_path: overview.path, document_id: `overview:${scope}` }
  if (tier === 'T1') return { scope, tier, content: overview.content, _meta }
  return { scope, tier, ...(overview.description !== undefined && { abstract: overview.description }), _meta }
}

export function answerLearning(learning: Learning, id: string): LearningAnswer {
  const { date, category, tags, scope, path } = learning
  return {
    content: contentOf(learning),
    ...(date !== undefined && { date }),
    ...(category !== undefined && { category }),
    tags,
    scope: scopeName(scope),
    _meta: { document_path: path, document_id: id },
  }
}
