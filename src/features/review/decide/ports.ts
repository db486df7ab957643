import type { Entry } from '../../../kernel/model/entry.ts'

export interface ReviewPorts {
  /** Every entry as a review of what is stale sees it. */
  readonly reviewIndex: ReviewIndex
}

/** An entry as the review looks at it: with where it stands and how it was used, and of its words only how they begin. */
export interface ReviewedEntry
  extends Pick<Entry, 'id' | 'agent' | 'category' | 'kind' | 'status' | 'origin' | 'date' | 'updated'> {
  /** Relative to `.memory/`. */
  readonly path: string
  /** Other files that it is in too. */
  readonly copies?: readonly string[]
  readonly text: string
  /** Of its content. */
  readonly bytes: number
  readonly fingerprint: string
  readonly accessCount: number
  /** Its last sign of life here: used, or first seen. */
  readonly lastAccessMs?: number
}

/** What a review asks the index: one query, over all that is kept. */
export interface ReviewIndex {
  entries(): Promise<readonly ReviewedEntry[]>
}
