import type { Status } from './entry.ts'

/** A candidate has a day to be asked for (seed C, section 9). */
export const QUARANTINE = { hours: 24, penalty: 0.8 } as const

export const QUARANTINE_MS = QUARANTINE.hours * 3_600_000

export interface QuarantineFacts {
  readonly status: Status
  /** When the entry was promoted. */
  readonly sinceMs: number
  /** Fetched, cited, confirmed or marked useful. Being injected is no access: a quarantine would confirm itself. */
  readonly accessCount: number
  readonly nowMs: number
}

/**
 * What importance is multiplied by: 0.8 for a candidate that nobody asked for within its day, else 1. It follows from stored
 * dates and is never written back, so that it cannot be taken twice.
 */
export function quarantineFactor({ status, sinceMs, accessCount, nowMs }: QuarantineFacts): number {
  const isOver = nowMs - sinceMs >= QUARANTINE_MS
  return status === 'candidate' && isOver && accessCount === 0 ? QUARANTINE.penalty : 1
}
