import { whenNeeded } from './script.ts'

const tagInText = whenNeeded(() => /(^|[\s(])#(\p{L}[\p{L}\p{M}\p{N}_-]*)/gu)
/** `#a1b2c3`, `#a1b2c3ff`: six or eight. The short forms stay tags, or `#e2e` and `#b2b` would be colours. */
const HEX_COLOUR = /^(?=[^\d]*\d)(?:[0-9a-f]{6}|[0-9a-f]{8})$/i
const BACKTICK = 0x60
const PLAIN_TAG = /^[a-z0-9_.+-]*$/
const FENCE = /[ \t]*(`{3,}|~{3,})([^\n]*)/y
const BLANK_LINE = /[ \t\r]*(?:\n|$)/y

/**
 * Every `#word` of the prose, lower-cased, each once, in the order of first appearance.
 *
 *   Keep #auth in (#Middleware); not `#code`, [a link](#anchor), #123, #a1b2c3 → auth middleware
 */
export function extractTags(content: string): string[] {
  if (!content.includes('#')) return []
  const tags = new Set<string>()
  for (const { start, end } of proseBlocks(content)) addTagsOf(content.slice(start, end), tags)
  return [...tags]
}

/** Lower case, NFC, no `#`, no blank: what is left fits on a heading line. '' when nothing is left. */
export function normaliseTag(text: string): string {
  if (PLAIN_TAG.test(text)) return text
  return text
    .toLowerCase()
    .normalize('NFC')
    .replace(/[\p{Cs}#,]+/gu, '')
    .trim()
    .replace(/[\s\p{Cc}]+/gu, '-')
}

/** One list of normalised tags, each once, in the order given. */
export function mergeTags(...lists: readonly (readonly string[])[]): string[] {
  const tags = new Set<string>()
  for (const list of lists) {
    for (const text of list) {
      const tag = normaliseTag(text)
      if (tag !== '') tags.add(tag)
    }
  }
  return [...tags]
}

interface Span {
  readonly start: number
  readonly end: number
}

/** Paragraphs: what lies between blank lines, without fenced code. A code span never crosses their borders. */
function* proseBlocks(text: string): Generator<Span> {
  let blockStart = -1
  let fence: string | undefined
  for (let pos = 0; pos < text.length; ) {
    const newline = text.indexOf('\n', pos)
    const next = newline < 0 ? text.length : newline + 1
    const marker = fenceAt(text, pos)
    const inFence = fence !== undefined
    if (fence !== undefined) {
      if (marker !== undefined && closes(marker, fence)) fence = undefined
    } else if (marker !== undefined && !(marker.run.startsWith('`') && marker.rest.includes('`'))) {
      fence = marker.run
    }
    const prose = !inFence && fence === undefined && !isBlankLine(text, pos)
    if (prose && blockStart < 0) blockStart = pos
    if (!prose && blockStart >= 0) {
      yield { start: blockStart, end: pos }
      blockStart = -1
    }
    pos = next
  }
  if (blockStart >= 0) yield { start: blockStart, end: text.length }
}

interface FenceLine {
  readonly run: string
  readonly rest: string
}

function fenceAt(text: string, pos: number): FenceLine | undefined {
  FENCE.lastIndex = pos
  const match = FENCE.exec(text)
  return match === null ? undefined : { run: match[1] ?? '', rest: match[2] ?? '' }
}

function closes(line: FenceLine, fence: string): boolean {
  return line.run.startsWith(fence) && line.rest.trim() === ''
}

function isBlankLine(text: string, pos: number): boolean {
  BLANK_LINE.lastIndex = pos
  return BLANK_LINE.test(text)
}

function addTagsOf(block: string, tags: Set<string>): void {
  if (!block.includes('#')) return
  const code = codeSpans(block)
  let span = 0
  for (const match of block.matchAll(tagInText())) {
    const before = match[1] ?? ''
    const hash = match.index + before.length
    while (span < code.length && (code[span]?.end ?? 0) <= hash) span++
    if ((code[span]?.start ?? Infinity) <= hash) continue
    if (before === '(' && block[match.index - 1] === ']') continue
    const word = withoutTail(match[2] ?? '')
    if (!HEX_COLOUR.test(word)) tags.add(normaliseTag(word))
  }
}

/** `#later-` at the end of a sentence means `later`. */
function withoutTail(word: string): string {
  let end = word.length
  while (end > 0 && (word[end - 1] === '-' || word[end - 1] === '_')) end--
  return word.slice(0, end)
}

/**
 * A run of backticks opens a span that the next run of the same length closes; without one it is plain text.
 * Looking from the last run to the first, the next of each length is known: many openers without a closer stay linear.
 */
function codeSpans(block: string): Span[] {
  const starts: number[] = []
  const ends: number[] = []
  for (let start = block.indexOf('`'); start >= 0; ) {
    let end = start + 1
    while (block.charCodeAt(end) === BACKTICK) end++
    starts.push(start)
    ends.push(end)
    start = block.indexOf('`', end)
  }
  const closers = new Int32Array(starts.length)
  const nextByLength = new Map<number, number>()
  for (let i = starts.length - 1; i >= 0; i--) {
    const length = (ends[i] ?? 0) - (starts[i] ?? 0)
    closers[i] = nextByLength.get(length) ?? -1
    nextByLength.set(length, i)
  }
  const spans: Span[] = []
  for (let i = 0; i < starts.length; i++) {
    const closer = closers[i] ?? -1
    if (closer < 0) continue
    spans.push({ start: starts[i] ?? 0, end: ends[closer] ?? 0 })
    i = closer
  }
  return spans
}
