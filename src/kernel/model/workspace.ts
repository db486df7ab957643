/** Seed B: knowledge by place. A scope names a workspace, or a domain in it, or a repository in that. */
export interface Scope {
  readonly workspace: string
  readonly domain?: string
  readonly repository?: string
}

export const PLAN_STATUSES = ['new', 'in_progress', 'partial', 'done', 'abandoned'] as const
export type PlanStatus = (typeof PLAN_STATUSES)[number]

export const LEARNING_KINDS = ['decision', 'lesson'] as const
export type LearningKind = (typeof LEARNING_KINDS)[number]

/** What else lies beside the plans of a scope: any Markdown, one document a file. */
export const RESOURCE_KINDS = ['feature', 'spike', 'architecture'] as const
export type ResourceKind = (typeof RESOURCE_KINDS)[number]

export const DOCUMENT_KINDS = ['plan', 'overview', ...LEARNING_KINDS, ...RESOURCE_KINDS] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]

/** The front matter of one plan. A field that could not be read is absent, and a problem tells why. */
export interface Plan {
  readonly scope: Scope
  /** The file's name without `.md`, after the folders below `_plans/` that it lies in. */
  readonly id: string
  readonly name: string
  readonly description?: string
  readonly status?: PlanStatus
  /** `YYYY-MM-DD` */
  readonly created?: string
  readonly updated?: string
  readonly tags: readonly string[]
  /** Relative to the project, with `/`. */
  readonly path: string
}

/** What `OVERVIEW.md` says of its scope. */
export interface Overview {
  readonly scope: Scope
  readonly name?: string
  /** The abstract of the scope (T0). */
  readonly description?: string
  readonly tags: readonly string[]
  readonly updated?: string
  /** The whole file (T1). */
  readonly content: string
  readonly path: string
}

/** One entry of `decisions.md` or `lessons.md`. */
export interface Learning {
  readonly scope: Scope
  readonly kind: LearningKind
  readonly title: string
  /** What stands below the title. */
  readonly text: string
  /** `YYYY-MM-DD` */
  readonly date?: string
  readonly category?: string
  readonly tags: readonly string[]
  readonly path: string
  /** Of its heading. */
  readonly line: number
}

/**
 * One thing of a workspace that can be found by search and told in a brief: a plan, an overview, one decision or lesson, or another file.
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
