import type { DocumentSource } from './document-source.ts'
import type { WorkspaceFolder } from './workspace-folder.ts'

export interface WorkspacePorts {
  /** The files of the workspaces, under the roots that are configured. */
  readonly workspaces: () => Promise<WorkspaceFolder>
  /** The same as documents, for whoever keeps an index of them. */
  readonly documents: () => Promise<DocumentSource>
}
