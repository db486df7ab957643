import type { Message } from '../../model/message.ts'
import type { NoticeCode } from '../../model/notice-codes.ts'
import type { Problem } from '../../model/search.ts'
import type { SessionHead, SessionKey } from '../../model/session.ts'
import { parseMessage } from '../../pipeline/capture/parse-message.ts'
import type { Disk } from '../../system/disk.ts'
import { isoOf, type Place, problemList } from './conversation-lines.ts'

/** A document is parsed as one text; a larger one is told and not read. */
const LARGEST_DOCUMENT_BYTES = 268_435_456
const END_BYTES = 1_048_576
const SMALL_DOCUMENT_BYTES = 4_194_304
const PREFIX_BYTES = 131_072

/** A closed conversation: seed A's three fields, and ours between them so that a list reads only the beginning. */
export interface ClosedConversation {
  readonly head: SessionHead
  readonly closedAt: string
  readonly messages: readonly Message[]
  readonly trimmed: number
  readonly place: Place
  /** The last thing the user asked for. */
  readonly doing?: string
  /** How large the file of lines was that it was made from: one of that size was only not removed. */
  readonly linesBytes?: number
}

export type DocumentReading =
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

export interface DocumentFile {
  readonly disk: Disk
  readonly file: string
  readonly name: string
  readonly nowMs: number
  readonly key: SessionKey
}

export function readDocument(document: DocumentFile): DocumentReading | undefined {
  const { disk, file, name, nowMs } = document
  const stamp = disk.stamp(file)
  if (stamp === undefined) return undefined
  const problems = problemList(name)
  const damaged = (code: NoticeCode, message: string): DocumentReading => {
    problems.add({ code, message })
    return { kind: 'damaged', problems: problems.all() }
  }
  if (stamp.size > LARGEST_DOCUMENT_BYTES)
    return damaged('conversation_too_large', `has ${Math.round(stamp.size / 1_048_576)} MB and was not read`)
  const bytes = disk.readFile(file)
  if (bytes === undefined) return undefined
  const fields = parseObject(new TextDecoder().decode(bytes))
  if (fields === undefined || !Array.isArray(fields.messages))
    return damaged('conversation_damaged', 'is not a conversation')

  const messages: Message[] = []
  let isWhole = true
  fields.messages.forEach((value: unknown, at) => {
    const { message, trouble } = parseMessage(value, nowMs)
    if (trouble !== undefined)
      problems.add({ ...trouble, message: `has a message (${at + 1}) that ${trouble.message}` })
    if (message === undefined) isWhole = false
    else messages.push(message)
  })
  return {
    kind: 'read',
    closed: { ...factsOf(fields, document, stamp.mtimeMs, fields.messages.length), messages },
    problems: problems.all(),
    isWhole,
  }
}

/** What a list shows, from the beginning of the file; all of it is read where somebody else wrote it. */
export function readFacts(document: DocumentFile): Omit<ClosedConversation, 'messages'> | undefined {
  const { disk, file } = document
  const range = disk.readRange(file, 0, PREFIX_BYTES)
  const stamp = disk.stamp(file)
  if (range === undefined || stamp === undefined) return undefined
  const text = new TextDecoder().decode(range)
  const end = text.indexOf('"messages": [')
  const fields = end === -1 ? undefined : parseObject(`${text.slice(0, end)}"messages": []}`)
  if (fields !== undefined && count(fields.count) !== undefined)
    return factsOf(fields, document, stamp.mtimeMs, 0)
  const whole = readDocument(document)
  return whole?.kind === 'read' ? whole.closed : undefined
}

/** The last messages of a document, from its end where it is ours: a line a message. */
export function readDocumentEnd(
  document: DocumentFile,
  most: number,
  isWanted: (message: Message) => boolean,
): Message[] {
  const { disk, file, nowMs } = document
  const read = disk.readTail(file, END_BYTES)
  if (read === undefined) return []
  const messages: Message[] = []
  const lines = new TextDecoder()
    .decode(read.tail)
    .split('\n')
    .slice(read.tail.length < read.size ? 1 : 0)
  for (const line of lines.reverse()) {
    if (messages.length === most) break
    const fields = line.startsWith('    {') ? parseObject(line.trim().replace(/,$/, '')) : undefined
    const message = fields && parseMessage(fields, nowMs).message
    if (message !== undefined && isWanted(message)) messages.push(message)
  }
  if (messages.length > 0 || read.size > SMALL_DOCUMENT_BYTES) return messages.reverse()
  const whole = readDocument(document)
  return whole?.kind === 'read' ? whole.closed.messages.filter(isWanted).slice(-most) : []
}

function factsOf(
  fields: Record<string, unknown>,
  { key, nowMs }: DocumentFile,
  mtimeMs: number,
  messages: number,
): Omit<ClosedConversation, 'messages'> {
  const { sessionId, agentId, host, startedAt, closedAt, savedAt, parentSessionId, chatId, modelId, doing } =
    fields
  const { sourceId } = fields
  const written = new Date(Math.min(mtimeMs, nowMs)).toISOString()
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

function count(value: unknown): number | undefined {
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
