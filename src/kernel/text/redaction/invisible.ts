/**
 * Soft hyphens, zero-width characters, joiners, direction marks and variation selectors: invisible, but they would break the match of a
 * rule.
 */
const INVISIBLE =
  /(?:[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|[\ufe00-\ufe0f])+/g

export interface BareText {
  readonly text: string
  /** The position in the original of a character of the bare text. */
  readonly originalAt: (index: number) => number
}

/** The text without its invisible characters; undefined if it has none. */
export function withoutInvisible(text: string): BareText | undefined {
  const starts: number[] = []
  const skipped: number[] = []
  let bare = ''
  let from = 0
  for (const match of text.matchAll(INVISIBLE)) {
    bare += text.slice(from, match.index)
    from = match.index + match[0].length
    starts.push(bare.length)
    skipped.push(from - bare.length)
  }
  if (starts.length === 0) return undefined
  bare += text.slice(from)
  return { text: bare, originalAt: index => index + (skipped[lastAtMost(starts, index)] ?? 0) }
}

/** The position of the last of the sorted numbers that is at most the limit, or -1. */
function lastAtMost(sorted: readonly number[], limit: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}
