import type { Problem } from '../../../kernel/model/search.ts'
import type { Transcript, TranscriptHost, TranscriptPart } from '../../../kernel/model/transcript.ts'
import type { TranscriptAbout } from './transcript-reader.ts'

/** The transcripts of this project's sessions, where their hosts store them. Nothing is ever written there. */
export interface HostTranscripts {
  /** Newest first. Of hosts that store all projects together, only those of this one. */
  list(hosts?: readonly TranscriptHost[]): Promise<ListedTranscripts>
  /** The messages of one, as a stream. `about` is filled while it is read. */
  open(transcript: Transcript, options?: OpenOptions): Promise<OpenTranscript>
}

interface ListedTranscripts {
  readonly transcripts: readonly Transcript[]
  /** What could not be read. */
  readonly problems: readonly Problem[]
  /** By host: where it stores them, whether or not there is one. */
  readonly places: Readonly<Partial<Record<TranscriptHost, string>>>
}

export interface OpenOptions {
  /** Also the messages of sub-agents, as internal messages. */
  readonly withSubAgents?: boolean
  /** Lines for which this is false are not parsed. It gets them as they are in the file. Ignored for a format that needs every line. */
  readonly isWorthReading?: (line: string) => boolean
}

export interface OpenTranscript {
  readonly about: TranscriptAbout
  readonly parts: AsyncIterable<TranscriptPart>
}

/** Conversations in a database of a host. */
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
