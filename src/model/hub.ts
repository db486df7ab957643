/** What a token lets its holder do in a project. Each may do what those before it may. */
export const SCOPES = ['read', 'write', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

/** Where a scope holds: in one project, or in all of the hub. */
export interface Grant {
  readonly project: string | '*'
  readonly scope: Scope
}

/** Who asks a hub, as the token tells. */
export interface Principal {
  readonly name: string
  readonly kind: 'user' | 'agent'
  /** The public part of the token: what a list of tokens and the audit name it by. */
  readonly token: string
  readonly grants: readonly Grant[]
}

/** A memory on a hub. The number is its key in every table. */
export interface HubProject {
  readonly name: string
  readonly number: number
  readonly createdMs: number
}
