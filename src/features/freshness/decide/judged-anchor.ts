/** Identifies a version of a file without reading it. */
export interface Stamp {
  readonly size: number
  readonly mtimeMs: number
  readonly inode: number
}

/** The result for one anchor, and the file with which it was compared: valid until that file changes. */
export interface JudgedAnchor {
  readonly id: string
  readonly file: string
  readonly print: string
  readonly outcome: 'fresh' | 'drifted' | 'gone' | 'unknown'
  /** Where the file is now; the same as `file` unless it was moved. */
  readonly path: string
  readonly stamp: Stamp
  readonly checkedMs: number
}

/**
 * A file may change twice within one tick of the file system's clock and look the same: a file that was written just
 * before the check is checked again.
 */
const FINE_GRAIN_MS = 50
const COARSE_GRAIN_MS = 2_100

export function isUnchangedFile(judged: JudgedAnchor, stamp: Stamp): boolean {
  const { size, mtimeMs, inode } = judged.stamp
  if (size !== stamp.size || mtimeMs !== stamp.mtimeMs || inode !== stamp.inode) return false
  const grainMs = mtimeMs % 1000 === 0 ? COARSE_GRAIN_MS : FINE_GRAIN_MS
  return judged.checkedMs - mtimeMs >= grainMs
}
