import type { AskReason } from './worth-asking.ts'

export interface AskPorts {
  /** Which sessions' agents may be asked what they learned, and were. */
  readonly asks: AskMarks
}

/** What the agent of a session could be asked, as the worker left it after the last turn. Its texts are harmless in a prompt. */
export interface DueQuestion {
  /** UTC ISO. */
  readonly at: string
  readonly host: string
  readonly reasons: readonly AskReason[]
  /** Entries near to what the session was about: `[id] first words`. */
  readonly near: readonly string[]
  /** Sentences in which the person seems to state a rule, as they were said. */
  readonly rules: readonly string[]
  /** What the agent said last. */
  readonly closing: string
  readonly hasEnded: boolean
}

export type AskMoment = 'prompt' | 'start' | 'stop'

export interface AskCounts {
  readonly asked: number
  /** Asked sessions whose agent saved something. */
  readonly answered: number
  /** Of the questions. */
  readonly tokens: number
}

/**
 * Which sessions may be asked, were asked, and saved.
 *
 *   .vault/asks/{session}.due     what could be asked
 *   .vault/asks/{session}.asked   it was asked: made before the question is given, and by one process only
 *   .vault/asks/{session}.saved   when its agent saved something last
 *   .vault/asks/log.jsonl         one line a question, one line an answer
 */
export interface AskMarks {
  /** undefined: nothing is due, or the session was asked. */
  findDue(session: string): Promise<DueQuestion | undefined>
  /** The newest session that ended, or fell silent before `silentSince`, with a question that was never asked. */
  findUnasked(options: {
    readonly not: string
    readonly silentSince: string
    readonly notBefore: string
  }): Promise<{ readonly session: string; readonly due: DueQuestion } | undefined>
  saveDue(session: string, due: DueQuestion): Promise<void>
  dropDue(session: string): Promise<void>
  isAsked(session: string): Promise<boolean>
  /** Persists that the session is asked now. False: it was asked before, or another process does it. */
  claim(
    session: string,
    asked: {
      readonly at: string
      readonly host: string
      readonly moment: AskMoment
      readonly tokens: number
    },
  ): Promise<boolean>
  /** The agent saved something: what was due until then is not asked any more. */
  noteSaved(session: string, at: string): Promise<void>
  savedAt(session: string): Promise<string | undefined>
  counts(): Promise<AskCounts>
  /** Removes marks of sessions that were not heard of for so long. */
  tidy(olderThanMs: number): Promise<void>
}
