import type { TaskState, WorkTask } from '../../../kernel/model/task.ts'

/** Storage of tasks. It decides nothing: changes are planned (transitions.ts) and stored here. */
export interface WorkTable {
  /** False: no task was ever added. */
  exists(): Promise<boolean>
  /** A serializable transaction: all or nothing. Tasks found inside are locked until it ends. */
  change<T>(work: (rows: WorkRows) => Promise<T>): Promise<T>
  read<T>(work: (rows: WorkLook) => Promise<T>): Promise<T>
  /** A mark of the current time, for `untilChanged`. */
  mark(): Promise<number>
  /** Returns when tasks became ready after the mark, if a notice of it arrives, or after the timeout. */
  untilChanged(mark: number, mostMs: number): Promise<void>
  /** With `fix` a damaged table is set aside and its readable tasks are preserved. */
  check(fix: boolean): Promise<TableCheck>
  close(): Promise<void>
}

export type TableCheck =
  | { readonly kind: 'sound' | 'damaged' }
  | { readonly kind: 'mended'; readonly saved: number; readonly aside: string }

export interface WorkLook {
  /** The one clock of all users of the table. Valid after the first query. */
  readonly nowMs: number
  /** Existing tasks, by id. */
  find(ids: readonly string[]): Promise<ReadonlyMap<string, WorkTask>>
  /** Ready tasks in the order of claims; others as they were added, newest graph first. */
  list(filter: TaskFilter & { readonly limit: number; readonly offset: number }): Promise<readonly WorkTask[]>
  count(filter: TaskFilter): Promise<number>
  /** The tasks that depend on one of these. */
  dependents(ids: readonly string[]): Promise<readonly WorkTask[]>
  graphs(): Promise<readonly GraphRow[]>
  /** When the next lease expires or the next pause ends. */
  nextDueMs(): Promise<number | undefined>
}

export interface WorkRows extends WorkLook {
  /** The first claimable task, skipping tasks locked by others. */
  firstReady(asked: ReadyFilter): Promise<WorkTask | undefined>
  /** Tasks with an expired lease. */
  expired(limit: number): Promise<readonly WorkTask[]>
  ofGraph(graph: string): Promise<readonly WorkTask[]>
  add(tasks: readonly WorkTask[]): Promise<void>
  put(tasks: readonly WorkTask[]): Promise<void>
  removeGraph(graph: string): Promise<void>
}

export interface TaskFilter {
  readonly graph?: string
  readonly states?: readonly TaskState[]
  readonly kind?: string
  readonly agent?: string
}

export interface ReadyFilter {
  readonly graph?: string
  readonly kinds?: readonly string[]
  /** Without a name: tasks for any agent. */
  readonly agent?: string
  readonly task?: string
}

export interface GraphRow {
  readonly graph: string
  readonly tasks: Readonly<Record<TaskState, number>>
  readonly createdMs: number
  /** When its last task ended; undefined while a task may still run. */
  readonly endedMs: number | undefined
}

/** When a task changes automatically, or changed last: rows are found by it. */
export function dueMs({ standing, createdMs }: WorkTask): number {
  switch (standing.state) {
    case 'waiting':
      return createdMs
    case 'ready':
      return standing.fromMs
    case 'running':
      return standing.lease.untilMs
    default:
      return standing.atMs
  }
}

export interface StateCount {
  readonly graph: string
  readonly state: TaskState
  readonly n: number
  readonly createdMs: number
  readonly dueMs: number
}

/** Newest first. */
export function graphRows(counts: readonly StateCount[]): GraphRow[] {
  const byGraph = new Map<string, StateCount[]>()
  for (const row of counts) byGraph.set(row.graph, [...(byGraph.get(row.graph) ?? []), row])
  const rows = [...byGraph].map(([graph, states]): GraphRow => {
    const tasks = { waiting: 0, ready: 0, running: 0, done: 0, failed: 0, cancelled: 0 }
    for (const { state, n } of states) tasks[state] = n
    const isOver = tasks.waiting + tasks.ready + tasks.running === 0
    return {
      graph,
      tasks,
      createdMs: Math.min(...states.map(state => state.createdMs)),
      endedMs: isOver ? Math.max(...states.map(state => state.dueMs)) : undefined,
    }
  })
  return rows.sort((a, b) => b.createdMs - a.createdMs || (a.graph < b.graph ? -1 : 1))
}
