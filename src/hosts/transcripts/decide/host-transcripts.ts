import type { Problem } from '../../../kernel/model/search.ts'
import type { Transcript, TranscriptHost, TranscriptPart } from '../../../kernel/model/transcript.ts'
import type { TranscriptAbout } from './transcript-reader.ts'

/** The transcripts of this project's sessions, where their hosts keep them. Nothing is ever written there. */
export interface HostTranscripts {
  /** Newest first. Of hosts that keep all projects together, only what belongs to this one. */
  list(hosts?: readonly TranscriptHost[]): Promise<ListedTranscripts>
  /** What is said in one, as a stream. `about` fills while it is read. */
  open(transcript: Transcript, options?: OpenOptions): Promise<OpenTranscript>
}

export interface ListedTranscripts {
  readonly transcripts: readonly Transcript[]
  /** What could not be looked at. */
  readonly problems: readonly Problem[]
  /** By host: where it keeps them, whether or not there is one. */
  readonly places: Readonly<Partial<Record<TranscriptHost, string>>>
}

export interface OpenOptions {
  /** Also what sub-agents were told and said, as internal messages. */
  readonly withSubAgents?: boolean
  /** Lines of which this says no are not taken apart. It sees them as they stand in the file. */
  readonly isWorthReading?: (line: string) => boolean
}

export interface OpenTranscript {
  readonly about: TranscriptAbout
  readonly parts: AsyncIterable<TranscriptPart>
}

/** A conversation in a database, as its rows are put together. */
export interface TranscriptDatabase {
  sessions(): readonly DatabaseSession[]
  /** The messages with their parts, in order, each as `opencode export` prints it. */
  messages(session: string): Iterable<unknown>
  close(): void
}

export interface DatabaseSession {
  readonly id: string
  readonly directory: string
  readonly parent?: string
  readonly updatedMs: number
  readonly messages: number
}
