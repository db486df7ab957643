import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Message } from '../../kernel/model/message.ts'
import type { Checkpoint, Conversation, SessionHead, SessionKey } from '../../kernel/model/session.ts'
import { parseAgentName } from '../../kernel/text/redaction/safe-names.ts'
import { captureHead, captureMessages } from './capture-session.ts'
import { alignConversation, type NewMessages } from './decide/closed-conversation.ts'
import { parseMessage } from './decide/parse-message.ts'
import type { SessionPorts } from './decide/ports.ts'
import { newSessionId } from './session-ids.ts'
import { startSession } from './sessions.ts'

/** How many of the newest sessions are searched for a conversation without an id. */
const LOOKED_IN = 5

export interface ConversationToSave {
  readonly agent: string
  readonly messages: readonly unknown[]
  /** Without it: the agent's session with the same messages, or a new one. */
  readonly session?: string | undefined
  readonly chat?: string | undefined
  readonly model?: string | undefined
}

interface SavedConversation extends SessionKey {
  readonly added: number
  /** How many messages the conversation has had. */
  readonly count: number
  readonly isNew: boolean
  /** Messages without a text or a speaker. */
  readonly skipped: number
  readonly redacted: number
}

const turns = new WeakMap<Memory['store'], Promise<unknown>>()

/** One at a time: when a page saves while it closes, the second save must find the messages of the first. */
export function saveConversation(
  memory: Memory & SessionPorts,
  whole: ConversationToSave,
): Promise<SavedConversation> {
  return inTurn(memory, () => save(memory, whole))
}

/** The same, with a checkpoint of its end, for a page that may be closed at any moment. */
export function saveWithCheckpoint(
  memory: Memory & SessionPorts,
  whole: ConversationToSave,
): Promise<{ readonly saved: SavedConversation; readonly checkpoint: Checkpoint }> {
  return inTurn(memory, async () => {
    const saved = await save(memory, whole)
    const config = await memory.config()
    const { messages } = await captured(memory, whole.messages)
    const { session, agent } = saved
    const { chat, model } = captureHead(
      { ...whole, session, agent, host: '', startedAt: '' } as SessionHead,
      config,
    )
    const checkpoint: Checkpoint = {
      version: 1,
      agentId: agent,
      sessionId: session,
      savedAt: memory.clock.nowMs(),
      messages: messages
        .filter(({ internal }) => internal !== true)
        .slice(-config['session.checkpointMessages']),
      ...(chat !== undefined && { chatId: chat }),
      ...(model !== undefined && { modelId: model }),
    }
    await memory.sessions.saveCheckpoint(checkpoint)
    return { saved, checkpoint }
  })
}

function inTurn<T>(memory: Memory, work: () => Promise<T>): Promise<T> {
  const before = turns.get(memory.store) ?? Promise.resolve()
  const mine = before.then(work, work)
  turns.set(
    memory.store,
    mine.catch(() => undefined),
  )
  return mine
}

async function save(memory: Memory & SessionPorts, whole: ConversationToSave): Promise<SavedConversation> {
  const agent = parseAgentName(whole.agent)
  const { messages, skipped, redacted } = await captured(memory, whole.messages)
  if (messages.length === 0) {
    throw new CairnError({
      code: 'content_empty',
      message: 'The conversation has no message with a text.',
      hint: 'For example: "messages": [{ "role": "user", "text": "Why is the build slow?" }]',
    })
  }
  const found = await find(memory, { agent, session: whole.session, chat: whole.chat, messages })
  const session = found?.session ?? whole.session ?? newSessionId(memory)
  const key = { session, agent }
  const { messages: news, grown } = found?.news ?? { messages }
  const isKnown = found !== undefined && news.length === 0 && grown === undefined
  const started = (await startOnce(memory, { ...whole, ...key }, isKnown)) ?? key
  const isRest = grown !== undefined && !(await memory.sessions.growLast(started, grown.whole))
  const added = isRest ? [grown.rest, ...news] : news
  const appended = added.length === 0 ? undefined : await memory.sessions.append(started, added)
  return {
    session,
    agent,
    added: appended?.added ?? 0,
    count: appended?.count ?? found?.count ?? 0,
    isNew: found === undefined,
    skipped,
    redacted,
  }
}

/** A closed conversation is not opened again without new messages. */
async function startOnce(
  memory: Memory & SessionPorts,
  { session, agent, chat, model }: ConversationToSave & SessionKey,
  isStored: boolean,
): Promise<SessionKey | undefined> {
  if (isStored) return undefined
  const { head } = await startSession(memory, { session, agent, chat, model })
  return head
}

interface Found {
  readonly session: string
  readonly news: NewMessages
  readonly count: number
}

async function find(
  memory: SessionPorts,
  asked: {
    readonly agent: string
    readonly session: string | undefined
    readonly chat: string | undefined
    readonly messages: readonly Message[]
  },
): Promise<Found | undefined> {
  const { agent, session, chat, messages } = asked
  if (session !== undefined) {
    const stored = await memory.sessions.read({ session, agent })
    if (stored === undefined) return undefined
    const aligned = alignConversation(said(stored), messages, { isTrimmed: stored.trimmed > 0 })
    // A named session is used even if only new messages were sent.
    return { session, news: aligned ?? { messages, known: 0 }, count: countOf(stored) }
  }
  const { sessions } = await memory.sessions.list({ limit: LOOKED_IN, agent })
  const named = chat === undefined ? [] : sessions.filter(({ chats }) => chats[agent] === chat)
  for (const candidate of new Set([...named, ...sessions])) {
    const other = candidate.chats[agent]
    if (chat !== undefined && other !== undefined && other !== chat) continue
    const stored = await memory.sessions.read({ session: candidate.session, agent })
    if (stored === undefined || said(stored).length === 0) continue
    const aligned = alignConversation(said(stored), messages, { isTrimmed: stored.trimmed > 0 })
    if (aligned !== undefined) return { session: candidate.session, news: aligned, count: countOf(stored) }
  }
  return undefined
}

/** Without the tool runs that hooks reported, which are stored between the messages. */
function said({ messages }: Conversation): readonly Message[] {
  return messages.filter(({ run }) => run === undefined)
}

function countOf({ messages, trimmed }: Conversation): number {
  return messages.length + trimmed
}

async function captured(memory: Memory, given: readonly unknown[]) {
  const nowMs = memory.clock.nowMs()
  const parsed = given.flatMap(value => parseMessage(value, nowMs).message ?? [])
  const { messages, redacted } = await captureMessages(memory, parsed, {
    config: await memory.config(),
    now: new Date(nowMs).toISOString(),
  })
  return { messages, redacted, skipped: given.length - parsed.length }
}
