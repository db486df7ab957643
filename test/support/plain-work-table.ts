import {
  dueMs,
  graphRows,
  type StateCount,
  type TaskFilter,
  type WorkRows,
  type WorkTable,
} from '../../src/addons/work/decide/work-table.ts'
import type { WorkTask } from '../../src/kernel/model/task.ts'

/** A table that is as plain as can be, with a clock that a test turns. */
export function plainWorkTable(clock: {
  nowMs: number
}): WorkTable & { readonly tasks: Map<string, WorkTask> } {
  const tasks = new Map<string, WorkTask>()
  const inState = (state: string) => [...tasks.values()].filter(task => task.standing.state === state)
  const fits = (filter: TaskFilter) => (task: WorkTask) =>
    (filter.graph === undefined || task.graph === filter.graph) &&
    (filter.states === undefined || filter.states.includes(task.standing.state)) &&
    (filter.kind === undefined || task.kind === filter.kind)
  const byRank = (a: WorkTask, b: WorkTask) =>
    b.priority - a.priority || a.createdMs - b.createdMs || a.place - b.place
  const rows = (): WorkRows => ({
    nowMs: clock.nowMs,
    find: async ids => new Map(ids.flatMap(id => (tasks.has(id) ? [[id, tasks.get(id) as WorkTask]] : []))),
    list: async ({ limit, offset, ...filter }) =>
      [...tasks.values()]
        .filter(fits(filter))
        .sort(byRank)
        .slice(offset, offset + limit),
    count: async filter => [...tasks.values()].filter(fits(filter)).length,
    graphs: async () =>
      graphRows(
        [...tasks.values()].reduce<StateCount[]>((counts, task) => {
          const { graph, standing, createdMs } = task
          return [
            ...counts.filter(each => each.graph !== graph || each.state !== standing.state),
            {
              graph,
              state: standing.state,
              n: 1 + (counts.find(each => each.graph === graph && each.state === standing.state)?.n ?? 0),
              createdMs,
              dueMs: dueMs(task),
            },
          ]
        }, []),
      ),
    nextDueMs: async () => {
      const due = [...inState('running'), ...inState('ready')].map(dueMs).filter(ms => ms > clock.nowMs)
      return due.length === 0 ? undefined : Math.min(...due)
    },
    dependents: async ids => [...tasks.values()].filter(task => task.after.some(id => ids.includes(id))),
    firstReady: async () =>
      inState('ready')
        .filter(task => dueMs(task) <= clock.nowMs)
        .sort(byRank)[0],
    expired: async limit =>
      inState('running')
        .filter(task => dueMs(task) <= clock.nowMs)
        .slice(0, limit),
    ofGraph: async graph => [...tasks.values()].filter(task => task.graph === graph),
    add: async added => {
      for (const task of added) tasks.set(task.id, task)
    },
    put: async changed => {
      for (const task of changed) tasks.set(task.id, task)
    },
    removeGraph: async graph => {
      for (const task of [...tasks.values()]) if (task.graph === graph) tasks.delete(task.id)
    },
  })
  return {
    tasks,
    exists: async () => true,
    change: work => work(rows()),
    read: work => work(rows()),
    mark: async () => 0,
    untilChanged: async () => undefined,
    check: async () => ({ kind: 'sound' }),
    close: async () => undefined,
  }
}
