import type { DocumentSource } from './document-source.ts'
import type { WorkspaceFolder } from './workspace-folder.ts'

export interface WorkspacePorts {
  /** The files of the workspaces below the configured roots. */
  readonly workspaces: () => Promise<WorkspaceFolder>
  /** The same files as documents, for the document index. */
  readonly documents: () => Promise<DocumentSource>
}
