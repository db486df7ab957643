import { type CodeFences, codeFences } from './code-fences.ts'
import { headingText } from './entry-heading.ts'
import { countLines, endsWithCrlf, isBlankLine, isRule, lineAfter, lineEnd, matchesAt } from './text-lines.ts'

const HEADING = / {0,3}(#{1,6})(?:[ \t\r]|\n|$)/y
const BULLET = /( {0,3})([-*+])([ \t]+)/y
const CHECKBOX = /\[[ xX]\](?:[ \t]|\r?\n|$)/y
const NUMBERED = / {0,3}\d{1,9}[.)][ \t]/y
const NESTED = /(?: {2}|\t)/y
/** Letters and digits of any script; a file read byte by byte shows them as characters above 127. */
const WORD = /[A-Za-z0-9\u00aa\u00b5\u00ba\u00c0-\u1fff\u2c00-\ufefe\uff10-\uffef]/

/** An entry that a person typed: without a comment line, so without id, kind or status. Offsets into the text. */
export interface TypedSpan {
  readonly type: 'heading' | 'bullet'
  readonly start: number
  readonly end: number
  readonly line: number
  /** After the heading line, or after the mark of the bullet. A checkbox keeps its mark. */
  readonly bodyStart: number
  /** The indentation of a bullet's lines below its first. */
  readonly indent: number
  readonly crlf: boolean
}

/** Lines with words that belong to no entry. */
interface UnreadLines {
  readonly line: number
  readonly lastLine: number
}

interface LooseText {
  readonly typed: readonly TypedSpan[]
  readonly unread: readonly UnreadLines[]
}

export function hasWords(text: string): boolean {
  return WORD.test(text)
}

/**
 * The entries in the loose text of a file, from one entry with a comment line to the next:
 *
 * ## Any heading        an entry with its section: to the next heading of its level or above, or to a `---` line
 * - a bullet            an entry with its nested bullets
 * # Title               the title of the file; an entry if there is text below it
 * anything else         not an entry; reported as `unread_text`
 *
 * Comments and closed code fences are neither.
 */
export function readLoose(text: string, from: number, to: number, firstLine: number): LooseText {
  const typed: TypedSpan[] = []
  const unread: UnreadLines[] = []
  const walker = lineWalker(text, to)
  let run: { line: number; lastLine: number } | undefined
  let [line, counted] = [firstLine, from]
  const lineAt = (pos: number) => {
    line += countLines(text, counted, pos)
    counted = pos
    return line
  }
  const endRun = () => {
    if (run !== undefined) unread.push(run)
    run = undefined
  }
  for (let pos = from === 0 || isOnlyBom(text, from) ? afterFrontMatter(text, from, to) : from; pos < to; ) {
    const { kind, next } = walker.lineAt(pos)
    if (kind === 'heading' || kind === 'bullet') {
      endRun()
      const { isEntry, ...found } = kind === 'heading' ? sectionAt(pos) : bulletAt(pos)
      const crlf = endsWithCrlf(text, lineAfter(text, pos))
      if (isEntry) typed.push({ type: kind, start: pos, line: lineAt(pos), crlf, ...found })
      pos = found.end
      continue
    }
    if (kind === 'text' && hasWords(text.slice(pos, next))) {
      const here = lineAt(pos)
      const lastLine = here + countLines(text, pos, lineEnd(text, next))
      run = { line: run?.line ?? here, lastLine }
    } else if (kind !== 'blank' && kind !== 'text') endRun()
    pos = next
  }
  endRun()
  return { typed, unread }

  function sectionAt(start: number): Found {
    const level = levelAt(text, start)
    const bodyStart = lineAfter(text, start)
    let end = bodyStart
    let hasText = false
    for (let pos = bodyStart; pos < to; ) {
      const { kind, next } = walker.lineAt(pos)
      if (kind === 'heading' && (level === 1 || levelAt(text, pos) <= level)) break
      if ((kind === 'bullet' && level === 1) || kind === 'rule') break
      if (kind !== 'blank') {
        end = next
        hasText ||= kind === 'text' && hasWords(text.slice(pos, next))
      }
      pos = next
    }
    // A date alone is not an entry.
    const isEntry =
      level === 1
        ? hasText
        : hasWords(headingText(text.slice(start, bodyStart))) || hasWords(text.slice(bodyStart, end))
    return { isEntry, bodyStart, end, indent: 0 }
  }

  function bulletAt(start: number): Found {
    BULLET.lastIndex = start
    const [whole = '', before = '', mark = '', gap = ''] = BULLET.exec(text) ?? []
    // Four blanks or more after the mark are code in the bullet, not its indentation.
    const indent = before.length + mark.length + (gap.length > 4 ? 1 : gap.length)
    const isTask = matchesAt(CHECKBOX, text, start + whole.length)
    const bodyStart = isTask ? start + before.length : start + whole.length
    let end = walker.lineAt(start).next
    let afterBlank = false
    for (let pos = end; pos < to; ) {
      const { kind, next } = walker.lineAt(pos)
      if (kind === 'blank') afterBlank = true
      else {
        const isNested = matchesAt(NESTED, text, pos + Math.min(before.length, blanksAt(text, pos)))
        const continues = kind === 'text' && !afterBlank && !matchesAt(NUMBERED, text, pos)
        if (!isNested && !continues) break
        end = next
        afterBlank = false
      }
      pos = next
    }
    const isEntry = hasWords(text.slice(start + whole.length, end))
    return { isEntry, bodyStart, end, indent }
  }
}

/** The result at a line. If it is not an entry, there are no words up to its end. */
type Found = Pick<TypedSpan, 'end' | 'bodyStart' | 'indent'> & { readonly isEntry: boolean }

type LineKind = 'blank' | 'heading' | 'bullet' | 'rule' | 'fence' | 'comment' | 'text'

/** Line by line; a closed fence or a comment of several lines counts as one. */
function lineWalker(text: string, to: number): { lineAt(pos: number): { kind: LineKind; next: number } } {
  let fences: CodeFences | undefined
  let unclosedFrom = Number.POSITIVE_INFINITY
  /** Where the line after the end of a comment starts; undefined: it is never closed. */
  const afterComment = (start: number): number | undefined => {
    if (start >= unclosedFrom) return undefined
    const end = text.indexOf('-->', start)
    if (end >= 0 && end < to) return Math.min(lineAfter(text, end), to)
    unclosedFrom = start
    return undefined
  }
  return {
    lineAt(pos) {
      const next = Math.min(lineAfter(text, pos), to)
      if (isBlankLine(text, pos)) return { kind: 'blank', next }
      if (isRule(text, pos)) return { kind: 'rule', next }
      const start = pos + Math.min(3, blanksAt(text, pos))
      const first = text.charCodeAt(start)
      if (first === 0x60 || first === 0x7e) {
        fences ??= codeFences(text, pos, to)
        const end = fences.endOf(pos)
        if (end !== undefined) return { kind: 'fence', next: end }
      }
      if (first === 0x3c && text.startsWith('<!--', start)) {
        const end = afterComment(start)
        if (end !== undefined) return { kind: 'comment', next: end }
      }
      const kind = levelAt(text, pos) > 0 ? 'heading' : matchesAt(BULLET, text, pos) ? 'bullet' : 'text'
      // A comment that begins in this line and ends in a later one includes the lines between.
      const opened = text.slice(pos, next).lastIndexOf('<!--')
      return { kind, next: opened < 0 ? next : Math.max(next, afterComment(pos + opened) ?? next) }
    },
  }
}

function levelAt(text: string, pos: number): number {
  HEADING.lastIndex = pos
  return HEADING.exec(text)?.[1]?.length ?? 0
}

function blanksAt(text: string, pos: number): number {
  let end = pos
  while (text.charCodeAt(end) === 0x20) end++
  return end - pos
}

function isOnlyBom(text: string, from: number): boolean {
  return from === 1 ? text.startsWith('\uFEFF') : from === 3 && text.startsWith('\u00EF\u00BB\u00BF')
}

/** Front matter of another tool at the top of the file: `---`, lines, `---`. */
function afterFrontMatter(text: string, from: number, to: number): number {
  if (!isRule(text, from)) return from
  for (let pos = lineAfter(text, from); pos < to; pos = lineAfter(text, pos)) {
    if (isRule(text, pos)) return lineAfter(text, pos)
    if (isBlankLine(text, pos) || levelAt(text, pos) > 0) return from
  }
  return from
}

/** The text of a bullet without its mark, the lines below it without their indentation. */
export function bulletText(body: string, indent: number): string {
  const [first = '', ...rest] = body.split('\n')
  const own = new RegExp(`^(?: {1,${indent}}|\\t)`)
  return [first, ...rest.map(line => line.replace(own, ''))].join('\n')
}
