/** What a page shows of a whole memory at one glance. Each is one query over the index, whatever the size of the vault. */
export interface OverviewIndex {
  /** The most used first; equal ones by name. */
  tags(most: number): Promise<readonly { readonly tag: string; readonly count: number }[]>
  /** How many entries that stand now are dated on each day since `day` (`2026-03-16`), oldest first, and how many before. */
  datedSince(day: string): Promise<{
    readonly before: number
    readonly days: readonly { readonly day: string; readonly count: number }[]
  }>
  /** Entries of which a file was last found changed or gone, as far as anybody looked. */
  staleEntries(): Promise<number>
  /** Another text when pairs of entries were found to be against each other, or are no longer. */
  conflictStamp(): Promise<string>
}
