import { isObject } from '../../../kernel/model/json-value.ts'
import type { Message, ToolRun } from '../../../kernel/model/message.ts'
import type { NoticeCode } from '../../../kernel/model/notice-codes.ts'
import type { SessionMemory } from '../../../kernel/model/session.ts'

/** A parsed message. A trouble without a message: it is unusable. */
export interface MessageReading {
  readonly message: Message | undefined
  readonly trouble?: { readonly code: NoticeCode; readonly message: string }
}

/** Clocks of two machines differ by less than an hour. */
const CLOCK_SKEW_MS = 3_600_000
/**
 * An unknown role is the name of an agent (`bmad-master`) if it looks like a name. A message with an odd role
 * (`Bob Smith (lead)`) is attributed to an agent.
 */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._@:/-]{0,63}$/u

/** Replaces a role that cannot be stored. */
export const ODD_NAME = 'agent'

/** Accepts the formats of hosts and seed A: `role` and `text`, or `content` if it is plain text. */
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

/** ISO, or milliseconds as some hosts write them. A message with an impossible date is used without it. */
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

/** The latest time that a `Date` can represent. */
const LATEST_MS = 8_640_000_000_000_000

type Check = (value: unknown) => boolean

const isText: Check = value => typeof value === 'string'
const isTruth: Check = value => typeof value === 'boolean'
const isNumber: Check = value => typeof value === 'number' && Number.isFinite(value)
const isTime: Check = value => typeof value === 'number' && value >= 0 && value <= LATEST_MS
const areTexts: Check = value => Array.isArray(value) && value.every(isText)
const areNumbers: Check = value => isObject(value) && Object.values(value).every(isNumber)
const absentOr =
  (check: Check): Check =>
  value =>
    value === undefined || check(value)

const MEMORY: Readonly<Record<string, Check>> = {
  sessionId: value => isText(value) && value !== '',
  parentSessionId: absentOr(isText),
  agentId: isText,
  findings: Array.isArray,
  summary: isText,
  createdAt: isTime,
  finalizedAt: isTime,
  distilled: absentOr(areNumbers),
  refinedBy: absentOr(isText),
}

const FINDING: Readonly<Record<string, Check>> = {
  id: isText,
  fingerprint: isText,
  content: isText,
  category: isText,
  importance: isNumber,
  confidence: isNumber,
  filePaths: absentOr(areTexts),
  tags: absentOr(areTexts),
  promotedToProjectMemory: absentOr(isTruth),
  promotedEntryId: absentOr(isText),
  file: absentOr(isText),
  agent: absentOr(isText),
  speaker: absentOr(isText),
  message: absentOr(isNumber),
  signals: absentOr(areTexts),
  rejectedBy: absentOr(isText),
}

/** Parses the memory file of a session, which a person may have edited, or says why it is damaged. */
export function parseSessionMemory(
  value: unknown,
): { readonly kind: 'memory'; readonly memory: SessionMemory } | { readonly kind: 'damaged'; why: string } {
  if (!isObject(value)) return { kind: 'damaged', why: 'it is not a JSON object' }
  const wrong = wrongField(value, MEMORY)
  if (wrong !== undefined) return { kind: 'damaged', why: wrong }
  for (const [at, finding] of (value.findings as unknown[]).entries()) {
    const why = isObject(finding) ? wrongField(finding, FINDING) : 'it is not a JSON object'
    if (why !== undefined) return { kind: 'damaged', why: `finding ${at + 1}: ${why}` }
  }
  return { kind: 'memory', memory: value as unknown as SessionMemory }
}

function wrongField(
  fields: Record<string, unknown>,
  checks: Readonly<Record<string, Check>>,
): string | undefined {
  const name = Object.keys(checks).find(key => checks[key]?.(fields[key]) === false)
  return name === undefined
    ? undefined
    : `\`${name}\` ${fields[name] === undefined ? 'is missing' : 'cannot be read'}`
}
