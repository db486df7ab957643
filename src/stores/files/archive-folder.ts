import * as path from 'node:path'
import {
  type Archive,
  type ArchivedEntry,
  archivedLines,
  BATCH_NAME,
  type Batch,
  type BatchManifest,
  batchName,
  batchTime,
  ENTRIES,
  EVENTS,
  FILES,
  isArchivedEntry,
  isEvent,
  isPlainPath,
  MANIFEST,
  manifestOf,
  type NewBatch,
  parseManifest,
} from '../../features/upkeep/decide/archive.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { MemoryEvent } from '../../kernel/model/event.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import { asStorageError, type Disk, errnoOf } from '../../kernel/system/disk.ts'
import type { MemoryPaths } from '../../kernel/system/paths.ts'
import { safePaths } from './safe-path.ts'

const TEMPORARY = '.cairn-tmp'
/** An unfinished batch of this age belongs to a process that died. */
const ABANDONED_MS = 3_600_000
const RANDOM_BOUND = 2 ** 31

interface ArchiveFolderParts {
  readonly paths: MemoryPaths
  readonly disk: Disk
  readonly clock: Clock
}

/**
 * `archive/`, one folder a batch. A batch is written into a temporary folder, the manifest last, and then renamed: an existing batch is
 * whole. It needs no lock, because two processes never write to the same folder.
 */
export function archiveFolder({ paths, disk, clock }: ArchiveFolderParts): Archive {
  const root = paths.archive
  const safe = safePaths(paths, disk)
  const inBatch = (batch: string, name: string) => path.join(root, batch, name)

  return {
    async write(batch) {
      return storing(() => {
        disk.makeFolder(root)
        removeAbandoned()
        const name = batchName(batch)
        const temporary = path.join(root, `.${name}-${clock.random(RANDOM_BOUND)}${TEMPORARY}`)
        try {
          return moveIn(temporary, fill(temporary, batch, name))
        } catch (error) {
          disk.removeFolder(temporary)
          throw error
        }
      })
    },

    async list() {
      const batches: BatchManifest[] = []
      const problems: Problem[] = []
      for (const name of batchNames()) {
        const manifest = readManifest(name)
        if ('message' in manifest) problems.push(manifest)
        else batches.push(manifest)
      }
      return { batches, problems }
    },

    async read(id) {
      if (!BATCH_NAME.test(id) || disk.isFolder(safe.check(path.join(root, id))) !== true) return undefined
      const manifest = readManifest(id)
      if ('message' in manifest) {
        throw new CairnError({
          code: 'document_damaged',
          message: manifest.message,
          hint: manifest.hint,
        })
      }
      const problems: Problem[] = []
      const batch: Batch = {
        ...manifest,
        archived: [
          ...linesOf<ArchivedEntry>(id, ENTRIES, isArchivedEntry, problem => problems.push(problem)),
        ],
        archivedEvents: [...linesOf<MemoryEvent>(id, EVENTS, isEvent, problem => problems.push(problem))],
        problems,
      }
      return batch
    },

    async readFile(batch, file) {
      return BATCH_NAME.test(batch) && isPlainPath(file)
        ? disk.readFile(safe.check(inBatch(batch, `${FILES}/${file}`)))
        : undefined
    },

    async *entries(onProblem) {
      for (const batch of batchNames()) {
        for (const item of linesOf<ArchivedEntry>(batch, ENTRIES, isArchivedEntry, onProblem))
          yield { batch, item }
      }
    },

    async markRestored(batch, at) {
      const manifest = readManifest(batch)
      if ('message' in manifest) return
      storing(() => {
        const file = safe.check(inBatch(batch, MANIFEST))
        disk.writeFile(`${file}${TEMPORARY}`, json({ ...manifest, restoredAt: at }))
        disk.rename(`${file}${TEMPORARY}`, file)
        disk.syncFolder(path.dirname(file))
      })
    },

    async remove(batch) {
      if (!BATCH_NAME.test(batch)) return
      storing(() => {
        // Renamed first: an unfinished batch must never look like a whole one.
        const gone = path.join(root, `.${batch}-${clock.random(RANDOM_BOUND)}${TEMPORARY}`)
        if (disk.isFolder(path.join(root, batch)) !== true) return
        disk.rename(path.join(root, batch), gone)
        disk.removeFolder(gone)
        disk.syncFolder(root)
      })
    },
  }

  function fill(folder: string, batch: NewBatch, name: string): BatchManifest {
    const { entries = [], events = [], files = [] } = batch
    disk.makeFolder(folder)
    if (entries.length > 0) disk.writeFile(path.join(folder, ENTRIES), lines(entries))
    if (events.length > 0) disk.writeFile(path.join(folder, EVENTS), lines(events))
    for (const { path: file, bytes } of files) {
      if (!isPlainPath(file)) throw new Error(`${file} is not a path inside the memory`)
      const target = path.join(folder, FILES, file)
      disk.makeFolder(path.dirname(target))
      disk.writeFile(target, bytes)
    }
    return manifestOf(batch, name)
  }

  /** Another process may have made a batch in the same millisecond: then this one gets a number. */
  function moveIn(temporary: string, manifest: BatchManifest): BatchManifest {
    for (let number = 1; ; number++) {
      const id = number === 1 ? manifest.id : `${manifest.id}-${number}`
      const target = path.join(root, id)
      if (disk.isFolder(target) !== undefined) continue
      const named = { ...manifest, id }
      disk.writeFile(path.join(temporary, MANIFEST), json(named))
      disk.syncFolder(temporary)
      try {
        disk.rename(temporary, target)
      } catch (error) {
        const code = errnoOf(error) ?? ''
        if (!['ENOTEMPTY', 'EEXIST'].includes(code)) throw error
        continue
      }
      disk.syncFolder(root)
      return named
    }
  }

  function batchNames(): string[] {
    return (disk.listFolder(root) ?? [])
      .filter(item => item.isDirectory() && BATCH_NAME.test(item.name))
      .map(item => item.name)
      .sort((a, b) => (batchTime(a) < batchTime(b) ? 1 : -1))
  }

  function removeAbandoned(): void {
    for (const { name } of disk.listFolder(root) ?? []) {
      if (!name.startsWith('.') || !name.endsWith(TEMPORARY)) continue
      const stamp = disk.stamp(path.join(root, name))
      if (stamp !== undefined && stamp.mtimeMs < clock.nowMs() - ABANDONED_MS)
        disk.removeFolder(path.join(root, name))
    }
  }

  function readManifest(batch: string): BatchManifest | Problem {
    const outside = safe.problemOf(inBatch(batch, MANIFEST))
    if (outside !== undefined) return outside
    const bytes = disk.readFile(inBatch(batch, MANIFEST))
    return parseManifest(bytes && text(bytes), batch)
  }

  function* linesOf<T>(
    batch: string,
    name: string,
    isOne: (value: unknown) => value is T,
    onProblem: ((problem: Problem) => void) | undefined,
  ): Iterable<T> {
    const outside = safe.problemOf(inBatch(batch, name))
    if (outside !== undefined) onProblem?.(outside)
    const bytes = outside === undefined ? disk.readFile(inBatch(batch, name)) : undefined
    if (bytes !== undefined) yield* archivedLines(text(bytes), { batch, name, isOne, onProblem })
  }

  function storing<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw asStorageError(error, 'The archive')
    }
  }
}

function lines(values: readonly unknown[]): Uint8Array {
  return new TextEncoder().encode(values.map(value => `${JSON.stringify(value)}\n`).join(''))
}

function json(value: unknown): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`)
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
