import type { MemoryPart } from '../../../kernel/layout.ts'

export interface OverviewPorts {
  /** Changes of the memory, for listeners. */
  readonly changes: MemoryChanges
  /** Counts over the whole memory. */
  readonly overview: OverviewIndex
}

/** Reports changes of a memory by any process, an editor or git. Costs nothing without listeners. */
export interface MemoryChanges {
  /** Reports a change soon after it happened. The returned function stops it. */
  listen(listener: ChangeListener): Promise<() => void>
}

export interface ChangeListener {
  onChange(parts: ReadonlySet<MemoryPart>): void
  /** The check failed; it is tried again. */
  onFailure(error: unknown): void
}

/** Totals of a whole memory for the page. Each is one query over the index, whatever the size of the vault. */
export interface OverviewIndex {
  /** The most used first; equal ones by name. */
  tags(most: number): Promise<readonly { readonly tag: string; readonly count: number }[]>
  /** Entries with a file that was changed or missing at its last check. */
  staleEntries(): Promise<number>
  /** Changes whenever a pair of conflicting entries is added or removed. */
  conflictStamp(): Promise<string>
}
