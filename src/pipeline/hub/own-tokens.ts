import { EVERY_PROJECT, type Grant, type HubProject, type HubToken, type Principal } from '../../model/hub.ts'
import { may, scopeIn } from './permission.ts'

/** Whoever administers projects, and not the hub: which those are. What is archived is not there for them. */
export function administered(
  asker: Pick<Principal, 'grants'>,
  projects: readonly HubProject[],
): ReadonlySet<string> {
  return new Set(
    projects
      .filter(({ name, archivedMs }) => archivedMs === undefined && may(asker, 'admin', name))
      .map(({ name }) => name),
  )
}

/** One that reaches further is not theirs to see, to change or to take back: it would tell of other projects, or take something from them. */
export function isOwnToken({ grants }: Pick<HubToken, 'grants'>, own: ReadonlySet<string>): boolean {
  return grants.length > 0 && grants.every(({ project }) => own.has(project))
}

export type GrantVerdict =
  | { readonly kind: 'given' }
  | { readonly kind: 'refused'; readonly code: 'scope_missing' | 'project_not_found'; readonly grant: Grant }

/** Whether they may give this. A project that they may not read is one that is not there. */
export function judgeGrants(
  asker: Pick<Principal, 'grants'>,
  own: ReadonlySet<string>,
  { grants, projects }: { readonly grants: readonly Grant[]; readonly projects: readonly HubProject[] },
): GrantVerdict {
  for (const grant of grants) {
    if (own.has(grant.project)) continue
    const isThere = projects.some(
      ({ name, archivedMs }) => name === grant.project && archivedMs === undefined,
    )
    const isKnown =
      grant.project === EVERY_PROJECT || (isThere && scopeIn(asker, grant.project) !== undefined)
    return { kind: 'refused', code: isKnown ? 'scope_missing' : 'project_not_found', grant }
  }
  return { kind: 'given' }
}

/**
 * Whether they may make a token of that name: of nobody so far, of themselves, or of somebody who is in their projects alone. With another's
 * name they would write in the journal and in the audit as somebody else.
 */
export function isNameToGive(
  name: string,
  asker: Pick<Principal, 'name'>,
  {
    own,
    tokens,
    isKnown,
  }: { readonly own: ReadonlySet<string>; readonly tokens: readonly HubToken[]; readonly isKnown: boolean },
): boolean {
  if (name === asker.name || !isKnown) return true
  const theirs = tokens.filter(({ principal }) => principal === name)
  return theirs.length > 0 && theirs.every(token => isOwnToken(token, own))
}
