import type { Entry } from '../../../kernel/model/entry.ts'
import type { MemoryEvent } from '../../../kernel/model/event.ts'
import type { EntryPlace } from '../../../kernel/model/journal.ts'
import type { Problem } from '../../../kernel/model/search.ts'

/**
 * What left the memory, and can be brought back. One folder a batch:
 *
 *   archive/evict-<timestamp>/   manifest.json  entries.jsonl            entries that upkeep let go
 *   archive/prune-<timestamp>/   manifest.json  events.jsonl  files/…    events, checkpoints, conversations, files by their path
 *
 * A batch is whole once its manifest is there; what it holds is removed from its place only after that.
 */
export interface Archive {
  write(batch: NewBatch): Promise<BatchManifest>
  /** Newest first. */
  list(): Promise<{ readonly batches: readonly BatchManifest[]; readonly problems: readonly Problem[] }>
  read(batch: string): Promise<Batch | undefined>
  /** One of the files that the manifest names. */
  readFile(batch: string, path: string): Promise<Uint8Array | undefined>
  /** Every archived entry, newest batch first. A line that cannot be read is a problem, and the others are given. */
  entries(
    onProblem?: (problem: Problem) => void,
  ): AsyncIterable<{ readonly batch: string; readonly item: ArchivedEntry }>
  markRestored(batch: string, at: string): Promise<void>
  /** For good: only where the user set an expiry. */
  remove(batch: string): Promise<void>
}

export interface ArchivedEntry {
  readonly entry: Entry
  /** Why it left, as the plan said. */
  readonly reason: unknown
  /** Where it stood, when that does not follow from the entry. */
  readonly place?: EntryPlace
  readonly accessCount: number
  readonly lastAccessMs?: number
}

export interface NewBatch {
  readonly kind: 'evict' | 'prune'
  /** UTC ISO. */
  readonly at: string
  readonly entries?: readonly ArchivedEntry[]
  readonly events?: readonly MemoryEvent[]
  /** `path` relative to `.memory/`. */
  readonly files?: readonly { readonly path: string; readonly bytes: Uint8Array }[]
}

export interface BatchManifest {
  readonly version: 1
  /** The folder's name: `evict-2026-11-15T10-30-00-000Z`. */
  readonly id: string
  readonly kind: 'evict' | 'prune'
  readonly at: string
  readonly entries: number
  readonly events: number
  readonly files: readonly string[]
  /** When its entries were brought back. */
  readonly restoredAt?: string
}

export interface Batch extends BatchManifest {
  readonly archived: readonly ArchivedEntry[]
  readonly archivedEvents: readonly MemoryEvent[]
  /** Lines that could not be read. */
  readonly problems: readonly Problem[]
}
