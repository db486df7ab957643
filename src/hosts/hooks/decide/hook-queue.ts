/**
 * The queue of lines from hooks, until a worker processes them. They are free of secrets.
 *
 *   .vault/spool/{session}.jsonl    hooks append to it, without a lock and without waiting for the disk
 *   .vault/spool/{session}.taken    a worker is processing it; one left by a dead worker is processed again
 *   .vault/spool/{session}.cursor   how far the host's transcripts of the session were read
 *   .vault/spool/worker             which worker runs, so that hooks start no second one
 *   .vault/spool/calls.json         when each host called last
 */
export interface HookQueue {
  /** Adds lines for a session. Throws `disk_full` and the like, and `store_io` when its lines have waited for very long. */
  append(session: string, lines: readonly string[]): Promise<{ readonly bytes: number }>
  /** The lines of a session, without taking them. */
  peek(session: string): Promise<readonly string[]>
  /** The names that have lines, oldest first. */
  waiting(): Promise<readonly string[]>
  /** Takes the lines of a session for the caller, which holds the turn. undefined: there are none. */
  take(name: string): Promise<TakenLines | undefined>
  /** The lines that were added since. undefined: none, and the file is removed. */
  finish(name: string, taken: TakenLines): Promise<TakenLines | undefined>
  readCursor(name: string): Promise<HookQueueCursor>
  saveCursor(name: string, cursor: HookQueueCursor): Promise<void>
  /** Removes the files of sessions without activity for this long. */
  tidy(olderThanMs: number): Promise<void>

  /** Whether a worker runs that will check again before it ends. */
  isWorked(): Promise<boolean>
  /** This process is the worker and is alive. */
  mark(): Promise<void>
  unmark(): Promise<void>
  /** The lock for processing, between processes; the system releases it when its process dies. False: another process has it. */
  tryTurn(): Promise<boolean>
  endTurn(): Promise<void>

  noteCalls(calls: Readonly<Record<string, HookCall>>): Promise<void>
  calls(): Promise<Readonly<Record<string, HookCall>>>
}

export interface TakenLines {
  readonly lines: readonly string[]
  /** How many bytes were read. */
  readonly bytes: number
  /** A worker died while it processed them: some may be stored already. */
  readonly isLeftover: boolean
}

export interface HookQueueCursor {
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

/** The last processed call of a host. */
export interface HookCall {
  /** UTC ISO. */
  readonly at: string
  readonly event: string
}
