export interface TextRange {
  readonly start: number
  readonly end: number
}

/** The first place in an ordered list of `length` items for which it is true; `length` if there is none. */
export function firstPlace(length: number, isTrue: (place: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isTrue(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** Those of ordered, non-overlapping ranges that overlap this one. */
export function* overlapping<Item extends TextRange>(
  items: readonly Item[],
  range: TextRange,
): Generator<Item> {
  const isBehind = (place: number) => (items[place] as Item).end > range.start
  for (let at = firstPlace(items.length, isBehind); at < items.length; at++) {
    const item = items[at] as Item
    if (item.start >= range.end) return
    yield item
  }
}

/** The ranges in order, with overlapping ones joined. */
export function joined(ranges: readonly TextRange[]): TextRange[] {
  const whole: { start: number; end: number }[] = []
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = whole.at(-1)
    if (end <= start) continue
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end)
    else whole.push({ start, end })
  }
  return whole
}
