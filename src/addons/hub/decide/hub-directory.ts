import type {
  AUDIT_OUTCOMES,
  AuditRecord,
  Grant,
  HubProject,
  HubToken,
  KnownPrincipal,
  PrincipalKind,
  StoredAuditRecord,
} from '../../../kernel/model/hub.ts'

/** A stored token: only the digest of its secret. */
export interface KeptToken extends HubToken {
  /** SHA-256 of the secret, in base 16. */
  readonly digest: string
  /** Of the principal. */
  readonly isDisabled: boolean
}

export interface NewToken {
  readonly id: string
  readonly digest: string
  readonly principal: { readonly name: string; readonly kind: PrincipalKind }
  readonly grants: readonly Grant[]
  readonly createdMs: number
  readonly expiresMs?: number
  readonly perSecond?: number
}

/** The facts to judge a request, read in one query: the time it takes does not depend on what exists. */
export interface TokenStanding {
  readonly token: KeptToken | undefined
  /** The project of that name, also if it is archived. */
  readonly project: HubProject | undefined
}

export interface AuditFilter {
  readonly project?: string
  readonly principal?: string
  readonly sinceMs?: number
  /** `refused`: every outcome other than done. */
  readonly outcome?: (typeof AUDIT_OUTCOMES)[number]
  /** Only records before this one. */
  readonly before?: number
  readonly limit: number
}

/** The projects of a hub, permissions and the audit. */
export interface HubDirectory {
  standing(token: string, project: string | undefined): Promise<TokenStanding>
  /** Existing tokens, by id. */
  tokensById(ids: readonly string[]): Promise<ReadonlyMap<string, KeptToken>>

  projects(): Promise<readonly HubProject[]>
  findProject(name: string): Promise<HubProject | undefined>
  /** Throws `project_exists`. */
  addProject(name: string, nowMs: number): Promise<HubProject>
  /** Throws `project_not_found`, `project_exists`. Tokens keep their grants in it. */
  renameProject(name: string, to: string): Promise<HubProject>
  /** Throws `project_not_found`. */
  setArchived(name: string, archivedMs: number | undefined): Promise<HubProject>
  /** Permanently, with all of its data; returns the number of its entries. Throws `project_not_found`. */
  removeProject(name: string): Promise<number>

  principals(): Promise<readonly KnownPrincipal[]>
  /** Throws `principal_not_found`. */
  setDisabled(name: string, disabledMs: number | undefined): Promise<KnownPrincipal>

  tokens(): Promise<readonly HubToken[]>
  /** Creates the principal if it is new. Throws `project_not_found` if a grant names an unknown project. */
  addToken(token: NewToken): Promise<HubToken>
  /** Only if there is no token: of two servers that start together one creates it. undefined: a token exists. */
  addFirstToken(token: NewToken): Promise<HubToken | undefined>
  /** Throws `token_not_found`. */
  revokeToken(id: string, nowMs: number): Promise<HubToken>
  /** Replaces its grants. Throws `token_not_found`, `project_not_found`. */
  setGrants(id: string, grants: readonly Grant[]): Promise<HubToken>
  /** By token, the time of its last use. */
  noteUse(usedMsById: ReadonlyMap<string, number>): Promise<void>

  record(records: readonly AuditRecord[]): Promise<void>
  /** Newest first. */
  audit(filter: AuditFilter): Promise<readonly StoredAuditRecord[]>
  /** Preserves younger records, all administrative ones, a number of others, and a tenth as many refusals. Returns how many were deleted. */
  forgetAudit(beforeMs: number, most: number): Promise<number>
}
