import type { Message } from '../../../kernel/model/message.ts'
import type { Problem } from '../../../kernel/model/search.ts'
import type { SessionHead, SessionKey } from '../../../kernel/model/session.ts'
import { isoOf, type LinePosition, problemList } from './conversation-lines.ts'
import { parseMessage } from './parse-message.ts'

/** A closed conversation: seed A's three fields, and ours between them so that a list reads only the beginning. */
export interface ClosedConversation {
  readonly head: SessionHead
  readonly closedAt: string
  readonly messages: readonly Message[]
  readonly trimmed: number
  readonly place: LinePosition
  /** The last thing the user asked for. */
  readonly doing?: string
  /** How large the file of lines was that it was made from: one of that size was only not removed. */
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

/** What is known of a document beside its text. */
export interface ClosedText {
  /** As it is called in messages, relative to `.memory/`. */
  readonly name: string
  /** Whose it is where it does not say so itself. */
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
