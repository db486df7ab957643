import type { ReviewIndex } from './review-index.ts'

export interface ReviewPorts {
  /** Every entry as a review of what is stale sees it. */
  readonly reviewIndex: ReviewIndex
}
