import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { type Message, speakerOf } from '../../kernel/model/message.ts'
import type { Degradation, Problem } from '../../kernel/model/search.ts'
import type { Conversation, SessionMemory } from '../../kernel/model/session.ts'
import { seedSessionOf } from '../../kernel/system/session-names.ts'
import type { BriefPorts } from '../brief/decide/ports.ts'
import type { SearchPorts } from '../search/decide/ports.ts'
import { captureMessages } from '../sessions/capture-session.ts'
import type { SessionPorts } from '../sessions/decide/ports.ts'
import { sessionNotFound } from '../sessions/session-ids.ts'
import { checkpointSession } from '../sessions/sessions.ts'
import type { ClosingPorts } from './decide/ports.ts'
import { findAll, type LearningResult, learn } from './learn.ts'

/** Messages may arrive while a session is being closed. It is then closed again with them, at most this often. */
const MAX_ROUNDS = 3

export interface ClosedSession extends LearningResult {
  readonly session: string
  readonly agents: readonly string[]
  readonly messages: number
  /** Nothing was added since the last closing, so nothing was done. */
  readonly wasClosed: boolean
  readonly problems: readonly Problem[]
  readonly degraded: readonly Degradation[]
}

export interface CloseOptions {
  /** Reports the result without changing anything. */
  readonly isTrial?: boolean
  /** One of many in a row, and the other sessions were read a moment ago. Reading all of them for each one would take quadratic time. */
  readonly knowsOthers?: boolean
  /** The import that it belongs to; an import is undone as a whole. */
  readonly batch?: string
  /** `messages`: the seed's last six messages, for its REST route. */
  readonly handoffForm?: 'composed' | 'messages'
  /** `compaction`: upkeep distils sessions that were left open. */
  readonly foundBy?: 'close' | 'compaction'
}

/**
 * What a session leaves behind:
 *
 *   conversations ▶ last checkpoint ▶ findings ▶ evidence ▶ promotion ▶ one mutation (entries, handoff)
 *                 ▶ sessions/{session}.memory.json ▶ an event ▶ conversations/{agent}/{session}.json
 *
 * The process may be killed after any step: closing again continues from there and adds nothing twice.
 */
export async function closeSession(
  memory: Memory & ClosingPorts,
  session: string,
  options: CloseOptions = {},
): Promise<ClosedSession> {
  const isTrial = options.isTrial === true
  let record: string | null = null
  for (let round = 1; ; round++) {
    const conversations = await conversationsOf(memory, session)
    const known = await memory.sessions.findMemory(session)
    const wasClosed = isCovered(conversations, known) && known !== undefined
    // A conversation from elsewhere can be imported again: it is never continued from a checkpoint.
    if (!isTrial && !wasClosed)
      for (const { head, state } of conversations)
        if (head.host !== 'import' && head.source === undefined && state !== 'closed')
          await checkpointSession(memory, head)
    const { found, notes } = wasClosed ? { found: [], notes: [] } : await findAll(memory, conversations)
    const learnt = wasClosed
      ? nothingNew(known)
      : await learn(memory, {
          session,
          conversations,
          found,
          known,
          isTrial,
          ...(options.knowsOthers === true && { knowsOthers: true }),
          ...(options.batch !== undefined && { batch: options.batch }),
          ...(options.handoffForm !== undefined && { handoffForm: options.handoffForm }),
          ...(options.foundBy !== undefined && { foundBy: options.foundBy }),
        })
    record = learnt.record ?? record
    if (!isTrial && !wasClosed) await recordUse(memory, session, { conversations, known })
    const closed: ClosedSession = {
      session,
      agents: conversations.map(({ head }) => head.agent),
      messages: conversations.reduce((sum, { messages, trimmed }) => sum + messages.length + trimmed, 0),
      wasClosed,
      ...learnt,
      record,
      problems: conversations.flatMap(({ problems }) => problems),
      degraded: [...notes, ...memory.store.takeDegraded(), ...memory.semantics.takeDegraded()],
    }
    if (isTrial) return closed
    if ((await settleAll(memory, conversations)) || round === MAX_ROUNDS) return closed
  }
}

/**
 * Sessions that were left open: their process had no time to close them, or they became idle. A sleeping session waits until its
 * checkpoint expires.
 */
export async function sessionsLeft(memory: Memory & SessionPorts): Promise<readonly string[]> {
  const config = await memory.config()
  const idleMs = {
    open: config['session.idleHours'] * 3_600_000,
    asleep: config['session.checkpointDays'] * 86_400_000,
  }
  const nowMs = memory.clock.nowMs()
  const busy = new Set<string>()
  const left = new Set<string>()
  for (const { session, state, activeAt } of await memory.sessions.unclosed()) {
    const isLeft = state === 'ending' || nowMs - Date.parse(activeAt) >= idleMs[state]
    if (isLeft) left.add(session)
    else busy.add(session)
  }
  return [...left].filter(session => !busy.has(session))
}

/** A session that cannot be closed does not block the others, and only so many failures are tried in one run. */
const MAX_PROBLEMS = 10

export interface PickedUp {
  readonly closed: readonly ClosedSession[]
  /** Sessions that could not be closed, with the reason. The others are closed. */
  readonly problems: readonly Problem[]
}

export async function pickUpSessions(
  memory: Memory & ClosingPorts,
  { most = Number.POSITIVE_INFINITY }: { readonly most?: number } = {},
): Promise<PickedUp> {
  const closed: ClosedSession[] = []
  const problems: Problem[] = []
  for (const session of await sessionsLeft(memory)) {
    if (closed.length >= most || problems.length >= MAX_PROBLEMS) break
    try {
      closed.push(await closeSession(memory, session))
    } catch (error) {
      if (!(error instanceof CairnError)) throw error
      const { code, message, hint } = error
      problems.push({
        code,
        path: `sessions/${session}`,
        message: `Session ${session} stays open: ${message}`,
        hint,
      })
    }
  }
  return { closed, problems }
}

/** Throws `session_not_found`. */
export async function conversationsOf(
  memory: Memory & SessionPorts,
  session: string,
): Promise<Conversation[]> {
  const heads = await memory.sessions.conversationsOf(session)
  const conversations: Conversation[] = []
  for (const head of heads) {
    const conversation = await memory.sessions.read(head)
    if (conversation !== undefined) conversations.push(await withoutSecrets(memory, conversation))
  }
  if (conversations.length > 0) return conversations
  throw await sessionNotFound(memory, session)
}

/** What Cairn stored contains no secrets; a file of seed A is as its client wrote it. */
export async function withoutSecrets(memory: Memory, conversation: Conversation): Promise<Conversation> {
  const { head, activeAt, messages } = conversation
  if (head.session !== seedSessionOf(head.agent)) return conversation
  const captured = await captureMessages(memory, messages, { config: await memory.config(), now: activeAt })
  return {
    ...conversation,
    messages: captured.messages.map(({ at, ...message }, number) =>
      messages[number]?.at === undefined ? message : { ...message, ...(at !== undefined && { at }) },
    ),
  }
}

/** Distilled before, with no message since. */
function isCovered(conversations: readonly Conversation[], known: SessionMemory | undefined): boolean {
  return conversations.every(
    ({ head, messages, trimmed }) => known?.distilled?.[head.agent] === messages.length + trimmed,
  )
}

function nothingNew({ findings, summary }: SessionMemory): LearningResult {
  return { findings, added: [], strengthened: [], replaced: [], handoffs: [], summary, record: null }
}

/** false: a message arrived meanwhile. */
async function settleAll(memory: SessionPorts, conversations: readonly Conversation[]): Promise<boolean> {
  let isSettled = true
  for (const { head, state, messages, trimmed } of conversations) {
    if (state === 'closed') continue
    const done = await memory.sessions.settle(head, { messages, trimmed, expected: messages.length })
    isSettled &&= done
  }
  return isSettled
}

/**
 * Counts the use of entries that were injected into a session: the agent named one by its id, or edited a file that one names. Injection
 * alone is not a use (SPEC, section 5). Only messages since the last closing count, so closing twice counts once.
 */
async function recordUse(
  memory: Memory & SearchPorts & BriefPorts,
  session: string,
  { conversations, known }: { conversations: readonly Conversation[]; known: SessionMemory | undefined },
): Promise<void> {
  const { sessionKeyOf } = await import('../brief/brief.ts')
  const injected = await memory.briefs.sentIn(sessionKeyOf(session))
  if (injected.size === 0) return
  const messages = conversations.flatMap(({ head, messages: all, trimmed }) =>
    all.slice(Math.max(0, (known?.distilled?.[head.agent] ?? 0) - trimmed)),
  )
  const edited = new Set(messages.flatMap(({ run }) => (run?.isEdit === true ? (run.files ?? []) : [])))
  const entryById = await memory.search.loadEntries([...injected])
  const used = [...entryById.values()].filter(
    ({ id, files }) => files.some(file => edited.has(file)) || messages.some(message => names(message, id)),
  )
  await memory.store.recordAccess(used.map(({ id }) => id))
}

function names({ role, text }: Message, id: string): boolean {
  return speakerOf(role) === 'agent' && text.includes(id)
}
