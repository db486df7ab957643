import type { RankedCandidate, Reranker } from '../../../kernel/model/search.ts'

export const noReranker: Reranker = {
  name: 'none',
  rerank: async best => best,
}

/** How much being like one that is already in costs. */
const LIKENESS_COST = 0.3
/** Entries of one project are all a little alike. */
const USUAL_LIKENESS = 0.4

/**
 * Maximal marginal relevance: each place goes to the entry that is most relevant and repeats least of the entries before it.
 *
 *   value = score · (1 − 0.3 · max(0, likeness to the most similar one chosen − 0.4) / 0.6)
 */
export const diversityReranker: Reranker = {
  name: 'diversity',
  async rerank(best, { similarity }) {
    const open = [...best]
    const chosen: RankedCandidate[] = []
    const likeness = new Map<string, number>()
    while (open.length > 0) {
      const last = chosen.at(-1)
      if (last !== undefined) {
        for (const { id } of open) {
          const alike = (await similarity(last.id, id)) ?? 0
          likeness.set(id, Math.max(likeness.get(id) ?? 0, alike))
        }
      }
      const valued = open.map(scored => ({
        scored,
        value: scored.score * noveltyOf(likeness.get(scored.id) ?? 0),
      }))
      const next = valued.reduce((a, b) => (b.value > a.value ? b : a))
      chosen.push({ ...next.scored, score: next.value })
      open.splice(open.indexOf(next.scored), 1)
    }
    return chosen
  },
}

function noveltyOf(likeness: number): number {
  return 1 - (LIKENESS_COST * Math.max(0, likeness - USUAL_LIKENESS)) / (1 - USUAL_LIKENESS)
}

export const RERANKERS: Readonly<Record<'none' | 'diversity', Reranker>> = {
  none: noReranker,
  diversity: diversityReranker,
}
