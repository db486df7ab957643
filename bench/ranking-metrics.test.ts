import { describe, expect, it } from 'vitest'
import { averageMetrics, hitAt, judge, ndcgAt, recallAt, reciprocalRank } from './ranking-metrics.ts'

describe('judge', () => {
  it('gives each rank the facts it is the first to show', () => {
    expect(judge(['b', 'x', 'a'], [['a'], ['b']])).toEqual({ gains: [1, 0, 1], total: 2, idealRanks: 2 })
  })

  it('takes any wording of a fact, and counts the fact once', () => {
    expect(judge(['a2', 'a1', 'b'], [['a1', 'a2'], ['b']])).toEqual({
      gains: [1, 0, 1],
      total: 2,
      idealRanks: 2,
    })
  })

  it('lets one entry stand for two documents with the same text, at one rank', () => {
    expect(judge(['ab', 'x'], [['ab'], ['ab']])).toEqual({ gains: [2, 0], total: 2, idealRanks: 1 })
  })

  it('misses a fact whose document could not be imported', () => {
    expect(judge(['a'], [['a'], []])).toEqual({ gains: [1], total: 2, idealRanks: 2 })
  })
})

describe('the figures of one question', () => {
  // Two facts, at ranks 2 and 6.
  const judgement = { gains: [0, 1, 0, 0, 0, 1, 0], total: 2, idealRanks: 2 }

  it('counts what is found within the cutoff', () => {
    expect([recallAt(1, judgement), recallAt(5, judgement), recallAt(10, judgement)]).toEqual([0, 0.5, 1])
    expect([hitAt(1, judgement), hitAt(5, judgement)]).toEqual([0, 1])
  })

  it('takes the rank of the first', () => {
    expect(reciprocalRank(judgement)).toBe(0.5)
    expect(reciprocalRank({ gains: [0, 0], total: 1, idealRanks: 1 })).toBe(0)
  })

  it('discounts by rank: (1/log2 3 + 1/log2 7) / (1 + 1/log2 3)', () => {
    expect(ndcgAt(10, judgement)).toBeCloseTo(0.605, 3)
    expect(ndcgAt(10, { gains: [2, 0], total: 2, idealRanks: 1 })).toBe(1)
  })
})

describe('averageMetrics', () => {
  it('weighs every question the same', () => {
    const first = { gains: [1], total: 1, idealRanks: 1 }
    const never = { gains: [0, 0], total: 3, idealRanks: 3 }
    const eighth = { gains: [0, 0, 0, 0, 0, 0, 0, 1], total: 2, idealRanks: 2 }
    expect(averageMetrics([first, never, eighth])).toEqual({
      queries: 3,
      'recall@5': 0.3333,
      'recall@10': 0.5,
      'recall@20': 0.5,
      mrr: 0.375,
      'ndcg@10': 0.3978,
      'hit@5': 0.3333,
    })
  })
})
