import { type CodeFences, codeFences } from './code-fences.ts'
import { isEntryComment } from './entry-comment.ts'
import { hasTitle } from './entry-heading.ts'
import { isDatedHeading } from './entry-text.ts'
import { countLines, endsWithCrlf, isBlankLine, isRule, lineAfter, lineEnd, matchesAt } from './text-lines.ts'

const ANY_HEADING = /##(?:[ \t\r]|\n|$)/y
/** A formatter may put a blank line between a comment and its heading, but not more. */
const MAX_HEADER_LINES = 16

/** Offsets into the text. Open when found; `bodyEnd` and `end` move at each `---` line. */
export interface EntrySpan {
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
export function findSpans(text: string, from: number): EntrySpan[] {
  const spans: EntrySpan[] = []
  let fences: CodeFences | undefined
  let open: EntrySpan | undefined
  /** The last checked fence of the open entry of format 1, or the line up to which there is none. */
  let fence = { end: 0, holdsText: false }
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
        fence = { end: next, holdsText: false }
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
    if (fence.end < open.end) fence = { end: open.end, holdsText: false }
    while (fence.end <= pos) {
      const end = fences.endOf(fence.end)
      if (nextStart < fence.end) nextStart = startAfter(text, fence.end)
      const holdsText = end !== undefined && nextStart >= end
      fence = { end: holdsText ? end : lineAfter(text, fence.end), holdsText }
    }
    return fence.holdsText
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
