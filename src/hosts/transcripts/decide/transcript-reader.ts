import type { Message } from '../../../kernel/model/message.ts'

/** What a transcript tells about the session as a whole. */
export interface TranscriptAbout {
  session?: string
  cwd?: string
  /** UTC ISO. */
  startedAt?: string
  model?: string
  /** What stands there as the user's words are another agent's. */
  isSubAgent?: boolean
}

export interface Said {
  readonly message: Message
  readonly line: number
}

/**
 * Reads one transcript, value after value as they stand in it. What is not a person's or the agent's word gives nothing: what the host
 * says about itself, what it puts into the context, and above all what Cairn put there, which would confirm itself.
 */
export interface TranscriptReader {
  take(value: unknown, line: number): readonly Said[]
  /** What was held back until everything was read, where a later line takes the place of an earlier one. */
  finish(): readonly Said[]
  readonly about: TranscriptAbout
}

export interface ReaderOptions {
  readonly nowMs: number
  /** Also what agents say to sub-agents and these to them, as internal messages. */
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
/** Before that no agent talked to anybody: a clock that was never set. */
const FIRST_MS = Date.UTC(2000, 0, 1)

/** UTC ISO, from ISO or milliseconds; undefined when that moment cannot be. */
export function momentOf(value: unknown, nowMs: number): string | undefined {
  const ms = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN
  return ms >= FIRST_MS && ms <= nowMs + CLOCK_SKEW_MS ? new Date(ms).toISOString() : undefined
}

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

/** A list of parts, whatever stands there. */
export function partsOf(content: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(content) ? content.filter(isRecord) : []
}
