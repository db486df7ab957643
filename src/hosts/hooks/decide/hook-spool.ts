/**
 * What hooks left behind, until a worker takes it in. Its lines are free of secrets.
 *
 *   .vault/spool/{session}.jsonl    hooks append to it, without a lock and without waiting for the disk
 *   .vault/spool/{session}.taken    a worker is taking it in; one that is left of a dead worker is taken in again
 *   .vault/spool/{session}.cursor   how far the host's transcripts of the session were read
 *   .vault/spool/worker             who is at work, so that hooks start no second one
 *   .vault/spool/calls.json         when each host called last
 */
export interface HookSpool {
  /** Adds lines for a session. Throws `disk_full` and the like, and `store_io` when nobody has taken in its lines for very long. */
  append(session: string, lines: readonly string[]): Promise<{ readonly bytes: number }>
  /** What waits for a session, without taking it. */
  peek(session: string): Promise<readonly string[]>
  /** The names under which something waits, oldest first. */
  waiting(): Promise<readonly string[]>
  /** Puts what waits under a name aside for the caller, who holds the turn. undefined: nothing is there. */
  take(name: string): Promise<TakenLines | undefined>
  /** What was added to it since. undefined: nothing was, and it is removed. */
  finish(name: string, taken: TakenLines): Promise<TakenLines | undefined>
  readCursor(name: string): Promise<SpoolCursor>
  saveCursor(name: string, cursor: SpoolCursor): Promise<void>
  /** Removes what belongs to sessions that were not heard of for so long. */
  tidy(olderThanMs: number): Promise<void>

  /** Whether a worker lives that will look once more before it ends. */
  isWorked(): Promise<boolean>
  /** This process is the worker, and is still at it. */
  mark(): Promise<void>
  unmark(): Promise<void>
  /** The right to take in, between processes; the system takes it back from one that dies. False: another has it. */
  tryTurn(): Promise<boolean>
  endTurn(): Promise<void>

  noteCalls(calls: Readonly<Record<string, HookCall>>): Promise<void>
  calls(): Promise<Readonly<Record<string, HookCall>>>
}

export interface TakenLines {
  readonly lines: readonly string[]
  /** How much of it was read. */
  readonly bytes: number
  /** A worker died over it: some of it may have been taken in. */
  readonly isLeftover: boolean
}

export interface SpoolCursor {
  /** By transcript: how many bytes of it were read. */
  readonly offsets: Readonly<Record<string, number>>
  /** By transcript: the ids of the last messages that were read from it, where its host may write a message again. */
  readonly ids?: Readonly<Record<string, readonly string[]>>
  /** By transcript: fingerprints of answers that were stored from a payload, because the transcript did not have them yet. */
  readonly ahead?: Readonly<Record<string, readonly string[]>>
  /** Transcripts that do not have the last prompt yet. */
  readonly unwritten?: readonly string[]
  /** By agent: how many messages its conversation had when this was saved. */
  readonly counts?: Readonly<Record<string, number>>
  /** The lines that were stored last: how many, from a line with this fingerprint on. */
  readonly done?: { readonly first: string; readonly lines: number }
  readonly model?: string
}

/** The last call of a host that was taken in. */
export interface HookCall {
  /** UTC ISO. */
  readonly at: string
  readonly event: string
}
