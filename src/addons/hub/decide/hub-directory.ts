import type {
  AUDIT_OUTCOMES,
  AuditRecord,
  Grant,
  HubProject,
  HubToken,
  KnownPrincipal,
  PrincipalKind,
  StoredAuditRecord,
  TokenScope,
} from '../../../kernel/model/hub.ts'

/** What is kept of a token: of its secret only the digest. */
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

/** What a request is judged by, read in one question: it takes the same way whatever of it is there. */
export interface TokenStanding {
  readonly token: KeptToken | undefined
  /** The project of that name, archived ones too. */
  readonly project: HubProject | undefined
}

export interface AuditFilter {
  readonly project?: string
  readonly principal?: string
  readonly sinceMs?: number
  /** `refused`: whatever was not done. */
  readonly outcome?: (typeof AUDIT_OUTCOMES)[number]
  /** Only what was recorded before this one. */
  readonly before?: number
  readonly limit: number
}

/** Which projects are on a hub, who may do what in them, and who did. */
export interface HubDirectory {
  standing(token: string, project: string | undefined): Promise<TokenStanding>
  /** Those of the tokens that are there, by id. */
  tokensById(ids: readonly string[]): Promise<ReadonlyMap<string, KeptToken>>

  projects(): Promise<readonly HubProject[]>
  findProject(name: string): Promise<HubProject | undefined>
  /** Throws `project_exists`. */
  addProject(name: string, nowMs: number): Promise<HubProject>
  /** Throws `project_not_found`, `project_exists`. Tokens keep what they may do in it. */
  renameProject(name: string, to: string): Promise<HubProject>
  /** Throws `project_not_found`. */
  setArchived(name: string, archivedMs: number | undefined): Promise<HubProject>
  /** With all that it holds, for good; gives how many entries those were. Throws `project_not_found`. */
  removeProject(name: string): Promise<number>

  principals(): Promise<readonly KnownPrincipal[]>
  /** Throws `principal_not_found`. */
  setDisabled(name: string, disabledMs: number | undefined): Promise<KnownPrincipal>

  tokens(): Promise<readonly HubToken[]>
  /** Makes the principal where it is new. Throws `project_not_found` where a grant names one that is not there. */
  addToken(token: NewToken): Promise<HubToken>
  /** Only where there is no token at all: of two first servers one makes it. undefined: there is one. */
  addFirstToken(token: NewToken): Promise<HubToken | undefined>
  /** Throws `token_not_found`. */
  revokeToken(id: string, nowMs: number): Promise<HubToken>
  /** What it may do from now on. Throws `token_not_found`, `project_not_found`. */
  setGrants(id: string, grants: readonly Grant[]): Promise<HubToken>
  /** By token, the last time it was used. */
  noteUse(usedMsById: ReadonlyMap<string, number>): Promise<void>

  record(records: readonly AuditRecord[]): Promise<void>
  /** Newest first. */
  audit(filter: AuditFilter): Promise<readonly StoredAuditRecord[]>
  /** Keeps what is younger than this: all that was administered, of the rest so many, and a tenth as many refusals. Gives how many went. */
  forgetAudit(beforeMs: number, most: number): Promise<number>
}

/** Names in one look: what somebody holds, for a person. */
export function grantWords(
  grants: readonly { readonly project: string; readonly scope: TokenScope }[],
): string {
  return grants.map(({ project, scope }) => `${project}:${scope}`).join(', ')
}
