/** What a page shows of a whole memory at one glance. Each is one query over the index, whatever the size of the vault. */
export interface OverviewIndex {
  /** The most used first; equal ones by name. */
  tags(most: number): Promise<readonly { readonly tag: string; readonly count: number }[]>
  /** Entries of which a file was last found changed or gone, as far as anybody looked. */
  staleEntries(): Promise<number>
  /** Another text when pairs of entries were found to be against each other, or are no longer. */
  conflictStamp(): Promise<string>
}
