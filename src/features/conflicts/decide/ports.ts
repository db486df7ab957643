import type { ConflictPair, ResolvedConflict } from '../../../kernel/model/conflict.ts'
import type { Entry } from '../../../kernel/model/entry.ts'

export interface ConflictPorts {
  /** Which entries were compared, and which of them are against each other. */
  readonly conflicts: ConflictIndex
  /** Decisions about conflicts. */
  readonly resolutions: () => Promise<readonly ResolvedConflict[]>
}

/** A pair with the content of its two entries at the time of the comparison. */
export interface FoundConflict extends ConflictPair {
  /** Fingerprints of the older and the newer. */
  readonly said: readonly [string, string]
}

/** An entry that names another: the one it says it replaces, or the one it is another version of. */
export interface NamedPair {
  readonly older: string
  readonly newer: string
  readonly code: 'claim' | 'versions'
}

/**
 * Which entries are still to be compared with their neighbours, and what comparing gave. A cache: an entry that is new or says something else
 * waits again and loses its pairs, and so does every entry of a rebuilt index.
 */
export interface ConflictIndex {
  /** How many entries were not compared yet. */
  waiting(): Promise<number>
  /** Newest first: recent entries are queried soonest. */
  uncompared(limit: number): Promise<readonly Entry[]>
  /** Stores the result of a comparison. An entry that has changed since stays in the queue, and its pairs are not stored. */
  putCompared(
    compared: readonly { readonly id: string; readonly said: string }[],
    pairs: readonly FoundConflict[],
  ): Promise<void>
  /**
   * The entries that name one of these, or any entry. A claim may come from text that only resembles one:
   * `successionOf` decides. As current as the index; needs no comparison.
   */
  named(older?: readonly string[]): Promise<readonly NamedPair[]>
  /** The pairs of these entries, or all, the surest first. */
  pairs(ids?: readonly string[]): Promise<readonly ConflictPair[]>
}
