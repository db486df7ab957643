/**
 * Work that an orchestrator shares with its workers: tasks that wait for each other. Not the checkboxes of `tasks.md`, which are entries
 * that people and agents read.
 */
export const TASK_STATES = ['waiting', 'ready', 'running', 'done', 'failed', 'cancelled'] as const
export type TaskState = (typeof TASK_STATES)[number]

/** How often a task is tried, and when it is not retried. */
export interface RetryPolicy {
  /** The total number of attempts. */
  readonly attempts: number
  /** After the first failure; doubled after each further one, up to an hour. */
  readonly backoffMs: number
  /** Failure codes of a worker that a retry would not fix. */
  readonly finalCodes: readonly string[]
}

export interface WorkTask {
  /** `<graph>.<name>` */
  readonly id: string
  readonly graph: string
  readonly title: string
  /** What a worker needs to know. */
  readonly brief: string
  /** Workers request tasks by kind. */
  readonly kind: string
  /** Only this agent may work on it. */
  readonly agent?: string
  /** Higher goes first. */
  readonly priority: number
  /** The tasks that must be done before. */
  readonly after: readonly string[]
  /** Ids of entries of the memory. */
  readonly entries: readonly string[]
  readonly files: readonly string[]
  readonly retry: RetryPolicy
  readonly by?: string
  readonly createdMs: number
  /** Its position among the tasks that were added with it. */
  readonly place: number
  /** How many of `after` are not done. */
  readonly waitsFor: number
  /** How many leases were issued: the number of the newest. */
  readonly leases: number
  /** Attempts since it was added, or since a user requested a retry. */
  readonly tries: number
  /** The newest last; the oldest of many are dropped. */
  readonly attempts: readonly Attempt[]
  readonly progress?: Progress
  readonly standing: TaskStatus
}

type TaskStatus =
  | { readonly state: 'waiting' }
  | { readonly state: 'ready'; readonly fromMs: number }
  | { readonly state: 'running'; readonly lease: Lease }
  | { readonly state: 'done'; readonly atMs: number; readonly token: string; readonly result: TaskResult }
  | { readonly state: 'failed'; readonly atMs: number }
  | {
      readonly state: 'cancelled'
      readonly atMs: number
      readonly why: string
      /** The task whose cancellation also cancelled this one. */
      readonly root: string
      /** The worker that has this lease is notified. */
      readonly token?: string
    }

/** The right to work on a task until a deadline. Only the holder of its token may report on it. */
export interface Lease {
  /** `<task>.<number>.<secret>` */
  readonly token: string
  readonly number: number
  readonly worker: string
  readonly sinceMs: number
  readonly lengthMs: number
  readonly untilMs: number
}

export interface Attempt {
  readonly number: number
  readonly worker: string
  readonly token: string
  readonly sinceMs: number
  readonly endMs: number
  readonly outcome: 'done' | 'failed' | 'expired' | 'cancelled'
  readonly failure?: TaskFailure
}

export interface TaskFailure {
  readonly code?: string
  readonly message: string
}

export interface Progress {
  readonly note: string
  /** From 0 to 1. */
  readonly share?: number
  readonly atMs: number
}

export interface TaskResult {
  readonly text: string
  /** Entries saved during the work: the tasks that wait for this one receive them. */
  readonly entries: readonly string[]
  readonly files: readonly string[]
}

export const DEFAULT_RETRY: RetryPolicy = { attempts: 3, backoffMs: 5_000, finalCodes: [] }

/** Stored values stay small enough for the context of a model. */
export const TASK_LIMITS = {
  titleCharacters: 200,
  briefCharacters: 16_000,
  resultCharacters: 32_000,
  failureCharacters: 2_000,
  noteCharacters: 500,
  nameCharacters: 80,
  pathCharacters: 1_000,
  namesPerTask: 200,
  tasksAtOnce: 2_000,
  attemptsKept: 20,
} as const
