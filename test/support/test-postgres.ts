import { randomBytes } from 'node:crypto'
import { openPool } from '../../src/stores/postgres/node-postgres.ts'
import type { SqlPool } from '../../src/stores/postgres/sql-pool.ts'
import { judgedPool } from './judged-pool.ts'
import { pgliteSchema } from './pglite-pool.ts'

const server = process.env.CAIRN_TEST_POSTGRES

/** `npm run test:postgres` runs the same tests on a server, which it names in `CAIRN_TEST_POSTGRES`. */
export const isRealServer = server !== undefined

/**
 * A database with nothing in it, which nobody else sees: a schema of the PostgreSQL in this process, or a database of its own on the server.
 * `close` takes it away again. A statement of a project that does not carry its key is thrown back (`judged-pool.ts`). What is notified in this process is heard in every schema of it.
 */
export async function freshDatabase(): Promise<SqlPool> {
  if (server === undefined) return judgedPool(await pgliteSchema(`w${randomBytes(8).toString('hex')}`))
  const { pool, drop } = await freshServerDatabase()
  return {
    ...judgedPool(pool),
    close: async () => {
      await pool.close()
      await drop()
    },
  }
}

/** For those who need the address: another process, a second pool. Whoever asked for it drops it. */
export async function freshServerDatabase(): Promise<{
  readonly url: string
  readonly pool: SqlPool
  readonly drop: () => Promise<void>
}> {
  if (server === undefined) throw new Error('this test needs a server: npm run test:postgres')
  const name = `cairn_${randomBytes(8).toString('hex')}`
  await onServer(`CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url: url.href,
    pool: await openPool({ url: url.href }),
    drop: () => onServer(`DROP DATABASE ${name} WITH (FORCE)`),
  }
}

/** Databases are made and dropped outside of transactions. */
async function onServer(sql: string): Promise<void> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
