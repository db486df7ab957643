import { afterAll, beforeAll } from 'vitest'
import { composePostgresEngine, type PostgresEngineOptions } from '../../src/compose/compose-postgres.ts'
import type { Composed } from '../../src/compose/composed.ts'
import type { HubProject } from '../../src/kernel/model/hub.ts'
import { migrate } from '../../src/stores/postgres/migrate.ts'
import { numberOfProject } from '../../src/stores/postgres/postgres-directory.ts'
import type { SqlPool } from '../../src/stores/postgres/sql-pool.ts'
import { freshDatabase } from './test-postgres.ts'

export interface PostgresWorld {
  pool(): SqlPool
  /** One that nobody else has. */
  project(name?: string): Promise<HubProject>
  open(project: HubProject, options?: Partial<PostgresEngineOptions>): Composed
}

/** A database for the tests of a file, with all tables. */
export function postgresWorld(): PostgresWorld {
  let pool: SqlPool
  let made = 0
  beforeAll(async () => {
    pool = await freshDatabase()
    await migrate(pool)
  }, 120_000)
  afterAll(() => pool.close())
  return {
    pool: () => pool,
    async project(name = `p${++made}`) {
      return { name, number: await numberOfProject(pool, name, 0), createdMs: 0 }
    },
    open: (project, options = {}) =>
      composePostgresEngine({ pool, project, actor: { host: 'test', agent: 'dev' }, ...options }),
  }
}
