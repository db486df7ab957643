import { AsyncLocalStorage } from 'node:async_hooks'
import { explainPostgres } from './explain-postgres.ts'
import type { SqlConnection, SqlPool, TransactionEnd } from './sql-pool.ts'
import { inOneGo } from './sql-pool.ts'

/** The role under row-level security: it owns nothing and cannot bypass a policy. */
export const TENANT_ROLE = 'cairn_tenant'

interface Running {
  readonly tenant: Tenant
  readonly connection: SqlConnection
  /** Set at the end: work that continues afterwards, such as an alarm, gets its own transaction. */
  isOver: boolean
  /** Results already requested in this reading; undefined where writes are possible. */
  known: Map<string, Promise<unknown>> | undefined
}

const current = new AsyncLocalStorage<Running>()

/**
 * One project of the database. Every statement has the number of the project as `$1` and applies it to every table: rows are distributed
 * by this key. Row-level security is the second barrier: the connection sees no other project meanwhile.
 */
export class Tenant {
  readonly #pool: SqlPool
  readonly project: number

  constructor(pool: SqlPool, project: number) {
    if (!Number.isSafeInteger(project)) throw new Error(`${project} is not a project number`)
    this.#pool = pool
    this.project = project
  }

  /** In the current transaction, or in a new one. */
  async query<Row>(sql: string, ...values: readonly unknown[]): Promise<Row[]> {
    return this.#inside(connection => connection.query<Row>(sql, [this.project, ...values]), 'sent along')
  }

  async one<Row>(sql: string, ...values: readonly unknown[]): Promise<Row | undefined> {
    return (await this.query<Row>(sql, ...values))[0]
  }

  /**
   * Statements inside, also from other modules, use the same connection: a pool of one is enough and cannot deadlock. Only the outermost
   * caller ends the transaction.
   */
  async transaction<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T> {
    const running = current.getStore()
    // A write may change what was read before.
    if (running?.tenant === this && !running.isOver) {
      running.known = undefined
      const { query, run } = running.connection
      return work({ query, run })
    }
    return this.#inside(work, 'waited for')
  }

  /** Several reads without a write in between: one connection, one transaction, and each name of `once` only once. */
  async reading<T>(work: () => Promise<T>): Promise<T> {
    return this.#inside(work, 'left', new Map())
  }

  /** Inside a reading, a name is queried once. */
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
        // Not awaited: it arrives before the next statement, on most servers in the same packet.
        // As plain statements: Citus propagates `SET LOCAL` to its nodes, but not `set_config`.
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
