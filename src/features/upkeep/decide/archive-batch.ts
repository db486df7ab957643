import type { MemoryEvent } from '../../../kernel/model/event.ts'
import type { Problem } from '../../../kernel/model/search.ts'
import type { ArchivedEntry, BatchManifest, NewBatch } from './archive.ts'

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

/** Its place is what counts: somebody may have copied it. */
export function parseManifest(written: string | undefined, batch: string): BatchManifest | Problem {
  const manifest = written === undefined ? undefined : parseObject(written)
  if (manifest !== undefined && isManifest(manifest)) return { ...manifest, id: batch }
  return {
    code: 'archive_batch_damaged',
    path: `archive/${batch}/${MANIFEST}`,
    message: `archive/${batch} has no manifest that can be read; the batch is left alone.`,
    hint: 'Its entries are found with `cairn search --archive`. Mend the manifest by hand to restore the rest.',
  }
}

/** A line that cannot be read is a problem, and the others are given. */
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
        message: `Line ${line} of archive/${batch}/${name} cannot be read; the others are used.`,
        hint: 'It is kept as it is. Mend it by hand if it matters.',
      })
  }
}

/** `evict-2026-…` and `prune-2026-…` by when they were made. */
export function whenOf(batch: string): string {
  return batch.slice(batch.indexOf('-') + 1)
}

/** A path of the memory's own: relative, and never upwards. */
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
