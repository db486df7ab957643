import { CairnError } from '../../../kernel/model/errors.ts'
import { type Message, speakerOf } from '../../../kernel/model/message.ts'
import type {
  ConversationEnd,
  SessionHead,
  SessionKey,
  SessionMemory,
  SessionOverview,
  SessionState,
} from '../../../kernel/model/session.ts'
import type { LinePosition } from './conversation-lines.ts'
import type { MessageNumbering } from './session-files.ts'

/** Enough to recognise the request, even behind a brief. */
const REQUEST_CHARACTERS = 2_000
/** Sessions in use come first. */
const LIVELIEST: readonly SessionState[] = ['open', 'ending', 'asleep', 'closed']
const CLOCK_SKEW_MS = 3_600_000

/** The data that a list needs of one conversation. */
export interface ConversationOverview extends Omit<ConversationEnd, 'messages'> {
  readonly doing: string | undefined
}

interface PlacedMessage {
  readonly message: Message
  /** `n`: its position; `seen`: how far the host's count is stored after it. */
  readonly place: LinePosition
}

/** The positions of new messages. A message that is already stored, by the host's count, is left out. */
export function placedMessages(
  messages: readonly Message[],
  numbering: MessageNumbering | undefined,
  from: LinePosition,
): PlacedMessage[] {
  let at = from
  return messages.flatMap((message, index): PlacedMessage[] => {
    const number = numbering?.kind === 'numbered' ? (numbering.numbers[index] ?? at.seen) : at.seen
    if (numbering?.kind === 'numbered' && number < at.seen) return []
    const place = { n: at.n, seen: numbering?.kind === 'aside' ? at.seen : number + 1 }
    at = { n: at.n + 1, seen: place.seen }
    return [{ message, place }]
  })
}

/** Whether a stored message is the beginning of this one. */
export function isGrown(stored: Message, whole: Message): boolean {
  const isSame = stored.role === whole.role && stored.run === undefined && whole.run === undefined
  return isSame && whole.text.startsWith(stored.text)
}

/** The host's count continues in both: messages that it sends again are known on both sides. */
export function forkedMessages(messages: readonly Message[], seen: number): PlacedMessage[] {
  return messages.map((message, n) => {
    const isLast = n === messages.length - 1
    return { message, place: { n, seen: isLast ? seen : Math.min(seen, n + 1) } }
  })
}

/** The time of writing replaces a missing date or one in the future. */
export function activeAtOf(
  at: string | undefined,
  { writtenMs, nowMs }: { readonly writtenMs: number; readonly nowMs: number },
): string {
  if (at !== undefined && Date.parse(at) <= nowMs + CLOCK_SKEW_MS) return at
  return new Date(Math.min(writtenMs, nowMs)).toISOString()
}

/** The overview of a session, from its conversations and its memory; undefined: it has neither. */
export function sessionOverview(
  name: string,
  seen: readonly ConversationOverview[],
  memory: SessionMemory | undefined,
): SessionOverview | undefined {
  const [newest] = [...seen].sort((a, b) => (a.activeAt < b.activeAt ? 1 : -1))
  if (newest === undefined && memory === undefined) return undefined
  const finalized = memory && new Date(memory.finalizedAt).toISOString()
  const parent = seen.find(one => one.head.parent !== undefined)?.head.parent ?? memory?.parentSessionId
  return {
    session: newest?.head.session ?? memory?.sessionId ?? name,
    state: LIVELIEST.find(state => seen.some(one => one.state === state)) ?? 'closed',
    host: newest?.head.host ?? 'unknown',
    agents: newest === undefined ? [memory?.agentId ?? 'unknown'] : seen.map(one => one.head.agent).sort(),
    startedAt:
      seen.map(one => one.head.startedAt).sort()[0] ??
      (memory ? new Date(memory.createdAt).toISOString() : ''),
    activeAt: newest?.activeAt ?? finalized ?? '',
    ...(parent !== undefined && { parent }),
    chats: Object.fromEntries(
      seen.flatMap(({ head }) => (head.chat === undefined ? [] : [[head.agent, head.chat]])),
    ),
    messages: seen.reduce((sum, one) => sum + one.count, 0),
    ...(newest?.doing !== undefined && { doing: newest.doing }),
    ...(memory !== undefined && {
      summary: memory.summary,
      findings: memory.findings.length,
      promoted: memory.findings.filter(finding => finding.promotedToProjectMemory).length,
    }),
  }
}

/** The text of a request, as lists show it. */
export function requestOf({ text }: Message): string {
  return text.slice(0, REQUEST_CHARACTERS)
}

/** New values replace the old ones; missing values do not. */
export function updatedHead(known: SessionHead, { chat, model }: SessionHead): SessionHead {
  return { ...known, ...(chat !== undefined && { chat }), ...(model !== undefined && { model }) }
}

export function isRequest(message: Message): boolean {
  return speakerOf(message.role) === 'user' && message.internal !== true && message.text.trim() !== ''
}

/** Whether a message may be shown: messages between agents may not. */
export function mayBeShown(message: Message): boolean {
  return message.internal !== true
}

export function sessionNotFound({ session, agent }: SessionKey): CairnError {
  return new CairnError({
    code: 'session_not_found',
    message: `${agent} has no session ${shown(session)}.`,
    hint: '`cairn sessions` lists them.',
  })
}

export function sessionExists({ session, agent }: SessionKey): CairnError {
  return new CairnError({
    code: 'session_exists',
    message: `${agent} already has a session ${shown(session)}.`,
    hint: 'Choose another id, or omit it to get a new one.',
  })
}

function shown(id: string): string {
  const line = id.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}
