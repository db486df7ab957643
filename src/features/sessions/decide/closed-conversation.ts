import type { Message } from '../../../kernel/model/message.ts'
import type { Problem } from '../../../kernel/model/search.ts'
import type { SessionHead, SessionKey } from '../../../kernel/model/session.ts'
import { isoOf, type LinePosition, problemList } from './conversation-lines.ts'
import { parseMessage } from './parse-message.ts'

/** A closed conversation: seed A's three fields, and ours before the messages, so that a list reads only the beginning. */
export interface ClosedConversation {
  readonly head: SessionHead
  readonly closedAt: string
  readonly messages: readonly Message[]
  readonly trimmed: number
  readonly place: LinePosition
  /** The last request of the user. */
  readonly doing?: string
  /** The size of the `.jsonl` file it was made from: a file of that size is a leftover that was not removed. */
  readonly linesBytes?: number
}

export type ClosedConversationReading =
  | {
      readonly kind: 'read'
      readonly closed: ClosedConversation
      readonly problems: readonly Problem[]
      readonly isWhole: boolean
    }
  | { readonly kind: 'damaged'; readonly problems: readonly Problem[] }

export function renderDocument(closed: ClosedConversation): string {
  const { head, closedAt, messages, trimmed, place, doing, linesBytes } = closed
  const facts = {
    agentId: head.agent,
    savedAt: closedAt,
    sessionId: head.session,
    host: head.host,
    startedAt: head.startedAt,
    closedAt,
    ...(head.parent !== undefined && { parentSessionId: head.parent }),
    ...(head.chat !== undefined && { chatId: head.chat }),
    ...(head.model !== undefined && { modelId: head.model }),
    ...(head.source !== undefined && { sourceId: head.source }),
    trimmed,
    count: place.n,
    seen: place.seen,
    ...(linesBytes !== undefined && { linesBytes }),
    ...(doing !== undefined && { doing }),
  }
  const lines = messages.map(message => `    ${JSON.stringify(message)}`).join(',\n')
  const rest = lines === '' ? '"messages": []\n}\n' : `"messages": [\n${lines}\n  ]\n}\n`
  return `${JSON.stringify(facts, null, 2).slice(0, -2)},\n  ${rest}`
}

/** Context for parsing a document. */
interface ClosedText {
  /** Its name in messages, relative to `.memory/`. */
  readonly name: string
  /** The default session and agent, for a document that does not name them. */
  readonly key: SessionKey
  readonly nowMs: number
  readonly writtenMs: number
}

export function parseClosed(text: string, about: ClosedText): ClosedConversationReading {
  const problems = problemList(about.name)
  const fields = parseObject(text)
  if (fields === undefined || !Array.isArray(fields.messages)) {
    problems.add({ code: 'conversation_damaged', message: 'is not a conversation' })
    return { kind: 'damaged', problems: problems.all() }
  }
  const messages: Message[] = []
  let isWhole = true
  fields.messages.forEach((value: unknown, at) => {
    const { message, trouble } = parseMessage(value, about.nowMs)
    if (trouble !== undefined)
      problems.add({ ...trouble, message: `has a message (${at + 1}) that ${trouble.message}` })
    if (message === undefined) isWhole = false
    else messages.push(message)
  })
  return {
    kind: 'read',
    closed: { ...factsOf(fields, about, fields.messages.length), messages },
    problems: problems.all(),
    isWhole,
  }
}

export function factsOf(
  fields: Record<string, unknown>,
  { key, nowMs, writtenMs }: Pick<ClosedText, 'key' | 'nowMs' | 'writtenMs'>,
  messages: number,
): Omit<ClosedConversation, 'messages'> {
  const { sessionId, agentId, host, startedAt, closedAt, savedAt, parentSessionId, chatId, modelId, doing } =
    fields
  const { sourceId } = fields
  const written = new Date(Math.min(writtenMs, nowMs)).toISOString()
  const closed = isoOf(closedAt) ?? isoOf(savedAt) ?? written
  const trimmed = count(fields.trimmed) ?? 0
  const n = count(fields.count) ?? trimmed + messages
  const linesBytes = count(fields.linesBytes)
  return {
    head: {
      session: typeof sessionId === 'string' ? sessionId : key.session,
      agent: typeof agentId === 'string' && typeof sessionId === 'string' ? agentId : key.agent,
      host: typeof host === 'string' ? host : 'unknown',
      startedAt: isoOf(startedAt) ?? closed,
      ...(typeof parentSessionId === 'string' && { parent: parentSessionId }),
      ...(typeof chatId === 'string' && { chat: chatId }),
      ...(typeof modelId === 'string' && { model: modelId }),
      ...(typeof sourceId === 'string' && { source: sourceId }),
    },
    closedAt: Date.parse(closed) > nowMs ? written : closed,
    trimmed,
    place: { n, seen: count(fields.seen) ?? n },
    ...(linesBytes !== undefined && { linesBytes }),
    ...(typeof doing === 'string' && { doing }),
  }
}

export function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    return undefined
  }
}

/** The new part of a conversation that is sent in full again. */
export interface NewMessages {
  readonly messages: readonly Message[]
  /** The last stored message was unfinished: its whole text, and the missing part. */
  readonly grown?: { readonly whole: Message; readonly rest: Message }
  /** How many of the sent messages are already stored, in full or in part. */
  readonly known: number
}

/** A shorter overlap is chance: many conversations begin with "continue". */
const MIN_TAIL = 2

/**
 * Aligns a sent conversation with the stored one. undefined: they are different conversations.
 *
 *   stored  a b c        sent  a b c d      → d           the same, and more
 *   stored  a b c d      sent  c d e        → e           only its end was sent
 *   stored  a b wor      sent  a b words    → grown: words   the last message was unfinished
 *   stored  a b c        sent  a b          → nothing     another client sent more
 *   stored  … c d        sent  a b c d e    → e           upkeep archived the first messages
 *
 * A message may be stored in several parts by the same speaker: together they are the message.
 */
export function alignConversation(
  stored: readonly Message[],
  given: readonly Message[],
  { isTrimmed = false }: { readonly isTrimmed?: boolean } = {},
): NewMessages | undefined {
  if (given.length === 0) return { messages: [], known: 0 }
  if (stored.length === 0) return { messages: given, known: 0 }
  for (let at = 0; at < stored.length; at++) {
    if (at > 0 && stored[at]?.text[0] !== given[0]?.text[0]) continue
    const found = alignAt(stored, at, given)
    if (found !== undefined && (at === 0 || found.known >= Math.min(MIN_TAIL, given.length))) return found
  }
  for (let skip = 1; isTrimmed && skip < given.length; skip++) {
    if (stored[0]?.text[0] !== given[skip]?.text[0]) continue
    const found = alignAt(stored, 0, given.slice(skip))
    if (found !== undefined && found.known >= Math.min(MIN_TAIL, stored.length))
      return { ...found, known: found.known + skip }
  }
  return undefined
}

function alignAt(
  stored: readonly Message[],
  from: number,
  given: readonly Message[],
): NewMessages | undefined {
  let at = from
  for (const [number, message] of given.entries()) {
    if (at === stored.length) return { messages: given.slice(number), known: number }
    let said = ''
    while (said !== message.text) {
      const part = stored[at]
      if (part === undefined) {
        const last = stored[at - 1]?.text ?? ''
        const whole = { ...message, text: message.text.slice(said.length - last.length) }
        const rest = { ...message, text: message.text.slice(said.length) }
        return { messages: given.slice(number + 1), grown: { whole, rest }, known: number + 1 }
      }
      if (part.role !== message.role || part.text === '' || !message.text.startsWith(said + part.text))
        return undefined
      said += part.text
      at++
    }
  }
  return { messages: [], known: given.length }
}
