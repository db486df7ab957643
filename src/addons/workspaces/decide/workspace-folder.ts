import type { Problem } from '../../../kernel/model/search.ts'
import type { Scope } from '../../../kernel/model/workspace.ts'
import type { DocumentFile } from './document-source.ts'
import type { DocumentPlace, PlaceKind, WorkspaceRoots } from './place.ts'

/** What lies in the folders of the workspaces, unread. */
export interface WorkspaceSurvey {
  /** Every scope that has a folder, from the top down. */
  readonly scopes: readonly Scope[]
  readonly places: readonly DocumentPlace[]
  /** Every folder that was listed, roots that exist included: while they look the same, no file has come or gone. */
  readonly folders: readonly string[]
  /** Then what they look like does not tell every change. */
  readonly hasLinks: boolean
  /** What could not be looked at. */
  readonly problems: readonly Problem[]
}

export interface SurveyOptions {
  /** Only this scope with what is above and below it. */
  readonly around?: Scope | undefined
  readonly kinds?: ReadonlySet<PlaceKind> | undefined
}

export type FileText =
  | { readonly kind: 'read'; readonly text: string; readonly isWhole: boolean }
  | { readonly kind: 'gone' }
  | { readonly kind: 'unreadable'; readonly problem: Problem }

/**
 * The two roots of the workspaces on disk: finds and reads, decides nothing. Links are followed only inside the project and never in a
 * circle, and no read is without bound. Synchronous: a question waits for thousands of small files.
 */
export interface WorkspaceFolder {
  readonly roots: WorkspaceRoots
  exists(): boolean
  survey(options?: SurveyOptions): WorkspaceSurvey
  stamp(path: string): DocumentFile | undefined
  /** The front matter and what follows it, up to a few thousand bytes. */
  readHead(path: string): FileText
  /** At most a mebibyte; `isWhole` tells whether that was all. */
  readText(path: string): FileText
  /** The day of the commit in which each file under the resources first appeared; empty where git cannot tell. */
  firstCommits(): Promise<ReadonlyMap<string, string>>
}
