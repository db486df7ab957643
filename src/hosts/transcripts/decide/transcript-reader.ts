import type { Message } from '../../../kernel/model/message.ts'

/** What a transcript says about the session as a whole. */
export interface TranscriptAbout {
  session?: string
  cwd?: string
  /** UTC ISO. */
  startedAt?: string
  model?: string
  /** Its messages of the user come from another agent. */
  isSubAgent?: boolean
}

export interface Said {
  readonly message: Message
  readonly line: number
}

/**
 * Reads one transcript, value after value in its order. Only messages of the user and of the agent are returned: not what the host says
 * about itself or puts into the context, and above all not what Cairn put there, which would confirm itself.
 */
export interface TranscriptReader {
  take(value: unknown, line: number): readonly Said[]
  /** Messages that are only known at the end, where a later line replaces an earlier one. */
  finish(): readonly Said[]
  readonly about: TranscriptAbout
}

export interface ReaderOptions {
  readonly nowMs: number
  /** Also messages between agents and sub-agents, as internal messages. */
  readonly withSubAgents?: boolean
}

const NOTHING: readonly Said[] = []

/** For formats in which every line is final. */
export function lineReader(
  read: (value: Record<string, unknown>, line: number, about: TranscriptAbout) => readonly Said[],
): TranscriptReader {
  const about: TranscriptAbout = {}
  return {
    about,
    take: (value, line) => (isRecord(value) ? read(value, line, about) : NOTHING),
    finish: () => NOTHING,
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Clocks of two machines differ. */
const CLOCK_SKEW_MS = 24 * 3_600_000
/** An earlier time comes from a clock that was never set. */
const FIRST_MS = Date.UTC(2000, 0, 1)

/** UTC ISO, from ISO or milliseconds; undefined for an impossible time. */
export function momentOf(value: unknown, nowMs: number): string | undefined {
  const ms = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN
  return ms >= FIRST_MS && ms <= nowMs + CLOCK_SKEW_MS ? new Date(ms).toISOString() : undefined
}

/** Where the first lines of a transcript name its session. */
export const SESSION_FIELD = /"(?:sessionId|session_id)"\s*:\s*"([\w-]{8,64})"/

/** The texts of a content that is one text, or parts of which some are text. */
export function textsOf(content: unknown, types: ReadonlySet<string>): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .flatMap(part =>
      isRecord(part) && types.has(String(part.type ?? 'text')) && typeof part.text === 'string'
        ? [part.text]
        : [],
    )
    .join('\n')
}

/** The records in a list; empty for anything else. */
export function partsOf(content: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(content) ? content.filter(isRecord) : []
}
