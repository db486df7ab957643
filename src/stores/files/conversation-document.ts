import {
  type ClosedConversation,
  type ClosedConversationReading,
  count,
  factsOf,
  parseClosed,
  parseObject,
} from '../../features/sessions/decide/closed-conversation.ts'
import { problemList } from '../../features/sessions/decide/conversation-lines.ts'
import { parseMessage } from '../../features/sessions/decide/parse-message.ts'
import type { Message } from '../../kernel/model/message.ts'
import type { NoticeCode } from '../../kernel/model/notice-codes.ts'
import type { SessionKey } from '../../kernel/model/session.ts'
import type { Disk } from '../../kernel/system/disk.ts'

/** A document is parsed as one text; a larger one is reported and not read. */
const MAX_DOCUMENT_BYTES = 268_435_456
const END_BYTES = 1_048_576
const SMALL_DOCUMENT_BYTES = 4_194_304
const PREFIX_BYTES = 131_072

export interface ConversationDocumentFile {
  readonly disk: Disk
  readonly file: string
  readonly name: string
  readonly nowMs: number
  readonly key: SessionKey
}

export function readDocument(document: ConversationDocumentFile): ClosedConversationReading | undefined {
  const { disk, file, name, nowMs } = document
  const stamp = disk.stamp(file)
  if (stamp === undefined) return undefined
  const problems = problemList(name)
  const damaged = (code: NoticeCode, message: string): ClosedConversationReading => {
    problems.add({ code, message })
    return { kind: 'damaged', problems: problems.all() }
  }
  if (stamp.size > MAX_DOCUMENT_BYTES)
    return damaged('conversation_too_large', `has ${Math.round(stamp.size / 1_048_576)} MB and was not read`)
  const bytes = disk.readFile(file)
  if (bytes === undefined) return undefined
  return parseClosed(new TextDecoder().decode(bytes), {
    name,
    nowMs,
    key: document.key,
    writtenMs: stamp.mtimeMs,
  })
}

/** What a list shows, from the beginning of the file; all of it is read where another tool wrote it. */
export function readFacts(
  document: ConversationDocumentFile,
): Omit<ClosedConversation, 'messages'> | undefined {
  const { disk, file } = document
  const range = disk.readRange(file, 0, PREFIX_BYTES)
  const stamp = disk.stamp(file)
  if (range === undefined || stamp === undefined) return undefined
  const text = new TextDecoder().decode(range)
  const end = text.indexOf('"messages": [')
  const fields = end === -1 ? undefined : parseObject(`${text.slice(0, end)}"messages": []}`)
  if (fields !== undefined && count(fields.count) !== undefined)
    return factsOf(fields, { key: document.key, nowMs: document.nowMs, writtenMs: stamp.mtimeMs }, 0)
  const whole = readDocument(document)
  return whole?.kind === 'read' ? whole.closed : undefined
}

/** The last messages of a document, from its end where it is ours: a line a message. */
export function readDocumentEnd(
  document: ConversationDocumentFile,
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
