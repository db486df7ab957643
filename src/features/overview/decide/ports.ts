import type { MemoryChanges } from './memory-changes.ts'
import type { OverviewIndex } from './overview-index.ts'

export interface OverviewPorts {
  /** What changes in the memory, for whoever listens. */
  readonly changes: MemoryChanges
  /** Counts over the whole memory. */
  readonly overview: OverviewIndex
}
