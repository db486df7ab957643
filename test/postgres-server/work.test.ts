import { expect, it } from 'vitest'
import type { WorkBoard } from '../../src/addons/work/decide/work-board.ts'
import { boardOver } from '../../src/addons/work/work-board.ts'
import { migrate } from '../../src/stores/postgres/migrate.ts'
import { openPool } from '../../src/stores/postgres/node-postgres.ts'
import { postgresChanges } from '../../src/stores/postgres/postgres-changes.ts'
import { numberOfProject } from '../../src/stores/postgres/postgres-directory.ts'
import { postgresWork } from '../../src/stores/postgres/postgres-work.ts'
import type { SqlPool } from '../../src/stores/postgres/sql-pool.ts'
import { Tenant } from '../../src/stores/postgres/tenant.ts'
import { freshServerDatabase } from '../support/test-postgres.ts'

const WORKERS = 16
const TASKS = 1_000
const LEASE_MS = 1_500

/** Its own connections, as another machine has them. */
async function machine(
  url: string,
  project: number,
): Promise<{ board: WorkBoard; pool: SqlPool; close(): Promise<void> }> {
  const pool = await openPool({ url, most: 2 })
  const tenant = new Tenant(pool, project)
  const board = boardOver(postgresWork(tenant, postgresChanges(pool, tenant)))
  return {
    board,
    pool,
    close: async () => {
      await board.close()
      await pool.close()
    },
  }
}

const graph = Array.from({ length: TASKS }, (_, n) => ({
  name: `t${n}`,
  title: `Task ${n}`,
  after: n < 40 ? [] : [`t${n - 40}`, `t${n - 27}`],
  retry: { attempts: 50, backoffMs: 0 },
}))

it('is drained by 16 machines, each result accepted once, while leases run out and connections are cut', async () => {
  const { url, pool, drop } = await freshServerDatabase()
  await migrate(pool)
  const project = await numberOfProject(pool, 'drain', 0)
  const first = await machine(url, project)
  await first.board.add('drain', graph)
  const accepted = new Map<string, number>()
  let isOver = false

  const work = async (name: string, seed: number) => {
    const { board, close } = await machine(url, project)
    for (let turn = seed; !isOver; turn++) {
      try {
        const claimed = await board.claim({ worker: name, leaseMs: LEASE_MS, waitMs: 300 })
        // Some die with the task in their hands.
        if (claimed === undefined || turn % 23 === 0) continue
        const { task, isRepeated } = await board.finish(claimed.lease, {
          text: claimed.lease,
          entries: [],
          files: [],
        })
        if (!isRepeated) accepted.set(task.id, (accepted.get(task.id) ?? 0) + 1)
      } catch (error) {
        const { code } = error as { code?: string }
        // Whether it arrived is not known; the lease tells those who take it next.
        if (code !== 'store_unreachable' && code !== 'lease_lost') throw error
      }
    }
    await close()
  }
  const cut = async () => {
    while (!isOver) {
      await new Promise(resolve => setTimeout(resolve, 200))
      await pool.transaction(connection =>
        connection.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle' ORDER BY random() LIMIT 1`,
        ),
      )
    }
  }
  const watch = async () => {
    for (;;) {
      try {
        const standing = await first.board.waitFor('drain', { waitMs: 2_000 })
        if (standing.isOver) break
      } catch (error) {
        if ((error as { code?: string }).code !== 'store_unreachable') throw error
      }
    }
    isOver = true
  }
  await Promise.all([watch(), cut(), ...Array.from({ length: WORKERS }, (_, n) => work(`w${n}`, n))])

  const { tasks } = await first.board.list({ graph: 'drain', limit: TASKS + 1, offset: 0 })
  expect(tasks.filter(({ standing }) => standing.state === 'done').length).toBe(TASKS)
  expect(
    tasks.every(({ attempts }) => attempts.filter(({ outcome }) => outcome === 'done').length === 1),
  ).toBe(true)
  expect([...accepted.values()].filter(times => times > 1)).toEqual([])
  expect(tasks.some(({ attempts }) => attempts.some(({ outcome }) => outcome === 'expired'))).toBe(true)
  await first.close()
  await pool.close()
  await drop()
})

it('wakes a worker of another machine when a task becomes ready', async () => {
  const { url, pool, drop } = await freshServerDatabase()
  await migrate(pool)
  const project = await numberOfProject(pool, 'wake', 0)
  const [orchestrator, worker] = [await machine(url, project), await machine(url, project)]
  const waiting = worker.board.claim({ worker: 'far', leaseMs: LEASE_MS, waitMs: 20_000 })
  await new Promise(resolve => setTimeout(resolve, 300))
  await orchestrator.board.add('g', [{ name: 'a', title: 'Now' }])
  expect((await waiting)?.task.id).toBe('g.a')
  await Promise.all([orchestrator.close(), worker.close()])
  await pool.close()
  await drop()
})

it('says a result again when the database broke a deadlock at its cost', async () => {
  const { url, pool, drop } = await freshServerDatabase()
  await migrate(pool)
  const project = await numberOfProject(pool, 'deadlock', 0)
  const { board, close } = await machine(url, project)
  await board.add('g', [
    { name: 'a', title: 'First' },
    { name: 'b', title: 'Second', after: ['a'] },
  ])
  const claimed = await board.claim({ worker: 'w', leaseMs: 60_000, waitMs: 0 })
  const lock = (id: string) =>
    ['SELECT id FROM task WHERE project = $1 AND id = $2 FOR UPDATE', [project, id]] as const
  let finishing: Promise<unknown> | undefined
  await pool.transaction(async connection => {
    // The other one finds the circle first, and has to give way.
    await connection.run("SET LOCAL deadlock_timeout = '1min'")
    await connection.query(...lock('g.b'))
    finishing = board.finish(claimed?.lease ?? '', { text: 'It is there', entries: [], files: [] })
    while (!(await isWaited(pool)));
    await connection.query(...lock('g.a'))
  })
  expect(await finishing).toMatchObject({ isRepeated: false, freed: ['g.b'] })
  await close()
  await pool.close()
  await drop()
})

async function isWaited(pool: SqlPool): Promise<boolean> {
  const rows = await pool.transaction(connection =>
    connection.query(
      'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = $1',
      ['Lock'],
    ),
  )
  return rows.length > 0
}
