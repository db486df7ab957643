import type { Category } from '../model/category.ts'
import type { Entry } from '../model/entry.ts'
import type { Change, EntryPlace, JournalAction, JournalRecord } from '../model/journal.ts'
import type { Degradation, EntryFilter, Problem } from '../model/search.ts'

/** What a write is decided on, inside the writer's lock: the vault cannot change between the read and the write. */
export interface StoreView {
  findEntry(id: string): Promise<Entry | undefined>
  /** An entry with this fingerprint in one of these vaults; the first vault in the list has priority. */
  findDuplicate(fingerprint: string, agents: readonly string[]): Promise<Entry | undefined>
  /** A fresh id: never used before, never smaller than the last one, even if the clock goes back. */
  newId(dateMs?: number): string
  readDocument(name: DocumentName): Promise<JsonObject>
  /** A text file of the project, outside `.memory/`. undefined: it does not exist. */
  readFile(path: string): Promise<string | undefined>
  /** Entries with everything that is needed to restore them later, by id. */
  findRestorable(ids: readonly string[]): Promise<ReadonlyMap<string, RestorableEntry>>
}

/** What the index knows about an entry besides its file. */
export interface EntryCounters {
  readonly accessCount: number
  readonly lastAccessMs?: number
  readonly fingerprint: string
}

export interface RestorableEntry extends EntryCounters {
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
  /** Only records of this entry, or of the document with this name. */
  readonly entryId?: string
}

/** Stores and fetches; decides nothing. Every implementation runs test/contract/store.contract.ts. */
export interface Store {
  /** Takes in changes by people, git and agents. Reads do it first. */
  refresh(): Promise<void>
  /** Several reads with no write in between: a store behind a network answers them on one connection. */
  reading<T>(work: () => Promise<T>): Promise<T>
  findEntry(id: string): Promise<Entry | undefined>
  listEntries(options: ListOptions): Promise<{ entries: Entry[]; total: number }>
  counts(): Promise<VaultCounts>
  /** Decides on the current state, then journals and applies the mutation as one step. null: nothing to do. */
  write(
    by: JournalRecord['by'],
    decide: (view: StoreView) => Promise<Mutation | null>,
  ): Promise<JournalRecord | null>
  /** Exclusive among all writers of this memory: for data outside the vault (conversations, events, the archive). Not nestable. */
  exclusively<T>(work: () => T | Promise<T>): Promise<T>
  readJournal(query: JournalQuery): AsyncIterable<JournalRecord>
  readDocument(name: DocumentName): Promise<JsonObject>
  /** Fetched, cited, confirmed or marked useful. An injection is not an access. */
  recordAccess(ids: readonly string[]): Promise<void>
  health(): Promise<StoreHealth>
  /** Why the memory is read-only, if it is: the one field of `health` that is read often. */
  readOnly(): Promise<StoreHealth['readOnly']>
  /** What could not be done since the last call: an answer reports it. */
  takeDegraded(): readonly Degradation[]
  /** Compares the index with the files, and reads every line of the journal. */
  check(): Promise<Problem[]>
  rebuildIndex(): Promise<{ entries: number }>
  /** Whether the index was rebuilt from the files since the last call: it was damaged, or missing. */
  takeIndexRebuilt(): boolean
  compactIndex(): Promise<void>
  /** Rolls these head files over if they exceed their limit; returns how many entries moved into pages. */
  rollOver(heads: readonly string[]): Promise<number>
  close(): Promise<void>
}

/** The audit log: every mutation, written before it happens. Never trimmed, only moved to the archive. */
export interface Journal {
  bytes(): number
  /** Appends durably; returns the size before and after. */
  append(record: JournalRecord): { before: number; after: number }
  /** Removes records that were appended but not applied. */
  truncate(bytes: number): void
  /** The records from this byte on, oldest first, and where the last complete line ends. */
  readFrom(bytes: number): { records: JournalRecord[]; end: number }
  last(): JournalRecord | undefined
  count(): number
  /** Newest first, including the archive. A damaged line is reported and skipped. */
  newestFirst(onProblem?: (problem: Problem) => void): Iterable<JournalRecord>
  /** Moves the log into the archive; nothing is dropped. */
  rotate(nowMs: number): void
}

/** Mutual exclusion between processes. The system releases it if the process dies. */
export interface WriterLock {
  tryAcquire(): boolean
  release(): void
  close(): void
}

/**
 * The processes that wait for the lock, in order of arrival. Without it, a process that writes in a loop takes the lock again before the
 * others check. It only provides fairness: the lock alone separates writers.
 */
export interface WriterQueue {
  /** How many processes wait that came before the caller. 0: the caller may try to take the lock. */
  countAhead(): number
  /** The caller waits, or still waits. */
  wait(): void
  leave(): void
}

export interface TextWrite {
  /** Relative to the project, with `/`. */
  readonly path: string
  /** null: the file is removed. */
  readonly text: string | null
}

/**
 * Text files of the project, outside `.memory/` except for `.memory/_project.md`. No link leads out, and nothing is written through one.
 * Synchronous: it runs under the writer's lock.
 */
export interface ProjectTexts {
  /** undefined: the file does not exist. Throws if it is not text, too long, or outside of the project. */
  read(path: string): string | undefined
  /** The target of a link at this path, relative to the project. undefined: not a link, broken, or it leads out of the project. */
  linkTarget(path: string): string | undefined
  /** Every new text is on disk before the first file is renamed. `leftUntouched` says whether a failure changed a file. */
  write(writes: readonly TextWrite[]): void
}

/** The same texts for readers, whatever the store. */
export interface TextReader {
  /** undefined: the file does not exist. Throws if it is not text, too long, or outside of the project. */
  read(path: string): Promise<string | undefined>
  /** The target of a link at this path, relative to the project. undefined: not a link, broken, or it leads out of the project. */
  linkTarget(path: string): Promise<string | undefined>
}
