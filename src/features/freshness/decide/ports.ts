import type { Entry } from '../../../kernel/model/entry.ts'
import type { FileSample } from './file-words.ts'
import type { JudgedAnchor, Stamp } from './judged-anchor.ts'

/** The state of a path of the project. A folder, a device, or a path outside the project is absent. */
export type FileStatus =
  | { readonly kind: 'file'; readonly stamp: Stamp }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable' }

/** One file that became another, as git recorded it. */
export interface Rename {
  readonly from: string
  readonly to: string
}

/** The content of a file at a commit. */
export type PastFile =
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  | { readonly kind: 'too_large' }
  /** `no_repository`, `no_commit`: it is not in this clone; `no_file`: the commit has no such file; `git_failed`. */
  | {
      readonly kind: 'unknown'
      readonly code: 'no_repository' | 'no_commit' | 'no_file' | 'git_failed'
      readonly why: string
    }

/** The files that entries are about. Read only, only inside the project, and only up to a size. */
export interface ProjectFiles {
  see(files: readonly string[]): Promise<ReadonlyMap<string, FileStatus>>
  /** undefined if it no longer exists or cannot be read. */
  read(file: string): Promise<FileSample | undefined>
  /** The current commit of the project, read from git's files; undefined without git. */
  commit(): Promise<string | undefined>
  /**
   * Files of the project, nearest to the root first, after at most `most` folder items; without what tools generate or
   * install, and without what `isIgnored` excludes.
   */
  list(most: number, isIgnored?: (path: string) => boolean): Promise<readonly string[]>
  /** The content at a commit. Starts a process: only for a user who waits, never for a read. */
  readAt(commit: string, file: string): Promise<PastFile>
  /** The renames of the history, oldest first. Starts a process: for verbs that a person waits for, never for a read. */
  renames(): Promise<
    | { readonly kind: 'known'; readonly renames: readonly Rename[] }
    | { readonly kind: 'unknown'; readonly why: string }
  >
}

/** What the index knows of anchors. */
export interface AnchorIndex {
  /** Those of these entries that have anchors. */
  anchored(ids: readonly string[]): Promise<readonly string[]>
  allAnchored(): Promise<readonly Entry[]>
  /** Entries that name files and have no anchor. */
  countUnanchored(): Promise<number>
  judged(ids: readonly string[]): Promise<readonly JudgedAnchor[]>
  /** Not stored if the index cannot be written now: then it is checked again. */
  keep(judged: readonly JudgedAnchor[]): Promise<void>
}

export interface FreshnessPorts {
  /** The files that entries are about, and their known changes. */
  readonly projectFiles: ProjectFiles
  readonly anchors: AnchorIndex
}
