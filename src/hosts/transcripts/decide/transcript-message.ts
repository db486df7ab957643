import { isObject } from '../../../kernel/model/json-value.ts'
import type { Message, ToolRun } from '../../../kernel/model/message.ts'
import type { NoticeCode } from '../../../kernel/model/notice-codes.ts'

/** The result of reading a line of a transcript. It may have both: a message that was read with a correction. */
interface ReadMessage {
  readonly message?: Message
  readonly trouble?: { readonly code: NoticeCode; readonly message: string }
}

interface MessageContext {
  readonly nowMs: number
  /** The date of the previous message, for one without a usable date. */
  readonly previousAt: string | undefined
}

/** Roles that hosts and tools write. Another word counts as an agent's name, with a notice. */
const KNOWN_ROLES = new Set(
  'user human person agent assistant ai bot model tool tool_result function command system developer'.split(
    ' ',
  ),
)
/** Clocks of two machines differ. */
const CLOCK_SKEW_MS = 24 * 3_600_000
/** An earlier time comes from a clock that was never set. */
const FIRST_MS = Date.UTC(2000, 0, 1)
/** Seconds since 1970 until the year 2286; milliseconds have more digits. */
const SECONDS_BELOW = 10_000_000_000

/**
 * One message, from what many tools write:
 *
 *   {"role":"user","text":"…"}   {"role":"assistant","content":[{"type":"text","text":"…"}]}   {"type":"user","message":{…},"timestamp":"…"}
 */
export function readTranscriptMessage(value: unknown, context: MessageContext): ReadMessage {
  if (!isObject(value)) return { trouble: { code: 'message_damaged', message: 'it is not a message' } }
  const inner = isObject(value.message) ? value.message : value
  const role = roleOf(inner, value)
  if (role === undefined)
    return { trouble: { code: 'message_damaged', message: 'it does not say who speaks' } }
  const run = runOf(inner.run ?? value.run)
  const text = textOf(
    inner.text ??
      inner.content ??
      inner.body ??
      (typeof value.message === 'string' ? value.message : undefined),
  )
  if (text.trim() === '' && run === undefined)
    return { trouble: { code: 'message_without_text', message: 'it has no text' } }
  const date = dateOf(
    value.at ??
      value.timestamp ??
      value.createdAt ??
      value.created_at ??
      value.date ??
      value.time ??
      inner.timestamp ??
      inner.at,
    context,
  )
  const message: Message = {
    role,
    text,
    ...((inner.internal === true || value.internal === true) && { internal: true }),
    ...(date.at !== undefined && { at: date.at }),
    ...(run !== undefined && { run }),
  }
  if (date.trouble !== undefined) return { message, trouble: date.trouble }
  if (KNOWN_ROLES.has(role.toLowerCase())) return { message }
  return {
    message,
    trouble: {
      code: 'message_role_unknown',
      message: `the role "${role.slice(0, 40)}" is taken for an agent's name`,
    },
  }
}

function roleOf(inner: Record<string, unknown>, outer: Record<string, unknown>): string | undefined {
  const found = [
    inner.role,
    inner.author,
    inner.speaker,
    inner.from,
    inner.sender,
    outer.role,
    outer.type,
    inner.type,
  ].find((name): name is string => typeof name === 'string' && name.trim() !== '')
  return found?.trim().slice(0, 64)
}

/** A text, or parts of which some are text. Pictures and tool calls have none. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (isObject(content)) return textOf(content.text ?? content.content ?? content.parts)
  if (!Array.isArray(content)) return ''
  return content
    .map(part =>
      typeof part === 'string' ? part : isObject(part) && typeof part.text === 'string' ? part.text : '',
    )
    .filter(part => part !== '')
    .join('\n')
}

function dateOf(
  stored: unknown,
  { nowMs, previousAt }: MessageContext,
): { at?: string } & Pick<ReadMessage, 'trouble'> {
  if (stored === undefined || stored === null) return previousAt === undefined ? {} : { at: previousAt }
  const ms =
    typeof stored === 'number'
      ? stored < SECONDS_BELOW
        ? stored * 1000
        : stored
      : Date.parse(String(stored))
  const at = previousAt ?? new Date(nowMs).toISOString()
  const shown = String(stored).slice(0, 40)
  if (Number.isNaN(ms))
    return {
      at,
      trouble: { code: 'message_date_damaged', message: `"${shown}" is not a date; ${at} is taken` },
    }
  if (ms < FIRST_MS || ms > nowMs + CLOCK_SKEW_MS)
    return {
      at,
      trouble: { code: 'message_date_skewed', message: `the date ${shown} cannot be; ${at} is taken` },
    }
  return { at: new Date(ms).toISOString() }
}

function runOf(value: unknown): ToolRun | undefined {
  if (!isObject(value) || typeof value.tool !== 'string' || value.tool === '') return undefined
  const { tool, command, ok, exitCode, output, files, isEdit } = value
  return {
    tool,
    ...(typeof command === 'string' && { command }),
    ...(typeof ok === 'boolean' && { ok }),
    ...(typeof exitCode === 'number' && { exitCode }),
    ...(typeof output === 'string' && { output }),
    ...(Array.isArray(files) && { files: files.filter((file): file is string => typeof file === 'string') }),
    ...(typeof isEdit === 'boolean' && { isEdit }),
  }
}
