/** Seed B: knowledge by location. A scope is a workspace, a domain in it, or a repository in that. */
export interface Scope {
  readonly workspace: string
  readonly domain?: string
  readonly repository?: string
}

export const PLAN_STATUSES = ['new', 'in_progress', 'partial', 'done', 'abandoned'] as const
export type PlanStatus = (typeof PLAN_STATUSES)[number]

export const LEARNING_KINDS = ['decision', 'lesson'] as const
export type LearningKind = (typeof LEARNING_KINDS)[number]

/** Other documents next to the plans of a scope: any Markdown, one document per file. */
export const RESOURCE_KINDS = ['feature', 'spike', 'architecture'] as const
export type ResourceKind = (typeof RESOURCE_KINDS)[number]

export const DOCUMENT_KINDS = ['plan', 'overview', ...LEARNING_KINDS, ...RESOURCE_KINDS] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]

/** The front matter of one plan. A field that could not be read is absent, and a problem says why. */
export interface Plan {
  readonly scope: Scope
  /** The file's name without `.md`, preceded by its folders below `_plans/`. */
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

/** The content of `OVERVIEW.md`: about its scope. */
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
  /** The text below the title. */
  readonly text: string
  /** `YYYY-MM-DD` */
  readonly date?: string
  readonly category?: string
  readonly tags: readonly string[]
  readonly path: string
  /** The line of its heading. */
  readonly line: number
}

/**
 * One searchable item of a workspace that a brief can inject: a plan, an overview, one decision or lesson, or another file. Its location
 * is returned and never searched (`_meta` of the seed).
 */
export interface WorkspaceDocument {
  /** `plan:devtools/common/260208-workflow-engine`. Stable as long as the file has this name. */
  readonly id: string
  readonly kind: DocumentKind
  readonly scope: Scope
  readonly title: string
  /** Without secrets. */
  readonly text: string
  readonly tags: readonly string[]
  /** For a decision or a lesson. */
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

/** A document of a workspace: its kind and location. Searches do not match its path or scope. */
export interface DocumentReference {
  readonly id: string
  readonly kind: DocumentKind
  /** `devtools/common` */
  readonly scope: string
  /** Relative to the project, with `/`. */
  readonly path: string
  readonly line?: number
  /** For a plan. */
  readonly status?: PlanStatus
}
