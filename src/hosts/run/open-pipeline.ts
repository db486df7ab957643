import type { PromptPorts } from '../../features/brief/decide/ports.ts'
import { projectAt } from '../../features/projects/resolve-project.ts'
import type { SessionPorts } from '../../features/sessions/decide/ports.ts'
import { newSessionId } from '../../features/sessions/session-ids.ts'
import { appendMessages, listSessions, startSession } from '../../features/sessions/sessions.ts'
import type { Memory } from '../../kernel/memory.ts'
import { memoryFolderOf } from '../../kernel/memory-place.ts'
import {
  AGENT_HOSTS,
  type AgentCommand,
  type AgentEvent,
  type AgentHost,
  isAgentHost,
} from '../../kernel/model/agent-run.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { HOST_TITLES } from '../../kernel/model/host.ts'
import type { SessionHead } from '../../kernel/model/session.ts'
import { parseAgentName, withoutSecret } from '../../kernel/text/redaction/safe-names.ts'
import { type AgentRun, errorEvent, startAgentRun } from './agent-run.ts'
import type { AgentAllowances, AgentPipeline, AgentRunFiles, BegunRun } from './decide/agent-pipeline.ts'
import { hostWords } from './decide/host-program.ts'
import { type HostPrograms, hostMissing, openHostPrograms } from './host-programs.ts'

const MAX_COMMAND = 200_000

interface PipelineParts {
  readonly engine: () => Memory & PromptPorts & SessionPorts
  readonly allowances: AgentAllowances
  readonly runFiles: AgentRunFiles
  /** This runs inside an agent that Cairn started. */
  readonly isInternal: boolean
}

/**
 * Seed A, section 5, "Full flow in the agent pipeline":
 *
 *   command ▶ which chat? ▶ stored in its session ▶ persona + brief + command (a new chat), or the command alone
 *           ▶ the host's own program ▶ what it says, as events and into the session
 */
export function openPipeline({
  engine: current,
  allowances,
  runFiles,
  isInternal,
}: PipelineParts): AgentPipeline {
  const runBySession = new Map<string, AgentRun>()
  let known: Promise<HostPrograms> | undefined
  // One for all calls: it caches the version of a program.
  const programs = () => {
    known ??= openHostPrograms(memoryFolderOf(current()).root, allowances)
    return known
  }
  let isClosed = false

  const begin = async (given: AgentCommand): Promise<BegunRun> => {
    const memory = current()
    const command = checked(given)
    if (isInternal) throw insideItself()
    if (isClosed) throw closing()
    checkTrust(memory)
    const found = await findChat(memory, command)
    const host = hostFor(command, found.host, allowances)
    const hosts = await programs()
    const program = hosts.enabled(host)
    // Before anything is stored: an invalid chat or model is refused.
    hostWords(hosts.of(host), { chat: found.chat, model: command.model })
    const config = await memory.config()
    const { agent } = command
    const key = { session: found.session, agent }
    // Reading stores the draft of a run that was killed, before its place is taken.
    await memory.sessions.readEnd(key, 1)
    const atWork = (await runFiles.list()).filter(({ isAlive }) => isAlive)
    if (atWork.some(mark => mark.session === key.session && mark.agent === agent)) throw busy(key.session)
    if (atWork.length >= config['agents.atOnce']) throw tooMany(atWork.length)
    if (!(await runFiles.claim(key))) throw busy(key.session)
    try {
      const { head } = await startSession(memory, {
        ...key,
        host,
        chat: found.chat,
        ...(command.model !== undefined && { model: command.model }),
      })
      await appendMessages(memory, key, [{ role: 'user', text: command.command }])
      const isResumed = found.chat !== undefined
      const queue = eventQueue<AgentEvent>()
      queue.push({
        event: 'chat',
        data: {
          session: head.session,
          host,
          agentId: agent,
          isResumed,
          ...(found.chat !== undefined && { chatId: found.chat }),
        },
      })
      const run = startAgentRun({
        engine: memory,
        runFiles,
        key,
        host,
        hostProgram: hosts.of(host),
        program,
        command,
        chat: found.chat,
        emit: queue.push,
      })
      const ended = run.ended
        .finally(() => runFiles.release(key))
        .catch(error => queue.push(errorEvent(asFault(error))))
        .finally(() => {
          runBySession.delete(key.session)
          queue.close()
        })
      runBySession.set(key.session, { ...run, ended })
      return { session: head.session, agent, host, isResumed, events: queue.events }
    } catch (error) {
      await runFiles.release(key)
      throw error
    }
  }

  return {
    hosts: async () => (await programs()).standings(),
    async enable(host) {
      checkTrust(current())
      const hosts = await programs()
      const { program } = hosts.standing(host)
      if (program === undefined) throw hostMissing(host, hosts.of(host))
      allowances.enable(host, program)
      return hosts.standing(host)
    },
    disable: async host => allowances.disable(host),
    begin,
    async stop(session) {
      const run = runBySession.get(session)
      run?.stop()
      await run?.ended
      return run !== undefined
    },
    async chats({ agent, limit }) {
      const memory = current()
      const running = (await runFiles.list()).filter(({ isAlive }) => isAlive)
      const { sessions, problems } = await listSessions(memory, {
        limit,
        ...(agent !== undefined && { agent: parseAgentName(agent) }),
      })
      const chats = sessions.flatMap(({ session, host, state, activeAt, messages, doing, chats: byAgent }) =>
        Object.entries(byAgent).map(([name, chat]) => ({
          ...{ session, agent: name, host, chat, state, activeAt, messages },
          ...(doing !== undefined && { doing }),
          isRunning: running.some(mark => mark.session === session && mark.agent === name),
        })),
      )
      return {
        chats: agent === undefined ? chats : chats.filter(chat => chat.agent === agent.toLowerCase()),
        problems,
      }
    },
    async close() {
      isClosed = true
      const runs = [...runBySession.values()]
      for (const run of runs) run.stop()
      await Promise.all(runs.map(run => run.ended))
    },
  }
}

function checked(command: AgentCommand): AgentCommand {
  const agent = parseAgentName(withoutSecret('agent', command.agent))
  const text = command.command
  if (text.trim() === '' || text.length > MAX_COMMAND) {
    throw new CairnError({
      code: text.trim() === '' ? 'content_empty' : 'content_too_long',
      message: text.trim() === '' ? 'The command is empty.' : `The command has ${text.length} characters.`,
      hint: `A command has 1 to ${MAX_COMMAND} characters.`,
    })
  }
  return { ...command, agent }
}

/** The host that is named, that of the chat, or the only one that is enabled. */
function hostFor(
  command: AgentCommand,
  ofChat: AgentHost | undefined,
  allowances: AgentAllowances,
): AgentHost {
  const named = command.host ?? ofChat
  if (named !== undefined) return named
  const enabled = [...allowances.enabled().keys()]
  const [only] = enabled
  if (only !== undefined && enabled.length === 1) return only
  throw only === undefined
    ? new CairnError({
        code: 'agent_host_off',
        message: 'No host is enabled for this project, so none was started.',
        hint: '`cairn agent hosts` lists them, `cairn agent enable <host>` enables one.',
      })
    : new CairnError({
        code: 'invalid_input',
        message: `Several hosts are enabled here: ${enabled.join(', ')}.`,
        hint: `Name one of ${AGENT_HOSTS.filter(host => enabled.includes(host)).join(', ')} as the host.`,
      })
}

/** The content of an untrusted repository must not become a prompt, and nothing is run in it. */
function checkTrust(memory: Memory): void {
  const { isUserMemory } = memory
  const { root } = memoryFolderOf(memory)
  const { standing } = projectAt(root)
  if (standing === 'trusted' && !isUserMemory) return
  throw standing === 'none' || isUserMemory
    ? new CairnError({
        code: 'not_initialised',
        message: `${root} has no project memory.`,
        hint: '`cairn init` makes one.',
      })
    : new CairnError({
        code: 'not_trusted',
        message: `The memory in ${root} is not trusted: no agent is run with it.`,
        hint: '`cairn trust` shows what is in it and asks you to confirm.',
      })
}

function busy(session: string): CairnError {
  return new CairnError({
    code: 'agent_busy',
    message: `An agent is at work in session ${session}: one command at a time.`,
    hint: 'Wait for its answer, or stop it.',
    details: { session },
  })
}

function tooMany(count: number): CairnError {
  return new CairnError({
    code: 'agent_busy',
    message: `${count} agents are at work in this project.`,
    hint: 'Wait for one of them, or allow more with `cairn config set agents.atOnce`.',
  })
}

function insideItself(): CairnError {
  return new CairnError({
    code: 'agent_host_off',
    message: 'This runs inside an agent that Cairn started, and starts none itself.',
    hint: 'Unset CAIRN_INTERNAL if that is not so.',
  })
}

function closing(): CairnError {
  return new CairnError({
    code: 'agent_busy',
    message: 'This server is shutting down and starts no new runs.',
    hint: 'Start it again with `cairn up`.',
  })
}

/** A fault of ours ends the run, not the server; the listener gets an error event. */
function asFault(error: unknown): CairnError {
  if (error instanceof CairnError) return error
  return new CairnError({
    code: 'agent_host_failed',
    message: `The run failed: ${error instanceof Error ? error.message : String(error)}`,
    hint: 'The text until then is stored.',
    cause: error,
  })
}

interface EventQueue<Event> {
  push(event: Event): void
  close(): void
  /** For one listener, from the first event on. */
  readonly events: AsyncIterable<Event>
}

/** A listener may be slow, come late or leave: pushing never waits. After the listener has left nothing is stored. */
function eventQueue<Event>(): EventQueue<Event> {
  const waiting: Event[] = []
  let wake: (() => void) | undefined
  let isClosed = false
  let isLeft = false
  async function* listen(): AsyncGenerator<Event> {
    try {
      while (true) {
        const next = waiting.shift()
        if (next !== undefined) yield next
        else if (isClosed) return
        else
          await new Promise<void>(resolve => {
            wake = resolve
          })
      }
    } finally {
      isLeft = true
      waiting.length = 0
    }
  }
  const ring = () => {
    wake?.()
    wake = undefined
  }
  return {
    push(event) {
      if (isLeft || isClosed) return
      waiting.push(event)
      ring()
    },
    close() {
      isClosed = true
      ring()
    },
    events: listen(),
  }
}

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
async function findChat(memory: Memory & SessionPorts, command: AgentCommand): Promise<FoundChat> {
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
