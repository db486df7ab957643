export interface Percentiles {
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly count: number
}

/** By nearest rank. undefined: there is no sample to speak of. */
export function percentilesOf(samples: readonly number[]): Percentiles | undefined {
  const sorted = samples.filter(sample => Number.isFinite(sample) && sample >= 0).sort((a, b) => a - b)
  if (sorted.length === 0) return undefined
  const at = (share: number) => tenths(sorted[Math.ceil(share * sorted.length) - 1] ?? 0)
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), count: sorted.length }
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10
}
