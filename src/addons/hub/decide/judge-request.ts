import {
  EVERY_PROJECT,
  type HubProject,
  type Principal,
  SCOPES,
  type TokenScope,
} from '../../../kernel/model/hub.ts'
import type { KeptToken, TokenStanding } from './hub-directory.ts'

/** The highest scope in a project; undefined: the existence of the project must not be revealed. */
export function scopeIn({ grants }: Pick<Principal, 'grants'>, project: string): TokenScope | undefined {
  const held = grants.filter(grant => grant.project === '*' || grant.project === project)
  return SCOPES.findLast(scope => held.some(grant => grant.scope === scope))
}

export function may(principal: Pick<Principal, 'grants'>, scope: TokenScope, project: string): boolean {
  const held = scopeIn(principal, project)
  return held !== undefined && SCOPES.indexOf(held) >= SCOPES.indexOf(scope)
}

interface HubRequest {
  /** Whether the given secret matches the stored digest. */
  readonly isSecret: boolean
  /** undefined: the request is about the hub itself. */
  readonly project: string | undefined
  readonly scope: TokenScope
  /** A route of the hub for which the scope in one project is enough. The answer is limited to those projects. */
  readonly isOfAnyProject?: boolean
  readonly nowMs: number
}

export type RequestRefusal = 'token_refused' | 'project_not_found' | 'scope_missing'

export type Verdict =
  | { readonly kind: 'admitted'; readonly principal: Principal; readonly project: HubProject | undefined }
  /** `principal`: the owner of the token, if it is known. */
  | { readonly kind: 'refused'; readonly code: RequestRefusal; readonly principal: Principal | undefined }

/**
 * The one place that decides about access. A project that the token may not read is refused like one that does not exist: neither the
 * answer nor its timing differs.
 */
export function judgeRequest({ token, project }: TokenStanding, asked: HubRequest): Verdict {
  if (token === undefined || !asked.isSecret || !isValid(token, asked.nowMs))
    return { kind: 'refused', code: 'token_refused', principal: undefined }
  const principal = principalOf(token)
  const refused = (code: RequestRefusal): Verdict => ({ kind: 'refused', code, principal })
  if (asked.project === undefined) {
    const isEnough =
      asked.isOfAnyProject === true
        ? principal.grants.some(grant => may(principal, asked.scope, grant.project))
        : mayEverywhere(principal, asked.scope)
    if (asked.scope === 'read' || isEnough) return { kind: 'admitted', principal, project: undefined }
    return refused('scope_missing')
  }
  const isReadable = project?.archivedMs === undefined && scopeIn(principal, asked.project) !== undefined
  if (project === undefined || !isReadable) return refused('project_not_found')
  if (!may(principal, asked.scope, asked.project)) return refused('scope_missing')
  return { kind: 'admitted', principal, project }
}

/** Not revoked, not expired, and its principal is not disabled. */
export function isValid(
  { revokedMs, expiresMs, isDisabled }: Pick<KeptToken, 'revokedMs' | 'expiresMs' | 'isDisabled'>,
  nowMs: number,
): boolean {
  return revokedMs === undefined && !isDisabled && (expiresMs === undefined || nowMs < expiresMs)
}

export function principalOf({ principal, kind, id, grants }: KeptToken): Principal {
  return { name: principal, kind, token: id, grants }
}

/** For routes of the hub itself: only grants for every project count. */
export function mayEverywhere(principal: Pick<Principal, 'grants'>, scope: TokenScope): boolean {
  const grants = principal.grants.filter(({ project }) => project === EVERY_PROJECT)
  return may({ grants }, scope, EVERY_PROJECT)
}
