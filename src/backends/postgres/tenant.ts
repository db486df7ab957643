import { AsyncLocalStorage } from 'node:async_hooks'
import { explainPostgres } from './explain-postgres.ts'
import type { SqlConnection, SqlPool } from './sql-pool.ts'

/** The role that row-level security holds for: it owns nothing and may pass by nothing. */
export const TENANT_ROLE = 'cairn_tenant'

interface Running {
  readonly tenant: Tenant
  readonly connection: SqlConnection
  /** What was begun inside and goes on after its end, such as an alarm, has a transaction of its own. */
  isOver: boolean
}

const current = new AsyncLocalStorage<Running>()

/**
 * One project of the database. Every statement has the number of the project as `$1`, and names it for every table it touches: it is the
 * key that rows are distributed by. Row-level security is the second wall: the connection may see no other project while it serves this one.
 */
export class Tenant {
  readonly #pool: SqlPool
  readonly project: number

  constructor(pool: SqlPool, project: number) {
    if (!Number.isSafeInteger(project)) throw new Error(`${project} is no number of a project`)
    this.#pool = pool
    this.project = project
  }

  /** In the transaction that runs, or in one of its own. */
  async query<Row>(sql: string, ...values: readonly unknown[]): Promise<Row[]> {
    return this.transaction(connection => connection.query<Row>(sql, [this.project, ...values]))
  }

  async one<Row>(sql: string, ...values: readonly unknown[]): Promise<Row | undefined> {
    return (await this.query<Row>(sql, ...values))[0]
  }

  /** What is asked inside, also by other parts, is asked on the same connection: a pool of one is enough, and none waits for itself. */
  async transaction<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T> {
    const running = current.getStore()
    if (running?.tenant === this && !running.isOver) return work(running.connection)
    try {
      return await this.#pool.transaction(async connection => {
        // As statements, and both at once: Citus hands on what is set so, and not what `set_config` sets.
        await connection.run(`SET LOCAL ROLE ${TENANT_ROLE}; SET LOCAL cairn.project = '${this.project}'`)
        const own: Running = { tenant: this, connection, isOver: false }
        try {
          return await current.run(own, () => work(connection))
        } finally {
          own.isOver = true
        }
      })
    } catch (error) {
      throw explainPostgres(error)
    }
  }
}
