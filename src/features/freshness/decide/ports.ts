import type { Entry } from '../../../kernel/model/entry.ts'
import type { FileSample } from './file-words.ts'
import type { JudgedAnchor, Stamp } from './judged-anchor.ts'

/** What is at a path of the project. A folder, a device, or what lies outside the project is absent. */
export type FileStatus =
  | { readonly kind: 'file'; readonly stamp: Stamp }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable' }

/** One file that became another, as git recorded it. */
export interface Rename {
  readonly from: string
  readonly to: string
}

/** What a file said at a commit. */
export type PastFile =
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  | { readonly kind: 'too_large' }
  /** `no_repository`, `no_commit`: it is not in this clone; `no_file`: the commit has no such file; `git_failed`. */
  | {
      readonly kind: 'unknown'
      readonly code: 'no_repository' | 'no_commit' | 'no_file' | 'git_failed'
      readonly why: string
    }

/** The files that entries are about. Looked at only, inside the project only, and never above a size. */
export interface ProjectFiles {
  see(files: readonly string[]): Promise<ReadonlyMap<string, FileStatus>>
  /** undefined: it is no longer there, or cannot be read. */
  read(file: string): Promise<FileSample | undefined>
  /** The commit that the project stands at, read from git's files; undefined without git. */
  commit(): Promise<string | undefined>
  /**
   * Files of the project, nearest to the root first, after at most so many items of folders; without what tools make or install, and
   * without what `isIgnored` says yes to.
   */
  list(most: number, isIgnored?: (path: string) => boolean): Promise<readonly string[]>
  /** What it said at a commit. Starts a process: for a person who asks, never for a read. */
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
  /** Not kept when the index cannot be written now: then it is judged again. */
  keep(judged: readonly JudgedAnchor[]): Promise<void>
}

export interface FreshnessPorts {
  /** The files that entries are about, and what is known of how they changed. */
  readonly projectFiles: ProjectFiles
  readonly anchors: AnchorIndex
}
