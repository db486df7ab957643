export interface DiffPart {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Longer texts are compared line by line: the table of words would grow with the square. */
const MOST_WORDS = 1_500

/** What has to be taken out of one text and put into it to get the other, in words and the space between them. */
export function diffText(before: string, after: string): DiffPart[] {
  const words = [before, after].map(text => text.match(/\s+|[^\s]+/g) ?? [])
  const isLong = words.some(({ length }) => length > MOST_WORDS)
  const [from = [], to = []] = isLong
    ? [before, after].map(text => text.match(/[^\n]*\n|[^\n]+$/g) ?? [])
    : words
  return joined(diffPieces(from, to))
}

/** By the longest common subsequence, after what both begin and end with. */
function diffPieces(from: readonly string[], to: readonly string[]): DiffPart[] {
  let start = 0
  while (start < from.length && start < to.length && from[start] === to[start]) start++
  let end = 0
  while (
    end < from.length - start &&
    end < to.length - start &&
    from[from.length - 1 - end] === to[to.length - 1 - end]
  )
    end++
  const same = (pieces: readonly string[]) => pieces.map(text => ({ kind: 'same' as const, text }))
  return [
    ...same(from.slice(0, start)),
    ...betweenEnds(from.slice(start, from.length - end), to.slice(start, to.length - end)),
    ...same(end === 0 ? [] : from.slice(-end)),
  ]
}

function betweenEnds(from: readonly string[], to: readonly string[]): DiffPart[] {
  const width = to.length + 1
  const longest = new Uint32Array((from.length + 1) * width)
  const at = (row: number, column: number) => longest[row * width + column] ?? 0
  for (let row = from.length - 1; row >= 0; row--) {
    for (let column = to.length - 1; column >= 0; column--) {
      longest[row * width + column] =
        from[row] === to[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  const parts: DiffPart[] = []
  let [row, column] = [0, 0]
  while (row < from.length || column < to.length) {
    if (row < from.length && column < to.length && from[row] === to[column]) {
      parts.push({ kind: 'same', text: from[row] ?? '' })
      row++
      column++
    } else if (row < from.length && (column === to.length || at(row + 1, column) >= at(row, column + 1))) {
      parts.push({ kind: 'removed', text: from[row++] ?? '' })
    } else parts.push({ kind: 'added', text: to[column++] ?? '' })
  }
  return parts
}

function joined(parts: readonly DiffPart[]): DiffPart[] {
  const out: DiffPart[] = []
  for (const part of parts) {
    const last = out.at(-1)
    if (last?.kind === part.kind) out[out.length - 1] = { ...last, text: last.text + part.text }
    else out.push(part)
  }
  return out
}
