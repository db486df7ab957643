import type { DocumentKind, PlanStatus } from './workspace.ts'

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
