import type { Entry } from '../../../kernel/model/entry.ts'
import type { MemoryEvent } from '../../../kernel/model/event.ts'
import type { EntryPlace } from '../../../kernel/model/journal.ts'
import type { Problem } from '../../../kernel/model/search.ts'

/**
 * Removed data that can be restored. One folder per batch:
 *
 *   archive/evict-<timestamp>/   manifest.json  entries.jsonl            entries that upkeep removed
 *   archive/prune-<timestamp>/   manifest.json  events.jsonl  files/…    events, checkpoints, conversations, files by their path
 *
 * A batch is complete once its manifest exists; only then are the originals removed.
 */
export interface Archive {
  write(batch: NewBatch): Promise<BatchManifest>
  /** Newest first. */
  list(): Promise<{ readonly batches: readonly BatchManifest[]; readonly problems: readonly Problem[] }>
  read(batch: string): Promise<Batch | undefined>
  /** One of the files that the manifest names. */
  readFile(batch: string, path: string): Promise<Uint8Array | undefined>
  /** Every archived entry, newest batch first. An unreadable line is reported as a problem, and the others are returned. */
  entries(
    onProblem?: (problem: Problem) => void,
  ): AsyncIterable<{ readonly batch: string; readonly item: ArchivedEntry }>
  markRestored(batch: string, at: string): Promise<void>
  /** Permanent: only if the user set an expiry. */
  remove(batch: string): Promise<void>
}

export interface ArchivedEntry {
  readonly entry: Entry
  /** Why it was removed, as in the plan. */
  readonly reason: unknown
  /** Where it was, if that does not follow from the entry. */
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
  /** When its entries were restored. */
  readonly restoredAt?: string
}

export interface Batch extends BatchManifest {
  readonly archived: readonly ArchivedEntry[]
  readonly archivedEvents: readonly MemoryEvent[]
  /** Unreadable lines. */
  readonly problems: readonly Problem[]
}

export const MANIFEST = 'manifest.json'
export const ENTRIES = 'entries.jsonl'
export const EVENTS = 'events.jsonl'
export const FILES = 'files'
export const BATCH_NAME = /^(?:evict|prune)-[\w-]+$/

export function batchName({ kind, at }: NewBatch): string {
  return `${kind}-${at.replaceAll(/[:.]/g, '-')}`
}

export function manifestOf(
  { kind, at, entries = [], events = [], files = [] }: NewBatch,
  id: string,
): BatchManifest {
  return {
    version: 1,
    id,
    kind,
    at,
    entries: entries.length,
    events: events.length,
    files: files.map(({ path }) => path),
  }
}

/** The folder name counts, not the id in the manifest: a person may have copied the batch. */
export function parseManifest(written: string | undefined, batch: string): BatchManifest | Problem {
  const manifest = written === undefined ? undefined : parseObject(written)
  if (manifest !== undefined && isManifest(manifest)) return { ...manifest, id: batch }
  return {
    code: 'archive_batch_damaged',
    path: `archive/${batch}/${MANIFEST}`,
    message: `archive/${batch} has no readable manifest, so the batch is not used.`,
    hint: '`cairn search --archive` finds its entries. Repair the manifest by hand to restore the rest.',
  }
}

/** An unreadable line is reported as a problem, and the others are returned. */
export function* archivedLines<T>(
  written: string,
  {
    batch,
    name,
    isOne,
    onProblem,
  }: {
    readonly batch: string
    readonly name: string
    readonly isOne: (value: unknown) => value is T
    readonly onProblem: ((problem: Problem) => void) | undefined
  },
): Iterable<T> {
  let line = 0
  for (const text of written.split('\n')) {
    line++
    if (text.trim() === '') continue
    const value = parseObject(text)
    if (value !== undefined && isOne(value)) yield value
    else
      onProblem?.({
        code: 'archive_line_damaged',
        path: `archive/${batch}/${name}`,
        line,
        message: `Line ${line} of archive/${batch}/${name} cannot be read. The others are used.`,
        hint: 'The line stays in the file. Repair it by hand if you need it.',
      })
  }
}

/** Sorts `evict-2026-…` and `prune-2026-…` by date. */
export function batchTime(batch: string): string {
  return batch.slice(batch.indexOf('-') + 1)
}

/** A path inside the memory: relative, without `..`. */
export function isPlainPath(file: string): boolean {
  return (
    !/^(?:[\\/]|[a-z]:)/i.test(file) &&
    !file.split(/[\\/]/).some(part => part === '' || part === '..' || part === '.')
  )
}

function parseObject(written: string): unknown {
  try {
    return JSON.parse(written)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}

function isManifest(value: unknown): value is BatchManifest {
  const { kind, at, files } = (value ?? {}) as Partial<BatchManifest>
  return (kind === 'evict' || kind === 'prune') && typeof at === 'string' && Array.isArray(files)
}

export function isArchivedEntry(value: unknown): value is ArchivedEntry {
  const { entry } = (value ?? {}) as Partial<ArchivedEntry>
  if (entry === undefined || entry === null) return false
  const { id, content, agent, kind, tags, files, session } = entry
  return (
    [id, content, agent, kind, session ?? ''].every(text => typeof text === 'string') &&
    [tags, files].every(list => Array.isArray(list) && list.every(text => typeof text === 'string'))
  )
}

export function isEvent(value: unknown): value is MemoryEvent {
  const { id, createdAt } = (value ?? {}) as Partial<MemoryEvent>
  return typeof id === 'string' && typeof createdAt === 'string'
}
