import type { SessionKey } from '../../../kernel/model/session.ts'
import type { CompactionLog } from './compaction-log.ts'

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
