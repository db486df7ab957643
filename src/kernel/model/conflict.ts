import type { Entry } from './entry.ts'

/** Seed C, section 4.4. */
export const CONFLICT_TYPES = ['contradictory', 'superseded', 'ambiguous'] as const
export type ConflictType = (typeof CONFLICT_TYPES)[number]

/**
 * claim      the newer entry says that it replaces the older one
 * value      both state `<subject> <attribute> is <value>`, with different values
 * versions   one entry that was changed in two places at the same time
 */
export const CONFLICT_REASONS = ['claim', 'value', 'versions'] as const

/** The evidence for a conflict. */
export interface ConflictReason {
  readonly code: (typeof CONFLICT_REASONS)[number]
  /** For `value`: the words of its subject and attribute. */
  readonly words: readonly string[]
  /** For `value`: the values of the older and the newer entry, `30 minutes` and `8 hours`. */
  readonly sides?: readonly [older: readonly string[], newer: readonly string[]]
}

/** Two entries that contradict each other. */
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
 * The decision about a pair, as stored in curation.json (seed C, section 4.4, and what is needed to act on it). It is valid while both
 * entries have the same content: a change of one reopens the question.
 */
export interface ResolvedConflict {
  readonly entryA: string
  readonly entryB: string
  readonly conflictType: ConflictType
  readonly detectedAt: number
  readonly resolvedAt: number
  readonly resolution: Resolution
  /** The entry that is injected from now on; absent if both are. */
  readonly holds?: string
  /** Fingerprints of the content of A and B at that time. */
  readonly said: readonly [string, string]
  /** The host. `cairn`: 0.1.0 recorded it without asking; such a record has no effect. */
  readonly by: string
}

/** By date; ids of the same minute decide which came first. */
export function inOrder<One extends Pick<Entry, 'id' | 'date'>>(a: One, b: One): readonly [One, One] {
  const isOrdered = a.date === b.date ? a.id < b.id : a.date < b.date
  return isOrdered ? [a, b] : [b, a]
}

/** Identifies a pair in either order. */
export function pairKey(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`
}
