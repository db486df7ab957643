import { CairnError } from '../../kernel/model/errors.ts'
import { EVERY_PROJECT, type Grant, type HubToken, type Principal } from '../../kernel/model/hub.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import type { HubDirectory } from './decide/hub-directory.ts'
import { administered, isOwnToken, judgeGrants, nameToGive } from './decide/own-tokens.ts'
import { may } from './decide/permission.ts'
import { refusal } from './gate.ts'
import { type HubDesk, hubDesk, refusalsRecorded, type TokenWishes } from './hub-desk.ts'

/** What of the desk is for whoever administers a project, and not the hub. */
export type TokenDesk = Pick<HubDesk, 'nowMs' | 'tokens' | 'addToken' | 'setGrants' | 'revokeToken'>

/**
 * The tokens of the projects that somebody administers: they make, see, change and take back those that are for these projects alone. What
 * reaches further answers as if it were not there. What was refused is audited as on the desk of the hub.
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
  /** What they give ends no later than what they have, and asks no more often. */
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
  /** One that outlives theirs gets no more from them than it has. */
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
    message: 'There is no token of that id that is for your projects alone.',
    hint: 'One that is also for others is for whoever administers the hub.',
  })
}

function nameTaken(name: string): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: `"${name.slice(0, 100)}" is also in projects that you do not administer.`,
    hint: 'Choose another name, or ask whoever administers the hub.',
  })
}

function tooOften(most: number): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: `Your own token may ask ${most} times a second, and what you give asks no more often.`,
    hint: 'Say less with --rate, or leave it out.',
  })
}

function outlives(endsMs: number): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: `That token is good for longer than your own, which ends ${new Date(endsMs).toISOString()}: you cannot give it more than it has.`,
    hint: 'Make another with `hub token add`, or ask whoever administers the hub.',
  })
}

function tooLong(endsMs: number): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: `Your own token ends ${new Date(endsMs).toISOString()}, and what you give ends no later.`,
    hint: 'Say less with --expires, or leave it out: it then ends with yours.',
  })
}
