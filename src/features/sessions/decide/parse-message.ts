import type { Message, ToolRun } from '../../../kernel/model/message.ts'
import type { NoticeCode } from '../../../kernel/model/notice-codes.ts'

/** What a stored or handed-over message turned out to be. A trouble without a message: it cannot be used at all. */
export interface MessageReading {
  readonly message: Message | undefined
  readonly trouble?: { readonly code: NoticeCode; readonly message: string }
}

/** Clocks of two machines differ; an hour is no longer a difference between clocks. */
const CLOCK_SKEW_MS = 3_600_000
/**
 * A role we do not know is an agent's name (`bmad-master`), as long as it looks like a name. Whoever has an odd one
 * (`Bob Smith (lead)`) said something all the same: an agent did.
 */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._@:/-]{0,63}$/u

/** The role of a message whose own cannot be kept. */
export const ODD_NAME = 'agent'

/** Takes what hosts and seed A write: `role` and `text`, or `content` where it is a plain text. */
export function parseMessage(value: unknown, nowMs: number): MessageReading {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return unusable('message_damaged', 'is not a message')
  const { role, text, content, internal, at, run } = value as Record<string, unknown>
  if (typeof role !== 'string' || !/[\p{L}\p{N}]/u.test(role))
    return unusable('message_role_unknown', 'says not who speaks: its role is no name')
  const said = typeof text === 'string' ? text : content
  const parsedRun = parseRun(run)
  if (typeof said !== 'string' || (said.trim() === '' && parsedRun === undefined))
    return unusable('message_without_text', 'has no text')
  const time = dateOf(at, nowMs)
  const message: Message = {
    role: NAME.test(role) ? role : ODD_NAME,
    text: said,
    ...(internal === true && { internal: true }),
    ...(time.iso !== undefined && { at: time.iso }),
    ...(parsedRun !== undefined && { run: parsedRun }),
  }
  return time.trouble === undefined ? { message } : { message, trouble: time.trouble }
}

function unusable(code: NoticeCode, message: string): MessageReading {
  return { message: undefined, trouble: { code, message } }
}

/** ISO, or milliseconds as some hosts write them. The message counts without a date that cannot be. */
function dateOf(
  at: unknown,
  nowMs: number,
): { iso?: string; trouble?: { code: NoticeCode; message: string } } {
  if (at === undefined || at === null) return {}
  const ms = typeof at === 'number' ? at : typeof at === 'string' ? Date.parse(at) : Number.NaN
  if (Number.isNaN(ms) || ms < 0 || ms > 253_402_300_799_999)
    return { trouble: { code: 'message_date_damaged', message: 'has no date that can be read' } }
  if (ms > nowMs + CLOCK_SKEW_MS)
    return { trouble: { code: 'message_in_future', message: 'is dated in the future' } }
  return { iso: new Date(ms).toISOString() }
}

function parseRun(value: unknown): ToolRun | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { tool, command, ok, exitCode, output, files, isEdit } = value as Record<string, unknown>
  if (typeof tool !== 'string' || tool === '') return undefined
  return {
    tool,
    ...(typeof command === 'string' && { command }),
    ...(typeof ok === 'boolean' && { ok }),
    ...(Number.isInteger(exitCode) && { exitCode: exitCode as number }),
    ...(typeof output === 'string' && { output }),
    ...(Array.isArray(files) && { files: files.filter(file => typeof file === 'string') }),
    ...(typeof isEdit === 'boolean' && { isEdit }),
  }
}
