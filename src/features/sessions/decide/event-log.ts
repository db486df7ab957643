import type { MemoryEvent } from '../../../kernel/model/event.ts'
import type { Problem } from '../../../kernel/model/search.ts'

/** `history/events.jsonl`: the active event stream. Appended to, and only upkeep takes the old ones out, into the archive. */
export interface EventLog {
  /** Those whose content hash is in the log already are left out; the answer is what was added. */
  append(events: readonly MemoryEvent[]): Promise<readonly MemoryEvent[]>
  /** Oldest first. A line that cannot be read is a problem with its number, and the others are given. */
  read(onProblem?: (problem: Problem) => void): AsyncIterable<MemoryEvent>
  /** Newest first. */
  newest(
    limit: number,
  ): Promise<{ readonly events: readonly MemoryEvent[]; readonly problems: readonly Problem[] }>
  count(): Promise<number>
  /** Takes these events out; their lines must be in the archive by then. */
  remove(ids: ReadonlySet<string>): Promise<void>
  /** Brings events back from the archive, by their date among those that are there. The answer is what was added. */
  putBack(events: readonly MemoryEvent[]): Promise<readonly MemoryEvent[]>
}
