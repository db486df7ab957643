import type { Entry } from '../../../kernel/model/entry.ts'
import type { Problem } from '../../../kernel/model/search.ts'
import type { WorkspaceDocument } from '../../../kernel/model/workspace.ts'
import type { AnalysedEntry } from '../../../kernel/text/analyse.ts'
import type { StoredSnapshot } from './document-snapshot.ts'
import type { DocumentFile } from './document-source.ts'

/** A document as the index stores it. */
export interface IndexedDocument {
  readonly document: WorkspaceDocument
  /** The document in the form of an entry, for ranking and rendering. */
  readonly entry: Entry
  readonly text: AnalysedEntry
  /** A hash of everything but the line number, which changes when text above it changes. */
  readonly print: string
  /** Only the beginning of the text is stored. */
  readonly isCut: boolean
}

/** The state of a workspace file when it was last read. */
export interface IndexedDocumentFile extends DocumentFile {
  /** When it was last read. A file changed within the clock's resolution of this time is read again. */
  readonly checkedMs: number
  /** The hash of its content. */
  readonly hash: string
  readonly problems: readonly Problem[]
}

/** One update, applied as a whole or not at all. */
export interface DocumentUpdate {
  readonly gone: readonly string[]
  readonly files: readonly {
    readonly file: IndexedDocumentFile
    /** undefined: its documents did not change. */
    readonly documents?: readonly IndexedDocument[]
  }[]
}

/** The documents of the workspaces in the index. Synchronous: it runs in this process. */
export interface DocumentIndex {
  files(): ReadonlyMap<string, IndexedDocumentFile>
  apply(update: DocumentUpdate): void
  /** Removes all documents. */
  clear(): void
  /** Stores the state of all files after everything was indexed. While it matches, nothing needs to be listed. */
  keepSurvey(survey: StoredSnapshot): void
}
