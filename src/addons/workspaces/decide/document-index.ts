import type { Entry } from '../../../kernel/model/entry.ts'
import type { Problem } from '../../../kernel/model/search.ts'
import type { WorkspaceDocument } from '../../../kernel/model/workspace.ts'
import type { AnalysedEntry } from '../../../kernel/text/analyse.ts'
import type { DocumentFile } from './document-source.ts'
import type { KeptSurvey } from './survey-documents.ts'

/** A document as the index keeps it. */
export interface ShelvedDocument {
  readonly document: WorkspaceDocument
  /** A view of it that looks like an entry, for all that ranks and shows. */
  readonly entry: Entry
  readonly text: AnalysedEntry
  /** Of all that is kept of it but its line, which moves with what stands above it. */
  readonly print: string
  /** Only the beginning of its text is kept. */
  readonly isCut: boolean
}

/** What a file of a workspace looked like when it was last read. */
export interface ShelvedFile extends DocumentFile {
  /** When it was last read: a file changed within the clock's grain of that moment is read again. */
  readonly checkedMs: number
  /** Of what it held. */
  readonly hash: string
  readonly problems: readonly Problem[]
}

/** One step, applied as a whole or not at all. */
export interface ShelfUpdate {
  readonly gone: readonly string[]
  readonly files: readonly {
    readonly file: ShelvedFile
    /** undefined: it holds what it held. */
    readonly documents?: readonly ShelvedDocument[]
  }[]
}

/** The documents of the workspaces in the index. Synchronous: it lives in this process. */
export interface DocumentIndex {
  files(): ReadonlyMap<string, ShelvedFile>
  apply(update: ShelfUpdate): void
  /** Nothing lies on the shelf any more. */
  clear(): void
  /** Everything looked like this, and all is taken in: as long as it does, nobody need look closer. */
  keepSurvey(survey: KeptSurvey): void
}
