import type { MatchSpan } from './search.ts'
import type { TranscriptHost } from './transcript.ts'

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
