import type { AskReason } from './worth-asking.ts'

export interface AskPorts {
  /** Which sessions may be asked what they learned, were asked, and saved something. */
  readonly asks: AskMarks
}

/** A question prepared for the agent of a session; the worker stores it after each turn. Its texts are safe in a prompt. */
export interface DueQuestion {
  /** UTC ISO. */
  readonly at: string
  readonly host: string
  readonly reasons: readonly AskReason[]
  /** Entries about the same subject as the session: `[id] first words`. */
  readonly near: readonly string[]
  /** Sentences in which the person seems to state a rule, verbatim. */
  readonly rules: readonly string[]
  /** The last message of the agent. */
  readonly closing: string
  readonly hasEnded: boolean
}

export type AskMoment = 'prompt' | 'start' | 'stop'

export interface AskCounts {
  readonly asked: number
  /** Asked sessions whose agent saved something. */
  readonly answered: number
  /** Tokens of all questions. */
  readonly tokens: number
}

/**
 * State of the question that each session's agent may get.
 *
 *   .vault/asks/{session}.due     the prepared question
 *   .vault/asks/{session}.asked   it was asked: created before the question is printed, by one process only
 *   .vault/asks/{session}.saved   when its agent last saved something
 *   .vault/asks/log.jsonl         one line per question, one line per answer
 */
export interface AskMarks {
  /** undefined: nothing is due, or the session was asked. */
  findDue(session: string): Promise<DueQuestion | undefined>
  /** The newest session that ended, or had no activity since `silentSince`, with a question that was never asked. */
  findUnasked(options: {
    readonly not: string
    readonly silentSince: string
    readonly notBefore: string
  }): Promise<{ readonly session: string; readonly due: DueQuestion } | undefined>
  saveDue(session: string, due: DueQuestion): Promise<void>
  dropDue(session: string): Promise<void>
  isAsked(session: string): Promise<boolean>
  /** Records that the session is being asked. False: it was asked before, or another process asks it. */
  claim(
    session: string,
    asked: {
      readonly at: string
      readonly host: string
      readonly moment: AskMoment
      readonly tokens: number
    },
  ): Promise<boolean>
  /** The agent saved something: the question prepared so far is dropped. */
  noteSaved(session: string, at: string): Promise<void>
  savedAt(session: string): Promise<string | undefined>
  counts(): Promise<AskCounts>
  /** Removes marks of sessions without activity for this long. */
  tidy(olderThanMs: number): Promise<void>
}
