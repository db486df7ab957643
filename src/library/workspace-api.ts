import type {
  LearningAnswer,
  LearningFilter,
  OverviewAnswer,
  PlanAnswer,
  PlanFilter,
} from '../addons/workspaces/decide/answers.ts'
import type { WorkspacePorts } from '../addons/workspaces/decide/ports.ts'
import type { Rest } from '../addons/workspaces/decide/render-answers.ts'
import { readScope } from '../addons/workspaces/decide/scope.ts'
import type { OverviewPatch, PlanPatch } from '../addons/workspaces/decide/write-documents.ts'
import type { WorkspacesListing } from '../addons/workspaces/listing.ts'
import type { Migration } from '../addons/workspaces/migrating.ts'
import type { Written } from '../addons/workspaces/writing.ts'
import type { DocumentPorts } from '../features/search/decide/ports.ts'
import type { Memory } from '../kernel/memory.ts'
import { CairnError } from '../kernel/model/errors.ts'
import type { LearningKind, PlanStatus, Scope } from '../kernel/model/workspace.ts'

/** As an object, or `devtools/common/metan`. */
export type ScopeName = Scope | string

/** Knowledge by location: plans, overviews, decisions and lessons of workspaces, domains and repositories. */
export interface MemoryWorkspaces {
  /** Every scope, or those within one, with counts and problems of their files. */
  list(options?: { scope?: ScopeName; limit?: number }): Promise<WorkspacesListing>
  /** `retrieve_plans`. Throws `workspace_not_found`, `scope_invalid`. */
  plans(
    scope: ScopeName,
    options?: PlanFilter & { limit?: number },
  ): Promise<Rest & { readonly plans: readonly PlanAnswer[] }>
  /** `retrieve_overview`. */
  overview(
    scope: ScopeName,
    options?: { limit?: number },
  ): Promise<Rest & { readonly overviews: readonly OverviewAnswer[] }>
  /** `retrieve_learnings`. */
  learnings(
    scope: ScopeName,
    options?: LearningFilter & { limit?: number },
  ): Promise<
    Rest & {
      readonly scope: string
      readonly decisions: readonly LearningAnswer[]
      readonly lessons: readonly LearningAnswer[]
    }
  >
  /** Creates a plan. Throws `file_exists`. */
  addPlan(
    scope: ScopeName,
    plan: {
      name: string
      description: string
      status?: PlanStatus
      tags?: readonly string[]
      content?: string
      created?: string
    },
  ): Promise<Written & { readonly id: string }>
  /** Changes fields of a plan, and no other byte of it. Throws `plan_not_found`, `ambiguous_match`, `front_matter_invalid`. */
  setPlan(
    plan: string,
    patch: PlanPatch,
    options?: { scope?: ScopeName },
  ): Promise<Written & { readonly changed: readonly string[] }>
  /** Writes an overview; creates the scope if it is new. */
  setOverview(scope: ScopeName, patch: OverviewPatch): Promise<Written & { readonly isNew: boolean }>
  /** Adds a decision or a lesson; repeating the same text adds nothing. */
  learn(
    scope: ScopeName,
    kind: LearningKind,
    entry: { title: string; category: string; content?: string; tags?: readonly string[]; date?: string },
  ): Promise<Written & { readonly duplicate: boolean }>
  /** Plans missing front matter; writes only with `apply`. */
  migrate(options?: { scope?: ScopeName; apply?: boolean }): Promise<Migration>
}

const DEFAULT_LIMIT = 50
const MAX = 1_000

export function memoryWorkspaces(memory: Memory & WorkspacePorts & DocumentPorts): MemoryWorkspaces {
  const retrieving = () => import('../addons/workspaces/retrieve.ts')
  const writing = () => import('../addons/workspaces/writing.ts')
  return {
    list: async ({ scope, limit = 100 } = {}) =>
      (await import('../addons/workspaces/listing.ts')).listWorkspaces(memory, {
        scope: scope === undefined ? undefined : named(scope),
        limit: bounded(limit),
      }),
    plans: async (scope, { limit = DEFAULT_LIMIT, ...filter } = {}) =>
      (await retrieving()).retrievePlans(memory, { scope: named(scope), limit: bounded(limit), ...filter }),
    overview: async (scope, { limit = DEFAULT_LIMIT } = {}) =>
      (await retrieving()).retrieveOverview(memory, { scope: named(scope), limit: bounded(limit) }),
    learnings: async (scope, { limit = DEFAULT_LIMIT, ...filter } = {}) =>
      (await retrieving()).retrieveLearnings(memory, {
        scope: named(scope),
        limit: bounded(limit),
        ...filter,
      }),
    addPlan: async (scope, plan) => (await writing()).addPlan(memory, named(scope), plan),
    setPlan: async (plan, patch, { scope } = {}) =>
      (await writing()).setPlan(memory, plan, patch, scope === undefined ? undefined : named(scope)),
    setOverview: async (scope, patch) => (await writing()).setOverview(memory, named(scope), patch),
    learn: async (scope, kind, entry) => (await writing()).learn(memory, named(scope), kind, entry),
    migrate: async ({ scope, apply = false } = {}) =>
      (await import('../addons/workspaces/migrating.ts')).migrateWorkspaces(memory, {
        scope: scope === undefined ? undefined : named(scope),
        apply,
      }),
  }
}

function named(scope: ScopeName): Scope {
  const read = readScope(typeof scope === 'string' ? { scope } : scope)
  if (read !== undefined) return read
  throw new CairnError({
    code: 'scope_invalid',
    message: 'No workspace was named.',
    hint: 'Name one, for example devtools.',
  })
}

function bounded(limit: number): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX) return limit
  throw new CairnError({
    code: 'invalid_input',
    message: `\`limit\` is a whole number from 1 to ${MAX}.`,
    hint: `Without it, it is ${DEFAULT_LIMIT}.`,
  })
}
