import type { LineEdit } from '../model/journal.ts'

/** Up to this many pairs of lines, every pair is compared. */
const MAX_PAIRS = 1_000_000
/**
 * With more changed lines than this in long texts, the search for the fewest edits costs more than it is worth: one edit replaces all of
 * them.
 */
const MAX_EDITS = 1_000

/** `a\r\nb` -> `a\r\n`, `b`. Joined, they are the text. */
export function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/)
}

/** The edits that turn one text into another, without the lines that both have. In the order of the text, `at` in the first. */
export function diffLines(before: readonly string[], after: readonly string[]): LineEdit[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end++
  const removed = before.slice(start, before.length - end)
  const added = after.slice(start, after.length - end)
  if (removed.length === 0 && added.length === 0) return []
  const middle =
    removed.length * added.length > MAX_PAIRS ? diffLong(removed, added) : diffMiddle(removed, added)
  return middle.map(edit => ({ ...edit, at: edit.at + start }))
}

/**
 * Myers' greedy search: `reached[k]` is how far a path of d edits gets in the first text on diagonal k (lines removed less lines added).
 * Fast if few lines differ, however long the texts are.
 */
function diffLong(before: readonly string[], after: readonly string[]): LineEdit[] {
  const most = Math.min(MAX_EDITS, before.length + after.length)
  const middle = most + 1
  const reached = new Int32Array(2 * middle + 1)
  const steps: Int32Array[] = []
  for (let d = 0; d <= most; d++) {
    steps.push(reached.slice(middle - d - 1, middle + d + 2))
    for (let k = -d; k <= d; k += 2) {
      let x = furthest(reached, middle, d, k)
      while (x < before.length && x - k < after.length && before[x] === after[x - k]) x++
      reached[middle + k] = x
      if (x >= before.length && x - k >= after.length) return editsAlong(steps, before, after)
    }
  }
  return [{ at: 0, removed: [...before], added: [...after] }]
}

/** Before the lines that both have: one more removed, or one more added, whichever gets further. */
function furthest(reached: Int32Array, middle: number, d: number, k: number): number {
  const added = reached[middle + k + 1] as number
  const removed = (reached[middle + k - 1] as number) + 1
  return k === -d || (k !== d && removed <= added) ? added : removed
}

/** The path of the search, walked back from the end: each step is one removed or added line. */
function editsAlong(
  steps: readonly Int32Array[],
  before: readonly string[],
  after: readonly string[],
): LineEdit[] {
  const single: { at: number; removed?: string; added?: string }[] = []
  let x = before.length
  let y = after.length
  for (let d = steps.length - 1; d > 0; d--) {
    // The state of the search before its d-th edit, `d + 1` in the middle.
    const reached = steps[d] as Int32Array
    const k = x - y
    const isAdded =
      k === -d || (k !== d && (reached[d + 1 + k - 1] as number) + 1 <= (reached[d + 1 + k + 1] as number))
    const fromX = reached[d + 1 + (isAdded ? k + 1 : k - 1)] as number
    const fromY = fromX - (isAdded ? k + 1 : k - 1)
    if (isAdded) single.push({ at: fromX, added: after[fromY] as string })
    else single.push({ at: fromX, removed: before[fromX] as string })
    x = fromX
    y = fromY
  }
  const edits: { at: number; removed: string[]; added: string[] }[] = []
  for (const { at, removed, added } of single.reverse()) {
    const open = edits.at(-1)
    const isNext = open !== undefined && open.at + open.removed.length === at
    const edit = isNext ? open : { at, removed: [], added: [] }
    if (!isNext) edits.push(edit)
    if (removed !== undefined) edit.removed.push(removed)
    if (added !== undefined) edit.added.push(added)
  }
  return edits
}

/** By the longest common subsequence: `common[i][j]` is its length from line i of the first and line j of the second on. */
function diffMiddle(before: readonly string[], after: readonly string[]): LineEdit[] {
  const width = after.length + 1
  const common = new Uint32Array((before.length + 1) * width)
  const lengthAt = (i: number, j: number) => common[i * width + j] ?? 0
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      common[i * width + j] =
        before[i] === after[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1))
    }
  }
  const edits: { at: number; removed: string[]; added: string[] }[] = []
  let open: { at: number; removed: string[]; added: string[] } | undefined
  const edit = (at: number) => {
    if (open === undefined) {
      open = { at, removed: [], added: [] }
      edits.push(open)
    }
    return open
  }
  for (let i = 0, j = 0; i < before.length || j < after.length; ) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      open = undefined
      i++
      j++
    } else if (j < after.length && (i === before.length || lengthAt(i, j + 1) >= lengthAt(i + 1, j))) {
      edit(i).added.push(after[j] as string)
      j++
    } else {
      edit(i).removed.push(before[i] as string)
      i++
    }
  }
  return edits
}
