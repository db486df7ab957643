import type { Progress, TaskFailure, TaskResult, WorkTask } from '../../../kernel/model/task.ts'
import type { NewTask } from './plan-graph.ts'
import type { GraphRow, ReadyFilter, TableCheck, TaskFilter } from './work-table.ts'

/** The tasks that an orchestrator and its workers share, in whatever process or on whatever machine each of them is. */
export interface WorkBoard {
  /** False: nobody ever added a task. */
  exists(): Promise<boolean>
  /** All or none. What is there already and says the same is left as it is. Throws `invalid_input`, `task_not_found`, `task_state_conflict`. */
  add(graph: string, tasks: readonly NewTask[], by?: string): Promise<AddedTasks>
  /** The first ready task, by priority and then by age, for this worker alone until the lease runs out. undefined: none came in time. */
  claim(asked: AskedClaim): Promise<ClaimedTask | undefined>
  /** Keeps the lease. Throws `lease_lost`. */
  heartbeat(
    lease: string,
    beat?: { readonly leaseMs?: number; readonly progress?: Omit<Progress, 'atMs'> },
  ): Promise<Heartbeat>
  /** Throws `lease_lost`, `task_state_conflict`. The same again, with the same lease, is answered as the first time. */
  finish(lease: string, result: TaskResult): Promise<EndedTask>
  /** Throws `lease_lost`, `task_state_conflict`. */
  fail(lease: string, failure: TaskFailure & { readonly isFinal: boolean }): Promise<EndedTask>
  /** The task and all that waits for it, or all of a graph. Gives what was cancelled now. Throws `task_not_found`, `task_state_conflict`. */
  cancel(
    what: { readonly task: string } | { readonly graph: string },
    why: string,
  ): Promise<readonly WorkTask[]>
  /** A failed or cancelled task, and what was cancelled with it. Throws `task_not_found`, `task_state_conflict`. */
  retry(task: string): Promise<readonly WorkTask[]>
  find(ids: readonly string[]): Promise<ReadonlyMap<string, WorkTask>>
  /** Those that come right after this one. */
  dependents(id: string): Promise<readonly WorkTask[]>
  list(
    asked: TaskFilter & { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly tasks: readonly WorkTask[]; readonly total: number; readonly nowMs: number }>
  graphs(): Promise<readonly GraphRow[]>
  /** Until no task of the graph can be worked on any more, the time is up, or nobody waits any longer. Throws `task_not_found`. */
  waitFor(graph: string, wait: Wait): Promise<WaitedGraph>
  /** Removes graphs that ended so long ago and that nobody waits for. */
  prune(asked: { readonly olderThanMs: number; readonly isDryRun: boolean }): Promise<PrunedGraphs>
  /** Whether all of it can be read; with `fix` a damaged board is put aside, and what can be read of it is kept. */
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
  /** Aborted when nobody waits any longer. */
  readonly gone?: AbortSignal
}

/** Waits so long for a task where none is ready. For somebody who has gone nothing is claimed. */
export interface AskedClaim extends ReadyFilter, Wait {
  readonly worker: string
  readonly leaseMs: number
}

export interface ClaimedTask {
  readonly task: WorkTask
  /** The token by which the worker reports. */
  readonly lease: string
  readonly untilMs: number
}

export type Heartbeat =
  | { readonly kind: 'holds'; readonly untilMs: number; readonly task: string }
  | { readonly kind: 'cancelled'; readonly why: string; readonly task: string }

export interface EndedTask {
  readonly task: WorkTask
  readonly isRepeated: boolean
  /** What can be claimed now because of it. */
  readonly freed: readonly string[]
}

export interface WaitedGraph {
  readonly row: GraphRow
  /** Nothing is ready or running, and what still waits waits for something that failed or was cancelled. */
  readonly isOver: boolean
}

export interface PrunedGraphs {
  readonly removed: readonly GraphRow[]
  /** Old, and kept: a task of another graph still waits for one of theirs. */
  readonly kept: readonly { readonly graph: string; readonly neededBy: string }[]
}

export interface WorkPorts {
  /** The tasks that an orchestrator and its workers share. */
  readonly work: WorkBoard
}
