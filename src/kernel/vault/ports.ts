import type { Category } from '../model/category.ts'
import type { Entry } from '../model/entry.ts'
import type { Change, EntryPlace, JournalAction, JournalRecord } from '../model/journal.ts'
import type { Degradation, EntryFilter, Problem } from '../model/search.ts'

/** What a write is decided on, inside the writer's lock: nobody changes the vault between the look and the act. */
export interface StoreView {
  findEntry(id: string): Promise<Entry | undefined>
  /** An entry with this fingerprint in one of these vaults, the first vault named winning. */
  findDuplicate(fingerprint: string, agents: readonly string[]): Promise<Entry | undefined>
  /** A fresh id: never used before, never smaller than the last one made, also when the clock jumps back. */
  newId(dateMs?: number): string
  readDocument(name: DocumentName): Promise<JsonObject>
  /** A text file of the project, outside `.memory/`. undefined: there is none. */
  readFile(path: string): Promise<string | undefined>
  /** Entries with all that is needed to bring them back one day, by id. */
  findStanding(ids: readonly string[]): Promise<ReadonlyMap<string, StandingEntry>>
}

/** What the index knows of an entry beside its file. */
export interface EntryCounters {
  readonly accessCount: number
  readonly lastAccessMs?: number
  readonly fingerprint: string
}

export interface StandingEntry extends EntryCounters {
  readonly entry: Entry
  readonly place?: EntryPlace
}

export interface Mutation {
  readonly action: JournalAction
  readonly changes: readonly Change[]
  readonly undoes?: string
  /** One import that takes several writes. */
  readonly batch?: string
}

export type JsonObject = Readonly<Record<string, unknown>>
export type DocumentName = 'config.json' | 'curation.json' | 'history/proposals.json'

export interface ListOptions {
  readonly filter: EntryFilter
  readonly limit: number
  readonly offset: number
}

export interface VaultCounts {
  readonly total: number
  readonly byAgent: Readonly<Record<string, Readonly<Record<Category, number>>>>
  readonly byKind: Readonly<Record<string, number>>
  readonly byStatus: Readonly<Record<string, number>>
}

export interface StoreHealth {
  readonly readOnly: { readonly code: string; readonly message: string } | undefined
  readonly degraded: readonly Degradation[]
  readonly problems: readonly Problem[]
  readonly index: { readonly mode: string; readonly bytes: number; readonly version: number }
  readonly journal: {
    readonly bytes: number
    readonly last: Pick<JournalRecord, 'id' | 'at' | 'action'> | undefined
  }
}

export interface JournalQuery {
  /** Newest first. */
  readonly limit?: number
  /** Only what touched this entry, or the document of this name. */
  readonly entryId?: string
}

/**
 * Keeps and fetches; decides nothing. Implemented over files and SQLite (`backends/embedded`).
 * Every implementation runs test/contract/store.contract.ts.
 */
export interface Store {
  /** Picks up what people, git and agents changed on their own. Reads do it first. */
  refresh(): Promise<void>
  /** Several questions with nothing written in between: a store behind a network answers them on one connection. */
  reading<T>(work: () => Promise<T>): Promise<T>
  findEntry(id: string): Promise<Entry | undefined>
  listEntries(options: ListOptions): Promise<{ entries: Entry[]; total: number }>
  counts(): Promise<VaultCounts>
  /** Decides on the current state, then journals and applies the mutation as one step. null: nothing to do. */
  write(
    by: JournalRecord['by'],
    decide: (view: StoreView) => Promise<Mutation | null>,
  ): Promise<JournalRecord | null>
  /** Alone among all that write to this memory: for what is kept beside the vault (conversations, events, the archive). Not to be nested. */
  exclusively<T>(work: () => T | Promise<T>): Promise<T>
  readJournal(query: JournalQuery): AsyncIterable<JournalRecord>
  readDocument(name: DocumentName): Promise<JsonObject>
  /** Fetched, cited, confirmed or marked useful. Being injected is not an access. */
  recordAccess(ids: readonly string[]): Promise<void>
  health(): Promise<StoreHealth>
  /** Why nothing can be written now, where that is so: the one fact of `health` that is asked often. */
  readOnly(): Promise<StoreHealth['readOnly']>
  /** What could not be done since this was last asked: an answer carries it. */
  takeDegraded(): readonly Degradation[]
  /** Compares the index with the files, and reads every line of the journal. */
  check(): Promise<Problem[]>
  rebuildIndex(): Promise<{ entries: number }>
  /** Whether the index was made anew from the files since this was last asked: it was damaged, or gone. */
  takeIndexRebuilt(): boolean
  compactIndex(): Promise<void>
  /** Rolls these head files over where they are above their limit; the answer is how many entries moved into pages. */
  rollOver(heads: readonly string[]): Promise<number>
  close(): Promise<void>
}
