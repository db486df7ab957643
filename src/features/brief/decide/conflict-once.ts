import type { MarkedEntry } from '../../../kernel/model/selection.ts'

/** Leaves a conflict's mark on the first entry of a pair: it quotes both sides, and a second mark would say the same again. */
export function conflictOnce(): (marked: MarkedEntry) => MarkedEntry {
  const pairs = new Set<string>()
  return marked => {
    const { entry, marks } = marked
    if (marks?.conflictsWith === undefined) return marked
    const pair = [entry.id, marks.conflictsWith.id].sort().join(' ')
    if (!pairs.has(pair)) {
      pairs.add(pair)
      return marked
    }
    const { conflictsWith: _, ...others } = marks
    return { ...marked, marks: others }
  }
}
