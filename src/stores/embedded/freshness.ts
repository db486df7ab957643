import type { Problem } from '../../kernel/model/search.ts'
import { contentHash } from '../../kernel/system/content-hash.ts'
import { mayHaveChangedUnseen, sameStamp } from '../../kernel/system/file-stamp.ts'
import type { EntryIndex, IndexedFile } from '../../kernel/vault/entry-index.ts'
import type { Journal } from '../../kernel/vault/ports.ts'
import type { VaultFolder } from '../../kernel/vault/vault-folder.ts'
import { matchesSnapshot, vaultSnapshotOf } from '../../kernel/vault/vault-snapshot.ts'

export interface FreshnessParts {
  readonly index: EntryIndex
  readonly folder: VaultFolder
  readonly journal: Journal
  readonly nowMs: number
  /** Leaves a survey for the next reader. A writer does not: its own files would make it void. */
  readonly keepSurvey?: boolean
}

/** True when no file and no journal line is unknown to the index. Every read asks this first: it must be cheap. */
export function isCurrent(parts: FreshnessParts): boolean {
  const { index, folder, journal } = parts
  if (index.settled()?.bytes !== journal.bytes()) return false
  const survey = index.survey()
  return (survey !== undefined && matchesSnapshot(folder, survey)) || isKnown(parts)
}

/** Compares every file with what the index knows of it. */
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

/** The same for one file, which may as well be absent from both. */
export function isFileCurrent(path: string, indexed: IndexedFile | undefined, folder: VaultFolder): boolean {
  const stamp = folder.stamp(path)
  if (indexed === undefined || stamp === undefined) return indexed === stamp
  if (!sameStamp(stamp, indexed)) return false
  if (!mayHaveChangedUnseen(indexed)) return true
  const bytes = folder.read(path)
  return bytes !== undefined && contentHash(bytes) === indexed.hash
}

/** What a slow machine takes to read a file into the index, and a kilobyte of it. */
const MS_PER_FILE = 0.4
const MS_PER_KB = 0.4

/**
 * True when reading what changed would take longer than this. Counted until it does: a vault without an index may be so large that to
 * look at every file takes too long as well.
 */
export function takesLonger(
  { index, folder }: Pick<FreshnessParts, 'index' | 'folder'>,
  withinMs: number | undefined,
): boolean {
  if (withinMs === undefined) return false
  // While it is being built, every file of a large vault counts: to compare them would take as long.
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
 * The same for somebody who only looks in and leaves no trace: by stamps alone, so an edit that the clock of the file system is too coarse
 * to show is not seen.
 */
export function looksCurrent({
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

/** The index is otherwise than the files: nothing does that unless something is broken. */
export function disagreement(path: string, what: string): Problem {
  return {
    code: 'index_disagrees',
    path,
    message: `The index does not say what ${path} says (${what}).`,
    hint: 'Run `cairn doctor --fix` to rebuild the index.',
  }
}
