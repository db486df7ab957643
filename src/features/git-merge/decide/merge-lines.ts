/** Above this many pairs of lines what both sides changed is not compared line by line. */
const MAX_PAIRS = 4_000_000

export interface MergedLines {
  readonly lines: readonly string[]
  /** Somewhere both sides changed the same place. */
  readonly keptBoth: boolean
}

/**
 * Three versions of some lines in one, nothing lost: what only one side changed is as that side has it; where both changed the
 * same place, the lines of ours come first and then those that only theirs has.
 *
 *   base a b c   ours a B c   theirs a b c d   →   a B c d
 */
export function mergeLines(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): MergedLines {
  if (sameLines(ours, theirs) || sameLines(base, theirs)) return { lines: ours, keptBoth: false }
  if (sameLines(base, ours)) return { lines: theirs, keptBoth: false }
  const oursAt = matches(base, ours)
  const theirsAt = matches(base, theirs)
  const merged: string[] = []
  let keptBoth = false
  let [fromBase, fromOurs, fromTheirs] = [0, 0, 0]
  const takeUntil = (toBase: number, toOurs: number, toTheirs: number) => {
    const was = base.slice(fromBase, toBase)
    const [our, their] = [ours.slice(fromOurs, toOurs), theirs.slice(fromTheirs, toTheirs)]
    if (sameLines(our, their) || sameLines(was, their)) merged.push(...our)
    else if (sameLines(was, our)) merged.push(...their)
    else {
      merged.push(...our, ...their.filter(line => !our.includes(line)))
      keptBoth = true
    }
  }
  for (let at = 0; at < base.length; at++) {
    const [inOurs, inTheirs] = [oursAt[at], theirsAt[at]]
    if (inOurs === undefined || inTheirs === undefined) continue
    takeUntil(at, inOurs, inTheirs)
    merged.push(base[at] as string)
    ;[fromBase, fromOurs, fromTheirs] = [at + 1, inOurs + 1, inTheirs + 1]
  }
  takeUntil(base.length, ours.length, theirs.length)
  return { lines: merged, keptBoth }
}

/** For each line of `before` where it stands in `after`, in order: a longest common subsequence. */
function matches(before: readonly string[], after: readonly string[]): (number | undefined)[] {
  const found: (number | undefined)[] = new Array(before.length).fill(undefined)
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start])
    found[start] = start++
  let [endBefore, endAfter] = [before.length, after.length]
  while (endBefore > start && endAfter > start && before[endBefore - 1] === after[endAfter - 1])
    found[--endBefore] = --endAfter
  const [rows, columns] = [endBefore - start, endAfter - start]
  if (rows === 0 || columns === 0 || rows * columns > MAX_PAIRS) return found
  const width = columns + 1
  const longest = new Uint32Array((rows + 1) * width)
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      const here = row * width + column
      longest[here] =
        before[start + row] === after[start + column]
          ? (longest[here + width + 1] as number) + 1
          : Math.max(longest[here + width] as number, longest[here + 1] as number)
    }
  }
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    const here = row * width + column
    if (before[start + row] === after[start + column]) found[start + row++] = start + column++
    else if ((longest[here + width] as number) >= (longest[here + 1] as number)) row++
    else column++
  }
  return found
}

function sameLines(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, at) => line === b[at])
}
