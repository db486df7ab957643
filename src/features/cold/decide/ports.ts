import type { HostTranscripts } from '../../../hosts/transcripts/decide/host-transcripts.ts'
import type { Message } from '../../../kernel/model/message.ts'
import type { NoticeCode } from '../../../kernel/model/notice-codes.ts'
import type { Problem } from '../../../kernel/model/search.ts'
import type { Transcript } from '../../../kernel/model/transcript.ts'

export interface ColdPorts {
  /** The transcripts that hosts store of this project's sessions, read in place. */
  readonly transcripts: HostTranscripts
  /** Copies of those, in the user's own folder. */
  readonly coldCopies: ColdCopies
}

/** Copies of transcripts, compressed and free of secrets, in the user's own folder. Hosts delete theirs after a while. */
export interface ColdCopies {
  list(): Promise<{
    readonly copies: readonly ColdCopy[]
    readonly problems: readonly Problem[]
    readonly folder: string
  }>
  /** The copy of a transcript; undefined if there is none. */
  find(transcript: Pick<Transcript, 'host' | 'session'>): Promise<ColdCopy | undefined>
  /** Adds the messages that follow the stored ones, and the stamp that shows whether the transcript has changed. */
  add(transcript: Transcript, from: number, lines: readonly CopiedMessage[]): Promise<void>
  read(transcript: Pick<Transcript, 'host' | 'session'>): AsyncIterable<CopyPart>
  remove(copy: Pick<Transcript, 'host' | 'session'>): Promise<void>
}

export interface ColdCopy {
  /** As it was at its host when it was copied last. */
  readonly transcript: Transcript
  readonly messages: number
  /** On disk. */
  readonly bytes: number
}

/** A message, or a problem if some messages can no longer be read. */
export interface CopyPart {
  /** Bytes on disk until here. */
  readonly done: number
  readonly kept?: CopiedMessage
  readonly trouble?: { readonly code: NoticeCode; readonly message: string }
}

/** One copied message. */
export interface CopiedMessage {
  readonly number: number
  readonly line: number
  readonly message: Message
}
