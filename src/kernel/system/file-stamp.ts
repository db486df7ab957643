import type { FileStamp } from './disk.ts'

/**
 * A file may change twice within one tick of the file system's clock and look the same. So a file whose time is this close to the moment
 * of the comparison is compared again. File systems with whole seconds (or two) need longer.
 */
const FINE_GRAIN_MS = 50
const COARSE_GRAIN_MS = 2_100

export function sameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.inode === b.inode
}

export function mayHaveChangedUnseen(file: {
  readonly mtimeMs: number
  readonly checkedMs: number
}): boolean {
  const grainMs = file.mtimeMs % 1000 === 0 ? COARSE_GRAIN_MS : FINE_GRAIN_MS
  return file.checkedMs - file.mtimeMs < grainMs
}
