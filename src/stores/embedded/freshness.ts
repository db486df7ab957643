import type { Problem } from '../../kernel/model/search.ts'
import { contentHash } from '../../kernel/system/content-hash.ts'
import { mayHaveChangedUnseen, sameStamp } from '../../kernel/system/file-stamp.ts'
import type { EntryIndex, IndexedFile } from '../../kernel/vault/entry-index.ts'
import type { Journal } from '../../kernel/vault/ports.ts'
import type { VaultFolder } from '../../kernel/vault/vault-folder.ts'
import { matchesSnapshot, vaultSnapshotOf } from '../../kernel/vault/vault-snapshot.ts'

interface FreshnessParts {
  readonly index: EntryIndex
  readonly folder: VaultFolder
  readonly journal: Journal
  readonly nowMs: number
  /** Stores the file stamps for the next reader. A writer does not: its own writes would invalidate them. */
  readonly keepSurvey?: boolean
}

/** True if the index knows every file and every journal line. Every read checks this first, so it must be cheap. */
export function isCurrent(parts: FreshnessParts): boolean {
  const { index, folder, journal } = parts
  if (index.settled()?.bytes !== journal.bytes()) return false
  const survey = index.survey()
  return (survey !== undefined && matchesSnapshot(folder, survey)) || isKnown(parts)
}

/** Compares every file with its stamp in the index. */
function isKnown({ index, folder, nowMs, keepSurvey }: FreshnessParts): boolean {
  const revision = index.revision()
  const known = index.files()
  const scan = folder.scan()
  if (scan.files.length !== known.size) return false
  const compared: IndexedFile[] = []
  for (const file of scan.files) {
    const indexed = known.get(file.path)
    if (indexed === undefined || !sameStamp(file, indexed)) return false
    if (!mayHaveChangedUnseen(indexed)) continue
    const bytes = folder.read(file.path)
    if (bytes === undefined || contentHash(bytes) !== indexed.hash) return false
    compared.push({ ...indexed, checkedMs: nowMs })
  }
  const settledNow = compared.filter(file => !mayHaveChangedUnseen(file))
  if (settledNow.length > 0) index.keepChecked(settledNow)
  if (keepSurvey !== true || settledNow.length < compared.length) return true
  const survey = vaultSnapshotOf(scan, item => !mayHaveChangedUnseen({ ...item, checkedMs: nowMs }))
  if (survey !== undefined) index.keepSurvey(survey, revision)
  return true
}

/** The same for one file, which may be absent from both. */
export function isFileCurrent(path: string, indexed: IndexedFile | undefined, folder: VaultFolder): boolean {
  const stamp = folder.stamp(path)
  if (indexed === undefined || stamp === undefined) return indexed === stamp
  if (!sameStamp(stamp, indexed)) return false
  if (!mayHaveChangedUnseen(indexed)) return true
  const bytes = folder.read(path)
  return bytes !== undefined && contentHash(bytes) === indexed.hash
}

/** The time of a slow machine to index a file, and a kilobyte of it. */
const MS_PER_FILE = 0.4
const MS_PER_KB = 0.4

/**
 * True if indexing the changed files would take longer than this. Stops counting when it does: listing every file of a large vault may take
 * too long as well.
 */
export function takesLonger(
  { index, folder }: Pick<FreshnessParts, 'index' | 'folder'>,
  withinMs: number | undefined,
): boolean {
  if (withinMs === undefined) return false
  // While the index is built, every file counts: comparing them would take as long.
  const known = index.settled() === undefined ? new Map<string, IndexedFile>() : index.files()
  const { files } = folder.scan({ maxFiles: known.size + Math.ceil(withinMs / MS_PER_FILE) + 1 })
  let takesMs = 0
  for (const file of files) {
    const indexed = known.get(file.path)
    if (indexed === undefined || !sameStamp(file, indexed))
      takesMs += MS_PER_FILE + (file.size / 1_024) * MS_PER_KB
  }
  return takesMs > withinMs
}

/**
 * The same for a reader that must not write: by stamps alone, so it misses an edit within the resolution of the file system's clock.
 */
export function areStampsCurrent({
  index,
  folder,
  journal,
}: Pick<FreshnessParts, 'index' | 'folder' | 'journal'>): boolean {
  if (index.settled()?.bytes !== journal.bytes()) return false
  const survey = index.survey()
  if (survey !== undefined && matchesSnapshot(folder, survey)) return true
  const known = index.files()
  const { files } = folder.scan()
  return (
    files.length === known.size &&
    files.every(file => {
      const indexed = known.get(file.path)
      return indexed !== undefined && sameStamp(file, indexed)
    })
  )
}

/** The index differs from the files, which should not happen. */
export function disagreement(path: string, what: string): Problem {
  return {
    code: 'index_disagrees',
    path,
    message: `The index differs from ${path} (${what}).`,
    hint: 'Run `cairn doctor --fix` to rebuild the index.',
  }
}

/** A check is valid for this many times its duration: checking takes an eleventh of the time at most. */
const VALID_TIMES = 10

/**
 * Caches whether the index is current, for a server with many reads a second: one check of all files serves the reads right after it. The
 * journal, which every Cairn writer writes first, is checked each time; only edits by editors and git can be missed for a moment.
 */
export class FreshnessCache {
  readonly #maxMs: number
  #index: FreshnessParts['index'] | undefined
  #untilMs = 0

  /** 0: every read checks. */
  constructor(maxMs: number) {
    this.#maxMs = maxMs
  }

  isCurrent(parts: FreshnessParts): boolean {
    const { index, journal } = parts
    const startMs = performance.now()
    if (index === this.#index && startMs < this.#untilMs && index.settled()?.bytes === journal.bytes())
      return true
    const isFresh = isCurrent(parts)
    const endMs = performance.now()
    this.#index = isFresh ? index : undefined
    this.#untilMs = endMs + Math.min(this.#maxMs, VALID_TIMES * (endMs - startMs))
    return isFresh
  }
}
