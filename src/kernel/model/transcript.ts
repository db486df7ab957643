import { HOST_IDS, HOST_TITLES } from './host.ts'
import type { Message } from './message.ts'
import type { NoticeCode } from './notice-codes.ts'
import type { MatchSpan } from './search.ts'

/**
 * Hosts whose transcripts are read: the hosts with an integration, Cline, and the folder `agent-transcripts/` in which a project stores
 * transcripts itself (seed B).
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

/** One conversation as its host stores it. It is not moved. */
export interface Transcript {
  readonly host: TranscriptHost
  /** The host's id of the session. */
  readonly session: string
  /** Absolute. For a host that stores all of them in one database, that database. */
  readonly file: string
  /** The working directory of the conversation. */
  readonly cwd?: string
  /** A sub-agent's transcript: its user messages come from another agent. */
  readonly isSubAgent: boolean
  /** Identifies a version of it. */
  readonly size: number
  readonly mtimeMs: number
  readonly inode: number
  /** The host deleted it; this is the stored copy. */
  readonly isKept?: boolean
}

/** One part of a transcript. Only `trouble`: this part could not be read; the others can. */
export interface TranscriptPart {
  readonly said?: Message
  readonly trouble?: { readonly code: NoticeCode; readonly message: string }
  /** From 1; in a database, the number of the message. */
  readonly line: number
  /** Bytes read so far. */
  readonly done: number
}

/** A passage of a transcript that a search returned. Contains no secrets. */
export interface ColdHit {
  /** `cold:<host>/<session>:<line>`: an argument of `cairn cold show`. */
  readonly ref: string
  readonly host: TranscriptHost
  readonly session: string
  readonly role: string
  /** UTC ISO; absent if the host does not record it. */
  readonly at?: string
  /** The file that contains it. */
  readonly file: string
  readonly line: number
  /** The host deleted the original: this passage is from the stored copy. */
  readonly isKept?: boolean
  readonly score: number
  readonly snippet: string
  readonly matches: readonly MatchSpan[]
}

export function coldRef({ host, session }: Pick<ColdHit, 'host' | 'session'>, line: number): string {
  return `cold:${host}/${session}:${line}`
}

/** undefined: not a reference. The line is optional. */
export function readColdRef(
  ref: string,
): { readonly host: string; readonly session: string; readonly line?: number } | undefined {
  const found = /^(?:cold:)?([a-z-]{1,40})\/(.{1,300}?)(?::(\d{1,9}))?$/.exec(ref.trim())
  if (found === null) return undefined
  const [, host = '', session = '', line] = found
  return { host, session, ...(line !== undefined && { line: Number(line) }) }
}
