import type { EntryIndex, IndexedFile } from '../../pipeline/store/entry-index.ts'
import type { Journal } from '../../pipeline/store/journal.ts'
import type { VaultFolder } from '../../pipeline/store/vault-folder.ts'
import { isAsSurveyed, surveyOf } from '../../pipeline/store/vault-survey.ts'
import { contentHash } from '../../system/content-hash.ts'
import type { FileStamp } from '../../system/disk.ts'

/**
 * A file may change twice within one tick of the file system's clock and look the same. So a file whose time is this
 * close to the moment it was compared is compared again. File systems with whole seconds (or two) need longer.
 */
const FINE_GRAIN_MS = 50
const COARSE_GRAIN_MS = 2_100

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
  return (survey !== undefined && isAsSurveyed(folder, survey)) || isKnown(parts)
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
  if (settledNow.length > 0) index.apply({ files: settledNow })
  if (keepSurvey !== true || settledNow.length < compared.length) return true
  const survey = surveyOf(scan, item => !mayHaveChangedUnseen({ ...item, checkedMs: nowMs }))
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

export function sameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.inode === b.inode
}

export function mayHaveChangedUnseen(file: Pick<IndexedFile, 'mtimeMs' | 'checkedMs'>): boolean {
  const grainMs = file.mtimeMs % 1000 === 0 ? COARSE_GRAIN_MS : FINE_GRAIN_MS
  return file.checkedMs - file.mtimeMs < grainMs
}
