import type { DocumentFile } from './document-source.ts'
import type { WorkspaceFolder } from './workspace-folder.ts'

/** The current files of the workspaces. */
export interface DocumentSnapshot {
  readonly roots: readonly string[]
  readonly files: readonly DocumentFile[]
  /** Every listed folder. undefined: folder times would not show whether a file was added or removed. */
  readonly folders: readonly string[] | undefined
}

/**
 * Lists every file that may contain documents, with size and time. Separate from the reader, because a search or a brief may need only
 * this.
 */
export function snapshotDocuments(folder: WorkspaceFolder): DocumentSnapshot {
  const { places, folders, hasLinks, problems } = folder.survey()
  const files = places
    .filter(place => place.kind !== 'abstract')
    .flatMap(place => folder.stamp(place.path) ?? [])
  const isTelling = !hasLinks && problems.length === 0
  return {
    roots: [folder.roots.resources, folder.roots.learnings],
    files,
    folders: isTelling ? folders : undefined,
  }
}

/**
 * The state of all files when the index was last complete, stored for the next reader. With its folders, comparing times is enough to
 * know that nothing was added, removed or changed, so nothing is listed. In columns, which a cold process parses faster than rows.
 */
export interface StoredSnapshot {
  readonly roots: readonly string[]
  /** How many of the first paths are folders; a root that does not exist has the size -1. 0: only files were stored. */
  readonly folders: number
  readonly paths: readonly string[]
  readonly sizes: readonly number[]
  readonly mtimesMs: readonly number[]
  readonly inodes: readonly number[]
}

interface Stamp {
  readonly size: number
  readonly mtimeMs: number
  readonly inode: number
}

const ABSENT: Stamp = { size: -1, mtimeMs: 0, inode: 0 }

export function storedSnapshotOf(
  { roots, files, folders }: DocumentSnapshot,
  {
    stampOf,
    isSettled,
  }: { readonly stampOf: (path: string) => Stamp | undefined; readonly isSettled: (stamp: Stamp) => boolean },
): StoredSnapshot {
  const places = [...new Set([...roots, ...(folders ?? [])])]
  const stamps = places.map(path => ({ path, ...(stampOf(path) ?? ABSENT) }))
  // Where files have no inode numbers (Windows), a folder may keep its time when a file is added or removed (FAT).
  const isTelling =
    folders !== undefined &&
    stamps.every(stamp => stamp.size === -1 || (stamp.inode !== 0 && isSettled(stamp)))
  const kept = isTelling ? [...stamps, ...files] : files
  return {
    roots,
    folders: isTelling ? stamps.length : 0,
    paths: kept.map(({ path }) => path),
    sizes: kept.map(({ size }) => size),
    mtimesMs: kept.map(({ mtimeMs }) => mtimeMs),
    inodes: kept.map(({ inode }) => inode),
  }
}

/** Whether everything is unchanged, judged by size and time; undefined: the folders must be listed to know. */
export function isSameByStamps(
  kept: StoredSnapshot,
  roots: readonly string[],
  stampOf: (path: string) => Stamp | undefined,
): boolean | undefined {
  if (kept.roots.some((root, at) => root !== roots[at])) return false
  if (kept.folders === 0) return undefined
  return kept.paths.every((path, at) => isAt(kept, at, stampOf(path) ?? ABSENT))
}

/** The same after the folders were listed. */
export function isSameByFiles(kept: StoredSnapshot, { files }: DocumentSnapshot): boolean {
  if (files.length !== kept.paths.length - kept.folders) return false
  return files.every(
    (file, n) => kept.paths[n + kept.folders] === file.path && isAt(kept, n + kept.folders, file),
  )
}

function isAt({ sizes, mtimesMs, inodes }: StoredSnapshot, at: number, stamp: Stamp): boolean {
  return stamp.mtimeMs === mtimesMs[at] && stamp.size === sizes[at] && stamp.inode === inodes[at]
}
