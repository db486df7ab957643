import type { Entry } from '../../../kernel/model/entry.ts'

export interface ReviewPorts {
  /** The index of all entries for the review of stale entries. */
  readonly reviewIndex: ReviewIndex
}

/** An entry as the review sees it: its file, its use, and the beginning of its text. */
export interface ReviewedEntry
  extends Pick<Entry, 'id' | 'agent' | 'category' | 'kind' | 'status' | 'origin' | 'date' | 'updated'> {
  /** Relative to `.memory/`. */
  readonly path: string
  /** Other files that also contain it. */
  readonly copies?: readonly string[]
  readonly text: string
  /** The size of its content. */
  readonly bytes: number
  readonly fingerprint: string
  readonly accessCount: number
  /** When it was last used or first indexed here. */
  readonly lastAccessMs?: number
}

/** One query over all entries. */
export interface ReviewIndex {
  entries(): Promise<readonly ReviewedEntry[]>
}
