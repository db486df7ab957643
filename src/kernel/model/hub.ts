/** What a token allows its holder to do in a project. Each scope includes those before it. */
export const SCOPES = ['read', 'write', 'admin'] as const
export type TokenScope = (typeof SCOPES)[number]

export const EVERY_PROJECT = '*'

/** Where a scope is valid: in one project, or in the whole hub. */
export interface Grant {
  readonly project: string | typeof EVERY_PROJECT
  readonly scope: TokenScope
}

export const PRINCIPAL_KINDS = ['user', 'agent'] as const
export type PrincipalKind = (typeof PRINCIPAL_KINDS)[number]

/** Who sends a request to a hub, according to the token. */
export interface Principal {
  readonly name: string
  readonly kind: PrincipalKind
  /** The public part of the token: lists of tokens and the audit use it as a name. */
  readonly token: string
  readonly grants: readonly Grant[]
}

/** A memory on a hub. The number is its key in every table. */
export interface HubProject {
  readonly name: string
  readonly number: number
  readonly createdMs: number
  /** Since when it is archived: it cannot be reached, and its content is preserved. */
  readonly archivedMs?: number
}

/** A holder of tokens. If disabled, none of them is accepted. */
export interface KnownPrincipal {
  readonly name: string
  readonly kind: PrincipalKind
  readonly createdMs: number
  readonly disabledMs?: number
}

/** A token as a list shows it. Its secret is shown once, when it is created. */
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
  /** Requests per second for each server; absent: the server's default. */
  readonly perSecond?: number
}

/** The name in the audit of anyone with access to the database itself. */
export const COMMAND_LINE = 'command line'
export const SERVER_ITSELF = 'cairn up'

/** One thing that a client did on a hub, or was refused. */
export interface AuditRecord {
  readonly atMs: number
  /** Absent: unknown. */
  readonly principal?: string
  readonly token?: string
  /** Absent: it was about the hub, or about a project that does not exist. */
  readonly project?: string
  /** A route, a tool (`mcp remember`) or a verb (`hub token revoke`). */
  readonly action: string
  /** What it was done to. */
  readonly subject?: string
  /** `done`, or the code of the failure. */
  readonly outcome: string
}

/** The number grows with time: what comes before one is a page further back. */
export interface StoredAuditRecord extends AuditRecord {
  readonly number: number
}

export const AUDIT_OUTCOMES = ['done', 'refused'] as const
