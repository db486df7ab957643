import type { Category } from '../model/category.ts'
import type { Entry } from '../model/entry.ts'
import type { Problem } from '../model/search.ts'
import type { Connections } from '../text/connections.ts'
import type { EntryCounters, ListOptions, VaultCounts } from './ports.ts'
import type { VaultSnapshot } from './vault-snapshot.ts'

/** The state of a vault file when it was last read. `path` is relative to `.memory/`, with `/`. */
export interface IndexedFile {
  readonly path: string
  readonly agent: string
  readonly category: Category
  readonly size: number
  readonly mtimeMs: number
  readonly inode: number
  /** When the content was last compared: a file changed within the clock's grain of that time is compared again. */
  readonly checkedMs: number
  readonly hash: string
  readonly problems: readonly Problem[]
  /** Entries that are in this file too but belong to another one. Absent: as in the index. */
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

/** An entry with everything that the index stores about it. */
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

/** One update of the index, applied as a whole or not at all. */
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
  /** The time of the update: new entries count as used at this time, however old their date is. */
  readonly nowMs?: number
}

/** The embedded store's cache of the vault. Synchronous: it is in this process. */
export interface EntryIndex {
  readonly version: number
  files(): ReadonlyMap<string, IndexedFile>
  file(path: string): IndexedFile | undefined
  filesIn(folder: string): IndexedFile[]
  /** The folder with an agent's files: its case on disk may differ (`Dev` for `dev`). */
  folderOf(agent: string): string | undefined
  /** Invalid, and so undefined, as soon as a file of the index changes. */
  survey(): VaultSnapshot | undefined
  /** Changes if another process has written. */
  revision(): number
  /**
   * Stores a snapshot that was made at this revision. At another revision, or if that fails, nothing is stored: a reader only takes
   * longer.
   */
  keepSurvey(survey: VaultSnapshot, revision: number): void
  settled(): SettledJournal | undefined
  lastIdMs(): number
  find(id: string): LocatedEntry | undefined
  /** With what is known about each besides its file. */
  findMany(ids: readonly string[]): readonly (LocatedEntry & EntryCounters)[]
  /** Their files. */
  pathsOf(ids: readonly string[]): ReadonlyMap<string, string>
  inFile(path: string): LocatedEntry[]
  /** The other files that contain these entries too. */
  twinsOf(ids: readonly string[]): ReadonlyMap<string, readonly string[]>
  /** All files with an entry that belongs to another file. */
  twinPaths(): readonly string[]
  findByFingerprint(fingerprint: string): LocatedEntry[]
  list(options: ListOptions): { entries: Entry[]; total: number }
  counts(): VaultCounts
  /** How many entries rolled over into the pages of a folder. */
  countInMonthPages(folder: string): number
  apply(update: IndexUpdate): void
  /** These files were compared and are unchanged. On a full disk this is not stored, and a later reader compares again. */
  keepChecked(files: readonly IndexedFile[]): void
  recordAccess(ids: readonly string[], nowMs: number): void
  /** Throws if the index is inconsistent. */
  check(): void
  compact(): void
  bytes(): number
  close(): void
}
