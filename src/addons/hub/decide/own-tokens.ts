import {
  EVERY_PROJECT,
  type Grant,
  type HubProject,
  type HubToken,
  type Principal,
} from '../../../kernel/model/hub.ts'
import { may, scopeIn } from './judge-request.ts'

/**
 * A token as it is handed out: `cairn_<id>_<secret>`, both in base 16. The id is public: lists and the audit name the token by it. The
 * secret has 256 random bits, so its SHA-256 can be stored without salt or a slow hash.
 */
const TOKEN = /^cairn_([0-9a-f]{16})_([0-9a-f]{64})$/
export const ID_BYTES = 8
export const SECRET_BYTES = 32

interface TokenParts {
  readonly id: string
  readonly secret: string
}

export function tokenText({ id, secret }: TokenParts): string {
  return `cairn_${id}_${secret}`
}

/** undefined: it is not a token of a hub. */
export function parseToken(text: string): TokenParts | undefined {
  const [, id, secret] = TOKEN.exec(text) ?? []
  return id === undefined || secret === undefined ? undefined : { id, secret }
}

/** The projects that a project administrator administers. Archived projects are not visible to them. */
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

/** A token with a grant in another project is hidden from a project administrator: showing or changing it would reveal or affect that project. */
export function isOwnToken({ grants }: Pick<HubToken, 'grants'>, own: ReadonlySet<string>): boolean {
  return grants.length > 0 && grants.every(({ project }) => own.has(project))
}

type GrantVerdict =
  | { readonly kind: 'given' }
  | { readonly kind: 'refused'; readonly code: 'scope_missing' | 'project_not_found'; readonly grant: Grant }

/** Whether they may grant this. A project that they may not read counts as absent. */
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
 * The name of a token that a project administrator creates: their own name, the name of a principal in their projects only, or a new name
 * below their own (`boss/ci-bot`). Other names get the same answer whether they exist or not, and no one can write to the journal and the
 * audit under another's name. undefined: not allowed.
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
