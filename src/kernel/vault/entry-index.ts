import type { Category } from '../model/category.ts'
import type { Entry } from '../model/entry.ts'
import type { Problem } from '../model/search.ts'
import type { Connections } from '../text/connections.ts'
import type { EntryCounters, ListOptions, VaultCounts } from './ports.ts'
import type { VaultSurvey } from './vault-survey.ts'

/** What a vault file looked like when it was last read. `path` is relative to `.memory/`, with `/`. */
export interface IndexedFile {
  readonly path: string
  readonly agent: string
  readonly category: Category
  readonly size: number
  readonly mtimeMs: number
  readonly inode: number
  /** When the content was last compared: a file changed within the clock's grain of that moment is compared again. */
  readonly checkedMs: number
  readonly hash: string
  readonly problems: readonly Problem[]
  /** Entries that are in this file too and count in another one. Absent: as the index has it. */
  readonly twins?: readonly string[]
}

export interface LocatedEntry {
  readonly entry: Entry
  readonly path: string
}

/** The index tokens of one entry by field, blank-separated. */
export interface IndexedText {
  readonly language: string
  readonly body: string
  readonly tags: string
  readonly files: string
  readonly kind: string
  readonly date: string
}

/** An entry with all that the index keeps of it. */
export interface IndexedEntry extends LocatedEntry {
  readonly text: IndexedText
  readonly fingerprint: string
  readonly connections: Connections
}

/** How far the journal is reflected in the files and in the index. */
export interface SettledJournal {
  readonly bytes: number
  readonly records: number
}

/** One step of the index, applied as a whole or not at all. */
export interface IndexUpdate {
  readonly files?: readonly IndexedFile[]
  readonly removedFiles?: readonly string[]
  readonly upserts?: readonly IndexedEntry[]
  /** Entries that only changed their file (rollover). */
  readonly moves?: readonly { readonly id: string; readonly path: string }[]
  readonly removes?: readonly string[]
  /** The journal up to here is reflected in files and index. */
  readonly settled?: SettledJournal
  readonly lastIdMs?: number
  /** When it happens: what is new here has its first sign of life then, however old its date is. */
  readonly nowMs?: number
}

/** The embedded store's cache of the vault. Synchronous: it lives in this process. */
export interface EntryIndex {
  readonly version: number
  files(): ReadonlyMap<string, IndexedFile>
  file(path: string): IndexedFile | undefined
  filesIn(folder: string): IndexedFile[]
  /** The folder that holds an agent's files: on disk it may be written in other letters (`Dev` for `dev`). */
  folderOf(agent: string): string | undefined
  /** Void, and so undefined, as soon as a file of the index changes. */
  survey(): VaultSurvey | undefined
  /** Changes when another process has written. */
  revision(): number
  /** Keeps a survey made at this revision. Not at another, and not at any price: without it a reader only takes longer. */
  keepSurvey(survey: VaultSurvey, revision: number): void
  settled(): SettledJournal | undefined
  lastIdMs(): number
  find(id: string): LocatedEntry | undefined
  /** With what is known of each beside its file. */
  findMany(ids: readonly string[]): readonly (LocatedEntry & EntryCounters)[]
  /** The files they stand in. */
  pathsOf(ids: readonly string[]): ReadonlyMap<string, string>
  inFile(path: string): LocatedEntry[]
  /** The other files that these entries are in too. */
  twinsOf(ids: readonly string[]): ReadonlyMap<string, readonly string[]>
  /** All files with an entry that counts in another file. */
  twinPaths(): readonly string[]
  findByFingerprint(fingerprint: string): LocatedEntry[]
  list(options: ListOptions): { entries: Entry[]; total: number }
  counts(): VaultCounts
  /** How many entries rolled over into the pages of a folder. */
  countInMonthPages(folder: string): number
  apply(update: IndexUpdate): void
  /** These files were compared and are the same. On a full disk this is not kept, and a later reader compares again. */
  keepChecked(files: readonly IndexedFile[]): void
  recordAccess(ids: readonly string[], nowMs: number): void
  /** Throws when the index does not hold together. */
  check(): void
  compact(): void
  bytes(): number
  close(): void
}
