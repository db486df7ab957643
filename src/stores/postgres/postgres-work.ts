import {
  dueMs,
  graphRows,
  type StateCount,
  type TaskFilter,
  type WorkLook,
  type WorkRows,
  type WorkTable,
} from '../../addons/work/decide/work-table.ts'
import type { MemoryChanges } from '../../features/overview/decide/ports.ts'
import type { WorkTask } from '../../kernel/model/task.ts'
import { announce } from './postgres-changes.ts'
import { inOneGo } from './sql-pool.ts'
import type { Tenant } from './tenant.ts'

/** Deadlock, serialization failure, or a duplicate task: the other transaction was first, and this one is retried. */
const AGAIN = new Set(['40P01', '40001', '23505'])
const MAX_TRIES = 8
/** How long to listen after the last wait: each notice wakes every listening process, and a worker that finds work needs none. */
const HEAR_ON_MS = 2_000
/** When the transaction began, by the server's clock: constant in all of its statements, so that an index is used. */
const NOW_MS = 'floor(extract(epoch FROM now()) * 1000)::bigint'

/**
 * Rows are locked in the order of their ids, so that deadlocks are rare. A claim skips rows that others have locked (`SKIP LOCKED`). Time
 * is the server's: the clocks of machines may differ.
 */
export function postgresWork(tenant: Tenant, changes: MemoryChanges): WorkTable {
  let heard = 0
  const waiting = new Set<() => void>()
  let listening: Promise<() => void> | undefined

  let leaving: NodeJS.Timeout | undefined

  const wake = () => {
    heard++
    for (const each of [...waiting]) each()
  }
  const listen = (): Promise<() => void> => {
    listening ??= changes
      .listen({
        onChange: parts => {
          if (parts.has('work')) wake()
        },
        onFailure: wake,
      })
      .catch(error => {
        listening = undefined
        throw error
      })
    return listening
  }
  const leave = async () => {
    clearTimeout(leaving)
    const left = listening
    listening = undefined
    const stop = await left
    stop?.()
    // A waiter misses notices from here on, and checks once more.
    wake()
  }
  const leaveSoon = () => {
    clearTimeout(leaving)
    if (waiting.size > 0) return
    leaving = setTimeout(() => {
      leave().catch(wake)
    }, HEAR_ON_MS)
    leaving.unref()
  }

  return {
    // The migrations of the hub create the tables.
    exists: async () => true,

    async change(work) {
      for (let tries = 1; ; tries++) {
        try {
          return await clocked(tenant, asking => work(rowsOf(asking)))
        } catch (error) {
          if (!AGAIN.has(sqlState(error)) || tries === MAX_TRIES) throw error
        }
      }
    },

    read: work => clocked(tenant, asking => work(withClock(asking, lookOf(asking, '')))),

    async mark() {
      clearTimeout(leaving)
      await listen()
      leaveSoon()
      return heard
    },

    async untilChanged(mark, mostMs) {
      if (heard !== mark) return
      clearTimeout(leaving)
      await new Promise<void>(resolve => {
        const over = () => {
          clearTimeout(timer)
          waiting.delete(over)
          resolve()
        }
        const timer = setTimeout(over, mostMs)
        waiting.add(over)
      })
      leaveSoon()
    },

    check: async () => ({ kind: 'sound' }),
    close: leave,
  }
}

/** The original error of the database, also behind a `CairnError`. */
function sqlState(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } }
  return String(cause?.code ?? code)
}

/** A transaction that has requested the time. */
interface Asking {
  readonly tenant: Tenant
  readonly nowMs: number
  query<Row>(sql: string, ...values: readonly unknown[]): Promise<Row[]>
}

/** The time is requested with the first query and arrives with its answer: no extra round trip. */
async function clocked<T>(tenant: Tenant, work: (asking: Asking) => Promise<T>): Promise<T> {
  return tenant.transaction(async () => {
    let nowMs: number | undefined
    const clock = serverMs(tenant).then(now => {
      nowMs = now
    })
    const asking: Asking = {
      tenant,
      get nowMs() {
        if (nowMs === undefined) throw new Error('the time arrives with the first answer')
        return nowMs
      },
      query: async (sql, ...values) => (await inOneGo([tenant.query(sql, ...values), clock]))[0] as never,
    }
    return (await inOneGo([clock, work(asking)]))[1]
  })
}

function withClock<Rows extends object>(asking: Asking, rows: Rows): Rows & { readonly nowMs: number } {
  return {
    ...rows,
    get nowMs() {
      return asking.nowMs
    },
  }
}

async function serverMs(tenant: Tenant): Promise<number> {
  const row = await tenant.one<{ now: number }>(`SELECT ${NOW_MS} AS now WHERE $1::int IS NOT NULL`)
  if (row === undefined) throw new Error('the server did not return its time')
  return row.now
}

interface PackedRow {
  readonly packed: string
}
const taskOf = ({ packed }: PackedRow): WorkTask => JSON.parse(packed) as WorkTask

function lookOf(asking: Asking, lock: '' | 'FOR UPDATE'): Omit<WorkLook, 'nowMs'> {
  return {
    async find(ids) {
      const rows = await asking.query<PackedRow>(
        `SELECT t.packed FROM task t WHERE t.project = $1 AND t.id = ANY ($2::text[]) ORDER BY t.id ${lock}`,
        ids,
      )
      return new Map(rows.map(taskOf).map(task => [task.id, task]))
    },
    async list({ limit, offset, ...filter }) {
      const order = isReadyQuery(filter)
        ? 't.priority DESC, t.created_ms, t.place'
        : 't.created_ms DESC, t.graph, t.place'
      const rows = await asking.query<PackedRow>(
        `SELECT t.packed FROM task t WHERE ${FILTER} ORDER BY ${order} LIMIT $7 OFFSET $8`,
        ...filterValues(filter),
        limit,
        offset,
      )
      return rows.map(taskOf)
    },
    async count(filter) {
      const [row] = await asking.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM task t WHERE ${FILTER}`,
        ...filterValues(filter),
      )
      return row?.n ?? 0
    },
    async dependents(ids) {
      if (ids.length === 0) return []
      const rows = await asking.query<PackedRow>(
        `SELECT t.packed FROM task t WHERE t.project = $1
           AND t.id IN (SELECT d.task FROM dependency d WHERE d.project = $1 AND d.before = ANY ($2::text[]))
         ORDER BY t.id ${lock}`,
        ids,
      )
      return rows.map(taskOf)
    },
    async graphs() {
      const rows = await asking.query<StateCount>(
        `SELECT t.graph, t.state, count(*)::int AS n, min(t.created_ms) AS "createdMs", max(t.due_ms) AS "dueMs"
         FROM task t WHERE t.project = $1 GROUP BY t.graph, t.state`,
      )
      return graphRows(rows)
    },
    async nextDueMs() {
      const [row] = await asking.query<{ due: number | null }>(
        `SELECT min(t.due_ms) AS due FROM task t
         WHERE t.project = $1 AND (t.state = 'running' OR (t.state = 'ready' AND t.due_ms > ${NOW_MS}))`,
      )
      return row?.due ?? undefined
    },
  }
}

function rowsOf(asking: Asking): WorkRows {
  return withClock<Omit<WorkRows, 'nowMs'>>(asking, {
    ...lookOf(asking, 'FOR UPDATE'),

    async firstReady({ graph = null, kinds = null, agent = null, task = null }) {
      const [row] = await asking.query<PackedRow>(
        `SELECT t.packed FROM task t WHERE t.project = $1 AND t.state = 'ready' AND t.due_ms <= ${NOW_MS}
           AND ($2::text IS NULL OR t.graph = $2) AND ($3::text[] IS NULL OR t.kind = ANY ($3))
           AND (t.agent IS NULL OR t.agent = $4::text) AND ($5::text IS NULL OR t.id = $5)
         ORDER BY t.priority DESC, t.created_ms, t.place LIMIT 1 FOR UPDATE SKIP LOCKED`,
        graph,
        kinds,
        agent,
        task,
      )
      return row && taskOf(row)
    },

    async expired(limit) {
      const rows = await asking.query<PackedRow>(
        `SELECT t.packed FROM task t WHERE t.project = $1 AND t.state = 'running' AND t.due_ms <= ${NOW_MS}
         ORDER BY t.due_ms LIMIT $2 FOR UPDATE SKIP LOCKED`,
        limit,
      )
      return rows.map(taskOf)
    },

    async ofGraph(graph) {
      const rows = await asking.query<PackedRow>(
        'SELECT t.packed FROM task t WHERE t.project = $1 AND t.graph = $2 ORDER BY t.id FOR UPDATE',
        graph,
      )
      return rows.map(taskOf).sort((a, b) => a.place - b.place)
    },

    async add(tasks) {
      await asking.query(
        `INSERT INTO task (project, id, graph, state, kind, agent, priority, created_ms, place, due_ms, packed)
         SELECT $1, r.id, r.graph, r.state, r.kind, r.agent, r.priority, r.created_ms, r.place, r.due_ms, r.packed
         FROM json_to_recordset($2::json) AS r(id text, graph text, state text, kind text, agent text, priority int,
           created_ms bigint, place int, due_ms bigint, packed text) RETURNING id`,
        JSON.stringify(tasks.map(rowOf)),
      )
      await asking.query(
        `INSERT INTO dependency (project, before, task)
         SELECT $1, r.before, r.task FROM json_to_recordset($2::json) AS r(before text, task text) RETURNING task`,
        JSON.stringify(tasks.flatMap(({ id, after }) => after.map(before => ({ before, task: id })))),
      )
      await announce(asking.tenant, ['work'])
    },

    async put(tasks) {
      if (tasks.length === 0) return
      const putting = asking.query(
        `UPDATE task t SET state = r.state, due_ms = r.due_ms, packed = r.packed
         FROM json_to_recordset($2::json) AS r(id text, state text, due_ms bigint, packed text)
         WHERE t.project = $1 AND t.id = r.id`,
        JSON.stringify(tasks.map(rowOf)),
      )
      // A notice takes a lock of the whole server until the commit: not sent for every claim and heartbeat.
      const isTold = tasks.some(({ standing }) => standing.state !== 'running')
      await inOneGo([putting, ...(isTold ? [announce(asking.tenant, ['work'])] : [])])
    },

    async removeGraph(graph) {
      await asking.query(
        `DELETE FROM dependency d USING task t WHERE d.project = $1 AND t.project = $1 AND t.graph = $2
           AND (d.task = t.id OR d.before = t.id)`,
        graph,
      )
      await asking.query('DELETE FROM task t WHERE t.project = $1 AND t.graph = $2', graph)
    },
  })
}

function rowOf(task: WorkTask) {
  const { id, graph, kind, agent, priority, place } = task
  return {
    id,
    graph,
    state: task.standing.state,
    kind,
    agent: agent ?? null,
    priority,
    created_ms: task.createdMs,
    place,
    due_ms: dueMs(task),
    packed: JSON.stringify(task),
  }
}

const FILTER = `t.project = $1 AND ($2::text IS NULL OR t.graph = $2) AND ($3::text[] IS NULL OR t.state = ANY ($3))
  AND ($4::text IS NULL OR t.kind = $4) AND ($5::text IS NULL OR t.agent IS NULL OR t.agent = $5)
  AND (NOT $6::boolean OR t.due_ms <= ${NOW_MS})`

function filterValues(filter: TaskFilter): readonly unknown[] {
  const { graph = null, states = null, kind = null, agent = null } = filter
  return [graph, states, kind, agent, isReadyQuery(filter)]
}

/** Ready tasks that can be claimed now. */
function isReadyQuery({ states }: TaskFilter): boolean {
  return states?.length === 1 && states[0] === 'ready'
}
