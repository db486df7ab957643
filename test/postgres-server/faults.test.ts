import { afterEach, expect, it } from 'vitest'
import { CairnError } from '../../src/kernel/model/errors.ts'
import { migrate } from '../../src/stores/postgres/migrate.ts'
import { openPool } from '../../src/stores/postgres/node-postgres.ts'
import type { SqlPool } from '../../src/stores/postgres/sql-pool.ts'
import { Tenant } from '../../src/stores/postgres/tenant.ts'
import { freshServerDatabase } from '../support/test-postgres.ts'
import { findServerPrograms, startScratchServer } from './scratch-server.mjs'
import { contentsOf, countedAndRebuilt, countTo, journalNumbers, keep, openMemory } from './server-world.ts'

const undo: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each()
})

async function database(
  most = 10,
): Promise<{ readonly url: string; readonly pool: SqlPool; readonly admin: SqlPool }> {
  const { url, pool: admin, drop } = await freshServerDatabase()
  await migrate(admin)
  const pool = await openPool({ url, most })
  undo.push(
    drop,
    () => admin.close(),
    () => pool.close(),
  )
  return { url, pool, admin }
}

const wait = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** Tries until it is acknowledged, as a client does that cannot know whether the last try arrived. */
async function keepAtLast(
  memory: Awaited<ReturnType<typeof openMemory>>,
  content: string,
  failures: string[],
) {
  for (;;) {
    try {
      return await keep(memory, content)
    } catch (error) {
      if (!(error instanceof CairnError)) throw error
      failures.push(error.code)
      await wait(20)
    }
  }
}

it('keeps every entry of 32 writers on two servers, each once, and counts as if they had come one by one', async () => {
  const { url, pool } = await database(16)
  const other = await openPool({ url, most: 16 })
  undo.push(() => other.close())
  const memories = [await openMemory(pool, 'shop'), await openMemory(other, 'shop')]
  const said = countTo(32).flatMap(writer =>
    countTo(6).map(at => `Writer ${writer} found out ${writer * 100 + at} about caches.`),
  )
  const ids = await Promise.all(
    countTo(32).map(async writer => {
      const memory = memories[writer % 2]
      if (memory === undefined) throw new Error('no memory')
      const kept: string[] = []
      for (const at of countTo(6))
        kept.push(await keep(memory, `Writer ${writer} found out ${writer * 100 + at} about caches.`))
      return kept
    }),
  )
  const [memory] = memories
  if (memory === undefined) throw new Error('no memory')
  expect(await contentsOf(memory)).toEqual([...said].sort())
  expect(new Set(ids.flat()).size).toBe(said.length)
  expect(await journalNumbers(pool, 'shop')).toEqual({ numbers: countTo(said.length), revision: said.length })
  const { before, after } = await countedAndRebuilt(pool, memory, 'shop')
  expect(before).toEqual(after)
})

it('loses nothing that was acknowledged, and doubles nothing that was tried again, while connections are killed', async () => {
  const { pool, admin } = await database(8)
  const memory = await openMemory(pool, 'shop')
  const failures: string[] = []
  let isOver = false
  let acknowledged = 0
  // With every few that were acknowledged, so that a slow machine gets on as well.
  const killing = (async () => {
    for (let next = 1; !isOver; ) {
      await wait(5)
      if (acknowledged < next) continue
      next = acknowledged + 4
      await admin.transaction(connection =>
        connection.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid() AND state IN ('active', 'idle in transaction')
           ORDER BY random() LIMIT 3`,
        ),
      )
    }
  })()
  const said = countTo(96).map(at => `Lesson ${at}: a retry says the same once more.`)
  await Promise.all(
    countTo(16).map(async writer => {
      for (const content of said.filter((_, at) => at % 16 === writer - 1)) {
        await keepAtLast(memory, content, failures)
        acknowledged++
      }
    }),
  )
  isOver = true
  await killing
  expect(failures.length).toBeGreaterThan(0)
  expect(new Set(failures)).toEqual(new Set(['store_unreachable']))
  expect(await contentsOf(memory)).toEqual([...said].sort())
  const { numbers, revision } = await journalNumbers(pool, 'shop')
  expect(numbers).toEqual(countTo(revision))
  const { before, after } = await countedAndRebuilt(pool, memory, 'shop')
  expect(before).toEqual(after)
})

it('goes on by itself after the server was killed in the middle of writes and started again; nothing acknowledged is lost', async () => {
  const programs = findServerPrograms()
  if (programs === undefined) throw new Error('no programs of a server')
  const server = await startScratchServer(programs)
  undo.push(() => server.remove())
  const pool = await openPool({ url: server.url, most: 8 })
  undo.push(() => pool.close())
  await migrate(pool)
  const memory = await openMemory(pool, 'shop')
  const heard: string[] = []
  let gaps = 0
  const stop = await pool.listen('bell', { onNotice: text => heard.push(text), onGap: () => gaps++ })
  undo.push(stop)
  const acknowledged: string[] = []
  const failures: string[] = []
  let isOver = false
  const writing = countTo(8).map(async writer => {
    for (let at = 1; !isOver; at++) {
      const content = `Writer ${writer} wrote line ${at} of its own.`
      await keepAtLast(memory, content, failures)
      acknowledged.push(content)
    }
  })
  await wait(1_000)
  const atTheStop = acknowledged.length
  await server.halt('immediate')
  await wait(300)
  await server.start()
  await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(atTheStop + 16)
  isOver = true
  await Promise.all(writing)
  expect(failures.length).toBeGreaterThan(0)
  expect(new Set(failures)).toEqual(new Set(['store_unreachable']))
  expect(await contentsOf(memory)).toEqual([...acknowledged].sort())
  const { numbers, revision } = await journalNumbers(pool, 'shop')
  expect(numbers).toEqual(countTo(revision))
  await expect.poll(() => gaps, { timeout: 30_000 }).toBe(1)
  await pool.transaction(connection => connection.query("SELECT pg_notify('bell', 'rung')"))
  await expect.poll(() => heard, { timeout: 10_000 }).toEqual(['rung'])
})

it('waits for a connection when all are lent, also for what is asked inside, and stands still for nobody', async () => {
  const { pool } = await database(2)
  const memory = await openMemory(pool, 'shop')
  const contents = countTo(24).map(at => `Note ${at} of many at once.`)
  await Promise.all([
    ...contents.map(content => keep(memory, content)),
    ...contents.map(() => memory.store.listEntries({ filter: {}, limit: 5, offset: 0 })),
    ...contents.map(() => memory.store.counts()),
  ])
  expect(await contentsOf(memory)).toEqual([...contents].sort())
})

it('says that others write when the project stays locked for longer than is waited', async () => {
  const { pool, admin } = await database()
  const memory = await openMemory(pool, 'shop')
  await keep(memory, 'The first.')
  await admin.transaction(async connection => {
    await connection.query('SELECT 1 FROM project WHERE project = 1 FOR UPDATE')
    await admin.transaction(async other =>
      other.run(
        `INSERT INTO document (project, name, body) VALUES (1, 'config.json', '{"lock":{"timeoutMs":200}}') ON CONFLICT (project, name) DO UPDATE SET body = excluded.body`,
      ),
    )
    await expect(keep(memory, 'The second.')).rejects.toMatchObject({ code: 'store_locked' })
  })
  await keep(memory, 'The second.')
  expect(await contentsOf(memory)).toEqual(['The first.', 'The second.'])
})

it('says in our words what a server does to those who ask', async () => {
  const { url, pool, admin } = await database()
  const tenant = new Tenant(pool, 1)
  await expect(
    tenant.transaction(async connection => {
      await connection.run('SET LOCAL statement_timeout = 50')
      await connection.query('SELECT $1::int, pg_sleep(5)', [1])
    }),
  ).rejects.toMatchObject({ code: 'store_unreachable' })
  // Two that wait for each other: one is told, and may try again.
  await admin.transaction(connection => connection.run('INSERT INTO project (project) VALUES (1), (2)'))
  const both = await Promise.allSettled(
    (
      [
        [1, 2],
        [2, 1],
      ] as const
    ).map(([first, second]) =>
      new Tenant(pool, first).transaction(async connection => {
        await connection.run('RESET ROLE')
        await connection.query('SELECT 1 FROM project WHERE project = $1 FOR UPDATE', [first])
        await wait(200)
        await connection.query('SELECT 1 FROM project WHERE project = $1 FOR UPDATE', [second])
      }),
    ),
  )
  const told = both.flatMap(each => (each.status === 'rejected' ? [(each.reason as CairnError).code] : []))
  expect(told).toEqual(['store_locked'])

  const closed = new URL(url)
  closed.port = '1'
  const nowhere = await openPool({ url: closed.href, connectTimeoutMs: 2_000 })
  undo.push(() => nowhere.close())
  await expect(new Tenant(nowhere, 1).query('SELECT $1::int')).rejects.toMatchObject({
    code: 'store_unreachable',
  })
})
