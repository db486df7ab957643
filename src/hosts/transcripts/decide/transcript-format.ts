import type { DatabaseSession } from './host-transcripts.ts'
import type { ReaderOptions, TranscriptReader } from './transcript-reader.ts'

/** The transcripts of one host: where they are, which of them are of this project, and how they are read. */
export interface TranscriptFormat {
  readonly reader: (options: ReaderOptions) => TranscriptReader
  /** Whether a line has this form. Absent: nothing in a line shows it. */
  readonly isLine?: (value: Readonly<Record<string, unknown>>) => boolean
  /** A message may be written several times, and the last one counts: no line can be skipped. */
  readonly needsEveryLine?: true
  /** Adds the transcripts of this project. Returns where the host stores them, whether or not there is one. */
  readonly find: (search: TranscriptSearch) => string
}

/** What a format may see of the disk. Nothing is ever written there, and no link is followed. */
export interface TranscriptSearch {
  /** The project, with all links resolved. */
  readonly root: string
  /** Whether a session in this folder belongs to this project. */
  isOurs(cwd: string): boolean
  /** A folder of the host: the one that its variable names, or one below the home folder. */
  folder(variable: string | undefined, otherwise: string): string
  join(...parts: readonly string[]): string
  /** Names of folders, sorted. */
  foldersIn(folder: string): readonly string[]
  /** Names of files that match, sorted. */
  filesIn(folder: string, name: RegExp): readonly string[]
  /** Paths of files that match, in this folder and in folders below it. */
  filesBelow(folder: string, depth: number, name: RegExp): readonly string[]
  /** undefined: it does not exist, cannot be read or is larger. */
  read(file: string, maxBytes: number): string | undefined
  /** The first bytes of a file. */
  startOf(file: string): string
  /** The folder that the first lines of a transcript name. */
  cwdOf(file: string): string | undefined
  sha256(text: string): string
  /** The sessions in a database of OpenCode; none if there is no such file or it cannot be read. */
  sessionsIn(file: string): readonly DatabaseSession[]
  add(session: string, file: string, about: { readonly cwd: string; readonly isSubAgent?: boolean }): void
  addStored(session: DatabaseSession, file: string): void
}
