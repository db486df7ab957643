/** The smallest value that a share of all values does not exceed (nearest rank). */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
  if (value === undefined) throw new Error('a percentile needs at least one value')
  return value
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

export function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length
}

export function roundTo(digits: number, value: number): number {
  const factor = 10 ** digits
  return Math.round(value * factor) / factor
}

/** Milliseconds, as they are reported: half a microsecond says nothing. */
export function latencyOf(millis: readonly number[]): { p50Ms: number; p95Ms: number } {
  return { p50Ms: roundTo(3, median(millis)), p95Ms: roundTo(3, percentile(millis, 0.95)) }
}
