import {
  type ClosedConversation,
  type ClosedConversationReading,
  count,
  factsOf,
  parseClosed,
  parseObject,
  renderDocument,
} from '../../features/sessions/decide/closed-conversation.ts'
import {
  headLine,
  type LinePosition,
  messageLine,
  problemList,
  stateLine,
} from '../../features/sessions/decide/conversation-lines.ts'
import {
  activeAtOf,
  type ConversationOverview,
  forkedMessages,
  isGrown,
  isRequest,
  mayBeShown,
  placedMessages,
  requestOf,
  sessionExists,
  sessionNotFound,
  updatedHead,
} from '../../features/sessions/decide/conversation-rules.ts'
import { parseMessage } from '../../features/sessions/decide/parse-message.ts'
import type { AppendedMessages, MessageNumbering } from '../../features/sessions/decide/session-files.ts'
import type { Message } from '../../kernel/model/message.ts'
import type { NoticeCode } from '../../kernel/model/notice-codes.ts'
import type {
  Conversation,
  ConversationEnd,
  SessionHead,
  SessionKey,
  SessionState,
} from '../../kernel/model/session.ts'
import type { Disk } from '../../kernel/system/disk.ts'
import { seedSessionOf, sessionFileName } from '../../kernel/system/session-names.ts'
import {
  type GrowingFile,
  headLineAt,
  readEnd,
  readGrowing,
  readHead,
  readTail,
  type Tail,
} from './growing-conversation.ts'
import { replaceFile, type SessionParts } from './safe-path.ts'

/** Where one conversation is: its lines while it grows, its document once it is closed, or both. */
export interface ConversationPlace {
  readonly lines: string
  readonly document: string
  readonly key: SessionKey
}

interface WholeConversation extends Conversation {
  readonly place: LinePosition
  readonly isWhole: boolean
}

/** Reads and writes the two files of a conversation. For writes the caller has the lock. */
export function conversationFiles({ paths, disk, clock, safe }: SessionParts) {
  const growing = (place: ConversationPlace): GrowingFile => ({
    disk,
    file: place.lines,
    name: safe.nameOf(place.lines),
    nowMs: clock.nowMs(),
  })
  const closed = (place: ConversationPlace): ConversationDocumentFile => ({
    disk,
    file: place.document,
    name: safe.nameOf(place.document),
    nowMs: clock.nowMs(),
    key: place.key,
  })

  /**
   * A session of seed A has its document in a flat file, until it is written again. Its name is the agent's: only an existing file counts.
   */
  function placeOf(key: SessionKey): ConversationPlace {
    const base = `${paths.conversations}/${sessionFileName(key.agent)}/${sessionFileName(key.session)}`
    const flat = `${paths.conversations}/${key.agent}.json`
    const isFlat =
      key.session === seedSessionOf(key.agent) &&
      disk.stamp(`${base}.json`) === undefined &&
      disk.listFolder(paths.conversations)?.some(({ name }) => name === `${key.agent}.json`) === true
    const place = { lines: `${base}.jsonl`, document: isFlat ? flat : `${base}.json`, key }
    safe.check(place.lines)
    safe.check(place.document)
    return place
  }

  /** A process that died while closing left the lines next to the document that has them. */
  function isLeftover(place: ConversationPlace): boolean {
    const facts = readFacts(closed(place))
    if (facts?.linesBytes === undefined || disk.stamp(place.lines)?.size !== facts.linesBytes) return false
    return (headLineAt(growing(place), 0)?.place.n ?? 0) < facts.place.n
  }

  const tailOf = (place: ConversationPlace) => (isLeftover(place) ? undefined : readTail(growing(place)))

  /** Closed: the document has all messages of the lines, if there are any. */
  const isSettled = (place: ConversationPlace): boolean =>
    disk.stamp(place.document) !== undefined && tailOf(place) === undefined

  function putAwayLeftover(place: ConversationPlace): void {
    if (!isLeftover(place)) return
    if (readGrowing(growing(place), 0)?.isWhole !== false) disk.remove(place.lines)
    else disk.rename(place.lines, `${place.lines}.damaged-${clock.nowMs()}`)
  }

  /** Lines first: a document written since has them too, and their numbers show which they are. */
  function readWhole(place: ConversationPlace): WholeConversation | undefined {
    const stamp = disk.stamp(place.lines)
    const before = readFacts(closed(place))?.place.n ?? 0
    const grown = isLeftover(place) ? undefined : readGrowing(growing(place), before)
    const document = readDocument(closed(place))
    if (grown === undefined && document === undefined) return undefined
    const base = document?.kind === 'read' ? document.closed : undefined
    if (grown !== undefined && base !== undefined && base.place.n !== before) return readWhole(place)
    // An unfinished start.
    if (
      grown !== undefined &&
      grown.head === undefined &&
      grown.messages.length === 0 &&
      document === undefined
    )
      return undefined
    const head = grown?.head ?? base?.head ?? headFromNames(place, stamp?.mtimeMs)
    return {
      head,
      state: grown?.state ?? 'closed',
      activeAt: activeAt(grown === undefined ? base?.closedAt : (grown.at ?? base?.closedAt), place, head),
      messages: [...(base?.messages ?? []), ...(grown?.messages ?? [])],
      trimmed: base?.trimmed ?? 0,
      problems: [...(document?.problems ?? []), ...(grown?.problems ?? [])],
      place: grown?.place ?? base?.place ?? { n: 0, seen: 0 },
      isWhole:
        (grown?.isWhole ?? true) &&
        (document === undefined || (document.kind === 'read' && document.isWhole)),
    }
  }

  /** The data of a list, from the start and the end of its files. */
  function glance(place: ConversationPlace): ConversationOverview | undefined {
    const tail = tailOf(place)
    const facts = readFacts(closed(place))
    if (tail === undefined) {
      if (facts === undefined) return undefined
      const { head, closedAt, place: at, doing } = facts
      return { head, state: 'closed', activeAt: closedAt, count: at.n, doing }
    }
    const known = readHead(growing(place), tail.headAt) ?? facts?.head
    if (known === undefined && tail.place.n === 0) return undefined
    const head = known ?? headFromNames(place)
    const [asked] = readEnd(growing(place), { most: 1, from: facts?.place.n ?? 0, isWanted: isRequest })
    return {
      head,
      state: tail.state,
      activeAt: activeAt(tail.at ?? facts?.closedAt, place, head),
      count: Math.max(tail.place.n, facts?.place.n ?? 0),
      doing: asked === undefined ? facts?.doing : requestOf(asked),
    }
  }

  function end(place: ConversationPlace, most: number): ConversationEnd | undefined {
    const seen = glance(place)
    if (seen === undefined) return undefined
    const { doing: _, ...facts } = seen
    const from = seen.state === 'closed' ? 0 : (readFacts(closed(place))?.place.n ?? 0)
    const own = seen.state === 'closed' ? [] : readEnd(growing(place), { most, from, isWanted: mayBeShown })
    const older =
      own.length < most && facts.count > own.length
        ? readDocumentEnd(closed(place), most - own.length, mayBeShown)
        : []
    return { ...facts, messages: [...older, ...own] }
  }

  function start(head: SessionHead): { head: SessionHead; isNew: boolean } {
    const place = placeOf(head)
    putAwayLeftover(place)
    const tail = tailOf(place)
    const facts = readFacts(closed(place))
    const known = (tail && readHead(growing(place), tail.headAt)) ?? facts?.head
    const next = known === undefined ? head : updatedHead(known, head)
    const isSame = known !== undefined && known.chat === next.chat && known.model === next.model
    if (!isSame || tail === undefined || tail.state !== 'open') {
      const at = tail?.place ?? facts?.place ?? { n: 0, seen: 0 }
      write(place, tail, headLine(next, at))
    }
    return { head: next, isNew: known === undefined }
  }

  function append(
    key: SessionKey,
    messages: readonly Message[],
    numbering: MessageNumbering | undefined,
  ): AppendedMessages {
    const place = placeOf(key)
    putAwayLeftover(place)
    const tail = tailOf(place)
    const facts = readFacts(closed(place))
    if (!isBegun(place, tail) && disk.stamp(place.document) === undefined) throw sessionNotFound(key)
    let at = tail?.place ?? facts?.place ?? { n: 0, seen: 0 }
    const first = at.n
    // A closed conversation continues in a new file, which names its session and agent.
    let text = tail === undefined && facts !== undefined ? headLine(facts.head, at) : ''
    const headAt = tail === undefined ? 0 : tail.headAt
    for (const { message, place: own } of placedMessages(messages, numbering, at)) {
      text += messageLine(message, own, headAt)
      at = { n: own.n + 1, seen: own.seen }
    }
    const added = at.n - first
    if (added > 0) write(place, tail, text)
    return { count: at.n, added, first, seen: at.seen }
  }

  /** A line with the number of the one before it: the later one counts (growing-conversation.ts). */
  function growLast(key: SessionKey, whole: Message): boolean {
    const place = placeOf(key)
    putAwayLeftover(place)
    const tail = tailOf(place)
    if (tail === undefined) return false
    const from = readFacts(closed(place))?.place.n ?? 0
    const [last] = readEnd(growing(place), { most: 1, from })
    if (last === undefined || !isGrown(last, whole)) return false
    write(place, tail, messageLine(whole, { n: tail.place.n - 1, seen: tail.place.seen }, tail.headAt))
    return true
  }

  /** An unfinished first line does not start a conversation. */
  function isBegun(place: ConversationPlace, tail: Tail | undefined): boolean {
    if (tail === undefined) return false
    return tail.place.n > 0 || readHead(growing(place), tail.headAt) !== undefined
  }

  function write(place: ConversationPlace, tail: Tail | undefined, text: string): void {
    // The first lines are written together: they name the session and the agent.
    if (tail === undefined) return void replaceFile(disk, place.lines, text, clock.random(2 ** 40))
    const bytes = new TextEncoder().encode(tail.endsWell ? text : `\n${text}`)
    const before = disk.stamp(place.lines)?.size ?? 0
    try {
      disk.append(place.lines, bytes)
    } catch (error) {
      takeBack(place.lines, before, bytes)
      throw error
    }
  }

  /** Half a line would be reported as damage later. Only our own bytes are removed: another process may have appended after them. */
  function takeBack(file: string, before: number, bytes: Uint8Array): void {
    const written = disk.readRange(file, before, bytes.length + 1)
    if (written === undefined || written.length === 0 || written.length > bytes.length) return
    if (Buffer.compare(written, bytes.subarray(0, written.length)) !== 0) return
    disk.truncate(file, before)
  }

  /**
   * Appends one line without waiting or reading. If another process closes the conversation at this moment, the line is alone in a new
   * file, and is ignored (`isSettled`).
   */
  function mark(key: SessionKey, state: SessionState, at: string): void {
    const { lines } = placeOf(key)
    if (disk.stamp(lines) === undefined) return
    disk.append(lines, new TextEncoder().encode(stateLine(state, at)))
  }

  function settle(
    key: SessionKey,
    { messages, trimmed, expected }: { messages: readonly Message[]; trimmed: number; expected: number },
  ): boolean {
    const place = placeOf(key)
    putAwayLeftover(place)
    const now = readWhole(place)
    if (now === undefined) throw sessionNotFound(key)
    if (now.messages.length !== expected) return false
    const own = place.document
    const linesBytes = disk.stamp(place.lines)?.size
    const asked = messages.findLast(isRequest)
    const text = renderDocument({
      head: now.head,
      // Upkeep rewrites it when it archives old messages: that does not close it again.
      closedAt: now.state === 'closed' ? now.activeAt : new Date(clock.nowMs()).toISOString(),
      messages,
      trimmed,
      place: now.place,
      ...(linesBytes !== undefined && { linesBytes }),
      ...(asked !== undefined && { doing: requestOf(asked) }),
    })
    // A file that could not be read is not deleted.
    const kept = now.isWhole ? undefined : `.damaged-${clock.nowMs()}`
    // A copy, so that the old document stays in place until the new one replaces it.
    const old = kept === undefined ? undefined : disk.readFile(own)
    if (old !== undefined) replaceFile(disk, `${own}${kept}`, old, clock.random(2 ** 40))
    replaceFile(disk, own, text, clock.random(2 ** 40))
    if (disk.stamp(place.lines) === undefined) return true
    if (kept === undefined) disk.remove(place.lines)
    else disk.rename(place.lines, `${place.lines}${kept}`)
    return true
  }

  function fork(from: SessionKey, head: SessionHead): { count: number } {
    const source = readWhole(placeOf(from))
    if (source === undefined) throw sessionNotFound(from)
    const place = placeOf(head)
    if (disk.stamp(place.lines) !== undefined || disk.stamp(place.document) !== undefined)
      throw sessionExists(head)
    const first = headLine(head, { n: 0, seen: 0 })
    const { seen, n } = source.place
    const lines = forkedMessages(source.messages, seen).map(({ message, place: own }) =>
      messageLine(message, own, 0),
    )
    const rest = n > 0 && lines.length === 0 ? headLine(head, { n: 0, seen }) : ''
    replaceFile(disk, place.lines, [first, ...lines, rest].join(''), clock.random(2 ** 40))
    return { count: source.messages.length }
  }

  function headFromNames({ key }: ConversationPlace, mtimeMs = clock.nowMs()): SessionHead {
    return { ...key, host: 'unknown', startedAt: new Date(Math.min(mtimeMs, clock.nowMs())).toISOString() }
  }

  function activeAt(at: string | undefined, place: ConversationPlace, head: SessionHead): string {
    const stamp = disk.stamp(place.lines) ?? disk.stamp(place.document)
    const writtenMs = stamp?.mtimeMs ?? Date.parse(head.startedAt)
    return activeAtOf(at, { writtenMs, nowMs: clock.nowMs() })
  }

  return { placeOf, isSettled, readWhole, glance, end, start, append, growLast, mark, settle, fork }
}

/** A document is parsed as one text; a larger one is reported and not read. */
const MAX_DOCUMENT_BYTES = 268_435_456
const END_BYTES = 1_048_576
const SMALL_DOCUMENT_BYTES = 4_194_304
const PREFIX_BYTES = 131_072

interface ConversationDocumentFile {
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
    return damaged(
      'conversation_too_large',
      `is ${Math.round(stamp.size / 1_048_576)} MB large and was not read`,
    )
  const bytes = disk.readFile(file)
  if (bytes === undefined) return undefined
  return parseClosed(new TextDecoder().decode(bytes), {
    name,
    nowMs,
    key: document.key,
    writtenMs: stamp.mtimeMs,
  })
}

/** The data of a list, from the beginning of the file; a file of another tool is read whole. */
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

/** The last messages of a document; of our own files, with one line a message, only the end is read. */
function readDocumentEnd(
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
