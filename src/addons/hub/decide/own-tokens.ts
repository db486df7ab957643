import {
  EVERY_PROJECT,
  type Grant,
  type HubProject,
  type HubToken,
  type Principal,
} from '../../../kernel/model/hub.ts'
import { may, scopeIn } from './judge-request.ts'

/**
 * A token as it is handed over: `cairn_<id>_<secret>`, both in base 16. The id is public: lists and the audit name the token by it. The
 * secret has 256 bits of chance, so its SHA-256 can be kept without salt or slowness: there is nothing to guess.
 */
const TOKEN = /^cairn_([0-9a-f]{16})_([0-9a-f]{64})$/
export const ID_BYTES = 8
export const SECRET_BYTES = 32

export interface TokenParts {
  readonly id: string
  readonly secret: string
}

export function tokenText({ id, secret }: TokenParts): string {
  return `cairn_${id}_${secret}`
}

/** undefined: it is none of a hub. */
export function parseToken(text: string): TokenParts | undefined {
  const [, id, secret] = TOKEN.exec(text) ?? []
  return id === undefined || secret === undefined ? undefined : { id, secret }
}

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
 * The name of a token that they make: their own name, the name of somebody who is in their projects alone, or a new one below their own
 * (`boss/ci-bot`). Any other name is answered the same whether somebody on the hub has it or not, and nobody writes in the journal and in
 * the audit as somebody else. undefined: not theirs to give.
 */
export function nameToGive(
  name: string,
  asker: Pick<Principal, 'name'>,
  { own, tokens }: { readonly own: ReadonlySet<string>; readonly tokens: readonly HubToken[] },
): string | undefined {
  const tokensOf = (principal: string) => tokens.filter(token => token.principal === principal)
  const areOwn = (theirs: readonly HubToken[]) => theirs.every(token => isOwnToken(token, own))
  const named = tokensOf(name)
  if (name === asker.name || (named.length > 0 && areOwn(named))) return name
  const below = name.startsWith(`${asker.name}/`) ? name : `${asker.name}/${name}`
  return areOwn(tokensOf(below)) ? below : undefined
}
