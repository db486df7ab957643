import type { MemoryPart } from '../../../kernel/layout.ts'

export interface OverviewPorts {
  /** What changes in the memory, for whoever listens. */
  readonly changes: MemoryChanges
  /** Counts over the whole memory. */
  readonly overview: OverviewIndex
}

/** Tells what changes in a memory, whoever changes it: this process, another, an editor, git. Costs nothing while nobody listens. */
export interface MemoryChanges {
  /** Tells soon after something changed. Stopped by what it gives. */
  listen(listener: ChangeListener): Promise<() => void>
}

export interface ChangeListener {
  onChange(parts: ReadonlySet<MemoryPart>): void
  /** It could not be looked at; it is tried again. */
  onFailure(error: unknown): void
}

/** What a page shows of a whole memory at one glance. Each is one query over the index, whatever the size of the vault. */
export interface OverviewIndex {
  /** The most used first; equal ones by name. */
  tags(most: number): Promise<readonly { readonly tag: string; readonly count: number }[]>
  /** Entries of which a file was last found changed or gone, as far as anybody looked. */
  staleEntries(): Promise<number>
  /** Another text when pairs of entries were found to be against each other, or are no longer. */
  conflictStamp(): Promise<string>
}
