import type { WorkBoard } from '../src/addons/work/decide/work-board.ts'
import { boardOver } from '../src/addons/work/work-board.ts'
import { composeEngine } from '../src/compose/compose.ts'
import { migrate } from '../src/stores/postgres/migrate.ts'
import { openPool } from '../src/stores/postgres/node-postgres.ts'
import { postgresChanges } from '../src/stores/postgres/postgres-changes.ts'
import { numberOfProject } from '../src/stores/postgres/postgres-directory.ts'
import { postgresWork } from '../src/stores/postgres/postgres-work.ts'
import { Tenant } from '../src/stores/postgres/tenant.ts'

export interface OpenBoard {
  readonly board: WorkBoard
  close(): Promise<void>
}

export const isServer = (place: string) => /^postgres(?:ql)?:/.test(place)

/** The board of a project folder, or of a project of a database. */
export async function openBoard(place: string, project: number): Promise<OpenBoard> {
  if (!isServer(place)) {
    const engine = composeEngine({ root: place })
    return { board: engine.work, close: () => engine.close() }
  }
  const pool = await openPool({ url: place, most: 2 })
  const tenant = new Tenant(pool, project)
  const board = boardOver(postgresWork(tenant, postgresChanges(pool, tenant)))
  return {
    board,
    close: async () => {
      await board.close()
      await pool.close()
    },
  }
}

/** A project of its own for each run. */
export async function projectFor(place: string, name: string): Promise<number> {
  if (!isServer(place)) return 0
  const pool = await openPool({ url: place, most: 1 })
  try {
    await migrate(pool)
    return await numberOfProject(pool, name, 0)
  } finally {
    await pool.close()
  }
}

/** So many transactions a second of one loop that writes one row in each: what a board is held against. */
export async function bareTransactions(place: string, seconds: number): Promise<number> {
  const endMs = performance.now() + seconds * 1_000
  let made = 0
  if (isServer(place)) {
    const pool = await openPool({ url: place, most: 1 })
    await pool.transaction(connection => connection.run('CREATE TABLE IF NOT EXISTS bare_loop (n int)'))
    for (; performance.now() < endMs; made++)
      await pool.transaction(connection => connection.query('INSERT INTO bare_loop VALUES ($1)', [made]))
    await pool.transaction(connection => connection.run('DROP TABLE bare_loop'))
    await pool.close()
    return made / seconds
  }
  const { loadSqlite } = await import('../src/stores/sqlite/driver.ts')
  const database = new (loadSqlite().DatabaseSync)(`${place}/bare.db`)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE bare_loop (n)')
  const insert = database.prepare('INSERT INTO bare_loop VALUES (?)')
  for (; performance.now() < endMs; made++) {
    database.exec('BEGIN IMMEDIATE')
    insert.run(made)
    database.exec('COMMIT')
  }
  database.close()
  return made / seconds
}
