import { type Principal, SCOPES, type TokenScope } from '../../../kernel/model/hub.ts'

/** The most that somebody may do in a project; undefined: not even know that it is there. */
export function scopeIn({ grants }: Pick<Principal, 'grants'>, project: string): TokenScope | undefined {
  const held = grants.filter(grant => grant.project === '*' || grant.project === project)
  return SCOPES.findLast(scope => held.some(grant => grant.scope === scope))
}

export function may(principal: Pick<Principal, 'grants'>, scope: TokenScope, project: string): boolean {
  const held = scopeIn(principal, project)
  return held !== undefined && SCOPES.indexOf(held) >= SCOPES.indexOf(scope)
}
