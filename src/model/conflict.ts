/** Seed C, section 4.4. */
export const CONFLICT_TYPES = ['contradictory', 'superseded', 'ambiguous'] as const
export type ConflictType = (typeof CONFLICT_TYPES)[number]

export const CONFLICT_REASONS = [
  'negation',
  'antonym',
  'alternative',
  'quantity',
  'change',
  'versions',
] as const

/** Why two entries cannot both hold, and the words that tell, as the entries have them. */
export interface ConflictReason {
  readonly code: (typeof CONFLICT_REASONS)[number]
  readonly words: readonly string[]
  /** What the older and what the newer has in the one place where they differ: `30 minutes`, `8 hours`. */
  readonly sides?: readonly [older: readonly string[], newer: readonly string[]]
  /** The one that denies what the other says. */
  readonly deniedBy?: 'older' | 'newer'
}

/** Two entries that were found to be against each other. */
export interface ConflictPair {
  /** The id of the entry that was written first. */
  readonly older: string
  readonly newer: string
  readonly type: ConflictType
  /** 0 to 1. */
  readonly confidence: number
  readonly reason: ConflictReason
  /** Milliseconds since 1970. */
  readonly detectedAt: number
}

export const RESOLUTIONS = ['kept', 'superseded', 'both', 'not_a_conflict'] as const
export type Resolution = (typeof RESOLUTIONS)[number]

/**
 * What was decided about a pair, as it stands in curation.json (seed C, section 4.4, and what is needed to act on it). It holds while
 * both entries say what they said: a change of one opens the question again.
 */
export interface ResolvedConflict {
  readonly entryA: string
  readonly entryB: string
  readonly conflictType: ConflictType
  readonly detectedAt: number
  readonly resolvedAt: number
  readonly resolution: Resolution
  /** The one of the two that is told from now on; absent when both are. */
  readonly holds?: string
  /** Fingerprints of what A and B said then. */
  readonly said: readonly [string, string]
  /** The host, or `cairn` when a change was plain enough to be recorded without asking. */
  readonly by: string
}

/** Names a pair in either order. */
export function pairKey(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`
}
