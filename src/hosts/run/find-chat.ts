import type { SessionPorts } from '../../features/sessions/decide/ports.ts'
import { newSessionId } from '../../features/sessions/session-ids.ts'
import type { Memory } from '../../kernel/memory.ts'
import { type AgentCommand, type AgentHost, isAgentHost } from '../../kernel/model/agent-run.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { HOST_TITLES } from '../../kernel/model/host.ts'
import type { SessionHead } from '../../kernel/model/session.ts'

/** How many sessions of an agent are searched for a chat. */
const SESSIONS_LOOKED_AT = 1_000

interface FoundChat {
  readonly session: string
  /** The host that it belongs to, where that is known. */
  readonly host: AgentHost | undefined
  /** The chat to continue; undefined: a new one. */
  readonly chat: string | undefined
}

/** Which session a command belongs to, and which chat of its host continues in it. */
export async function findChat(memory: Memory & SessionPorts, command: AgentCommand): Promise<FoundChat> {
  const { agent, session, chat } = command
  const head =
    session !== undefined
      ? (await memory.sessions.conversationsOf(session)).find(each => each.agent === agent)
      : chat !== undefined
        ? await headOfChat(memory, agent, chat)
        : undefined
  const host = head !== undefined && isAgentHost(head.host) ? head.host : undefined
  const known = chat ?? head?.chat
  if (known !== undefined && host !== undefined && command.host !== undefined && command.host !== host) {
    throw new CairnError({
      code: 'invalid_input',
      message: `This chat is one of ${HOST_TITLES[host]}, and ${HOST_TITLES[command.host]} does not know it.`,
      hint: `Leave the host out, or begin a new chat without a session.`,
    })
  }
  return { session: head?.session ?? session ?? newSessionId(memory), host, chat: known }
}

/** Begun here under an id of ours, or captured from the host under its own. */
async function headOfChat(
  memory: SessionPorts,
  agent: string,
  chat: string,
): Promise<SessionHead | undefined> {
  const { sessions } = await memory.sessions.list({ agent, limit: SESSIONS_LOOKED_AT })
  const session = sessions.find(({ chats }) => chats[agent] === chat)?.session ?? chat
  return (await memory.sessions.conversationsOf(session)).find(head => head.agent === agent)
}
