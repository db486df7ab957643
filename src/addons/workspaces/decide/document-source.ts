import type { Problem } from '../../../kernel/model/search.ts'
import type { WorkspaceDocument } from '../../../kernel/model/workspace.ts'

export interface DocumentFile {
  /** Relative to the project, with `/`. */
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
  readonly inode: number
}

/** The files of the workspaces, for whoever keeps an index of them. */
export interface DocumentSource {
  /** False when no root of workspaces exists: one look at two folders, which most projects end with. */
  exists(): boolean
  /** Every file that may hold documents, by stamp and unread. Links are followed only inside the project, and never in a circle. */
  survey(): readonly DocumentFile[]
  /** What one file holds, free of secrets. undefined: it has gone. What is wrong with it is told, and the rest is given. */
  read(
    path: string,
  ): { readonly documents: readonly WorkspaceDocument[]; readonly problems: readonly Problem[] } | undefined
}
