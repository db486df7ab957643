import { HOST_IDS, HOST_TITLES } from './host.ts'
import type { Message } from './message.ts'
import type { NoticeCode } from './notice-codes.ts'

/**
 * Whose transcripts are read. Beside the hosts with an integration of their own: Cline, and the folder `agent-transcripts/` in which a
 * project keeps transcripts itself (seed B).
 */
export const TRANSCRIPT_HOSTS = [...HOST_IDS, 'cline', 'agent-transcripts'] as const
export type TranscriptHost = (typeof TRANSCRIPT_HOSTS)[number]

export const TRANSCRIPT_TITLES: Readonly<Record<TranscriptHost, string>> = {
  ...HOST_TITLES,
  cline: 'Cline',
  'agent-transcripts': 'agent-transcripts/',
}

export function isTranscriptHost(name: string): name is TranscriptHost {
  return (TRANSCRIPT_HOSTS as readonly string[]).includes(name)
}

/** One conversation as its host keeps it. It stays where it is. */
export interface Transcript {
  readonly host: TranscriptHost
  /** What the host calls the session. */
  readonly session: string
  /** Absolute; of a host that keeps all of them in one database, that database. */
  readonly file: string
  /** Where the person and the agent were. */
  readonly cwd?: string
  /** A sub-agent's: what stands there as the user's words are another agent's. */
  readonly isSubAgent: boolean
  /** What tells one state of it from another. */
  readonly size: number
  readonly mtimeMs: number
  readonly inode: number
  /** The host has it no more; this is the copy that was kept of it. */
  readonly isKept?: boolean
}

/** What a transcript says in one place. A trouble alone: this place could not be read, and the rest is. */
export interface TranscriptPart {
  readonly said?: Message
  readonly trouble?: { readonly code: NoticeCode; readonly message: string }
  /** From 1; of a database, the number of the message. */
  readonly line: number
  /** Bytes read until here. */
  readonly done: number
}
