import { CairnError } from '../../kernel/model/errors.ts'
import {
  EVERY_PROJECT,
  type Grant,
  type HubProject,
  type HubToken,
  type KnownPrincipal,
  type PrincipalKind,
  type StoredAuditRecord,
} from '../../kernel/model/hub.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import { digestOf, randomHex } from '../../kernel/system/digest.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import type { AuditFilter, HubDirectory, NewToken } from './decide/hub-directory.ts'
import { parsePrincipalName, parseProjectName } from './decide/project-name.ts'
import { ID_BYTES, SECRET_BYTES, tokenText } from './decide/token-text.ts'

export interface TokenWishes {
  readonly name: string
  readonly kind: PrincipalKind
  readonly grants: readonly Grant[]
  /** How long it is good for; absent: for ever. */
  readonly validMs?: number
  readonly perSecond?: number
}

export interface MadeToken {
  /** The whole of it: told here, and never again. */
  readonly token: string
  readonly listed: HubToken
}

/** Whoever administers, for the audit. */
export interface Administrator {
  readonly principal: string
  readonly token?: string
  /** An agent makes tokens for agents alone: with a person's it could confirm what it wrote. */
  readonly kind?: PrincipalKind
}

/** Where projects, tokens and principals of a hub are administered; each change is audited with who made it. */
export interface HubDesk {
  nowMs(): number
  projects(): Promise<readonly HubProject[]>
  addProject(name: string): Promise<HubProject>
  renameProject(name: string, to: string): Promise<HubProject>
  archiveProject(name: string): Promise<HubProject>
  restoreProject(name: string): Promise<HubProject>
  /** Only one that is archived. Throws `not_confirmed` otherwise. */
  removeProject(name: string): Promise<{ readonly entries: number }>
  principals(): Promise<readonly KnownPrincipal[]>
  disablePrincipal(name: string): Promise<KnownPrincipal>
  enablePrincipal(name: string): Promise<KnownPrincipal>
  tokens(): Promise<readonly HubToken[]>
  addToken(wishes: TokenWishes): Promise<MadeToken>
  /** The first administrator of an empty hub; undefined: there are tokens. */
  addFirstToken(): Promise<MadeToken | undefined>
  revokeToken(id: string): Promise<HubToken>
  setGrants(id: string, grants: readonly Grant[]): Promise<HubToken>
  audit(filter: AuditFilter): Promise<readonly StoredAuditRecord[]>
}

const FIRST_ADMINISTRATOR = 'admin'
const MAX_SUBJECT = 200

export function hubDesk(directory: HubDirectory, clock: Clock, by: Administrator): HubDesk {
  const watched = refusalsRecorded(directory, clock, by)
  /** What was refused or went wrong is audited as well, and what was done before the answer goes out. */
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
  /** Of a name that is known the kind stays as it was. */
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

/** Does the work, which may record how it went, and records why it was refused. */
export function refusalsRecorded(directory: HubDirectory, clock: Clock, by: Administrator) {
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

/** What the audit keeps of a name or a target: no secret, and not much of it. */
export function auditText(text: string): string {
  const plain = text.slice(0, 4 * MAX_SUBJECT).replace(/\p{Cc}/gu, '\ufffd')
  return redact(plain).text.slice(0, MAX_SUBJECT)
}

function onlyForAgents(): CairnError {
  return new CairnError({
    code: 'scope_missing',
    message: 'This token is an agent’s, and an agent makes tokens for agents alone.',
    hint: 'Ask a person who administers the hub for a token of the kind `user`.',
    details: { needs: 'admin' },
  })
}

function notArchived(name: string): CairnError {
  return new CairnError({
    code: 'not_confirmed',
    message: `"${name.slice(0, 100)}" is in use: only a project that is archived can be removed for good.`,
    hint: `Run \`cairn hub archive ${name.slice(0, 100)}\` first; \`cairn hub restore\` brings an archived one back.`,
  })
}
