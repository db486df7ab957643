import type { LineEdit } from '../model/journal.ts'

/** Above this many pairs of lines the search for the fewest edits costs more than it is worth: one edit takes the place of all. */
const MOST_PAIRS = 1_000_000

/** `a\r\nb` -> `a\r\n`, `b`. Put together again they are the text. */
export function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/)
}

/** The lines that make one text of another, with all that both have left out. In the order of the text, `at` in the first. */
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
  if (removed.length * added.length > MOST_PAIRS) return [{ at: start, removed, added }]
  return diffMiddle(removed, added).map(edit => ({ ...edit, at: edit.at + start }))
}

/** By the longest common subsequence: `common[i][j]` is its length from line i of the one and j of the other on. */
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
