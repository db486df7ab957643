import { renderDocument } from '../../features/sessions/decide/closed-conversation.ts'
import {
  headLine,
  type LinePosition,
  messageLine,
  stateLine,
} from '../../features/sessions/decide/conversation-lines.ts'
import {
  activeAtOf,
  type ConversationGlance,
  forkedMessages,
  isGrown,
  isRequest,
  isTellable,
  placedMessages,
  requestOf,
  sessionExists,
  sessionNotFound,
  takenOver,
} from '../../features/sessions/decide/conversation-rules.ts'
import type { AppendedMessages, MessageNumbering } from '../../features/sessions/decide/session-files.ts'
import type { Message } from '../../kernel/model/message.ts'
import type {
  Conversation,
  ConversationEnd,
  SessionHead,
  SessionKey,
  SessionState,
} from '../../kernel/model/session.ts'
import { seedSessionOf, sessionFileName } from '../../kernel/system/session-names.ts'
import {
  type ConversationDocumentFile,
  readDocument,
  readDocumentEnd,
  readFacts,
} from './conversation-document.ts'
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

/** One conversation at a time: the effects on its two files. The caller has the lock where something is written. */
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
   * A session of seed A has its document in a flat file, until it is written again. It is called like the agent, whatever that is: only
   * a name that is in the folder is one.
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

  /** A closing that died between its two steps left the lines next to the document that has them. */
  function isLeftover(place: ConversationPlace): boolean {
    const facts = readFacts(closed(place))
    if (facts?.linesBytes === undefined || disk.stamp(place.lines)?.size !== facts.linesBytes) return false
    return (headLineAt(growing(place), 0)?.place.n ?? 0) < facts.place.n
  }

  const tailOf = (place: ConversationPlace) => (isLeftover(place) ? undefined : readTail(growing(place)))

  /** Closed, with or without lines next to the document: it has all that they say. */
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
    // A beginning that was never finished.
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

  /** What a list shows of it, from the two ends of its files. */
  function glance(place: ConversationPlace): ConversationGlance | undefined {
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
    const own = seen.state === 'closed' ? [] : readEnd(growing(place), { most, from, isWanted: isTellable })
    const older =
      own.length < most && facts.count > own.length
        ? readDocumentEnd(closed(place), most - own.length, isTellable)
        : []
    return { ...facts, messages: [...older, ...own] }
  }

  function start(head: SessionHead): { head: SessionHead; isNew: boolean } {
    const place = placeOf(head)
    putAwayLeftover(place)
    const tail = tailOf(place)
    const facts = readFacts(closed(place))
    const known = (tail && readHead(growing(place), tail.headAt)) ?? facts?.head
    const next = known === undefined ? head : takenOver(known, head)
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
    // A closed conversation grows again in a file of its own, which says whose it is.
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

  /** A first line that was never finished begins nothing. */
  function isBegun(place: ConversationPlace, tail: Tail | undefined): boolean {
    if (tail === undefined) return false
    return tail.place.n > 0 || readHead(growing(place), tail.headAt) !== undefined
  }

  function write(place: ConversationPlace, tail: Tail | undefined, text: string): void {
    // Its first lines are written together or not at all: they say whose conversation it is.
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

  /** Half a line would be reported as damage later. Only what we wrote is removed: a dying process may have marked its end after it. */
  function takeBack(file: string, before: number, bytes: Uint8Array): void {
    const written = disk.readRange(file, before, bytes.length + 1)
    if (written === undefined || written.length === 0 || written.length > bytes.length) return
    if (Buffer.compare(written, bytes.subarray(0, written.length)) !== 0) return
    disk.truncate(file, before)
  }

  /**
   * Nothing is waited for, and nothing is read: one line at the end. Whoever settles it at this moment may have removed the file: then the
   * line is in a new one, alone, and says nothing (`isSettled`).
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
      // Upkeep writes it again when it moves old messages to the archive: it is not closed a second time by that.
      closedAt: now.state === 'closed' ? now.activeAt : new Date(clock.nowMs()).toISOString(),
      messages,
      trimmed,
      place: now.place,
      ...(linesBytes !== undefined && { linesBytes }),
      ...(asked !== undefined && { doing: requestOf(asked) }),
    })
    // What could not be read is not thrown away.
    const kept = now.isWhole ? undefined : `.damaged-${clock.nowMs()}`
    // A copy, so that the old document is in its place until the new one is.
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
