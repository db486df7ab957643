import type { Span } from './placeholder.ts'
import { findRuns } from './runs.ts'
import { findTokens } from './token-rules.ts'

const TOKEN_CHAR = /[A-Za-z0-9_+/=.-]/
/** Characters between the halves of a broken key besides the line break: quotes, a plus, the mark of a quoted mail. */
const BEFORE_BREAK = /[ \t"'`\\+]/
const AFTER_BREAK = /[ \t"'`+>#|*]/
const MAX_MARGIN = 40
const MIN_HALF_LENGTH = 4
const MAX_HALF_LENGTH = 1_000

/** A line break inside a possible key: `end` of the first half, `start` of the second. */
interface Seam {
  readonly end: number
  readonly start: number
  /** The second half fills its line, as the middle and the end of a broken key do. */
  readonly fillsLine: boolean
}

/** Tokens that a terminal, a mail program or an editor broke over lines. Those on one line are found without this. */
export function findWrappedTokens(text: string, onOneLine: readonly Span[]): Span[] {
  const seams = findSeams(text)
  if (seams.length === 0) return []
  let joined = ''
  let from = 0
  /** The position of each seam in the joined text, and how much of the text was left out up to there. */
  const places: { at: number; skipped: number; seam: Seam }[] = []
  for (const seam of seams) {
    joined += text.slice(from, seam.end)
    places.push({ at: joined.length, skipped: seam.start - joined.length, seam })
    from = seam.start
  }
  joined += text.slice(from)

  const spans: Span[] = []
  let next = 0
  for (const found of findTokens(joined, findRuns(joined))) {
    while ((places[next]?.at ?? Number.POSITIVE_INFINITY) <= found.start) next += 1
    const first = places[next]
    if (first === undefined || first.at >= found.end) continue
    const skippedBefore = places[next - 1]?.skipped ?? 0
    let last = next
    while ((places[last + 1]?.at ?? Number.POSITIVE_INFINITY) < found.end) last += 1
    const start = found.start + skippedBefore
    const isWholeAlready = onOneLine.some(span => span.start <= start && span.end === first.seam.end)
    if (isWholeAlready && !first.seam.fillsLine) continue
    spans.push({ type: found.type, start, end: found.end + (places[last]?.skipped ?? 0) })
  }
  return spans
}

function findSeams(text: string): Seam[] {
  const seams: Seam[] = []
  /** The end of the second half of the last seam. */
  let lastHalfEnd = -1
  for (let lineBreak = text.indexOf('\n'); lineBreak !== -1; lineBreak = text.indexOf('\n', lineBreak + 1)) {
    let end = text.charAt(lineBreak - 1) === '\r' ? lineBreak - 1 : lineBreak
    const margin = end - MAX_MARGIN
    while (end > 0 && end > margin && BEFORE_BREAK.test(text.charAt(end - 1))) end -= 1
    if (!TOKEN_CHAR.test(text.charAt(end - 1))) continue
    let start = lineBreak + 1
    while (start < lineBreak + MAX_MARGIN && AFTER_BREAK.test(text.charAt(start))) start += 1
    let halfEnd = start
    while (halfEnd < start + MAX_HALF_LENGTH && TOKEN_CHAR.test(text.charAt(halfEnd))) halfEnd += 1
    const half = text.slice(start, halfEnd).replace(/[.=]+$/, '')
    // A word of a sentence that continues in the next line is not half of a key.
    const fillsLine = /^["'`;,.)\\ \t]*(?:\+[ \t]*)?(?:\r?\n|$)/.test(
      text.slice(halfEnd, halfEnd + MAX_MARGIN),
    )
    const goesOn = seams.length > 0 && lastHalfEnd === end && fillsLine
    if (
      half === '' ||
      (half.length < MIN_HALF_LENGTH && !goesOn) ||
      /^[A-Za-z]?[a-z]{0,18}$|^\d{1,4}$/.test(half)
    )
      continue
    if (!hasHalfBefore(text, end)) continue
    seams.push({ end, start, fillsLine })
    lastHalfEnd = halfEnd
  }
  return seams
}

function hasHalfBefore(text: string, end: number): boolean {
  for (let back = 1; back <= MIN_HALF_LENGTH; back += 1)
    if (!TOKEN_CHAR.test(text.charAt(end - back))) return false
  return true
}
