import type { AccessCounters, Retirable } from './decay.ts'

/** An entry that the machine captured, without its words, with what the index counts of it. */
export interface RetirableEntry extends Retirable, AccessCounters {
  readonly agent: string
  /** What its content is known by. */
  readonly fingerprint: string
  /** It is in a file that git sees. */
  readonly isTracked?: true
}

export interface HeadFile {
  readonly path: string
  readonly entries: number
  /** git sees it. */
  readonly isTracked?: true
}

/** What upkeep asks the index. Each is one query: it runs over all that was ever captured. */
export interface UpkeepIndex {
  captured(): Promise<readonly RetirableEntry[]>
  /** How many entries stand in each head file. */
  headFiles(): Promise<readonly HeadFile[]>
  /** Of all entries together. */
  accessesSinceUpkeep(): Promise<number>
  /** When the oldest entry was made. */
  oldestMs(): Promise<number | undefined>
  /** How many entries were made since each of these moments, as far as the index knows by now. */
  madeSince(momentsMs: readonly number[]): Promise<readonly number[]>
  /** Why the index does not hold together, if so. Counting the words of every entry takes as long as the rest. */
  findDamage(options: { readonly countsWords: boolean }): Promise<string | undefined>
  slack(): Promise<IndexSlack>
  /** At least these counts: an entry came back. */
  raiseAccess(items: readonly ({ readonly id: string } & AccessCounters)[]): Promise<void>
  /** What is known of files of sessions since they were last read, by path. */
  lookedAt(): Promise<ReadonlyMap<string, StampedFacts>>
  /** Remembers these, and forgets files that are not named. */
  keepLookedAt(files: ReadonlyMap<string, StampedFacts>): Promise<void>
  /** Upkeep is done: counts from 0 again, and forgets the counters of entries that are long gone. */
  settle(goneBeforeMs: number): Promise<void>
}

export interface IndexSlack {
  readonly bytes: number
  readonly freeBytes: number
}

export interface StampedFacts {
  readonly stamp: string
  /** JSON. */
  readonly facts: string
}
