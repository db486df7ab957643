import type { Problem } from '../../../kernel/model/search.ts'
import type { Scope } from '../../../kernel/model/workspace.ts'
import type { DocumentFile } from './document-source.ts'
import type { DocumentPlace, PlaceKind, WorkspaceRoots } from './place.ts'

/** The files and folders of the workspaces, unread. */
export interface WorkspaceSnapshot {
  /** Every scope that has a folder, from the top down. */
  readonly scopes: readonly Scope[]
  readonly places: readonly DocumentPlace[]
  /** Every listed folder, including the existing roots: while they are unchanged, no file was added or removed. */
  readonly folders: readonly string[]
  /** With links, folder times do not show every change. */
  readonly hasLinks: boolean
  /** What could not be listed. */
  readonly problems: readonly Problem[]
}

export interface SnapshotOptions {
  /** Only this scope and those above and below it. */
  readonly around?: Scope | undefined
  readonly kinds?: ReadonlySet<PlaceKind> | undefined
}

export type FileText =
  | { readonly kind: 'read'; readonly text: string; readonly isWhole: boolean }
  | { readonly kind: 'gone' }
  | { readonly kind: 'unreadable'; readonly problem: Problem }

/**
 * The two roots of the workspaces on disk: finds and reads, decides nothing. Follows links only inside the project and never in a cycle,
 * and every read has a limit. Synchronous, because a question reads thousands of small files.
 */
export interface WorkspaceFolder {
  readonly roots: WorkspaceRoots
  exists(): boolean
  survey(options?: SnapshotOptions): WorkspaceSnapshot
  stamp(path: string): DocumentFile | undefined
  /** The front matter and the text after it, up to a few thousand bytes. */
  readHead(path: string): FileText
  /** At most one mebibyte; `isWhole` says whether that was the whole file. */
  readText(path: string): FileText
  /** The date of the commit that added each file under the resources; empty if git does not know. */
  firstCommits(): Promise<ReadonlyMap<string, string>>
}
