import { AsyncLocalStorage } from 'node:async_hooks'
import { explainPostgres } from './explain-postgres.ts'
import type { SqlConnection, SqlPool, TransactionEnd } from './sql-pool.ts'
import { inOneGo } from './sql-pool.ts'

/** The role that row-level security holds for: it owns nothing and may pass by nothing. */
export const TENANT_ROLE = 'cairn_tenant'

interface Running {
  readonly tenant: Tenant
  readonly connection: SqlConnection
  /** What was begun inside and goes on after its end, such as an alarm, has a transaction of its own. */
  isOver: boolean
  /** What was asked in this reading already; undefined where something may be written. */
  known: Map<string, Promise<unknown>> | undefined
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
    return this.#inside(connection => connection.query<Row>(sql, [this.project, ...values]), 'sent along')
  }

  async one<Row>(sql: string, ...values: readonly unknown[]): Promise<Row | undefined> {
    return (await this.query<Row>(sql, ...values))[0]
  }

  /**
   * What is asked inside, also by other parts, is asked on the same connection: a pool of one is enough, and none waits for itself. Only who
   * began it may end it.
   */
  async transaction<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T> {
    const running = current.getStore()
    // What is written may not be what was read before.
    if (running?.tenant === this && !running.isOver) {
      running.known = undefined
      const { query, run } = running.connection
      return work({ query, run })
    }
    return this.#inside(work, 'waited for')
  }

  /** Several questions that nothing is written between: asked on one connection, in one transaction, and none of `once` twice. */
  async reading<T>(work: () => Promise<T>): Promise<T> {
    return this.#inside(work, 'left', new Map())
  }

  /** Inside a reading what was asked under this name is not asked again. */
  async once<T>(name: string, ask: () => Promise<T>): Promise<T> {
    const running = current.getStore()
    if (running?.tenant !== this || running.isOver || running.known === undefined) return ask()
    const known = running.known.get(name) ?? ask()
    running.known.set(name, known)
    return known as Promise<T>
  }

  async #inside<T>(
    work: (connection: SqlConnection) => Promise<T>,
    end: TransactionEnd,
    known?: Map<string, Promise<unknown>>,
  ): Promise<T> {
    const running = current.getStore()
    if (running?.tenant === this && !running.isOver) return work(running.connection)
    try {
      return await this.#pool.transaction(async connection => {
        // Not waited for: it arrives before what is asked, and on most servers in the same packet.
        // As statements, and both at once: Citus hands on what is set so, and not what `set_config` sets.
        const entered = connection.run(
          `SET LOCAL ROLE ${TENANT_ROLE}; SET LOCAL cairn.project = '${this.project}'`,
        )
        const own: Running = { tenant: this, connection, known, isOver: false }
        try {
          const [, result] = await inOneGo([entered, current.run(own, () => work(connection))])
          return result
        } finally {
          own.isOver = true
        }
      }, end)
    } catch (error) {
      throw explainPostgres(error)
    }
  }
}
