import type { WorkTask } from '../../model/task.ts'
import type { MemoryChanges } from '../../pipeline/overview/memory-changes.ts'
import {
  dueMs,
  graphRows,
  type StateCount,
  type TaskFilter,
  type WorkLook,
  type WorkRows,
  type WorkTable,
} from '../../pipeline/work/work-table.ts'
import { announce } from './postgres-changes.ts'
import type { Tenant } from './tenant.ts'

/** Deadlock, serialization, or two that added the same task: the other one came first, and this is tried anew. */
const AGAIN = new Set(['40P01', '40001', '23505'])
const MOST_TRIES = 8

/**
 * Rows are locked in the order of their ids, so that two who change the same ones wait for each other and seldom in a circle. A claim
 * passes over what others hold (`SKIP LOCKED`). Time is the server's: machines need not agree about it.
 */
export function postgresWork(tenant: Tenant, changes: MemoryChanges): WorkTable {
  let heard = 0
  const waiting = new Set<() => void>()
  let listening: Promise<() => void> | undefined

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

  return {
    // The tables are made with the hub.
    exists: async () => true,

    async change(work) {
      for (let tries = 1; ; tries++) {
        try {
          return await tenant.transaction(async () => work(await rowsOf(tenant)))
        } catch (error) {
          if (!AGAIN.has(String((error as { code?: unknown }).code)) || tries === MOST_TRIES) throw error
        }
      }
    },

    read: work => tenant.transaction(async () => work(lookOf(tenant, await serverMs(tenant), ''))),

    async mark() {
      await listen()
      return heard
    },

    async untilChanged(mark, mostMs) {
      if (heard !== mark) return
      await new Promise<void>(resolve => {
        const over = () => {
          clearTimeout(timer)
          waiting.delete(over)
          resolve()
        }
        const timer = setTimeout(over, mostMs)
        waiting.add(over)
      })
    },

    async close() {
      const stop = await listening
      listening = undefined
      stop?.()
      wake()
    },
  }
}

async function serverMs(tenant: Tenant): Promise<number> {
  const row = await tenant.one<{ now: number }>(
    'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now WHERE $1::int IS NOT NULL',
  )
  if (row === undefined) throw new Error('the server has a clock')
  return row.now
}

interface PackedRow {
  readonly packed: string
}
const taskOf = ({ packed }: PackedRow): WorkTask => JSON.parse(packed) as WorkTask

function lookOf(tenant: Tenant, nowMs: number, lock: '' | 'FOR UPDATE'): WorkLook {
  return {
    nowMs,
    async find(ids) {
      const rows = await tenant.query<PackedRow>(
        `SELECT t.packed FROM task t WHERE t.project = $1 AND t.id = ANY ($2::text[]) ORDER BY t.id ${lock}`,
        ids,
      )
      return new Map(rows.map(taskOf).map(task => [task.id, task]))
    },
    async list({ limit, offset, ...filter }) {
      const order = isReadyQuery(filter)
        ? 't.priority DESC, t.created_ms, t.place'
        : 't.created_ms DESC, t.graph, t.place'
      const rows = await tenant.query<PackedRow>(
        `SELECT t.packed FROM task t WHERE ${FILTER} ORDER BY ${order} LIMIT $7 OFFSET $8`,
        ...filterValues(filter, nowMs),
        limit,
        offset,
      )
      return rows.map(taskOf)
    },
    async count(filter) {
      const row = await tenant.one<{ n: number }>(
        `SELECT count(*)::int AS n FROM task t WHERE ${FILTER}`,
        ...filterValues(filter, nowMs),
      )
      return row?.n ?? 0
    },
    async dependents(ids) {
      if (ids.length === 0) return []
      const rows = await tenant.query<PackedRow>(
        `SELECT t.packed FROM task t WHERE t.project = $1
           AND t.id IN (SELECT d.task FROM dependency d WHERE d.project = $1 AND d.before = ANY ($2::text[]))
         ORDER BY t.id ${lock}`,
        ids,
      )
      return rows.map(taskOf)
    },
    async graphs() {
      const rows = await tenant.query<StateCount>(
        `SELECT t.graph, t.state, count(*)::int AS n, min(t.created_ms) AS "createdMs", max(t.due_ms) AS "dueMs"
         FROM task t WHERE t.project = $1 GROUP BY t.graph, t.state`,
      )
      return graphRows(rows)
    },
    async nextDueMs() {
      const row = await tenant.one<{ due: number | null }>(
        `SELECT min(t.due_ms) AS due FROM task t
         WHERE t.project = $1 AND (t.state = 'running' OR (t.state = 'ready' AND t.due_ms > $2))`,
        nowMs,
      )
      return row?.due ?? undefined
    },
  }
}

async function rowsOf(tenant: Tenant): Promise<WorkRows> {
  const nowMs = await serverMs(tenant)
  return {
    ...lookOf(tenant, nowMs, 'FOR UPDATE'),

    async firstReady({ graph = null, kinds = null, agent = null, task = null }) {
      const row = await tenant.one<PackedRow>(
        `SELECT t.packed FROM task t WHERE t.project = $1 AND t.state = 'ready' AND t.due_ms <= $2
           AND ($3::text IS NULL OR t.graph = $3) AND ($4::text[] IS NULL OR t.kind = ANY ($4))
           AND (t.agent IS NULL OR t.agent = $5::text) AND ($6::text IS NULL OR t.id = $6)
         ORDER BY t.priority DESC, t.created_ms, t.place LIMIT 1 FOR UPDATE SKIP LOCKED`,
        nowMs,
        graph,
        kinds,
        agent,
        task,
      )
      return row && taskOf(row)
    },

    async expired(limit) {
      const rows = await tenant.query<PackedRow>(
        `SELECT t.packed FROM task t WHERE t.project = $1 AND t.state = 'running' AND t.due_ms <= $2
         ORDER BY t.due_ms LIMIT $3 FOR UPDATE SKIP LOCKED`,
        nowMs,
        limit,
      )
      return rows.map(taskOf)
    },

    async ofGraph(graph) {
      const rows = await tenant.query<PackedRow>(
        'SELECT t.packed FROM task t WHERE t.project = $1 AND t.graph = $2 ORDER BY t.id FOR UPDATE',
        graph,
      )
      return rows.map(taskOf).sort((a, b) => a.place - b.place)
    },

    async add(tasks) {
      await tenant.query(
        `INSERT INTO task (project, id, graph, state, kind, agent, priority, created_ms, place, due_ms, packed)
         SELECT $1, r.id, r.graph, r.state, r.kind, r.agent, r.priority, r.created_ms, r.place, r.due_ms, r.packed
         FROM json_to_recordset($2::json) AS r(id text, graph text, state text, kind text, agent text, priority int,
           created_ms bigint, place int, due_ms bigint, packed text) RETURNING id`,
        JSON.stringify(tasks.map(rowOf)),
      )
      await tenant.query(
        `INSERT INTO dependency (project, before, task)
         SELECT $1, r.before, r.task FROM json_to_recordset($2::json) AS r(before text, task text) RETURNING task`,
        JSON.stringify(tasks.flatMap(({ id, after }) => after.map(before => ({ before, task: id })))),
      )
      await announce(tenant, ['work'])
    },

    async put(tasks) {
      if (tasks.length === 0) return
      await tenant.query(
        `UPDATE task t SET state = r.state, due_ms = r.due_ms, packed = r.packed
         FROM json_to_recordset($2::json) AS r(id text, state text, due_ms bigint, packed text)
         WHERE t.project = $1 AND t.id = r.id`,
        JSON.stringify(tasks.map(rowOf)),
      )
      // Telling takes a lock of the whole server until the commit: not for every claim and heartbeat.
      if (tasks.some(({ standing }) => standing.state !== 'running')) await announce(tenant, ['work'])
    },

    async removeGraph(graph) {
      await tenant.query(
        `DELETE FROM dependency d USING task t WHERE d.project = $1 AND t.project = $1 AND t.graph = $2
           AND (d.task = t.id OR d.before = t.id)`,
        graph,
      )
      await tenant.query('DELETE FROM task t WHERE t.project = $1 AND t.graph = $2', graph)
    },
  }
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
  AND ($6::bigint IS NULL OR t.due_ms <= $6)`

function filterValues(filter: TaskFilter, nowMs: number): readonly unknown[] {
  const { graph = null, states = null, kind = null, agent = null } = filter
  return [graph, states, kind, agent, isReadyQuery(filter) ? nowMs : null]
}

/** Of what is ready alone: what could be claimed now. */
function isReadyQuery({ states }: TaskFilter): boolean {
  return states?.length === 1 && states[0] === 'ready'
}
