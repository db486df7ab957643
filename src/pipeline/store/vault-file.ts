import { isUtf8 } from 'node:buffer'
import type { Category } from '../../model/category.ts'
import type { Entry } from '../../model/entry.ts'
import { timeOfId } from '../../model/entry-id.ts'
import { fingerprint } from '../../text/fingerprint.ts'
import { extractTags, mergeTags } from '../../text/tags.ts'
import { type Conflict, findConflicts, isMarkerAt } from './conflict-markers.ts'
import { isEntryComment, parseEntryComment, renderEntryComment } from './entry-comment.ts'

export type Eol = '\n' | '\r\n'
/** `bytes`: the file is not UTF-8, and `raw` holds one character per byte so that nothing is lost. */
export type Encoding = 'utf8' | 'bytes'

export interface LooseSegment {
  readonly type: 'loose'
  readonly raw: string
}

export interface EntrySegment {
  readonly type: 'entry'
  readonly raw: string
  readonly entry: Entry
  /** Of the segment's first line, from 1. */
  readonly line: number
  /** It has no id of its own yet; `entry.id` is a stand-in that lasts until `assignIds`. */
  readonly idMissing: boolean
}

export type Segment = LooseSegment | EntrySegment

export interface FileProblem {
  readonly code: 'conflict_markers' | 'not_utf8' | 'utf16' | 'duplicate_id' | 'bad_date'
  readonly line: number
  readonly message: string
  readonly hint: string
}

export interface FileOwner {
  readonly agent: string
  readonly category: Category
}

export interface VaultFile {
  readonly segments: readonly Segment[]
  /** What new entries are written with. */
  readonly eol: Eol
  readonly encoding: Encoding
  readonly problems: readonly FileProblem[]
  readonly owner: FileOwner
}

/**
 * Reads any bytes; what is no entry is loose text. `renderVaultFile` gives the same bytes back. To find tags is a third of the
 * work: whoever asks for none of them gets none.
 */
export function parseVaultFile(bytes: Uint8Array, owner: FileOwner, tags: Tags = 'read'): VaultFile {
  const encoding = isUtf8(bytes) ? 'utf8' : 'bytes'
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return parseVaultText(buffer.toString(encoding === 'utf8' ? 'utf8' : 'latin1'), encoding, owner, tags)
}

export type Tags = 'read' | 'leave'

export function renderVaultFile(file: VaultFile): Uint8Array {
  return Buffer.from(textOf(file), file.encoding === 'utf8' ? 'utf8' : 'latin1')
}

export function textOf(file: { readonly segments: readonly { readonly raw: string }[] }): string {
  return file.segments.map(segment => segment.raw).join('')
}

const BOM = { utf8: '\uFEFF', bytes: '\u00EF\u00BB\u00BF' } as const
const UTF16_BOM = /^(?:\u00FF\u00FE|\u00FE\u00FF)/
const SPACES = /[ \t\r]*/y
const RULE = /---[ \t\r]*(?:\n|$)/y
const ANY_HEADING = /##(?:[ \t\r]|\n|$)/y
// `·` is C2 B7 in UTF-8: a file read byte by byte shows both.
const DATED_HEADING =
  /##[ \t]+\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?[ \t\r]*(?:\n|$|\u00C2?\u00B7|#)/y
const HEADING_DATE = /^##[ \t]+(\d{4})-(\d\d)-(\d\d)(?!\d)(?:[T ](\d\d):(\d\d))?/
/** A comment may be parted from its heading by a formatter's blank line or a conflict's lines, not by more. */
const MAX_HEADER_LINES = 16
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
/** As many entries of a conflict as a message names. */
const MOST_NAMED = 5
const UNKNOWN_DATE = '1970-01-01T00:00'

/** The same on text already decoded: edits read their own result back this way. */
export function parseVaultText(
  text: string,
  encoding: Encoding,
  owner: FileOwner,
  tags: Tags = 'read',
): VaultFile {
  const conflicts = findConflicts(text)
  const spans = findSpans(text, text.startsWith(BOM[encoding]) ? BOM[encoding].length : 0, conflicts)
  const problems: FileProblem[] = encodingProblems(text, encoding)
  const segments: Segment[] = []
  const seenById = new Map<string, { content: string; copies: number }>()
  let looseStart = 0
  let crlfEntries = 0
  for (const span of spans) {
    if (span.start > looseStart) segments.push({ type: 'loose', raw: text.slice(looseStart, span.start) })
    looseStart = span.end
    if (span.crlf) crlfEntries++
    const segment = readEntry({ text, encoding, owner, tags, span, problems })
    segments.push(withUniqueId(segment, seenById, { inConflict: conflicts.length > 0, problems }))
  }
  if (looseStart < text.length) segments.push({ type: 'loose', raw: text.slice(looseStart) })
  for (const conflict of conflicts) problems.push(conflictProblem(conflict, segments))
  const eol = eolOf(text, crlfEntries, spans.length)
  problems.sort((a, b) => a.line - b.line)
  return { segments, eol, encoding, problems, owner }
}

/** It names the entries it is about: a person looks for those. */
function conflictProblem({ line, lastLine }: Conflict, segments: readonly Segment[]): FileProblem {
  const ids = segments.flatMap(segment => {
    if (segment.type === 'loose' || segment.line > lastLine) return []
    const isBefore = segment.line + segment.raw.split('\n').length - 1 < line
    return isBefore ? [] : [segment.entry.id.replace(/~\d+$/, '')]
  })
  const about = [...new Set(ids)].slice(0, MOST_NAMED).join(', ')
  return {
    code: 'conflict_markers',
    line,
    message: `git left a conflict here, lines ${line} to ${lastLine}${about === '' ? '' : `, about ${about}`}`,
    hint: 'Keep what you want of both sides and remove the lines that start with <<<<<<<, ======= and >>>>>>>.',
  }
}

function eolOf(text: string, crlfEntries: number, entries: number): Eol {
  if (entries > 0) return crlfEntries * 2 > entries ? '\r\n' : '\n'
  return text[text.indexOf('\n') - 1] === '\r' ? '\r\n' : '\n'
}

function encodingProblems(text: string, encoding: Encoding): FileProblem[] {
  if (encoding === 'utf8') return []
  if (UTF16_BOM.test(text)) {
    return [
      {
        code: 'utf16',
        line: 1,
        message: 'the file is saved as UTF-16, so its entries cannot be read',
        hint: 'Save it as UTF-8 in your editor.',
      },
    ]
  }
  const line = lineOfFirstBadByte(text)
  return [
    {
      code: 'not_utf8',
      line,
      message: `line ${line} is not valid UTF-8; it is read with replacement characters`,
      hint: 'Save the file as UTF-8 in your editor. Until then its bytes are kept as they are.',
    },
  ]
}

function lineOfFirstBadByte(text: string): number {
  const bytes = Buffer.from(text, 'latin1')
  let line = 1
  for (let pos = 0; pos < bytes.length; line++) {
    const newline = bytes.indexOf(0x0a, pos)
    const next = newline < 0 ? bytes.length : newline + 1
    if (!isUtf8(bytes.subarray(pos, next))) return line
    pos = next
  }
  return line
}

// ---------------------------------------------------------------- where entries start and end

/** Offsets into the text. Found open; `bodyEnd` and `end` move at each `---` line. */
interface EntrySpan {
  readonly start: number
  readonly line: number
  /** End of the comment line; equal to `start` for an entry somebody typed without one. */
  readonly commentEnd: number
  readonly headingStart: number
  readonly bodyStart: number
  /** Its first line ends with CRLF. */
  readonly crlf: boolean
  /** -1 as long as no `---` line was seen. */
  bodyEnd: number
  end: number
}

/** The rules of docs/format/vault.md, "Where an entry starts and ends", line by line and once over. */
function findSpans(text: string, from: number, conflicts: readonly Conflict[]): EntrySpan[] {
  const markers = new Set(conflicts.flatMap(conflict => conflict.markers))
  const spans: EntrySpan[] = []
  let open: EntrySpan | undefined
  const begin = (
    start: number,
    line: number,
    parts: Pick<EntrySpan, 'commentEnd' | 'headingStart' | 'bodyStart'>,
  ) => {
    if (open !== undefined) endAt(open, start)
    const crlf = endsWithCrlf(text, lineAfter(text, start))
    const { commentEnd, headingStart, bodyStart } = parts
    const span: EntrySpan = { start, line, commentEnd, headingStart, bodyStart, crlf, bodyEnd: -1, end: -1 }
    spans.push(span)
    return span
  }
  for (let pos = from, line = 1; pos < text.length; line++) {
    let next = lineAfter(text, pos)
    const first = text.charCodeAt(pos)
    if (first === 0x3c /* < */ && isEntryComment(text, pos, lineEnd(text, next))) {
      const heading = headingAfter(text, next, markers)
      if (heading !== undefined) {
        const commentEnd = lineEnd(text, next)
        next = lineAfter(text, heading.start)
        open = begin(pos, line, { commentEnd, headingStart: heading.start, bodyStart: next })
        line += heading.linesBefore + 1
      }
    } else if (first === 0x23 /* # */ && (open === undefined || open.end >= 0)) {
      if (matchesAt(DATED_HEADING, text, pos)) {
        open = begin(pos, line, { commentEnd: pos, headingStart: pos, bodyStart: next })
      }
    } else if (first === 0x2d /* - */ && open !== undefined && matchesAt(RULE, text, pos)) {
      open.bodyEnd = pos
      open.end = next
    }
    pos = next
  }
  if (open !== undefined) endAt(open, text.length)
  return spans
}

function endAt(span: EntrySpan, end: number): void {
  if (span.end >= 0) return
  span.bodyEnd = end
  span.end = end
}

function headingAfter(
  text: string,
  from: number,
  markers: ReadonlySet<number>,
): { start: number; linesBefore: number } | undefined {
  let inConflict = false
  let pos = from
  for (let linesBefore = 0; linesBefore < MAX_HEADER_LINES && pos < text.length; linesBefore++) {
    if (matchesAt(ANY_HEADING, text, pos)) return { start: pos, linesBefore }
    const next = lineAfter(text, pos)
    if (markers.has(pos)) inConflict = !text.startsWith('>', pos)
    else if (!isBlankLine(text, pos) && !(inConflict && isEntryComment(text, pos, lineEnd(text, next))))
      return undefined
    pos = next
  }
  return undefined
}

function lineAfter(text: string, pos: number): number {
  const newline = text.indexOf('\n', pos)
  return newline < 0 ? text.length : newline + 1
}

/** The end of the line that ends before `next`, its line feed left aside. */
function lineEnd(text: string, next: number): number {
  return text.charCodeAt(next - 1) === 0x0a ? next - 1 : next
}

function endsWithCrlf(text: string, next: number): boolean {
  return text.charCodeAt(next - 1) === 0x0a && text.charCodeAt(next - 2) === 0x0d
}

function matchesAt(pattern: RegExp, text: string, pos: number): boolean {
  pattern.lastIndex = pos
  return pattern.test(text)
}

function isBlankLine(text: string, pos: number): boolean {
  SPACES.lastIndex = pos
  SPACES.test(text)
  const end = SPACES.lastIndex
  return end === text.length || text.charCodeAt(end) === 0x0a
}

// ---------------------------------------------------------------- one entry: text → model

interface Reading {
  readonly text: string
  readonly encoding: Encoding
  readonly owner: FileOwner
  readonly tags: Tags
  readonly span: EntrySpan
  readonly problems: FileProblem[]
}

function readEntry({ text, encoding, owner, tags, span, problems }: Reading): EntrySegment {
  const decode = (start: number, end: number) => {
    const part = text.slice(start, end)
    return encoding === 'utf8' ? part : Buffer.from(part, 'latin1').toString('utf8')
  }
  const comment = span.commentEnd > span.start ? decode(span.start, span.commentEnd) : '<!-- id: -->'
  const fields = parseEntryComment(comment, owner.category)
  const idMissing = fields.id === ''
  const heading = decode(span.headingStart, span.bodyStart)
  let date = readHeadingDate(heading)
  if (date === undefined) {
    date = dateOfMs(timeOfId(fields.id)) ?? UNKNOWN_DATE
    problems.push({
      code: 'bad_date',
      line: span.line,
      message: `the heading has no date that exists: ${heading.slice(0, 60).trim()}; ${date} is used instead`,
      hint: 'Write it as ## YYYY-MM-DDTHH:MM, in UTC.',
    })
  }
  const content = readContent(decode(span.bodyStart, span.bodyEnd), span.crlf)
  // Assigned and not spread: a vault has many entries, and spreading was half the time of reading it.
  const entry: Entry = Object.assign(fields, {
    id: idMissing ? `typed-${fingerprint(content)}` : fields.id,
    agent: owner.agent,
    category: owner.category,
    date,
    content,
    tags: tags === 'read' ? mergeTags(headingTags(heading), extractTags(content)) : [],
  })
  const raw = text.slice(span.start, span.end)
  return { type: 'entry', raw, entry, line: span.line, idMissing }
}

/** To the minute, as the model has it; undefined for a date no calendar has. */
function readHeadingDate(heading: string): string | undefined {
  const match = HEADING_DATE.exec(heading)
  if (match === null) return undefined
  const [, year = '', month = '', day = '', hour = '00', minute = '00'] = match
  const real = Number(day) >= 1 && Number(day) <= daysIn(Number(year), Number(month))
  return real && Number(hour) < 24 && Number(minute) < 60
    ? `${year}-${month}-${day}T${hour}:${minute}`
    : undefined
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return DAYS_IN_MONTH[month - 1] ?? 0
}

function dateOfMs(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 16)
}

function headingTags(heading: string): string[] {
  if (heading.lastIndexOf('#') < 2) return []
  return heading.split(/\s+/).filter(word => word.startsWith('#') && !/^#+$/.test(word))
}

/**
 *   ⏎ content ⏎ ⏎      one blank line before it and one after it are not part of it
 */
function readContent(body: string, crlf: boolean): string {
  const text = crlf ? body.replaceAll('\r\n', '\n') : body
  const start = text.startsWith('\n') ? 1 : text.startsWith('\r\n') ? 2 : 0
  const rest = text.slice(start)
  // Cairn itself always ends content with two bare line feeds: only where they are missing may a CR be the editor's.
  const after = rest.endsWith('\n\n') ? 2 : (/(?:\r?\n){1,2}$/.exec(rest.slice(-4))?.[0].length ?? 0)
  return unescapeContent(rest.slice(0, rest.length - after))
}

/**
 * The second entry of an id: beside conflict markers it is the other side's, and answers to `ID~2` until a person has
 * decided; elsewhere somebody copied an entry and changed it, and the copy needs an id of its own; with the same
 * content it is what a crash between two writes leaves, and counts once.
 */
function withUniqueId(
  segment: EntrySegment,
  seenById: Map<string, { content: string; copies: number }>,
  context: { inConflict: boolean; problems: FileProblem[] },
): EntrySegment {
  const { id, content } = segment.entry
  const first = seenById.get(id)
  if (first === undefined) {
    seenById.set(id, { content, copies: 1 })
    return segment
  }
  if (!context.inConflict && !segment.idMissing && first.content === content) {
    context.problems.push({
      code: 'duplicate_id',
      line: segment.line,
      message: `the entry ${id} stands here a second time, with the same content`,
      hint: 'The next write to this file removes the copy.',
    })
    return segment
  }
  do first.copies++
  while (seenById.has(`${id}~${first.copies}`))
  const alias = `${id}~${first.copies}`
  seenById.set(alias, { content, copies: 1 })
  return {
    ...segment,
    entry: { ...segment.entry, id: alias },
    idMissing: segment.idMissing || !context.inConflict,
  }
}

// ---------------------------------------------------------------- one entry: model → text

/**
 * The canonical text of one entry, safe for any values. Content with a carriage return of its own is written with
 * LF around it even in a CRLF file, or reading could not tell whose CR it is.
 */
export function renderEntry(entry: Entry, eol: Eol): string {
  return renderEntryWith({ entry, eol, heading: renderHeading(entry) })
}

export function renderEntryWith(parts: { entry: Entry; eol: Eol; heading: string }): string {
  const { entry, heading } = parts
  const text = `${renderEntryComment(entry)}\n${heading}\n\n${escapeContent(entry.content)}\n\n---\n`
  const wellFormed = /\p{Cs}/u.test(text) ? Buffer.from(text, 'utf8').toString('utf8') : text
  return parts.eol === '\n' || wellFormed.includes('\r') ? wellFormed : wellFormed.replaceAll('\n', '\r\n')
}

function renderHeading(entry: Entry): string {
  const date = readHeadingDate(`## ${entry.date}`) ?? dateOfMs(timeOfId(entry.id)) ?? UNKNOWN_DATE
  const tags = mergeTags(entry.tags).map(tag => ` #${tag}`)
  return tags.length === 0 ? `## ${date}` : `## ${date} ·${tags.join('')}`
}

function escapeContent(content: string): string {
  if (!content.includes('<!--') && !content.includes('##') && !content.includes('<<<<<<<')) return content
  return mapLines(content, (pos, end) =>
    isGuarded(content, skipBackslashes(content, pos), end) ? 'add' : 'keep',
  )
}

function unescapeContent(content: string): string {
  if (!content.includes('\\')) return content
  return mapLines(content, (pos, end) => {
    const start = skipBackslashes(content, pos)
    return start > pos && isGuarded(content, start, end) ? 'drop' : 'keep'
  })
}

/** Text that would be read as the start of an entry or of a conflict. */
function isGuarded(text: string, pos: number, end: number): boolean {
  const first = text.charCodeAt(pos)
  if (first === 0x23 /* # */) return matchesAt(DATED_HEADING, text, pos)
  if (first !== 0x3c /* < */) return false
  return isMarkerAt(text, pos) || isEntryComment(text, pos, end)
}

function skipBackslashes(text: string, pos: number): number {
  let start = pos
  while (text.charCodeAt(start) === 0x5c) start++
  return start
}

/** Copies only around the lines that change. */
function mapLines(text: string, decide: (pos: number, end: number) => 'keep' | 'add' | 'drop'): string {
  const parts: string[] = []
  let copied = 0
  for (let pos = 0; pos < text.length; ) {
    const next = lineAfter(text, pos)
    const change = decide(pos, lineEnd(text, next))
    if (change !== 'keep') {
      parts.push(text.slice(copied, pos))
      if (change === 'add') parts.push('\\')
      copied = change === 'add' ? pos : pos + 1
    }
    pos = next
  }
  return copied === 0 && parts.length === 0 ? text : parts.join('') + text.slice(copied)
}
