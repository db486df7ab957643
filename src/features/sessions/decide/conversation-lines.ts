import type { Message } from '../../../kernel/model/message.ts'
import type { NoticeCode } from '../../../kernel/model/notice-codes.ts'
import type { Problem } from '../../../kernel/model/search.ts'
import type { SessionHead, SessionState } from '../../../kernel/model/session.ts'
import { type MessageReading, parseMessage } from './parse-message.ts'

/**
 * One line of a growing conversation. Each line has enough context that appending only reads the end of the file:
 *
 *   {"head":{"session":"s1","agent":"dev","host":"codex","startedAt":"…"},"n":0,"seen":0}
 *   {"n":0,"seen":1,"headAt":0,"role":"user","text":"…","at":"…"}     n: its position; seen: how far the host's own count is stored
 *   {"state":"asleep","at":"…"}                                      headAt: the offset of the last head line
 */
export type ConversationLine =
  | { readonly kind: 'head'; readonly head: SessionHead; readonly place: LinePosition }
  | {
      readonly kind: 'message'
      readonly message: Message
      readonly place: LinePosition | undefined
      readonly headAt: number | undefined
      readonly trouble?: MessageReading['trouble']
    }
  | { readonly kind: 'state'; readonly state: SessionState; readonly at: string | undefined }
  | { readonly kind: 'unusable'; readonly code: NoticeCode; readonly message: string }

export interface LinePosition {
  /** How many messages come before it. */
  readonly n: number
  /** How far the host's own count is stored. */
  readonly seen: number
}

export function headLine(head: SessionHead, { n, seen }: LinePosition): string {
  return `${JSON.stringify({ head, n, seen })}\n`
}

export function messageLine(message: Message, { n, seen }: LinePosition, headAt: number | undefined): string {
  return `${JSON.stringify({ n, seen, ...(headAt !== undefined && { headAt }), ...message })}\n`
}

/** Begins with an empty line: the writer does not check whether the line before was ended. */
export function stateLine(state: SessionState, at: string): string {
  return `\n${JSON.stringify({ state, at })}\n`
}

export function parseLine(text: string, nowMs: number): ConversationLine {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    return { kind: 'unusable', code: 'conversation_line_damaged', message: 'is not JSON' }
  }
  if (typeof value !== 'object' || value === null)
    return { kind: 'unusable', code: 'conversation_line_damaged', message: 'is not a message' }
  const fields = value as Record<string, unknown>
  const place = placeOf(fields)
  const head = parseHead(fields.head)
  if (head !== undefined) return { kind: 'head', head, place: place ?? { n: 0, seen: 0 } }
  if (fields.state === 'open' || fields.state === 'asleep' || fields.state === 'ending')
    return { kind: 'state', state: fields.state, at: isoOf(fields.at) }
  const { message, trouble } = parseMessage(value, nowMs)
  if (message === undefined)
    return { kind: 'unusable', code: trouble?.code ?? 'message_damaged', message: trouble?.message ?? '' }
  const headAt = isCount(fields.headAt) ? fields.headAt : undefined
  return { kind: 'message', message, place, headAt, ...(trouble !== undefined && { trouble }) }
}

export function parseHead(value: unknown): SessionHead | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { session, agent, host, startedAt, parent, chat, model, source } = value as Record<string, unknown>
  const started = isoOf(startedAt)
  if (typeof session !== 'string' || typeof agent !== 'string' || started === undefined) return undefined
  return {
    session,
    agent,
    host: typeof host === 'string' ? host : 'unknown',
    startedAt: started,
    ...(typeof parent === 'string' && { parent }),
    ...(typeof chat === 'string' && { chat }),
    ...(typeof model === 'string' && { model }),
    ...(typeof source === 'string' && { source }),
  }
}

function placeOf({ n, seen }: Record<string, unknown>): LinePosition | undefined {
  return isCount(n) ? { n, seen: isCount(seen) ? seen : n } : undefined
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

export function isoOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || Number.isNaN(Date.parse(value))) return undefined
  return value
}

/** At most this many lines are reported one by one: a file with a million bad lines is not a million problems. */
const MAX_PROBLEMS = 50

export function problemList(path: string): {
  add(problem: { code: NoticeCode; message: string; line?: number }): void
  all(): Problem[]
} {
  const problems: Problem[] = []
  let more = 0
  return {
    add({ code, message, line }) {
      if (problems.length >= MAX_PROBLEMS) return void more++
      problems.push({
        code,
        path,
        ...(line !== undefined && { line }),
        message: line === undefined ? `${path} ${message}.` : `Line ${line} of ${path} ${message}.`,
        hint: 'The other lines are used, and the file is not changed.',
      })
    },
    all() {
      if (more === 0) return problems
      const message = `${path} has ${more} more lines that could not be read in full.`
      return [
        ...problems,
        {
          code: 'conversation_line_damaged',
          path,
          message,
          hint: 'The other lines are used, and the file is not changed.',
        },
      ]
    },
  }
}
