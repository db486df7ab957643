import { CairnError } from '../model/errors.ts'
import { EVERY_PROJECT, type Grant, type HubToken, type Principal } from '../model/hub.ts'
import type { HubDirectory } from '../pipeline/hub/hub-directory.ts'
import { administered, isNameToGive, isOwnToken, judgeGrants } from '../pipeline/hub/own-tokens.ts'
import type { Clock } from '../system/clock.ts'
import { refusal } from './gate.ts'
import { type HubDesk, hubDesk, refusalsRecorded, type TokenWishes } from './hub-desk.ts'

/** What of the desk is for whoever administers a project, and not the hub. */
export type TokenDesk = Pick<HubDesk, 'nowMs' | 'tokens' | 'addToken' | 'setGrants' | 'revokeToken'>

/**
 * The tokens of the projects that somebody administers: they make, see, change and take back those that are for these projects alone. What
 * reaches further answers as if it were not there. What was refused is audited as on the desk of the hub.
 */
export function projectDesk(directory: HubDirectory, clock: Clock, asker: Principal): TokenDesk {
  const by = { principal: asker.name, token: asker.token }
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
  const checkName = async (name: string) => {
    const { own, tokens } = await standing()
    const isKnown = (await directory.principals()).some(each => each.name === name)
    if (!isNameToGive(name, asker, { own, tokens, isKnown })) throw nameTaken(name)
  }
  /** What they give ends no later than what they have. */
  const within = async (wishes: TokenWishes): Promise<TokenWishes> => {
    const endsMs = (await directory.tokensById([asker.token])).get(asker.token)?.expiresMs
    if (endsMs === undefined) return wishes
    const leftMs = endsMs - clock.nowMs()
    if (wishes.validMs !== undefined && wishes.validMs > leftMs) throw tooLong(endsMs)
    return { ...wishes, validMs: wishes.validMs ?? leftMs }
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
        await checkName(wishes.name)
        return within(wishes)
      })
      return desk.addToken(bounded)
    },
    async setGrants(id, grants) {
      await watched({ action: 'hub token set', subject: id }, async () => {
        await ownToken(id)
        await checkGrants(grants)
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
    message: `"${name.slice(0, 100)}" is not only in your projects: a token of yours would speak in that name.`,
    hint: 'Choose another name, or ask whoever administers the hub.',
  })
}

function tooLong(endsMs: number): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: `Your own token ends ${new Date(endsMs).toISOString()}, and what you give ends no later.`,
    hint: 'Say less with --expires, or leave it out: it then ends with yours.',
  })
}
