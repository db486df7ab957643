import type { SqlConnection, SqlPool } from '../../src/backends/postgres/sql-pool.ts'
import { TENANT_ROLE } from '../../src/backends/postgres/tenant.ts'
import { faultsOf, type TenantTables } from './tenant-key.ts'

/** What a transaction of a project begins with. */
const BEGINS = new RegExp(`^SET LOCAL ROLE ${TENANT_ROLE}; SET LOCAL cairn\\.project = '(\\d+)'$`)

/** How long to wait is for the transaction to say. */
const WAITS = /^SET LOCAL (lock|statement)_timeout = \d+$/

/**
 * A pool that lets no statement of a project through that does not carry its key (`tenant-key.ts`): every test on PostgreSQL is a test of
 * that too. `onStatement` hears what was asked.
 */
export function judgedPool(pool: SqlPool, onStatement?: (sql: string) => void): SqlPool {
  const judged = new Set<string>()
  let tables: TenantTables | undefined
  const judge = async (connection: SqlConnection, sql: string): Promise<void> => {
    if (judged.has(sql)) return
    tables ??= await tablesOf(connection)
    const faults = faultsOf(sql, tables)
    if (faults.length > 0) throw new Error(`${faults.join('; ')}:\n${sql}`)
    judged.add(sql)
  }
  return {
    ...pool,
    transaction: work =>
      pool.transaction(connection => {
        let project: number | undefined
        return work({
          async query(sql, values = []) {
            if (project !== undefined) {
              onStatement?.(sql)
              if (sql.includes('$1') && values[0] !== project)
                throw new Error(`$1 is ${String(values[0])} while project ${project} is served:\n${sql}`)
              await judge(connection, sql)
            }
            return connection.query(sql, values)
          },
          async run(sql) {
            const begun = BEGINS.exec(sql)
            const isOfProject = project !== undefined || sql.includes(TENANT_ROLE)
            if (
              isOfProject &&
              begun === null &&
              !WAITS.test(sql) &&
              !/^(CREATE ROLE|GRANT|ALTER TABLE)/.test(sql)
            )
              throw new Error(`a statement that nobody judges:\n${sql}`)
            await connection.run(sql)
            if (begun !== null) project = Number(begun[1])
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
