import type { JournalRecord } from '../model/journal.ts'
import type { Problem } from '../model/search.ts'

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
