import type { DocumentFile } from './document-source.ts'
import type { WorkspaceFolder } from './workspace-folder.ts'

/** The files of the workspaces as they lie there now. */
export interface DocumentSurvey {
  readonly roots: readonly string[]
  readonly files: readonly DocumentFile[]
  /** Every folder that was listed. undefined: their stamps would not tell whether a file came or went. */
  readonly folders: readonly string[] | undefined
}

/** Every file that may hold documents, by stamp. Apart from what reads them: a search or a brief may ask this. */
export function surveyDocuments(folder: WorkspaceFolder): DocumentSurvey {
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
 * A survey in which nothing was new to the index, kept for the next reader. With its folders it tells by stamps alone that no file
 * has come, gone or changed: then nothing is listed. In columns, which a cold process reads faster than rows.
 */
export interface KeptSurvey {
  readonly roots: readonly string[]
  /** How many of the paths, the first ones, are folders; a root that does not exist has the size -1. 0: only files were kept. */
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

export function keptSurveyOf(
  { roots, files, folders }: DocumentSurvey,
  {
    stampOf,
    isSettled,
  }: { readonly stampOf: (path: string) => Stamp | undefined; readonly isSettled: (stamp: Stamp) => boolean },
): KeptSurvey {
  const places = [...new Set([...roots, ...(folders ?? [])])]
  const stamps = places.map(path => ({ path, ...(stampOf(path) ?? ABSENT) }))
  // Where files have no numbers (Windows), a folder may keep its time when a file comes or goes (FAT).
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

/** Whether everything still looks as it did, by stamps; undefined: folders must be listed to tell. */
export function looksAsKept(
  kept: KeptSurvey,
  roots: readonly string[],
  stampOf: (path: string) => Stamp | undefined,
): boolean | undefined {
  if (kept.roots.some((root, at) => root !== roots[at])) return false
  if (kept.folders === 0) return undefined
  return kept.paths.every((path, at) => isAt(kept, at, stampOf(path) ?? ABSENT))
}

/** The same where the folders were listed. */
export function holdsAsKept(kept: KeptSurvey, { files }: DocumentSurvey): boolean {
  if (files.length !== kept.paths.length - kept.folders) return false
  return files.every(
    (file, n) => kept.paths[n + kept.folders] === file.path && isAt(kept, n + kept.folders, file),
  )
}

function isAt({ sizes, mtimesMs, inodes }: KeptSurvey, at: number, stamp: Stamp): boolean {
  return stamp.mtimeMs === mtimesMs[at] && stamp.size === sizes[at] && stamp.inode === inodes[at]
}
