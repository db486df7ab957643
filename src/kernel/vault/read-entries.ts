import type { Entry } from '../model/entry.ts'
import { typedId } from '../model/entry-id.ts'
import { fingerprint } from '../text/fingerprint.ts'
import { extractTags, mergeTags } from '../text/tags.ts'
import { type CodeFences, codeFences } from './code-fences.ts'
import { isEntryComment, parseEntryComment } from './entry-comment.ts'
import {
  dateOfId,
  hasTitle,
  headingTags,
  headingText,
  isDated,
  readHeadingDate,
  UNKNOWN_DATE,
} from './entry-heading.ts'
import { isDatedHeading, readContent } from './entry-text.ts'
import {
  countLines,
  endsWithCrlf,
  isBlankLine,
  isRule,
  lineAfter,
  lineEnd,
  matchesAt,
  skipBlankLines,
} from './text-lines.ts'
import { bulletText, hasWords, readLoose, type TypedSpan } from './typed-entries.ts'
import type { Encoding, EntrySegment, FileOwner, FileProblem, Placed, ReadOptions } from './vault-segments.ts'

export const BOM = { utf8: '\uFEFF', bytes: '\u00EF\u00BB\u00BF' } as const

export interface Reading extends ReadOptions {
  readonly text: string
  readonly encoding: Encoding
  readonly owner: FileOwner
  readonly problems: FileProblem[]
}

/** The entries of a text without conflicts, in their order in the text. */
export function readEntries(reading: Reading): { found: Placed[]; crlfEntries: number } {
  const { text, encoding, problems } = reading
  const from = text.startsWith(BOM[encoding]) ? BOM[encoding].length : 0
  const found: Placed[] = []
  const nameless: number[] = []
  const seenById = new Map<string, { content: string; copies: number }>()
  let crlfEntries = 0
  const add = (span: EntrySpan | TypedSpan, segment: EntrySegment) => {
    if (span.crlf) crlfEntries++
    if (segment.idMissing) nameless.push(found.length)
    const own = segment.idMissing ? segment : withUniqueId(segment, seenById, problems)
    found.push({ start: span.start, end: span.end, segment: own })
  }
  let [looseStart, line, counted] = [from, 1, 0]
  const readLooseUpTo = (end: number) => {
    // Nearly always, there is a blank line between two entries.
    if (end === looseStart + 1 && text.charCodeAt(looseStart) === 0x0a) return
    if (!hasWords(text.slice(looseStart, end))) return
    line += countLines(text, counted, looseStart)
    counted = looseStart
    const { typed, unread } = readLoose(text, looseStart, end, line)
    for (const span of typed) add(span, readTyped(reading, span))
    for (const lines of unread) problems.push(unreadProblem(lines.line, lines.lastLine))
  }
  for (const span of findSpans(text, from)) {
    readLooseUpTo(span.start)
    add(span, readEntry(reading, span))
    looseStart = span.end
  }
  readLooseUpTo(text.length)
  // An id in a comment line belongs to that entry, even if a person typed the same words above it.
  for (const at of nameless) {
    const placed = found[at] as Placed
    found[at] = { ...placed, segment: withUniqueId(placed.segment, seenById, problems) }
  }
  return { found, crlfEntries }
}

function unreadProblem(line: number, lastLine: number): FileProblem {
  const message =
    line === lastLine
      ? `line ${line} is not part of an entry and is ignored`
      : `lines ${line} to ${lastLine} are not part of an entry and are ignored`
  return {
    code: 'unread_text',
    line,
    message,
    hint: 'Put `- ` or a heading (`## …`) before the text to make it an entry.',
  }
}

function decoderOf({ text, encoding }: Reading): (start: number, end: number) => string {
  return (start, end) => {
    const part = text.slice(start, end)
    return encoding === 'utf8' ? part : Buffer.from(part, 'latin1').toString('utf8')
  }
}

/** An entry with a comment line. */
function readEntry(reading: Reading, span: EntrySpan): EntrySegment {
  const { text, owner, tags, problems } = reading
  const decode = decoderOf(reading)
  const fields = parseEntryComment(decode(span.start, span.commentEnd), owner.category)
  const idMissing = fields.id === ''
  const heading = decode(span.headingStart, span.bodyStart)
  let date = readHeadingDate(heading)
  if (date === undefined) {
    date = dateOfId(fields.id)
    problems.push(badDate(heading, date, span.line))
  }
  const body = readContent(decode(span.bodyStart, span.bodyEnd), span)
  const content = body === '' ? headingText(heading) : body
  // Assigned and not spread: a vault has many entries, and spreading took half the time of reading it.
  const entry: Entry = Object.assign(fields, {
    id: idMissing ? typedId(fingerprint(content)) : fields.id,
    agent: owner.agent,
    category: owner.category,
    date,
    content,
    tags: tags === 'leave' ? [] : mergeTags(headingTags(heading), extractTags(content)),
  })
  const raw = text.slice(span.start, span.end)
  return { type: 'entry', raw, entry, line: span.line, idMissing }
}

/** What a person typed counts as confirmed, with the default kind of the file. */
function readTyped(reading: Reading, span: TypedSpan): EntrySegment {
  const { text, owner, tags, problems, undatedAs = UNKNOWN_DATE } = reading
  const decode = decoderOf(reading)
  const ownLines = (start: number, end: number) => {
    const part = decode(start, end)
    return span.crlf ? part.replaceAll('\r\n', '\n') : part
  }
  const heading = span.type === 'heading' ? ownLines(span.start, span.bodyStart) : ''
  const body = ownLines(span.bodyStart, span.end)
  const content = (
    span.type === 'heading'
      ? [headingText(heading), body.slice(skipBlankLines(body)).trimEnd()].filter(Boolean).join('\n\n')
      : bulletText(body, span.indent)
  ).trimEnd()
  const date = readHeadingDate(heading)
  if (date === undefined && isDated(heading)) problems.push(badDate(heading, undatedAs, span.line))
  const entry: Entry = Object.assign(parseEntryComment('<!-- id: -->', owner.category), {
    id: typedId(fingerprint(content)),
    agent: owner.agent,
    category: owner.category,
    date: date ?? undatedAs,
    content,
    tags: tags === 'leave' ? [] : mergeTags(headingTags(heading), extractTags(content)),
  })
  return {
    type: 'entry',
    raw: text.slice(span.start, span.end),
    entry,
    line: span.line,
    idMissing: true,
    typed: span.type,
    ...(date === undefined && { undated: true as const }),
  }
}

function badDate(heading: string, date: string, line: number): FileProblem {
  return {
    code: 'bad_date',
    line,
    message: `the heading has no valid date: ${heading.slice(0, 60).trim()}; ${date} is used instead`,
    hint: 'Write it as ## YYYY-MM-DDTHH:MM, in UTC.',
  }
}

/**
 * The second entry with an id: a person copied an entry and changed it, and the copy needs its own id; with the same content, it is the
 * result of a crash between two writes, and counts once.
 */
function withUniqueId(
  segment: EntrySegment,
  seenById: Map<string, { content: string; copies: number }>,
  problems: FileProblem[],
): EntrySegment {
  const { id, content } = segment.entry
  const first = seenById.get(id)
  if (first === undefined) {
    seenById.set(id, { content, copies: 1 })
    return segment
  }
  if (!segment.idMissing && first.content === content) {
    problems.push({
      code: 'duplicate_id',
      line: segment.line,
      message: `the entry ${id} is here twice, with the same content`,
      hint: 'The next write to this file removes the copy.',
    })
    return segment
  }
  do first.copies++
  while (seenById.has(`${id}~${first.copies}`))
  const alias = `${id}~${first.copies}`
  seenById.set(alias, { content, copies: 1 })
  return { ...segment, entry: { ...segment.entry, id: alias }, idMissing: true }
}

const ANY_HEADING = /##(?:[ \t\r]|\n|$)/y
/** A formatter may put a blank line between a comment and its heading, but not more. */
const MAX_HEADER_LINES = 16

/** Offsets into the text. Open when found; `bodyEnd` and `end` move at each `---` line. */
interface EntrySpan {
  readonly start: number
  readonly line: number
  /** End of the comment line. */
  readonly commentEnd: number
  readonly headingStart: number
  readonly bodyStart: number
  /** Its first line ends with CRLF. */
  readonly crlf: boolean
  /** Its heading has a title: format 2 wrote it. */
  readonly titled: boolean
  /** -1 until a `---` line was found. */
  bodyEnd: number
  end: number
}

/** The entries with a comment line, by the rules of docs/format/vault.md, "Where an entry starts and ends", line by line in one pass. */
function findSpans(text: string, from: number): EntrySpan[] {
  const spans: EntrySpan[] = []
  let fences: CodeFences | undefined
  let open: EntrySpan | undefined
  /** The last checked fence of the open entry of format 1, or the line up to which there is none. */
  let fence = { end: 0, containsText: false }
  /** The first start written by Cairn at or after the last checked fence. */
  let nextStart = -1
  for (let pos = from, line = 1; pos < text.length; line++) {
    let next = lineAfter(text, pos)
    const first = text.charCodeAt(pos)
    if (first === 0x3c /* < */ && isEntryComment(text, pos, lineEnd(text, next))) {
      const heading = headingAfter(text, next)
      if (heading !== undefined && !(open !== undefined && isExample(pos))) {
        if (open !== undefined) endAt(open, pos)
        const commentEnd = lineEnd(text, next)
        const crlf = endsWithCrlf(text, next)
        next = lineAfter(text, heading.start)
        const titled = hasTitle(text, heading.start)
        const parts = { commentEnd, headingStart: heading.start, bodyStart: next, crlf, titled }
        open = { start: pos, line, ...parts, bodyEnd: -1, end: -1 }
        fence = { end: next, containsText: false }
        spans.push(open)
        line += heading.linesBefore + 1
      }
    } else if (first === 0x60 /* ` */ || first === 0x7e /* ~ */ || first === 0x20) {
      if (open === undefined || open.titled) {
        fences ??= codeFences(text, pos)
        const end = fences.endOf(pos)
        if (end !== undefined) {
          line += countLines(text, next, end)
          next = end
        }
      }
    } else if (open === undefined) {
      // Loose text.
    } else if (first === 0x2d /* - */ && isRule(text, pos)) {
      open.bodyEnd = pos
      open.end = next
      if (open.titled) open = undefined
    } else if (first === 0x23 /* # */ && open.end >= 0 && isDatedHeading(text, pos)) {
      open = undefined
    }
    pos = next
  }
  if (open !== undefined) endAt(open, text.length)
  return spans

  /**
   * Whether a comment line is an example in a code fence of an entry of format 1. There a fence need not be closed, and every entry that
   * Cairn wrote comes after `---`: a fence that contains a `---` line before this one, or the start of an entry, is not a fence.
   */
  function isExample(pos: number): boolean {
    if (open?.titled !== false || isRuleBefore(text, pos)) return false
    fences ??= codeFences(text, fence.end)
    if (fence.end < open.end) fence = { end: open.end, containsText: false }
    while (fence.end <= pos) {
      const end = fences.endOf(fence.end)
      if (nextStart < fence.end) nextStart = startAfter(text, fence.end)
      const containsText = end !== undefined && nextStart >= end
      fence = { end: containsText ? end : lineAfter(text, fence.end), containsText }
    }
    return fence.containsText
  }
}

/** Where an entry that Cairn wrote starts: a comment line after a `---` line. If there is none, the end of the text. */
function startAfter(text: string, from: number): number {
  for (let pos = from; pos < text.length; ) {
    const next = lineAfter(text, pos)
    if (
      text.charCodeAt(pos) === 0x3c &&
      isEntryComment(text, pos, lineEnd(text, next)) &&
      isRuleBefore(text, pos)
    )
      return pos
    pos = next
  }
  return text.length
}

function isRuleBefore(text: string, pos: number): boolean {
  let start = pos
  do start = start < 2 ? 0 : text.lastIndexOf('\n', start - 2) + 1
  while (start > 0 && isBlankLine(text, start))
  return isRule(text, start)
}

function endAt(span: EntrySpan, end: number): void {
  if (span.end >= 0) return
  span.bodyEnd = end
  span.end = end
}

function headingAfter(text: string, from: number): { start: number; linesBefore: number } | undefined {
  let pos = from
  for (let linesBefore = 0; linesBefore < MAX_HEADER_LINES && pos < text.length; linesBefore++) {
    if (matchesAt(ANY_HEADING, text, pos)) return { start: pos, linesBefore }
    if (!isBlankLine(text, pos)) return undefined
    pos = lineAfter(text, pos)
  }
  return undefined
}
