import { isEntryComment } from './entry-comment.ts'
import { firstPlace } from './ordered-ranges.ts'
import { lineAfter, lineEnd, matchesAt } from './text-lines.ts'

const FENCE = / {0,3}(`{3,}|~{3,})/y
const OPENER = / {0,3}(?:`{3,}[^`\n]*|~{3,}[^\n]*)(?:\n|$)/y
const CLOSER = / {0,3}(`{3,}|~{3,})[ \t\r]*(?:\n|$)/y

/** Whether a line would open a code fence, closed or not. */
export function isFenceOpener(text: string, pos: number): boolean {
  const first = text.charCodeAt(pos)
  return (first === 0x60 || first === 0x7e || first === 0x20) && matchesAt(OPENER, text, pos)
}

/** The characters that open a fence. */
function fenceMark(text: string, pos: number): string | undefined {
  return isFenceOpener(text, pos) ? runAt(FENCE, text, pos) : undefined
}

function runAt(pattern: RegExp, text: string, pos: number): string | undefined {
  pattern.lastIndex = pos
  return pattern.exec(text)?.[1]
}

export interface CodeFences {
  /** Where the text continues after the fence that opens at this line; undefined: none opens here, or it is never closed. */
  endOf(pos: number): number | undefined
}

/** A line that closes any fence of its character that is not longer. */
interface Closer {
  readonly start: number
  readonly end: number
  readonly length: number
  /** The next one with more characters. */
  longer?: Closer
}

interface FenceLines {
  readonly backticks: readonly Closer[]
  readonly tildes: readonly Closer[]
  /** The comment lines of entries. */
  readonly entries: readonly number[]
}

/**
 * The closed code fences of a text from the line at `from` up to `limit`. The content of a fence is text, even if it looks like an entry.
 * But an unclosed fence must not swallow the entries after it: a fence that seems to contain an entry counts as closed only if all fences
 * from there to the end are. Cairn never writes an entry's comment line into a fence unescaped.
 *
 * The text is read once, at the first opener: searching from each of them would take quadratic time on a hostile file.
 */
export function codeFences(text: string, from = 0, limit = text.length): CodeFences {
  let lines: FenceLines | undefined
  const isSound = new Map<number, boolean>()

  const closerOf = (pos: number): Closer | undefined => {
    const mark = fenceMark(text, pos)
    if (mark === undefined) return undefined
    lines ??= readFenceLines(text, from, limit)
    const closers = mark.startsWith('~') ? lines.tildes : lines.backticks
    // At most as many steps as the mark has characters: each one is longer than the last.
    let closer = closers[firstPlace(closers.length, at => (closers[at] as Closer).start > pos)]
    while (closer !== undefined && closer.length < mark.length) closer = closer.longer
    return closer
  }
  const containsEntry = (start: number, end: number): boolean => {
    const entries = lines?.entries ?? []
    return (entries[firstPlace(entries.length, at => (entries[at] as number) > start)] ?? end) < end
  }
  /** Whether all fences from here on are closed. */
  const isSoundFrom = (start: number): boolean => {
    const passed: number[] = []
    let sound = true
    for (let pos = start; pos < limit; ) {
      const closer = closerOf(pos)
      sound = isSound.get(pos) ?? (closer !== undefined || !isFenceOpener(text, pos))
      if (!sound || isSound.has(pos)) break
      passed.push(pos)
      pos = closer?.end ?? lineAfter(text, pos)
    }
    for (const pos of passed) isSound.set(pos, sound)
    return sound
  }
  return {
    endOf(pos) {
      const closer = closerOf(pos)
      if (closer === undefined) return undefined
      return !containsEntry(pos, closer.start) || isSoundFrom(closer.end) ? closer.end : undefined
    },
  }
}

function readFenceLines(text: string, from: number, limit: number): FenceLines {
  const backticks: Closer[] = []
  const tildes: Closer[] = []
  const entries: number[] = []
  for (let start = from; start < limit; ) {
    const end = lineAfter(text, start)
    const first = text.charCodeAt(start)
    if (first === 0x3c /* < */ && isEntryComment(text, start, lineEnd(text, end))) entries.push(start)
    else if (first === 0x60 || first === 0x7e || first === 0x20) {
      const mark = runAt(CLOSER, text, start)
      if (mark !== undefined)
        (mark.startsWith('~') ? tildes : backticks).push({ start, end, length: mark.length })
    }
    start = end
  }
  return { backticks: withLonger(backticks), tildes: withLonger(tildes), entries }
}

/** From the last to the first: only longer and longer closers can match an opener before them. */
function withLonger(closers: readonly Closer[]): readonly Closer[] {
  let next: Closer | undefined
  for (const closer of closers.toReversed()) {
    while (next !== undefined && next.length <= closer.length) next = next.longer
    if (next !== undefined) closer.longer = next
    next = closer
  }
  return closers
}
