import type { Progress, TaskFailure, TaskResult, WorkTask } from '../../../kernel/model/task.ts'
import type { NewTask } from './plan-graph.ts'
import type { GraphRow, ReadyFilter, TableCheck, TaskFilter } from './work-table.ts'

/** The tasks that an orchestrator and its workers share, across processes and machines. */
export interface WorkBoard {
  /** False: no task was ever added. */
  exists(): Promise<boolean>
  /** All or none. Existing tasks with the same content do not change. Throws `invalid_input`, `task_not_found`, `task_state_conflict`. */
  add(graph: string, tasks: readonly NewTask[], by?: string): Promise<AddedTasks>
  /** Claims the first ready task, by priority and then by age, until the lease expires. undefined: none became ready in time. */
  claim(asked: AskedClaim): Promise<ClaimedTask | undefined>
  /** Extends the lease. Throws `lease_lost`. */
  heartbeat(
    lease: string,
    beat?: { readonly leaseMs?: number; readonly progress?: Omit<Progress, 'atMs'> },
  ): Promise<Heartbeat>
  /** Throws `lease_lost`, `task_state_conflict`. A repeated report with the same lease gets the first answer. */
  finish(lease: string, result: TaskResult): Promise<EndedTask>
  /** Throws `lease_lost`, `task_state_conflict`. */
  fail(lease: string, failure: TaskFailure & { readonly isFinal: boolean }): Promise<EndedTask>
  /**
   * The task and all its dependents, or a whole graph. Returns the tasks that this call cancelled. Throws `task_not_found`,
   * `task_state_conflict`.
   */
  cancel(
    what: { readonly task: string } | { readonly graph: string },
    why: string,
  ): Promise<readonly WorkTask[]>
  /** A failed or cancelled task, and the tasks cancelled with it. Throws `task_not_found`, `task_state_conflict`. */
  retry(task: string): Promise<readonly WorkTask[]>
  find(ids: readonly string[]): Promise<ReadonlyMap<string, WorkTask>>
  /** Its direct dependents. */
  dependents(id: string): Promise<readonly WorkTask[]>
  list(
    asked: TaskFilter & { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly tasks: readonly WorkTask[]; readonly total: number; readonly nowMs: number }>
  graphs(): Promise<readonly GraphRow[]>
  /** Returns when no task of the graph can be worked on, after the timeout, or when the caller is gone. Throws `task_not_found`. */
  waitFor(graph: string, wait: Wait): Promise<WaitedGraph>
  /** Removes graphs that ended before this age, if no other task needs them. */
  prune(asked: { readonly olderThanMs: number; readonly isDryRun: boolean }): Promise<PrunedGraphs>
  /** Whether everything can be read; with `fix` a damaged board is set aside and its readable tasks are preserved. */
  check(fix: boolean): Promise<TableCheck>
  close(): Promise<void>
}

export interface AddedTasks {
  readonly graph: string
  readonly added: readonly string[]
  readonly already: readonly string[]
}

export interface Wait {
  readonly waitMs: number
  /** Aborted when the caller is gone. */
  readonly gone?: AbortSignal
}

/** How long to wait if no task is ready. Nothing is claimed for a caller that is gone. */
export interface AskedClaim extends ReadyFilter, Wait {
  readonly worker: string
  readonly leaseMs: number
}

export interface ClaimedTask {
  readonly task: WorkTask
  /** The token with which the worker reports. */
  readonly lease: string
  readonly untilMs: number
}

export type Heartbeat =
  | { readonly kind: 'holds'; readonly untilMs: number; readonly task: string }
  | { readonly kind: 'cancelled'; readonly why: string; readonly task: string }

export interface EndedTask {
  readonly task: WorkTask
  readonly isRepeated: boolean
  /** Tasks that can be claimed because of it. */
  readonly freed: readonly string[]
}

export interface WaitedGraph {
  readonly row: GraphRow
  /** Nothing is ready or running, and the waiting tasks wait for a failed or cancelled one. */
  readonly isOver: boolean
}

interface PrunedGraphs {
  readonly removed: readonly GraphRow[]
  /** Old, but preserved: a task of another graph still waits for one of its tasks. */
  readonly kept: readonly { readonly graph: string; readonly neededBy: string }[]
}

export interface WorkPorts {
  /** The tasks that an orchestrator and its workers share. */
  readonly work: WorkBoard
}
