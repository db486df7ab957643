import type { DocumentKind, PlanStatus } from './workspace.ts'

/** A document of a workspace, by what it is and where it lies. Neither its path nor its scope is text that a search finds. */
export interface DocumentReference {
  readonly id: string
  readonly kind: DocumentKind
  /** `devtools/common` */
  readonly scope: string
  /** Relative to the project, with `/`. */
  readonly path: string
  readonly line?: number
  /** Of a plan. */
  readonly status?: PlanStatus
}
