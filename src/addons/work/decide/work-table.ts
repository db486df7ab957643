import type { TaskState, WorkTask } from '../../../kernel/model/task.ts'

/** Where tasks are kept. It decides nothing: what becomes of a task is planned (transitions.ts), and put here. */
export interface WorkTable {
  /** False: nobody ever added a task. */
  exists(): Promise<boolean>
  /** All of it or nothing, and as if one came after the other. What is found inside is found by nobody else until it is over. */
  change<T>(work: (rows: WorkRows) => Promise<T>): Promise<T>
  read<T>(work: (rows: WorkLook) => Promise<T>): Promise<T>
  /** Tells one moment from a later one, for `untilChanged`. */
  mark(): Promise<number>
  /** Until tasks became ready after the mark, as far as that is heard of, or the time is up. */
  untilChanged(mark: number, mostMs: number): Promise<void>
  /** With `fix` a damaged table is put aside, and what can be read of it is kept. */
  check(fix: boolean): Promise<TableCheck>
  close(): Promise<void>
}

export type TableCheck =
  | { readonly kind: 'sound' | 'damaged' }
  | { readonly kind: 'mended'; readonly saved: number; readonly aside: string }

export interface WorkLook {
  /** The one clock of everybody who shares the table. It is known once something was asked. */
  readonly nowMs: number
  /** Those that are there, by id. */
  find(ids: readonly string[]): Promise<ReadonlyMap<string, WorkTask>>
  /** In the order in which they would be claimed where only ready ones are asked for, else as they were added, newest graph first. */
  list(filter: TaskFilter & { readonly limit: number; readonly offset: number }): Promise<readonly WorkTask[]>
  count(filter: TaskFilter): Promise<number>
  /** Those that come after one of these. */
  dependents(ids: readonly string[]): Promise<readonly WorkTask[]>
  graphs(): Promise<readonly GraphRow[]>
  /** When the next lease runs out, or the next pause ends. */
  nextDueMs(): Promise<number | undefined>
}

export interface WorkRows extends WorkLook {
  /** The first that may be claimed now, passing over what others are changing. */
  firstReady(asked: ReadyFilter): Promise<WorkTask | undefined>
  /** Whose lease ran out. */
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
  /** Whoever has no name takes what is for everybody. */
  readonly agent?: string
  readonly task?: string
}

export interface GraphRow {
  readonly graph: string
  readonly tasks: Readonly<Record<TaskState, number>>
  readonly createdMs: number
  /** When the last of it came to an end; undefined while something may still be done. */
  readonly endedMs: number | undefined
}

/** When something is to happen to a task by itself, or did: what rows are found by. */
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
