import { afterAll, beforeAll } from 'vitest'
import { boardOver } from '../../src/addons/work/work-board.ts'
import { migrate } from '../../src/stores/postgres/migrate.ts'
import { postgresChanges } from '../../src/stores/postgres/postgres-changes.ts'
import { numberOfProject } from '../../src/stores/postgres/postgres-directory.ts'
import { postgresWork } from '../../src/stores/postgres/postgres-work.ts'
import type { SqlPool } from '../../src/stores/postgres/sql-pool.ts'
import { Tenant } from '../../src/stores/postgres/tenant.ts'
import { freshDatabase } from '../support/test-postgres.ts'
import { describeWorkBoard } from './work-board.contract.ts'

let pool: SqlPool
let made = 0
beforeAll(async () => {
  pool = await freshDatabase()
  await migrate(pool)
}, 120_000)
afterAll(() => pool.close())

describeWorkBoard('the work board on PostgreSQL', async () => {
  const project = await numberOfProject(pool, `work${process.pid}-${++made}`, 0)
  return {
    open: async () => {
      const tenant = new Tenant(pool, project)
      return boardOver(postgresWork(tenant, postgresChanges(pool, tenant)))
    },
  }
})
