import {
  type ConversationLine,
  type LinePosition,
  parseLine,
  problemList,
} from '../../features/sessions/decide/conversation-lines.ts'
import type { Message } from '../../kernel/model/message.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { SessionHead, SessionState } from '../../kernel/model/session.ts'
import type { Disk } from '../../kernel/system/disk.ts'
import { lineSplitter, type SplitLine } from '../../kernel/system/line-splitter.ts'

const NEWLINE = 0x0a
const CHUNK_BYTES = 1_048_576
/** Captured lines are far shorter; a longer line is reported and left out. */
const MAX_LINE_BYTES = 1_048_576
/** Memory limits: this many characters of whole messages, then as many of messages cut to 400, then 80 of each. */
const WHOLE_CHARACTERS = 32_000_000
const SHORT_CHARACTERS = 400
const MIN_CHARACTERS = 80
const FIRST_TAIL_BYTES = 65_536
const MAX_TAIL_BYTES = 33_554_432
const HEAD_LINE_BYTES = 131_072

/** Facts about a growing conversation, from its end. */
export interface Tail {
  readonly size: number
  /** false: the last line is unfinished. */
  readonly endsWell: boolean
  readonly place: LinePosition
  readonly headAt: number | undefined
  readonly state: SessionState
  /** The time of the last line, if it has one. */
  readonly at: string | undefined
}

interface Growing {
  readonly head: SessionHead | undefined
  readonly state: SessionState
  readonly at: string | undefined
  readonly messages: readonly Message[]
  readonly place: LinePosition
  readonly problems: readonly Problem[]
  /** Whether everything in the file is in this answer. */
  readonly isWhole: boolean
}

export interface GrowingFile {
  readonly disk: Disk
  readonly file: string
  /** The name in messages, relative to `.memory/`. */
  readonly name: string
  readonly nowMs: number
}

/** Reads the whole file in chunks. Messages before `from` are in the document next to it. */
export function readGrowing({ disk, file, name, nowMs }: GrowingFile, from: number): Growing | undefined {
  const chunks = disk.readChunks(file, CHUNK_BYTES)
  if (chunks === undefined) return undefined
  const problems = problemList(name)
  const messages: Message[] = []
  let head: SessionHead | undefined
  let state: SessionState = 'open'
  let at: string | undefined
  let place: LinePosition = { n: 0, seen: 0 }
  let characters = 0
  let shortened = 0
  let isWhole = true

  const take = (split: SplitLine) => {
    if (split.text === undefined) {
      isWhole = false
      const message = `is ${Math.round(split.bytes / 1_048_576)} MB long and was left out`
      return problems.add({ code: 'conversation_line_too_long', line: split.number, message })
    }
    if (split.text.trim() === '') return
    const line = parseLine(split.text, nowMs)
    switch (line.kind) {
      case 'unusable':
        isWhole = false
        return problems.add({
          code: line.code,
          line: split.number,
          message: split.ended ? line.message : 'was never finished',
        })
      case 'head':
        head = line.head
        state = 'open'
        place = line.place
        return
      case 'state':
        state = line.state
        at = line.at ?? at
        return
      case 'message': {
        if (line.trouble !== undefined) problems.add({ ...line.trouble, line: split.number })
        const n = line.place?.n ?? place.n
        const isAgain = n === place.n - 1 && messages.length > 0
        const seen = line.place?.seen ?? place.seen + 1
        place = { n: n + 1, seen }
        state = 'open'
        at = line.message.at ?? at
        if (n < from) return
        const message = shorten(line.message, maxCharacters(characters))
        if (message !== line.message) shortened++
        characters += message.text.length
        // It grew after it was stored.
        if (isAgain) messages.pop()
        messages.push(message)
      }
    }
  }
  const splitter = lineSplitter(MAX_LINE_BYTES)
  for (const chunk of chunks) for (const line of splitter.push(chunk)) take(line)
  for (const line of splitter.end()) take(line)

  if (head === undefined && messages.length === 0 && isWhole) return undefined
  if (shortened > 0) {
    isWhole = false
    const message = `is too long to be read whole: the last ${shortened} messages are shortened`
    problems.add({ code: 'conversation_shortened', message })
  }
  return { head, state, at, messages, place, problems: problems.all(), isWhole }
}

function maxCharacters(held: number): number {
  if (held <= WHOLE_CHARACTERS) return Number.POSITIVE_INFINITY
  return held <= 2 * WHOLE_CHARACTERS ? SHORT_CHARACTERS : MIN_CHARACTERS
}

/** The two ends of what a message says. */
function shorten(message: Message, most: number): Message {
  const { text, run, ...rest } = message
  if (most === Number.POSITIVE_INFINITY || (text.length <= most && run === undefined)) return message
  const half = most / 2
  const cut = text.length <= most ? text : `${text.slice(0, half)} … ${text.slice(-half)}`
  // A slice keeps the whole text in memory; a copy does not.
  const copy = Buffer.from(cut).toString('utf8')
  if (run === undefined) return { ...rest, text: copy }
  const { output: _, ...told } = run
  return { ...rest, text: copy, run: told }
}

/** Reads backwards from the end, until the number of the next message is known. */
export function readTail(growing: GrowingFile): Tail | undefined {
  for (let bytes = FIRST_TAIL_BYTES; bytes <= MAX_TAIL_BYTES; bytes *= 8) {
    const read = growing.disk.readTail(growing.file, bytes)
    if (read === undefined || read.size === 0) return undefined
    const tail = judgeTail(read, growing.nowMs)
    if (tail !== undefined) return tail
    if (read.tail.length === read.size) break
  }
  // Another program wrote this file, or its last line is huge.
  const size = growing.disk.stamp(growing.file)?.size ?? 0
  const whole = readGrowing(growing, 0)
  if (whole === undefined) return undefined
  const { place, state, at } = whole
  return { size, endsWell: false, place, headAt: undefined, state, at }
}

function judgeTail(read: { tail: Uint8Array; size: number }, nowMs: number): Tail | undefined {
  const endsWell = read.size === 0 || read.tail.at(-1) === NEWLINE
  let state: SessionState | undefined
  let at: string | undefined
  for (const { line, offset } of linesBackward(read, nowMs)) {
    if (line.kind === 'unusable') continue
    if (line.kind === 'state') {
      state ??= line.state
      at ??= line.at
      continue
    }
    const known = { size: read.size, endsWell, state: state ?? 'open' }
    if (line.kind === 'head') return { ...known, place: line.place, headAt: offset, at }
    if (line.place === undefined) return undefined
    const place = { n: line.place.n + 1, seen: line.place.seen }
    return { ...known, place, headAt: line.headAt, at: at ?? line.message.at }
  }
  return undefined
}

/** The whole lines in the end of a file, last first. */
export function* linesBackward(
  { tail, size }: { tail: Uint8Array; size: number },
  nowMs: number,
): Iterable<{ readonly line: ConversationLine; readonly offset: number }> {
  const decoder = new TextDecoder()
  const before = size - tail.length
  let end = tail.length
  while (end > 0) {
    const lineEnd = tail[end - 1] === NEWLINE ? end - 1 : end
    const start = lineEnd === 0 ? 0 : tail.lastIndexOf(NEWLINE, lineEnd - 1) + 1
    if (start === 0 && before > 0) return
    const text = decoder.decode(tail.subarray(start, lineEnd))
    if (text.trim() !== '') yield { line: parseLine(text, nowMs), offset: before + start }
    end = start
  }
}

/** The valid head: the one that the end points to, or the first line. */
export function readHead(growing: GrowingFile, headAt: number | undefined): SessionHead | undefined {
  return (
    (headAt === undefined ? undefined : headLineAt(growing, headAt))?.head ?? headLineAt(growing, 0)?.head
  )
}

export function headLineAt({ disk, file, nowMs }: GrowingFile, from: number): HeadLine | undefined {
  const range = disk.readRange(file, from, HEAD_LINE_BYTES)
  const end = range?.indexOf(NEWLINE) ?? -1
  if (range === undefined || end === -1) return undefined
  const line = parseLine(new TextDecoder().decode(range.subarray(0, end)), nowMs)
  return line.kind === 'head' ? line : undefined
}

type HeadLine = Extract<ConversationLine, { kind: 'head' }>

const FIRST_END_BYTES = 65_536
const MAX_END_BYTES = 1_048_576

/** The last messages, at most `most`, from at most 1 MB of the end: the same work whatever the size of the file. */
export function readEnd(
  { disk, file, nowMs }: GrowingFile,
  {
    most,
    from,
    isWanted = () => true,
  }: { most: number; from: number; isWanted?: (message: Message) => boolean },
): Message[] {
  let messages: Message[] = []
  for (let bytes = FIRST_END_BYTES; bytes <= MAX_END_BYTES; bytes *= 4) {
    const read = disk.readTail(file, bytes)
    if (read === undefined) return messages
    messages = []
    let later: number | undefined
    for (const { line } of linesBackward(read, nowMs)) {
      if (line.kind !== 'message') continue
      const isAgain = later !== undefined && line.place?.n === later
      later = line.place?.n
      if (isAgain || !isWanted(line.message)) continue
      if ((line.place?.n ?? from) < from) break
      messages.push(line.message)
      if (messages.length === most) break
    }
    if (messages.length === most || read.tail.length === read.size) break
  }
  return messages.reverse()
}
