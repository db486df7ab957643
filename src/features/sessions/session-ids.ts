import type { Memory } from '../../kernel/memory.ts'
import { parseAgentId } from '../../kernel/model/agent-id.ts'
import type { Config } from '../../kernel/model/config.ts'
import { newEntryId } from '../../kernel/model/entry-id.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { SessionKey } from '../../kernel/model/session.ts'
import { editDistance } from '../../kernel/text/edit-distance.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import { withoutSecret } from '../../kernel/text/redaction/safe-names.ts'
import type { SessionPorts } from './decide/ports.ts'

const NEAR_IDS = 5
const IDS_LOOKED_AT = 500

/** The conversation to use: the named agent's, the caller's, the only one, or that of the default agent. */
export async function sessionKey(
  memory: Memory & SessionPorts,
  { session, agent }: { readonly session: string; readonly agent?: string | undefined },
): Promise<SessionKey> {
  const config = await memory.config()
  const id = checkSessionId(session, config)
  if (agent !== undefined || memory.actor.agent !== undefined)
    return { session: id, agent: agentOf(memory, config, agent) }
  const heads = await memory.sessions.conversationsOf(id)
  const only = heads.length === 1 ? heads[0]?.agent : undefined
  return { session: id, agent: only ?? agentOf(memory, config, undefined) }
}

/** The agent whose checkpoint to use: of the named session, or of the agent itself. */
export async function agentMeant(
  memory: Memory & SessionPorts,
  { session, agent }: { readonly session?: string | undefined; readonly agent?: string | undefined },
): Promise<string> {
  if (session !== undefined) return (await sessionKey(memory, { session, agent })).agent
  return agentOf(memory, await memory.config(), agent)
}

export function agentOf(memory: Memory, config: Config, agent: string | undefined): string {
  return parseAgentId(withoutSecret('agent', agent ?? memory.actor.agent ?? config['vault.defaultAgent']))
}

/** An id becomes a file name and part of entries, so a secret in it is refused, not removed. */
export function checkSessionId(session: string, config: Config): string {
  if (session.length <= 4_096 && redact(session, redactionOptions(config)).redacted.length > 0) {
    throw new CairnError({
      code: 'session_id_invalid',
      message: 'The session id looks like a secret or an address. Nothing was written.',
      hint: 'Omit the id to get a new one. Change the secret if it was shared.',
    })
  }
  return session
}

/** `s-mhzq3v1k-4f8a9b`: the time, so that ids sort, and random characters, so that they are unique. */
export function newSessionId({ clock }: Memory): string {
  const chance = clock
    .random(36 ** 6)
    .toString(36)
    .padStart(6, '0')
  return `s-${Math.floor(clock.nowMs()).toString(36)}-${chance}`
}

/** The error for an unknown session, with similar ids. */
export async function sessionNotFound(
  memory: SessionPorts,
  session: string,
  agent?: string,
): Promise<CairnError> {
  const { sessions } = await memory.sessions.list({ limit: IDS_LOOKED_AT })
  const near = sessions
    .map(({ session: id, agents }) => ({ id, agents, distance: distanceOf(session, id) }))
    .filter(({ id, distance }) => distance <= Math.max(1, Math.min(3, Math.floor(id.length / 3))))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, NEAR_IDS)
  const same = near.find(({ id }) => id === session)
  const ids = near.map(({ id }) => id)
  const whose = agent === undefined || same === undefined ? '' : ` of ${agent}`
  const hint =
    same !== undefined
      ? `It has a conversation of ${same.agents.join(', ')}: name one with --agent.`
      : near.length > 0
        ? `Did you mean ${ids.join(', ')}? \`cairn sessions\` lists them all.`
        : '`cairn sessions` lists them.'
  return new CairnError({
    code: 'session_not_found',
    message: `There is no session ${shown(session)}${whose}.`,
    hint,
    details: { near: ids },
  })
}

function distanceOf(wanted: string, id: string): number {
  if (wanted === id) return 0
  const [a, b] = [wanted.toLowerCase(), id.toLowerCase()]
  if ((a.length >= 2 && b.startsWith(a)) || (a.length >= 4 && b.includes(a))) return 1
  return Math.max(a.length, b.length) > 100 ? 9 : editDistance(a, b, 3)
}

function shown(id: string): string {
  const line = id.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}

/** Increasing ids of events: one generator per batch. */
export function eventIds({ clock }: Memory): () => string {
  let lastMs = 0
  return () => {
    const id = newEntryId({ nowMs: clock.nowMs(), lastMs, random: clock.random })
    lastMs = Number.parseInt(id, 10)
    return id
  }
}
