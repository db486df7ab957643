import type { SessionKey } from '../../../kernel/model/session.ts'
import type { Archive } from './archive.ts'
import type { CompactionLog } from './compaction-log.ts'
import type { AccessCounters, Retirable } from './decay.ts'

export interface UpkeepPorts {
  readonly archive: Archive
  readonly upkeepIndex: UpkeepIndex
  /** The other files that upkeep archives, and its log. */
  readonly memoryFiles: MemoryFiles
  /** Decides which of several servers does the background work. */
  readonly turns: BackgroundTurns
}

/**
 * Distributes background work among all servers of a memory: the one that has the turn does it. A turn expires automatically after a
 * while, so that another server continues the work of one that died.
 */
export interface BackgroundTurns {
  /** False: another server has the turn. Taking it again extends it. */
  take(work: BackgroundWork): Promise<boolean>
  /** Does nothing if the turn has passed to another server. */
  end(work: BackgroundWork): Promise<void>
}

type BackgroundWork = 'vectors' | 'recall'

/** Longer than a batch takes. */
export const TURN_MS = 60_000

/** A captured entry without its text, with its counters in the index. */
export interface RetirableEntry extends Retirable, AccessCounters {
  readonly agent: string
  /** Of its content. */
  readonly fingerprint: string
  /** It is in a file that git tracks. */
  readonly isTracked?: true
}

export interface HeadFile {
  readonly path: string
  readonly entries: number
  /** git tracks it. */
  readonly isTracked?: true
}

/** What upkeep needs of the index. Each method is one query over all captured entries. */
export interface UpkeepIndex {
  captured(): Promise<readonly RetirableEntry[]>
  /** How many entries are in each head file. */
  headFiles(): Promise<readonly HeadFile[]>
  /** Of all entries together. */
  accessesSinceUpkeep(): Promise<number>
  /** The creation time of the oldest entry. */
  oldestMs(): Promise<number | undefined>
  /** How many entries were created since each of these times, according to the current index. */
  madeSince(momentsMs: readonly number[]): Promise<readonly number[]>
  /** Why the index is damaged; undefined: it is not. Counting the words of every entry takes as long as the rest. */
  findDamage(options: { readonly countsWords: boolean }): Promise<string | undefined>
  slack(): Promise<IndexSlack>
  /** Raises the counters of a restored entry to at least these. */
  raiseAccess(items: readonly ({ readonly id: string } & AccessCounters)[]): Promise<void>
  /** Cached facts about session files, by path. */
  cachedFacts(): Promise<ReadonlyMap<string, StampedFacts>>
  /** Replaces the cached facts; files that are not included are dropped. */
  saveFacts(files: ReadonlyMap<string, StampedFacts>): Promise<void>
  /** Called when upkeep is done: resets the counts, and drops the counters of entries that were removed long ago. */
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

/** Files of the memory, other than vaults and sessions' conversations, that may be old. Paths are relative to `.memory/`, with `/`. */
export interface MemoryFileList {
  /** Backups of a migration: `dev.md.bak`. */
  readonly backups: readonly string[]
  /** `dev.md` with an equal `dev.md.bak`. */
  readonly flatFiles: readonly string[]
  readonly conversations: readonly ConversationFile[]
  /** `sessions/{name}.memory.json` */
  readonly memories: readonly SessionFile[]
}

export interface SessionFile {
  readonly path: string
  /** Changes when the file does. */
  readonly stamp: string
  /** The session's name in file names. */
  readonly name: string
}

export interface ConversationFile extends SessionFile {
  readonly agent: string
  /** False while it still grows (`.jsonl`). */
  readonly isClosed: boolean
  /** For `conversations/{agent}.json` of seed A, which names no session. */
  readonly seed?: SessionKey
}

/** The files that upkeep archives, and its log. Decides nothing. */
export interface MemoryFiles {
  survey(): Promise<MemoryFileList>
  read(path: string): Promise<Uint8Array | undefined>
  /** Removes a file if its bytes are still these. */
  removeUnchanged(path: string, bytes: Uint8Array): Promise<boolean>
  /**
   * Removes all of them or none. Removes none if one has other bytes, or if `mayGo`, which is called while no other process can write,
   * returns false. Returns how many were removed.
   */
  removeTogether(
    files: readonly { readonly path: string; readonly bytes: Uint8Array }[],
    mayGo: () => Promise<boolean>,
  ): Promise<number>
  /** Writes a new file, or replaces one whose bytes are `instead`. `same`: the file has these bytes already. */
  put(path: string, bytes: Uint8Array, instead?: Uint8Array): Promise<'written' | 'same' | 'taken'>
  /** `.vault/compact-log.json`. An unreadable log counts as empty: it is a log, not a memory. */
  readLog(): Promise<CompactionLog>
  /** Reads and writes the log atomically across processes. undefined: no change. */
  editLog(edit: (log: CompactionLog) => CompactionLog | undefined): Promise<void>
}
