const BACKTICK = 0x60
const FENCE = /[ \t]*(`{3,}|~{3,})([^\n]*)/y
const BLANK_LINE = /[ \t\r]*(?:\n|$)/y

export interface TextSpan {
  readonly start: number
  readonly end: number
}

/** Paragraphs between blank lines, without fenced code. A code span never crosses their borders. */
export function* proseBlocks(text: string): Generator<TextSpan> {
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

/**
 * A run of backticks opens a span that the next run of the same length closes; otherwise it is plain text. Going from the last run to the
 * first, the next of each length is known, so many openers without a closer stay linear.
 */
export function codeSpans(block: string): TextSpan[] {
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
  const spans: TextSpan[] = []
  for (let i = 0; i < starts.length; i++) {
    const closer = closers[i] ?? -1
    if (closer < 0) continue
    spans.push({ start: starts[i] ?? 0, end: ends[closer] ?? 0 })
    i = closer
  }
  return spans
}
