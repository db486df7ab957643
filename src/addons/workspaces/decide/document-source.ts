import type { Problem } from '../../../kernel/model/search.ts'
import type { WorkspaceDocument } from '../../../kernel/model/workspace.ts'

export interface DocumentFile {
  /** Relative to the project, with `/`. */
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
  readonly inode: number
}

/** The files of the workspaces, read by the document index. */
export interface DocumentSource {
  /** False if no workspace root exists. Costs two file checks, which is all that most projects need. */
  exists(): boolean
  /** Lists every file that may contain documents, with size and time, unread. Follows links only inside the project, never in a cycle. */
  survey(): readonly DocumentFile[]
  /** The documents of one file, redacted. undefined: the file no longer exists. Reports what is wrong and returns the rest. */
  read(
    path: string,
  ): { readonly documents: readonly WorkspaceDocument[]; readonly problems: readonly Problem[] } | undefined
}
