import { randomBytes } from 'node:crypto'
import { CairnError } from '../../kernel/model/errors.ts'
import type { WorkTask } from '../../kernel/model/task.ts'
import { namedTasks, planGraph, taskId } from './decide/plan-graph.ts'
import {
  cancelled,
  claimed,
  type Ended,
  expired,
  failed,
  finished,
  freed,
  heartbeat,
  reopened,
  taskOfLease,
  wrongState,
} from './decide/transitions.ts'
import type { AskedClaim, ClaimedTask, EndedTask, WaitedGraph, WorkBoard } from './decide/work-board.ts'
import type { GraphRow, WorkLook, WorkRows, WorkTable } from './decide/work-table.ts'

/** Expired leases handled by one call; the next call handles more. */
const EXPIRED_AT_ONCE = 100
/** Polling interval without a notice: another process may have died between its write and its notice. */
const MAX_NAP_MS = 5_000
/** The end of a graph sends no notice, so it is polled. */
const GRAPH_NAP_MS = 500

interface BoardParts {
  readonly table: WorkTable
  /** Random, so that it cannot be guessed: a lease allows reporting for its worker. */
  readonly newSecret: () => string
  /** For waiting only; leases are measured by the table's clock. */
  readonly monotonicMs: () => number
}

/** Every call in one transaction: read rows, plan (`decide/`), write the changes. */
export function workBoard({ table, newSecret, monotonicMs }: BoardParts): WorkBoard {
  const tryClaim = (
    asked: AskedClaim,
  ): Promise<ClaimedTask | { readonly nextDueMs: number | undefined; readonly nowMs: number }> =>
    table.change(async rows => {
      // Sent together: one round trip on a server. Expired leases are rare, and may come before the found task.
      const [due, first] = await Promise.all([rows.expired(EXPIRED_AT_ONCE), rows.firstReady(asked)])
      await rows.put(due.map(task => expired(task, rows.nowMs)))
      const found = due.length > 0 ? await rows.firstReady(asked) : first
      if (found === undefined) {
        if (asked.task !== undefined) await refuseUnclaimable(rows, asked.task)
        return { nextDueMs: await rows.nextDueMs(), nowMs: rows.nowMs }
      }
      const task = claimed(found, { ...asked, secret: newSecret(), nowMs: rows.nowMs })
      await rows.put([task])
      if (task.standing.state !== 'running') throw new Error('what was claimed is running')
      return { task, lease: task.standing.lease.token, untilMs: task.standing.lease.untilMs }
    })

  const end = (lease: string, plan: (task: WorkTask, nowMs: number) => Ended): Promise<EndedTask> =>
    table.change(async rows => {
      const id = taskOfLease(lease)
      const [before, dependents] = await Promise.all([getTask(rows, id), rows.dependents([id])])
      const { task, isRepeated } = plan(before, rows.nowMs)
      if (isRepeated) return { task, isRepeated, freed: [] }
      const waiting = task.standing.state === 'done' ? dependents : []
      const after = waiting.map(each => freed(each, rows.nowMs))
      await rows.put([task, ...after])
      return {
        task,
        isRepeated,
        freed: after.filter(each => each.standing.state === 'ready').map(({ id }) => id),
      }
    })

  return {
    exists: () => table.exists(),

    async add(graph, tasks, by) {
      return table.change(async rows => {
        const there = await rows.count({ graph })
        const named = namedTasks(graph, tasks, there)
        const ids = named.flatMap(([task, id]) => [
          id,
          ...(task.after ?? []).map(name => taskId(graph, name)),
        ])
        const known = await rows.find([...new Set(ids)])
        const { added, already } = planGraph(graph, named, known, {
          nowMs: rows.nowMs,
          firstPlace: there,
          ...(by !== undefined && { by }),
        })
        await rows.add(added)
        return { graph, added: added.map(({ id }) => id), already }
      })
    },

    async claim({ gone, ...asked }) {
      if (!(await table.exists()) && asked.waitMs === 0) return undefined
      const endMs = monotonicMs() + asked.waitMs
      // A worker that finds a task needs no notices: on a server they cost a connection, and one notice for each result.
      const atOnce = await tryClaim(asked)
      if ('task' in atOnce) return atOnce
      if (asked.waitMs === 0) return undefined
      for (;;) {
        const mark = await table.mark()
        if (gone?.aborted === true) return undefined
        const outcome = await tryClaim(asked)
        if ('task' in outcome) return outcome
        const leftMs = endMs - monotonicMs()
        if (leftMs <= 0) return undefined
        const dueMs = outcome.nextDueMs === undefined ? MAX_NAP_MS : outcome.nextDueMs - outcome.nowMs
        const napMs = Math.max(1, Math.min(leftMs, dueMs, MAX_NAP_MS))
        await endedBy(gone, table.untilChanged(mark, napMs))
      }
    },

    heartbeat: (lease, beat = {}) =>
      table.change(async rows => {
        const before = await getTask(rows, taskOfLease(lease))
        const outcome = heartbeat(before, lease, { ...beat, nowMs: rows.nowMs })
        if (outcome.kind === 'cancelled') return { ...outcome, task: before.id }
        await rows.put([outcome.task])
        return { kind: 'holds', untilMs: outcome.untilMs, task: before.id }
      }),

    finish: (lease, result) => end(lease, (task, nowMs) => finished(task, lease, result, nowMs)),
    fail: (lease, failure) => end(lease, (task, nowMs) => failed(task, lease, failure, nowMs)),

    cancel: (what, why) =>
      table.change(async rows => {
        await takeBackExpired(rows)
        const roots = 'task' in what ? [await getTask(rows, what.task)] : await tasksOf(rows, what.graph)
        const [only] = roots
        if ('task' in what && only?.standing.state === 'done')
          throw wrongState(only, 'be cancelled', 'It is done. Cancel its dependents instead.')
        const stopped = new Map<string, WorkTask>()
        let level = roots.map(root => ({ task: root, root: root.id }))
        while (level.length > 0) {
          const now = level.flatMap(({ task, root }) => {
            if (stopped.has(task.id)) return []
            const after = cancelled(task, { why, root, nowMs: rows.nowMs })
            return after === task ? [] : [{ after, root }]
          })
          for (const { after } of now) stopped.set(after.id, after)
          const rootOf = new Map(now.map(({ after, root }) => [after.id, root]))
          level = (await rows.dependents([...rootOf.keys()])).map(task => ({
            task,
            root: task.after.map(id => rootOf.get(id)).find(root => root !== undefined) ?? task.id,
          }))
        }
        await rows.put([...stopped.values()])
        return [...stopped.values()]
      }),

    retry: id =>
      table.change(async rows => {
        await takeBackExpired(rows)
        const root = await getTask(rows, id)
        const again = new Map([[root.id, reopened(root, rows.nowMs)]])
        let level: readonly string[] = [root.id]
        while (level.length > 0) {
          const below = (await rows.dependents(level)).filter(
            ({ id: each, standing }) =>
              standing.state === 'cancelled' && standing.root === root.id && !again.has(each),
          )
          for (const task of below) again.set(task.id, reopened(task, rows.nowMs))
          level = below.map(task => task.id)
        }
        await rows.put([...again.values()])
        return [...again.values()]
      }),

    find: async ids => {
      if (!(await table.exists())) return new Map()
      await settle(table)
      return table.read(rows => rows.find(ids))
    },

    dependents: async id => ((await table.exists()) ? table.read(rows => rows.dependents([id])) : []),

    list: async ({ limit, offset, ...filter }) => {
      if (!(await table.exists())) return { tasks: [], total: 0, nowMs: 0 }
      await settle(table)
      return table.read(async rows => ({
        tasks: await rows.list({ ...filter, limit, offset }),
        total: await rows.count(filter),
        nowMs: rows.nowMs,
      }))
    },

    graphs: async () => {
      if (!(await table.exists())) return []
      await settle(table)
      return table.read(rows => rows.graphs())
    },

    async waitFor(graph, { waitMs, gone }) {
      const endMs = monotonicMs() + waitMs
      for (;;) {
        const mark = await table.mark()
        await settle(table)
        const standing = await table.read(rows => standingOf(rows, graph))
        const leftMs = endMs - monotonicMs()
        if (standing.isOver || leftMs <= 0 || gone?.aborted === true) return standing
        await endedBy(gone, table.untilChanged(mark, Math.min(leftMs, GRAPH_NAP_MS)))
      }
    },

    async prune({ olderThanMs, isDryRun }) {
      if (!(await table.exists())) return { removed: [], kept: [] }
      return table.change(async rows => {
        const removed: GraphRow[] = []
        const kept: { graph: string; neededBy: string }[] = []
        for (const row of await rows.graphs()) {
          if (row.endedMs === undefined || row.endedMs > rows.nowMs - olderThanMs) continue
          const tasks = await rows.ofGraph(row.graph)
          // A task may have been added since the count.
          if (tasks.some(isOpen)) continue
          const ids = tasks.map(({ id }) => id)
          const needed = (await rows.dependents(ids)).find(task => task.graph !== row.graph && isOpen(task))
          if (needed !== undefined) kept.push({ graph: row.graph, neededBy: needed.id })
          else removed.push(row)
        }
        if (!isDryRun) for (const { graph } of removed) await rows.removeGraph(graph)
        return { removed, kept }
      })
    },

    check: fix => table.check(fix),
    close: () => table.close(),
  }
}

/** Until the pause is over, or the caller is gone. */
async function endedBy(gone: AbortSignal | undefined, nap: Promise<void>): Promise<void> {
  if (gone === undefined || gone.aborted) return gone === undefined ? nap : undefined
  let leave = () => undefined
  const left = new Promise<void>(resolve => {
    leave = () => void resolve()
  })
  gone.addEventListener('abort', leave, { once: true })
  try {
    await Promise.race([nap, left])
  } finally {
    gone.removeEventListener('abort', leave)
  }
}

function isOpen({ standing: { state } }: WorkTask): boolean {
  return state === 'waiting' || state === 'ready' || state === 'running'
}

async function takeBackExpired(rows: WorkRows): Promise<void> {
  const due = await rows.expired(EXPIRED_AT_ONCE)
  if (due.length > 0) await rows.put(due.map(task => expired(task, rows.nowMs)))
}

/** Expired leases are handled before every read. Nothing is written if none expired. */
async function settle(table: WorkTable): Promise<void> {
  const isDue = await table.read(async rows => {
    const [first] = await rows.list({ states: ['running'], limit: 1, offset: 0 })
    const dueMs = await rows.nextDueMs()
    return first !== undefined && dueMs !== undefined && dueMs <= rows.nowMs
  })
  if (isDue) await table.change(takeBackExpired)
}

async function standingOf(rows: WorkLook, graph: string): Promise<WaitedGraph> {
  const row = (await rows.graphs()).find(each => each.graph === graph)
  if (row === undefined) throw noGraph(graph)
  const { ready, running, waiting } = row.tasks
  if (ready + running > 0) return { row, isOver: false }
  const stuck = await rows.list({ graph, states: ['waiting'], limit: waiting, offset: 0 })
  const others = await rows.find([...new Set(stuck.flatMap(({ after }) => after))])
  const mayGoOn = [...others.values()].some(task => isOpen(task) && task.graph !== graph)
  return { row, isOver: !mayGoOn }
}

async function getTask(rows: WorkLook, id: string): Promise<WorkTask> {
  const task = (await rows.find([id])).get(id)
  if (task === undefined) throw noTask(id)
  return task
}

async function tasksOf(rows: WorkRows, graph: string): Promise<readonly WorkTask[]> {
  const tasks = await rows.ofGraph(graph)
  if (tasks.length === 0) throw noGraph(graph)
  return tasks.filter(isOpen)
}

async function refuseUnclaimable(rows: WorkLook, id: string): Promise<void> {
  const task = await getTask(rows, id)
  const { state } = task.standing
  if (state === 'done' || state === 'failed' || state === 'cancelled')
    throw wrongState(
      task,
      'be claimed',
      state === 'done' ? 'Claim another.' : `\`cairn work retry ${id}\` opens it again.`,
    )
}

export function noTask(id: string): CairnError {
  return new CairnError({
    code: 'task_not_found',
    message: `There is no task ${id.slice(0, 130)} on the work board.`,
    hint: '`cairn work list` shows the tasks with their ids.',
  })
}

function noGraph(graph: string): CairnError {
  return new CairnError({
    code: 'task_not_found',
    message: `There is no graph ${graph.slice(0, 80)} on the work board.`,
    hint: '`cairn work` shows the graphs.',
  })
}

export function boardOver(table: WorkTable): WorkBoard {
  return workBoard({
    table,
    newSecret: () => randomBytes(9).toString('hex'),
    monotonicMs: () => performance.now(),
  })
}
