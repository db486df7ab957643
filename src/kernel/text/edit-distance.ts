/**
 * Damerau–Levenshtein distance (optimal string alignment): insertions, deletions, replacements and swaps of neighbours. Returns `limit +
 * 1` as soon as the distance must exceed the limit.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit || lettersApart(a, b) > 2 * limit) return limit + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    let best = i
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1]
      let distance = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        distance = Math.min(distance, at(beforeLast, j - 2) + 1)
      }
      row.push(distance)
      best = Math.min(best, distance)
    }
    if (best > limit) return limit + 1
    beforeLast = last
    last = row
  }
  return Math.min(at(last, b.length), limit + 1)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}

/**
 * Letters that only one of the words has; one edit changes at most two. For most words of a vocabulary this is enough, without the table.
 * Letters beyond the 32 bits share one, which can only let a word through.
 */
function lettersApart(a: string, b: string): number {
  let bits = letterBits(a) ^ letterBits(b)
  let count = 0
  while (bits !== 0) {
    bits &= bits - 1
    count += 1
  }
  return count
}

function letterBits(word: string): number {
  let bits = 0
  for (let i = 0; i < word.length; i += 1) bits |= 1 << (word.charCodeAt(i) & 31)
  return bits
}
