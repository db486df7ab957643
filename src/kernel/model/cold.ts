import type { MatchSpan } from './search.ts'
import type { TranscriptHost } from './transcript.ts'

/** A passage of a transcript, found because somebody asked for it. Free of secrets. */
export interface ColdHit {
  /** `cold:<host>/<session>:<line>`: `cairn cold show` takes it. */
  readonly ref: string
  readonly host: TranscriptHost
  readonly session: string
  readonly role: string
  /** UTC ISO; absent where the host keeps none. */
  readonly at?: string
  /** Where it stands. */
  readonly file: string
  readonly line: number
  /** The host has it no more: this is from the copy that was kept. */
  readonly isKept?: boolean
  readonly score: number
  readonly snippet: string
  readonly matches: readonly MatchSpan[]
}

export function coldRef({ host, session }: Pick<ColdHit, 'host' | 'session'>, line: number): string {
  return `cold:${host}/${session}:${line}`
}

/** undefined: it is none. The line may be left out. */
export function readColdRef(
  ref: string,
): { readonly host: string; readonly session: string; readonly line?: number } | undefined {
  const found = /^(?:cold:)?([a-z-]{1,40})\/(.{1,300}?)(?::(\d{1,9}))?$/.exec(ref.trim())
  if (found === null) return undefined
  const [, host = '', session = '', line] = found
  return { host, session, ...(line !== undefined && { line: Number(line) }) }
}
