import type { Scanned, VaultFolder, VaultScan } from './vault-folder.ts'

/**
 * A snapshot of the vault when the index was up to date: every folder and file with its stamp. As long as all stamps are equal, no file
 * was added, removed or changed, and a reader need not list a folder or read what the index knows of each file. In columns, because a
 * cold process reads four long lists in a fraction of the time of hundreds of rows.
 */
export interface VaultSnapshot {
  readonly paths: readonly string[]
  readonly sizes: readonly number[]
  readonly mtimesMs: readonly number[]
  readonly inodes: readonly number[]
}

/** undefined: the stamps would not show every change. */
export function vaultSnapshotOf(
  scan: VaultScan,
  isSettled: (folder: Scanned) => boolean,
): VaultSnapshot | undefined {
  if (scan.hasLinks || scan.problems.length > 0 || scan.leftovers.length > 0) return undefined
  // If files have no inode numbers (Windows), a folder may keep its time when a file is added or removed (FAT).
  if (!scan.folders.every(folder => folder.inode !== 0 && isSettled(folder))) return undefined
  const all = [...scan.folders, ...scan.files]
  return {
    paths: all.map(item => item.path),
    sizes: all.map(item => item.size),
    mtimesMs: all.map(item => item.mtimeMs),
    inodes: all.map(item => item.inode),
  }
}

export function matchesSnapshot(folder: VaultFolder, survey: VaultSnapshot): boolean {
  const { paths, sizes, mtimesMs, inodes } = survey
  return paths.every((path, at) => {
    const stamp = folder.stamp(path)
    return (
      stamp !== undefined &&
      stamp.mtimeMs === mtimesMs[at] &&
      stamp.size === sizes[at] &&
      stamp.inode === inodes[at]
    )
  })
}
