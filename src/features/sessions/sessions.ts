import type { Memory } from '../../kernel/memory.ts'
import type { Config } from '../../kernel/model/config.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { MemoryEvent } from '../../kernel/model/event.ts'
import type { Message, ToolRun } from '../../kernel/model/message.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type {
  Checkpoint,
  ConversationEnd,
  SessionHead,
  SessionKey,
  SessionOverview,
  SessionState,
} from '../../kernel/model/session.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import { remember } from '../entries/write-entries.ts'
import type { FreshnessPorts } from '../freshness/decide/ports.ts'
import { spokenTextOf } from '../learning/decide/spoken-text.ts'
import { captureHead, captureMessages } from './capture-session.ts'
import { parseMessage } from './decide/parse-message.ts'
import type { SessionPorts } from './decide/ports.ts'
import { eventOfRun } from './decide/session-events.ts'
import type { AppendedMessages, MessageNumbering } from './decide/session-files.ts'
import { agentOf, checkSessionId, eventIds, newSessionId, sessionNotFound } from './session-ids.ts'
import { withAllowedSummaries } from './session-summaries.ts'

const DAY_MS = 86_400_000
export const DOING_CHARACTERS = 200
/** How many earlier messages `eventOfRun` gets to compare a check with. */
const EARLIER_MESSAGES = 50

export interface NewSession {
  /** A new id is made if it is missing. */
  readonly session?: string | undefined
  readonly agent?: string | undefined
  readonly host?: string | undefined
  /** The host's name for it, to resume it there. */
  readonly chat?: string | undefined
  readonly model?: string | undefined
  readonly parent?: string | undefined
}

export interface StartedSession {
  readonly head: SessionHead
  readonly isNew: boolean
}

/** Starts a session, or finds an existing one, which is opened again. */
export async function startSession(
  memory: Memory & SessionPorts,
  input: NewSession = {},
): Promise<StartedSession> {
  const config = await memory.config()
  const { session = newSessionId(memory), host = memory.actor.host, chat, model, parent } = input
  const head: SessionHead = {
    session,
    agent: agentOf(memory, config, input.agent),
    host,
    startedAt: now(memory),
    ...(parent !== undefined && { parent }),
    ...(chat !== undefined && { chat }),
    ...(model !== undefined && { model }),
  }
  return memory.sessions.start(captureHead(head, config))
}

export interface SkippedMessage {
  /** Its index among the sent messages, from 0. */
  readonly index: number
  readonly code: string
  readonly message: string
}

export interface AppendReport extends AppendedMessages {
  /** How many secrets and addresses were removed. */
  readonly redacted: number
  /** Messages that were too long: their beginning and end are stored. */
  readonly cut: number
  /** Not stored: they have no text or no speaker. */
  readonly skipped: readonly SkippedMessage[]
  /** Whether a checkpoint was saved too. */
  readonly checkpoint: boolean
}

/**
 * Adds messages to a conversation, which is started if necessary. `at` is the number of the first one in the host's own count: stored
 * messages are skipped, so that sending them again changes nothing.
 */
export async function appendMessages(
  memory: Memory & SessionPorts,
  key: SessionKey,
  messages: readonly Message[],
  { at }: { readonly at?: number | undefined } = {},
): Promise<AppendReport> {
  const config = await memory.config()
  const nowMs = memory.clock.nowMs()
  const skipped: SkippedMessage[] = []
  const stored: { index: number; message: Message }[] = []
  messages.forEach((value, index) => {
    const { message, trouble } = parseMessage(value, nowMs)
    if (message !== undefined) stored.push({ index, message })
    else if (trouble !== undefined)
      skipped.push({ index, code: trouble.code, message: `It ${trouble.message}.` })
  })
  const captured = await captureMessages(
    memory,
    stored.map(({ message }) => message),
    { config, now: now(memory) },
  )
  const numbering: MessageNumbering | undefined =
    at === undefined ? undefined : { kind: 'numbered', numbers: stored.map(({ index }) => at + index) }
  const appended = await appendOrStart(memory, key, captured.messages, numbering)
  const checkpoint = await checkpointWhenDue(memory, config, key, appended)
  return { ...appended, redacted: captured.redacted, cut: captured.cut, skipped, checkpoint }
}

export interface RunReport extends AppendedMessages {
  readonly redacted: number
  /** Their events. */
  readonly events: readonly MemoryEvent[]
}

/** Adds tool runs to a conversation and to the event stream. They do not count in the host's own count of messages. */
export async function recordRuns(
  memory: Memory & SessionPorts,
  key: SessionKey,
  runs: readonly ToolRun[],
  /** When each one ran, if that was earlier. UTC ISO. */
  { at }: { readonly at?: readonly string[] } = {},
): Promise<RunReport> {
  const config = await memory.config()
  const before = await memory.sessions.readEnd(key, EARLIER_MESSAGES)
  const earlier = (before?.messages ?? []).flatMap(({ run }) => run ?? [])
  const { messages, redacted } = await captureMessages(
    memory,
    runs.map((run, index) => ({
      role: 'tool',
      text: '',
      run,
      ...(at?.[index] !== undefined && { at: at[index] }),
    })),
    { config, now: now(memory) },
  )
  const appended = await appendOrStart(memory, key, messages, { kind: 'aside' })
  const redaction = redactionOptions(config)
  const newId = eventIds(memory)
  const events: MemoryEvent[] = []
  messages.forEach(({ run, at }, index) => {
    if (run === undefined) return
    const message = appended.first + index
    const event = eventOfRun({ key, run, at: at ?? now(memory), message, newId, earlier, redaction })
    if (event !== undefined) events.push(event)
    earlier.push(run)
  })
  const added = events.length === 0 ? [] : await memory.events.append(events)
  await checkpointWhenDue(memory, config, key, appended)
  return { ...appended, redacted, events: added }
}

/**
 * Records the events of runs that are already in the conversation: the process may have died before it stored their events. Existing
 * events do not change.
 */
export async function recordEventsAgain(
  memory: Memory & SessionPorts,
  key: SessionKey,
  isMeant: (message: Message) => boolean,
): Promise<void> {
  const { messages = [], trimmed = 0 } = (await memory.sessions.read(key)) ?? {}
  const redaction = redactionOptions(await memory.config())
  const newId = eventIds(memory)
  const earlier: ToolRun[] = []
  const events = messages.flatMap((message, index) => {
    const { run, at } = message
    if (run === undefined) return []
    const where = { key, run, at: at ?? now(memory), message: trimmed + index, newId, earlier, redaction }
    const event = isMeant(message) ? eventOfRun(where) : undefined
    earlier.push(run)
    return event === undefined ? [] : [event]
  })
  if (events.length > 0) await memory.events.append(events)
}

/** Saves the last messages as a checkpoint for a new process. Throws `session_not_found`. */
export async function checkpointSession(memory: Memory & SessionPorts, key: SessionKey): Promise<Checkpoint> {
  const config = await memory.config()
  const end = await memory.sessions.readEnd(key, config['session.checkpointMessages'])
  if (end === undefined) throw await sessionNotFound(memory, key.session, key.agent)
  return saveCheckpoint(memory, end)
}

export interface Recovery {
  readonly checkpoint: Checkpoint | undefined
  /** Why there is no checkpoint to use. */
  readonly reason?: string
  readonly problems: readonly Problem[]
}

/** The last messages of a session, or of the agent's newest one, if they are recent enough to continue from. */
export async function recoverSession(
  memory: Memory & SessionPorts,
  agent: string,
  session?: string,
): Promise<Recovery> {
  const config = await memory.config()
  const { checkpoint, problems } = await memory.sessions.findCheckpoint(agent, session)
  if (checkpoint === undefined) {
    const whose = session === undefined ? agent : `session ${session} of ${agent}`
    const reason =
      problems.length === 0 ? `${whose} has no checkpoint` : `no checkpoint of ${whose} can be read`
    return { checkpoint: undefined, reason, problems }
  }
  const days = config['session.checkpointDays']
  if (memory.clock.nowMs() - checkpoint.savedAt > days * DAY_MS) {
    const saved = new Date(checkpoint.savedAt).toISOString().slice(0, 16)
    const reason = `the checkpoint of ${saved} is older than ${days} days`
    return { checkpoint: undefined, reason, problems }
  }
  const messages = checkpoint.messages.filter(message => message.internal !== true)
  return { checkpoint: { ...checkpoint, messages }, problems }
}

export interface SleptSession {
  /** Absent without messages since the last sleep. */
  readonly handoff?: Entry
  readonly checkpoint: Checkpoint
  /** The change that `undo` reverts; null: there is no handoff. */
  readonly record: string | null
}

/** Puts a session to sleep: writes a handoff, a checkpoint and the new state. Throws `session_not_found`. */
export async function sleepSession(
  memory: Memory & SessionPorts & FreshnessPorts,
  key: SessionKey,
  { summary }: { readonly summary?: string | undefined } = {},
): Promise<SleptSession> {
  const config = await memory.config()
  const end = await memory.sessions.readEnd(key, config['session.checkpointMessages'])
  if (end === undefined) throw await sessionNotFound(memory, key.session, key.agent)
  const isNews = summary !== undefined || (end.state !== 'asleep' && end.state !== 'closed')
  const content = summary ?? (isNews ? await handoffOf(memory, key, config['vault.maxEntryBytes']) : '')
  let handoff: Entry | undefined
  let record: string | null = null
  if (isNews && content !== '') {
    const [stored] = await remember(memory, [
      {
        content,
        agent: key.agent,
        category: 'handoffs',
        kind: 'handoff',
        origin: 'machine',
        // It repeats the conversation and concludes nothing, so it needs no evidence.
        status: 'confirmed',
        tags: ['auto-handoff', 'session-sleep'],
        session: key.session,
      },
    ])
    handoff = stored?.entry
    record = stored?.record ?? null
  }
  const checkpoint = await saveCheckpoint(memory, end)
  if (end.state !== 'closed' && end.state !== 'asleep')
    await memory.sessions.setState(key, 'asleep', now(memory))
  return { ...(handoff !== undefined && { handoff }), checkpoint, record }
}

/** A session that was put to sleep leaves a handoff even if it is short. */
async function handoffOf(memory: SessionPorts, key: SessionKey, maxBytes: number): Promise<string> {
  const { composeHandoff } = await import('./decide/handoff.ts')
  const conversation = await memory.sessions.read(key)
  return conversation === undefined ? '' : composeHandoff(conversation.messages, { always: true, maxBytes })
}

/**
 * The fast path for a process about to die: saves the last messages as a checkpoint and appends one line with the state `ending`. It reads
 * a bounded part of the file, waits for no lock and distils nothing; the next process closes the session.
 */
export async function endSession(
  memory: Memory & SessionPorts,
  key: SessionKey,
): Promise<{ readonly state: SessionState }> {
  const config = await memory.config()
  const end = await memory.sessions.readEnd(key, config['session.checkpointMessages'])
  if (end === undefined) throw await sessionNotFound(memory, key.session, key.agent)
  if (end.state === 'closed') return { state: 'closed' }
  await saveCheckpoint(memory, end)
  await memory.sessions.setState(key, 'ending', now(memory))
  return { state: 'ending' }
}

export interface ForkedSession {
  readonly session: string
  readonly parent: string
  readonly agents: readonly { readonly agent: string; readonly messages: number }[]
}

/** Copies every agent's conversation to a new id. Both sessions continue independently. */
export async function forkSession(
  memory: Memory & SessionPorts,
  { session }: Pick<SessionKey, 'session'>,
  { as }: { readonly as?: string | undefined } = {},
): Promise<ForkedSession> {
  const config = await memory.config()
  const heads = await memory.sessions.conversationsOf(session)
  if (heads.length === 0) throw await sessionNotFound(memory, session)
  const copy = as === undefined ? newSessionId(memory) : checkSessionId(as, config)
  if ((await memory.sessions.conversationsOf(copy)).length > 0) {
    throw new CairnError({
      code: 'session_exists',
      message: `A session ${copy} already exists.`,
      hint: 'Choose another id, or omit it to get a new one.',
    })
  }
  const agents: { agent: string; messages: number }[] = []
  for (const { chat: _, ...head } of heads) {
    // The chat stays with the original: two sessions cannot resume the same one.
    const forked = { ...head, session: copy, parent: session, startedAt: now(memory) }
    const { count } = await memory.sessions.fork({ session, agent: head.agent }, forked)
    if (count > 0) await checkpointSession(memory, forked)
    agents.push({ agent: head.agent, messages: count })
  }
  return { session: copy, parent: session, agents }
}

export interface ResumedSession {
  readonly session: string
  readonly conversations: readonly (SessionHead & {
    /** Its previous state. */
    readonly was: SessionState
    readonly recovery: Recovery
  })[]
}

/** Opens a session again, one agent's conversation or all of them, with the data that its host needs to continue. */
export async function resumeSession(
  memory: Memory & SessionPorts,
  { session, agent }: { readonly session: string; readonly agent?: string | undefined },
): Promise<ResumedSession> {
  const all = await memory.sessions.conversationsOf(session)
  const heads = agent === undefined ? all : all.filter(head => head.agent === agent)
  if (heads.length === 0) throw await sessionNotFound(memory, session, agent)
  const conversations = []
  for (const head of heads) {
    const end = await memory.sessions.readEnd(head, 1)
    await memory.sessions.start(head)
    const recovery = await recoverSession(memory, head.agent, session)
    conversations.push({ ...head, was: end?.state ?? 'open', recovery })
  }
  return { session, conversations }
}

export async function listSessions(
  memory: Memory & SessionPorts,
  query: {
    readonly limit: number
    readonly offset?: number
    readonly agent?: string
    readonly state?: SessionState
  },
): Promise<{
  readonly sessions: readonly SessionOverview[]
  readonly total: number
  readonly problems: readonly Problem[]
}> {
  const { sessions, total, problems } = await memory.sessions.list(query)
  const shown = await withAllowedSummaries(memory, sessions.map(withoutInjected))
  return { sessions: shown.sessions, total, problems: [...problems, ...shown.problems] }
}

/** The files store the user's last message; only the request in it is shown. */
function withoutInjected({ doing, ...overview }: SessionOverview): SessionOverview {
  const asked = doing === undefined ? undefined : spokenTextOf({ role: 'user', text: doing })
  return { ...overview, ...(asked !== undefined && { doing: asked.slice(0, DOING_CHARACTERS) }) }
}

async function appendOrStart(
  memory: Memory & SessionPorts,
  key: SessionKey,
  messages: readonly Message[],
  numbering: MessageNumbering | undefined,
): Promise<AppendedMessages> {
  try {
    return await memory.sessions.append(key, messages, numbering)
  } catch (error) {
    if (!(error instanceof CairnError) || error.code !== 'session_not_found') throw error
    await startSession(memory, key)
    return memory.sessions.append(key, messages, numbering)
  }
}

async function checkpointWhenDue(
  memory: Memory & SessionPorts,
  config: Config,
  key: SessionKey,
  { first, added }: AppendedMessages,
): Promise<boolean> {
  const every = config['session.checkpointEvery']
  if (every === 0 || Math.floor(first / every) === Math.floor((first + added) / every)) return false
  await checkpointSession(memory, key)
  return true
}

async function saveCheckpoint(
  memory: Memory & SessionPorts,
  { head, messages }: ConversationEnd,
): Promise<Checkpoint> {
  const checkpoint: Checkpoint = {
    version: 1,
    agentId: head.agent,
    sessionId: head.session,
    savedAt: memory.clock.nowMs(),
    messages,
    ...(head.chat !== undefined && { chatId: head.chat }),
    ...(head.model !== undefined && { modelId: head.model }),
  }
  await memory.sessions.saveCheckpoint(checkpoint)
  return checkpoint
}

function now({ clock }: Memory): string {
  return new Date(clock.nowMs()).toISOString()
}
