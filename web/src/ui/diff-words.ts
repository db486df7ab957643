/** A part of a text: in both versions, or in one of them. */
export interface DiffPart {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Above this many comparisons the middle is shown as replaced, because a word diff would be slow and hard to read. */
const MAX_CELLS = 1_000_000

/** A word or a single character, with the spaces after it. Separate spaces would match anywhere and split inserted text. */
const WORDS = /(?:[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s])\s*|\s+/gu

/** The word differences between two texts, in reading order. */
export function diffWords(before: string, after: string): readonly DiffPart[] {
  return joined(diffPieces(before.match(WORDS) ?? [], after.match(WORDS) ?? []))
}

/**
 * The longest common subsequence, without the equal parts at both ends:
 *
 *   length[i][j] = 1 + length[i+1][j+1]               where the parts are equal
 *                  max(length[i+1][j], length[i][j+1])  otherwise
 */
function diffPieces(before: readonly string[], after: readonly string[]): readonly DiffPart[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end += 1
  const part = (kind: DiffPart['kind']) => (text: string) => ({ kind, text })
  return [
    ...before.slice(0, start).map(part('same')),
    ...diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(part('same')),
  ]
}

function diffMiddle(before: readonly string[], after: readonly string[]): readonly DiffPart[] {
  const removed = before.map(text => ({ kind: 'removed' as const, text }))
  const added = after.map(text => ({ kind: 'added' as const, text }))
  if (before.length * after.length > MAX_CELLS) return [...removed, ...added]
  const width = after.length + 1
  const lengths = new Uint32Array((before.length + 1) * width)
  const lengthAt = (i: number, j: number) => lengths[i * width + j] ?? 0
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        before[i] === after[j] ? 1 + lengthAt(i + 1, j + 1) : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1))
    }
  }
  const parts: DiffPart[] = []
  let i = 0
  let j = 0
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      parts.push({ kind: 'same', text: before[i] ?? '' })
      i += 1
      j += 1
    } else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) {
      parts.push({ kind: 'removed', text: before[i] ?? '' })
      i += 1
    } else {
      parts.push({ kind: 'added', text: after[j] ?? '' })
      j += 1
    }
  }
  return [...parts, ...removed.slice(i), ...added.slice(j)]
}

/** Joins adjacent parts of the same kind. */
function joined(parts: readonly DiffPart[]): readonly DiffPart[] {
  const runs: DiffPart[] = []
  for (const { kind, text } of parts) {
    const last = runs.at(-1)
    if (last?.kind === kind) runs[runs.length - 1] = { kind, text: last.text + text }
    else runs.push({ kind, text })
  }
  return runs
}
