import type { SqlConnection, SqlPool } from '../../src/stores/postgres/sql-pool.ts'
import { TENANT_ROLE } from '../../src/stores/postgres/tenant.ts'
import { faultsOf, type TenantTables } from './tenant-key.ts'

/** What a transaction of a project begins with. */
const BEGINS = new RegExp(`^SET LOCAL ROLE ${TENANT_ROLE}; SET LOCAL cairn\\.project = '(\\d+)'$`)

/** How long to wait is for the transaction to say. */
const WAITS = /^(SET LOCAL (lock|statement)_timeout = \d+|SET TRANSACTION ISOLATION LEVEL REPEATABLE READ)$/

/**
 * A pool that lets no statement of a project through that does not carry its key (`tenant-key.ts`): every test on PostgreSQL is a test of
 * that too. `onStatement` hears what was asked.
 */
export function judgedPool(pool: SqlPool, onStatement?: (sql: string) => void): SqlPool {
  const judged = new Set<string>()
  let tables: TenantTables | undefined
  const judge = (sql: string): void => {
    if (judged.has(sql) || tables === undefined) return
    const faults = faultsOf(sql, tables)
    if (faults.length > 0) throw new Error(`${faults.join('; ')}:\n${sql}`)
    judged.add(sql)
  }
  return {
    ...pool,
    transaction: work =>
      pool.transaction(async connection => {
        tables ??= await tablesOf(connection)
        let project: number | undefined
        // Statements are sent without waiting for each other: nothing here may wait, or they change places.
        return work({
          async query(sql, values = []) {
            onStatement?.(sql)
            if (project !== undefined) {
              if (sql.includes('$1') && values[0] !== project)
                throw new Error(`$1 is ${String(values[0])} while project ${project} is served:\n${sql}`)
              judge(sql)
            }
            return connection.query(sql, values)
          },
          async run(sql) {
            onStatement?.(sql)
            const begun = BEGINS.exec(sql)
            if (begun !== null) project = Number(begun[1])
            else if (project !== undefined && !WAITS.test(sql))
              throw new Error(`a statement that nobody judges:\n${sql}`)
            if (/CREATE|ALTER|DROP/.test(sql)) tables = undefined
            await connection.run(sql)
          },
        })
      }),
  }
}

/** As the database has them. */
export async function tablesOf(connection: SqlConnection): Promise<TenantTables> {
  const rows = await connection.query<{ name: string; has_project: boolean }>(
    `SELECT c.relname AS name, EXISTS (SELECT 1 FROM pg_attribute a
       WHERE a.attrelid = c.oid AND a.attname = 'project' AND a.attnum > 0 AND NOT a.attisdropped) AND c.relrowsecurity AS has_project
     FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace ORDER BY c.relname`,
  )
  const named = (hasProject: boolean) =>
    new Set(rows.filter(row => row.has_project === hasProject).map(({ name }) => name))
  return { distributed: named(true), reference: named(false) }
}
