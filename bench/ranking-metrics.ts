/**
 * How well a ranking answers a question. Pure, so that every figure of the retrieval bench can be checked by hand.
 *
 *   judged question          what counts
 *   ranked  [b, x, a]        gains   [1, 0, 1]     facts first seen at each rank
 *   facts   [[a], [b, b']]   total   2             an entry of any wording finds the fact
 */
export interface Judgement {
  /** How many of the wanted facts each rank is the first to show. */
  readonly gains: readonly number[]
  /** Wanted facts. */
  readonly total: number
  /** Ranks that a perfect answer would need: facts that share their entries need one between them. */
  readonly idealRanks: number
}

export interface Metrics {
  readonly queries: number
  readonly 'recall@5': number
  readonly 'recall@10': number
  readonly 'recall@20': number
  readonly mrr: number
  readonly 'ndcg@10': number
  readonly 'hit@5': number
}

/** Each fact is given as the entries that state it; a fact whose document could not be imported has none, and is missed. */
export function judge(ranked: readonly string[], facts: readonly (readonly string[])[]): Judgement {
  const missing = facts.map(entries => new Set(entries))
  const gains = ranked.map(id => {
    const found = missing.filter(entries => entries.has(id))
    for (const entries of found) entries.clear()
    return found.length
  })
  return { gains, total: facts.length, idealRanks: new Set(facts.map(factKey)).size }
}

function factKey(entries: readonly string[], position: number): string {
  return entries.length === 0 ? `missing ${position}` : [...entries].sort().join(' ')
}

export function recallAt(cutoff: number, { gains, total }: Judgement): number {
  return sum(gains.slice(0, cutoff)) / total
}

/** 1 / the rank of the first wanted entry; 0 when none was returned. */
export function reciprocalRank({ gains }: Judgement): number {
  const first = gains.findIndex(gain => gain > 0)
  return first === -1 ? 0 : 1 / (first + 1)
}

/** Σ 1 / log2(rank + 1) over the ranks that show a wanted fact, by the same sum for a perfect ranking. */
export function ndcgAt(cutoff: number, { gains, idealRanks }: Judgement): number {
  const discount = (rank: number) => 1 / Math.log2(rank + 2)
  const gained = sum(gains.slice(0, cutoff).map((gain, rank) => (gain > 0 ? discount(rank) : 0)))
  const ideal = sum(Array.from({ length: Math.min(cutoff, idealRanks) }, (_, rank) => discount(rank)))
  return gained / ideal
}

export function hitAt(cutoff: number, { gains }: Judgement): number {
  return gains.slice(0, cutoff).some(gain => gain > 0) ? 1 : 0
}

/** Every question weighs the same, whatever its folder. */
export function averageMetrics(judgements: readonly Judgement[]): Metrics {
  const average = (metric: (judgement: Judgement) => number) =>
    judgements.length === 0 ? 0 : round(sum(judgements.map(metric)) / judgements.length)
  return {
    queries: judgements.length,
    'recall@5': average(judgement => recallAt(5, judgement)),
    'recall@10': average(judgement => recallAt(10, judgement)),
    'recall@20': average(judgement => recallAt(20, judgement)),
    mrr: average(reciprocalRank),
    'ndcg@10': average(judgement => ndcgAt(10, judgement)),
    'hit@5': average(judgement => hitAt(5, judgement)),
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
