/** Seed B: knowledge by place. A scope names a workspace, or a domain in it, or a repository in that. */
export interface Scope {
  readonly workspace: string
  readonly domain?: string
  readonly repository?: string
}

export const PLAN_STATUSES = ['new', 'in_progress', 'partial', 'done', 'abandoned'] as const
export type PlanStatus = (typeof PLAN_STATUSES)[number]

export const DOCUMENT_KINDS = ['plan', 'overview', 'decision', 'lesson'] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]

/**
 * One thing of a workspace that can be found by search and told in a brief: a plan, an overview, or one decision or lesson.
 * Where it lies is returned and never searched (`_meta` of the seed).
 */
export interface WorkspaceDocument {
  /** `plan:devtools/common/260208-workflow-engine`. Stable as long as the file keeps its name. */
  readonly id: string
  readonly kind: DocumentKind
  readonly scope: Scope
  readonly title: string
  /** Free of secrets. */
  readonly text: string
  readonly tags: readonly string[]
  /** A decision's or a lesson's. */
  readonly category?: string
  readonly status?: PlanStatus
  /** `YYYY-MM-DD` */
  readonly date?: string
  /** Relative to the project, with `/`. */
  readonly path: string
  readonly line?: number
}

/** `devtools/common/metan` */
export function scopeName({ workspace, domain, repository }: Scope): string {
  return [workspace, domain, repository].filter(part => part !== undefined).join('/')
}
