import type { Scored } from './scored.ts'

/** A question that finds what was decided first is a question about what holds now. */
const REPLACED_SHARE = 0.9

/**
 * Puts each newer entry before those it replaces: it takes over the best of their scores, and they fall back.
 * One that was not found by itself enters only where `mayAdd` says so: a filter may exclude it.
 */
export function preferSuccessors(
  ranked: readonly Scored[],
  successorById: ReadonlyMap<string, string>,
  mayAdd: boolean,
): Scored[] {
  if (successorById.size === 0) return [...ranked]
  const byId = new Map(ranked.map(scored => [scored.id, scored]))
  for (const { id, score } of ranked) {
    const newest = lastOf(id, successorById)
    const own = byId.get(newest)
    if (newest === id || (own === undefined && !mayAdd)) continue
    if (own === undefined || own.score < score) {
      byId.set(newest, { words: 0, meaning: 0, ...own, id: newest, score, replaces: id })
    }
    byId.set(id, { ...(byId.get(id) as Scored), score: score * REPLACED_SHARE, replacedBy: newest })
  }
  return [...byId.values()].sort((a, b) => b.score - a.score)
}

/** The end of the chain; the start when it is a ring, where nothing tells which one holds. */
export function lastOf(id: string, successorById: ReadonlyMap<string, string>): string {
  const seen = new Set([id])
  let last = id
  for (let next = successorById.get(last); next !== undefined; next = successorById.get(last)) {
    if (seen.has(next)) return id
    seen.add(next)
    last = next
  }
  return last
}
