import { CairnError } from '../../kernel/model/errors.ts'
import {
  EVERY_PROJECT,
  type Grant,
  type HubProject,
  type HubToken,
  type KnownPrincipal,
  type Principal,
  type PrincipalKind,
  type StoredAuditRecord,
} from '../../kernel/model/hub.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import { digestOf, randomHex } from '../../kernel/system/digest.ts'
import { auditText } from './audit-trail.ts'
import type { AuditFilter, HubDirectory, NewToken } from './decide/hub-directory.ts'
import { may } from './decide/judge-request.ts'
import {
  administered,
  ID_BYTES,
  isOwnToken,
  judgeGrants,
  nameToGive,
  SECRET_BYTES,
  tokenText,
} from './decide/own-tokens.ts'
import { parsePrincipalName, parseProjectName } from './decide/project-name.ts'
import { refusal } from './gate.ts'

export interface TokenWishes {
  readonly name: string
  readonly kind: PrincipalKind
  readonly grants: readonly Grant[]
  /** Lifetime; absent: no expiry. */
  readonly validMs?: number
  readonly perSecond?: number
}

interface MadeToken {
  /** The whole token: returned here and never again. */
  readonly token: string
  readonly listed: HubToken
}

/** The administrator, for the audit. */
export interface Administrator {
  readonly principal: string
  readonly token?: string
  /** An agent creates tokens only for agents: with a person's token it could confirm its own entries. */
  readonly kind?: PrincipalKind
}

/** The admin API: projects, tokens and principals of a hub; each change is audited with its author. */
export interface HubDesk {
  nowMs(): number
  projects(): Promise<readonly HubProject[]>
  addProject(name: string): Promise<HubProject>
  renameProject(name: string, to: string): Promise<HubProject>
  archiveProject(name: string): Promise<HubProject>
  restoreProject(name: string): Promise<HubProject>
  /** Only an archived project. Throws `not_confirmed` otherwise. */
  removeProject(name: string): Promise<{ readonly entries: number }>
  principals(): Promise<readonly KnownPrincipal[]>
  disablePrincipal(name: string): Promise<KnownPrincipal>
  enablePrincipal(name: string): Promise<KnownPrincipal>
  tokens(): Promise<readonly HubToken[]>
  addToken(wishes: TokenWishes): Promise<MadeToken>
  /** The first administrator of an empty hub; undefined: tokens exist. */
  addFirstToken(): Promise<MadeToken | undefined>
  revokeToken(id: string): Promise<HubToken>
  setGrants(id: string, grants: readonly Grant[]): Promise<HubToken>
  audit(filter: AuditFilter): Promise<readonly StoredAuditRecord[]>
}

const FIRST_ADMINISTRATOR = 'admin'

export function hubDesk(directory: HubDirectory, clock: Clock, by: Administrator): HubDesk {
  const watched = refusalsRecorded(directory, clock, by)
  /** Refusals and failures are audited too; a completed action before the answer is sent. */
  const audited = <T>(action: string, subject: string, work: () => Promise<T>, project?: string) =>
    watched({ action, subject, ...(project !== undefined && { project }) }, async record => {
      const result = await work()
      await record('done')
      return result
    })
  const parts = (wishes: TokenWishes): { readonly token: string; readonly kept: NewToken } => {
    const id = randomHex(ID_BYTES)
    const secret = randomHex(SECRET_BYTES)
    return {
      token: tokenText({ id, secret }),
      kept: {
        id,
        digest: digestOf(secret),
        principal: { name: parsePrincipalName(wishes.name), kind: wishes.kind },
        grants: wishes.grants,
        createdMs: clock.nowMs(),
        ...(wishes.validMs !== undefined && { expiresMs: clock.nowMs() + wishes.validMs }),
        ...(wishes.perSecond !== undefined && { perSecond: wishes.perSecond }),
      },
    }
  }
  /** An existing name keeps its kind. */
  const isPerson = async ({ name, kind }: NewToken['principal']) =>
    ((await directory.principals()).find(known => known.name === name)?.kind ?? kind) === 'user'
  return {
    nowMs: () => clock.nowMs(),
    projects: () => directory.projects(),
    addProject: name =>
      audited(
        'hub add-project',
        name,
        () => directory.addProject(parseProjectName(name), clock.nowMs()),
        name,
      ),
    renameProject: (name, to) =>
      audited('hub rename', `${name} → ${to}`, () => directory.renameProject(name, parseProjectName(to)), to),
    archiveProject: name =>
      audited('hub archive', name, () => directory.setArchived(name, clock.nowMs()), name),
    restoreProject: name => audited('hub restore', name, () => directory.setArchived(name, undefined), name),
    removeProject: name =>
      audited('hub remove', name, async () => {
        const project = await directory.findProject(name)
        if (project !== undefined && project.archivedMs === undefined) throw notArchived(name)
        return { entries: await directory.removeProject(name) }
      }),
    principals: () => directory.principals(),
    disablePrincipal: name => audited('hub disable', name, () => directory.setDisabled(name, clock.nowMs())),
    enablePrincipal: name => audited('hub enable', name, () => directory.setDisabled(name, undefined)),
    tokens: () => directory.tokens(),
    addToken: wishes =>
      audited('hub token add', wishes.name, async () => {
        const { token, kept } = parts(wishes)
        if (by.kind === 'agent' && (await isPerson(kept.principal))) throw onlyForAgents()
        return { token, listed: await directory.addToken(kept) }
      }),
    async addFirstToken() {
      const { token, kept } = parts({
        name: FIRST_ADMINISTRATOR,
        kind: 'user',
        grants: [{ project: EVERY_PROJECT, scope: 'admin' }],
      })
      const listed = await directory.addFirstToken(kept)
      if (listed === undefined) return undefined
      return audited('hub init', FIRST_ADMINISTRATOR, async () => ({ token, listed }))
    },
    revokeToken: id => audited('hub token revoke', id, () => directory.revokeToken(id, clock.nowMs())),
    setGrants: (id, grants) => audited('hub token set', id, () => directory.setGrants(id, grants)),
    audit: filter => directory.audit(filter),
  }
}

/** Does the work, which may record its outcome, and records the reason of a refusal. */
function refusalsRecorded(directory: HubDirectory, clock: Clock, by: Administrator) {
  return async <T>(
    what: { readonly action: string; readonly subject: string; readonly project?: string },
    work: (record: (outcome: string) => Promise<void>) => Promise<T>,
  ): Promise<T> => {
    const { principal, token } = by
    const asked = { principal, ...(token !== undefined && { token }), ...what }
    const record = (outcome: string) =>
      directory.record([{ atMs: clock.nowMs(), ...asked, subject: auditText(what.subject), outcome }])
    try {
      return await work(record)
    } catch (error) {
      if (error instanceof CairnError && error.class !== 'storage') await record(error.code)
      throw error
    }
  }
}

function onlyForAgents(): CairnError {
  return new CairnError({
    code: 'scope_missing',
    message: 'This token belongs to an agent, and an agent can create tokens only for agents.',
    hint: 'Ask a person who administers the hub for a token of the kind `user`.',
    details: { needs: 'admin' },
  })
}

function notArchived(name: string): CairnError {
  return new CairnError({
    code: 'not_confirmed',
    message: `"${name.slice(0, 100)}" is in use: only an archived project can be removed permanently.`,
    hint: `Run \`cairn hub archive ${name.slice(0, 100)}\` first; \`cairn hub restore\` brings it back.`,
  })
}

/** The part of the admin API for administrators of projects. */
type TokenDesk = Pick<HubDesk, 'nowMs' | 'tokens' | 'addToken' | 'setGrants' | 'revokeToken'>

/**
 * The tokens of the projects that the caller administers: create, list, change and revoke tokens that are limited to these projects. Other
 * tokens answer as if they did not exist. Refusals are audited like those of the hub.
 */
export function projectDesk(directory: HubDirectory, clock: Clock, asker: Principal): TokenDesk {
  const by = { principal: asker.name, token: asker.token, kind: asker.kind }
  const desk = hubDesk(directory, clock, by)
  const standing = async () => {
    const projects = await directory.projects()
    return { projects, own: administered(asker, projects), tokens: await directory.tokens() }
  }
  const checkGrants = async (grants: readonly Grant[]) => {
    const { projects, own } = await standing()
    const verdict = judgeGrants(asker, own, { grants, projects })
    if (verdict.kind === 'given') return
    const { project } = verdict.grant
    throw refusal(verdict.code, project === EVERY_PROJECT ? undefined : project, 'admin')
  }
  const ownToken = async (id: string): Promise<HubToken> => {
    const { own, tokens } = await standing()
    const token = tokens.find(each => each.id === id)
    if (token === undefined || !isOwnToken(token, own)) throw notTheirs()
    return token
  }
  const nameFor = async (name: string): Promise<string> => {
    const { own, tokens } = await standing()
    const given = nameToGive(name, asker, { own, tokens })
    if (given === undefined) throw nameTaken(name)
    return given
  }
  /** A created token ends no later than the creator's, and has no higher rate. */
  const within = async (wishes: TokenWishes): Promise<TokenWishes> => {
    const { expiresMs: endsMs, perSecond: most } =
      (await directory.tokensById([asker.token])).get(asker.token) ?? {}
    if (most !== undefined && wishes.perSecond !== undefined && wishes.perSecond > most) throw tooOften(most)
    const bounded = most === undefined ? wishes : { ...wishes, perSecond: wishes.perSecond ?? most }
    if (endsMs === undefined) return bounded
    const leftMs = endsMs - clock.nowMs()
    if (bounded.validMs !== undefined && bounded.validMs > leftMs) throw tooLong(endsMs)
    return { ...bounded, validMs: bounded.validMs ?? leftMs }
  }
  /** A token that outlives the creator's gets no further grants. */
  const checkOutliving = async ({ grants: held, expiresMs }: HubToken, grants: readonly Grant[]) => {
    const endsMs = (await directory.tokensById([asker.token])).get(asker.token)?.expiresMs
    if (endsMs === undefined || (expiresMs !== undefined && expiresMs <= endsMs)) return
    if (grants.some(({ project, scope }) => !may({ grants: held }, scope, project))) throw outlives(endsMs)
  }
  const watched = refusalsRecorded(directory, clock, by)
  return {
    nowMs: desk.nowMs,
    async tokens() {
      const { own, tokens } = await standing()
      return tokens.filter(token => isOwnToken(token, own))
    },
    async addToken(wishes) {
      const bounded = await watched({ action: 'hub token add', subject: wishes.name }, async () => {
        await checkGrants(wishes.grants)
        return within({ ...wishes, name: await nameFor(wishes.name) })
      })
      return desk.addToken(bounded)
    },
    async setGrants(id, grants) {
      await watched({ action: 'hub token set', subject: id }, async () => {
        const token = await ownToken(id)
        await checkGrants(grants)
        await checkOutliving(token, grants)
      })
      return desk.setGrants(id, grants)
    },
    async revokeToken(id) {
      await watched({ action: 'hub token revoke', subject: id }, () => ownToken(id))
      return desk.revokeToken(id)
    },
  }
}

function notTheirs(): CairnError {
  return new CairnError({
    code: 'token_not_found',
    message: 'There is no token with this id that is limited to your projects.',
    hint: 'A token for other projects too needs an administrator of the hub.',
  })
}

function nameTaken(name: string): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: `"${name.slice(0, 100)}" is also in projects that you do not administer.`,
    hint: 'Choose another name, or ask an administrator of the hub.',
  })
}

function tooOften(most: number): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: `Your own token is limited to ${most} requests a second, and yours cannot exceed that.`,
    hint: 'Give a lower --rate, or leave it out.',
  })
}

function outlives(endsMs: number): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: `That token lives longer than yours, which ends ${new Date(endsMs).toISOString()}: you cannot extend its grants.`,
    hint: 'Create another with `hub token add`, or ask an administrator of the hub.',
  })
}

function tooLong(endsMs: number): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: `Your own token ends ${new Date(endsMs).toISOString()}; a token that you create cannot end later.`,
    hint: 'Give a shorter --expires, or leave it out: it then ends with yours.',
  })
}
