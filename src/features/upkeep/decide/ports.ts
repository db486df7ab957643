import type { SessionKey } from '../../../kernel/model/session.ts'
import type { Archive } from './archive.ts'
import type { CompactionLog } from './compaction-log.ts'
import type { AccessCounters, Retirable } from './decay.ts'

export interface UpkeepPorts {
  readonly archive: Archive
  readonly upkeepIndex: UpkeepIndex
  /** What upkeep moves to the archive beside entries, and its log. */
  readonly memoryFiles: MemoryFiles
  /** Which of several servers does the background work. */
  readonly turns: BackgroundTurns
}

/**
 * Work that nobody waits for, among all servers of a memory: whoever has the turn does it. A turn that is not ended is over by itself after a
 * while, so that one that died leaves its work to the next.
 */
export interface BackgroundTurns {
  /** False: another has it. Taken again by its holder, it lasts as long again. */
  take(work: BackgroundWork): Promise<boolean>
  /** Nothing where it is another's by now. */
  end(work: BackgroundWork): Promise<void>
}

export type BackgroundWork = 'vectors' | 'recall'

/** Longer than a batch takes. */
export const TURN_MS = 60_000

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

/** What lies in the memory beside vaults and sessions, and may be old. Paths are relative to `.memory/`, with `/`. */
export interface FileSurvey {
  /** What a migration left behind: `dev.md.bak`. */
  readonly backups: readonly string[]
  /** `dev.md` whose `dev.md.bak` says the same. */
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
  /** Of `conversations/{agent}.json` of seed A, which names no session. */
  readonly seed?: SessionKey
}

/** The files that upkeep moves to the archive, and its log. Decides nothing. */
export interface MemoryFiles {
  survey(): Promise<FileSurvey>
  read(path: string): Promise<Uint8Array | undefined>
  /** Takes a file away if it still holds these bytes. */
  removeUnchanged(path: string, bytes: Uint8Array): Promise<boolean>
  /**
   * Takes all of them away, or none: when one holds other bytes by now, or `mayGo` says no, which is asked while nobody else can
   * write. Returns how many went.
   */
  removeTogether(
    files: readonly { readonly path: string; readonly bytes: Uint8Array }[],
    mayGo: () => Promise<boolean>,
  ): Promise<number>
  /** Writes a file where there is none, or where there is still what `instead` says. `same`: it is there already. */
  put(path: string, bytes: Uint8Array, instead?: Uint8Array): Promise<'written' | 'same' | 'taken'>
  /** `.vault/compact-log.json`. One that cannot be read counts as none: it is a log, not a memory. */
  readLog(): Promise<CompactionLog>
  /** Reads and writes it as one step among all processes. undefined: it stays. */
  editLog(edit: (log: CompactionLog) => CompactionLog | undefined): Promise<void>
}
