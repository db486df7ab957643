/** What a token lets its holder do in a project. Each may do what those before it may. */
export const SCOPES = ['read', 'write', 'admin'] as const
export type TokenScope = (typeof SCOPES)[number]

export const EVERY_PROJECT = '*'

/** Where a scope holds: in one project, or in all of the hub. */
export interface Grant {
  readonly project: string | typeof EVERY_PROJECT
  readonly scope: TokenScope
}

export const PRINCIPAL_KINDS = ['user', 'agent'] as const
export type PrincipalKind = (typeof PRINCIPAL_KINDS)[number]

/** Who asks a hub, as the token tells. */
export interface Principal {
  readonly name: string
  readonly kind: PrincipalKind
  /** The public part of the token: what a list of tokens and the audit name it by. */
  readonly token: string
  readonly grants: readonly Grant[]
}

/** A memory on a hub. The number is its key in every table. */
export interface HubProject {
  readonly name: string
  readonly number: number
  readonly createdMs: number
  /** Nobody reaches it since then; what it holds is kept. */
  readonly archivedMs?: number
}

/** Somebody who has tokens. Disabled, none of them is taken. */
export interface KnownPrincipal {
  readonly name: string
  readonly kind: PrincipalKind
  readonly createdMs: number
  readonly disabledMs?: number
}

/** What a list tells of a token; its secret is told once, when it is made. */
export interface HubToken {
  readonly id: string
  readonly principal: string
  readonly kind: PrincipalKind
  readonly grants: readonly Grant[]
  readonly createdMs: number
  readonly expiresMs?: number
  readonly revokedMs?: number
  /** To the minute. */
  readonly usedMs?: number
  /** Requests a second of each server; absent: what the server takes from everybody. */
  readonly perSecond?: number
}

/** Whoever holds the database itself, as the audit calls them. */
export const COMMAND_LINE = 'command line'
export const SERVER_ITSELF = 'cairn up'

/** One thing that somebody did on a hub, or was refused. */
export interface AuditRecord {
  readonly atMs: number
  /** Absent: nobody that is known. */
  readonly principal?: string
  readonly token?: string
  /** Absent: it was about the hub, or about a project that is not there. */
  readonly project?: string
  /** A route, a tool (`mcp remember`) or a verb (`hub token revoke`). */
  readonly action: string
  /** What it was done to. */
  readonly subject?: string
  /** `done`, or the code of the failure. */
  readonly outcome: string
}

/** The number grows with time: what comes before one is a page further back. */
export interface KeptAuditRecord extends AuditRecord {
  readonly number: number
}

export const AUDIT_OUTCOMES = ['done', 'refused'] as const
