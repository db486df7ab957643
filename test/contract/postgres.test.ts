import { afterAll, beforeAll } from 'vitest'
import { numberOfProject } from '../../src/backends/postgres/directory.ts'
import { migrate } from '../../src/backends/postgres/migrate.ts'
import { postgresBriefs } from '../../src/backends/postgres/postgres-briefs.ts'
import { postgresConflicts } from '../../src/backends/postgres/postgres-conflicts.ts'
import { postgresGraph } from '../../src/backends/postgres/postgres-graph.ts'
import { postgresSearch } from '../../src/backends/postgres/postgres-search.ts'
import { PostgresStore } from '../../src/backends/postgres/postgres-store.ts'
import { postgresUpkeep } from '../../src/backends/postgres/postgres-upkeep.ts'
import { postgresVectors } from '../../src/backends/postgres/postgres-vectors.ts'
import type { SqlPool } from '../../src/backends/postgres/sql-pool.ts'
import { Tenant } from '../../src/backends/postgres/tenant.ts'
import { composeEngine } from '../../src/compose.ts'
import { systemClock } from '../../src/system/clock.ts'
import { scratchProject } from '../support/scratch-project.ts'
import { freshDatabase } from '../support/test-postgres.ts'
import { describeStore } from './store.contract.ts'

let pool: SqlPool
let made = 0
beforeAll(async () => {
  pool = await freshDatabase()
  await migrate(pool)
}, 120_000)
afterAll(() => pool.close())

describeStore('the PostgreSQL store', async () => {
  const root = scratchProject()
  const project = await numberOfProject(pool, `p${++made}`, 0)
  return {
    hasFiles: false,
    open: async () => {
      const engine = composeEngine({ root, actor: { host: 'test', agent: 'dev' } })
      const tenant = new Tenant(pool, project)
      const store = new PostgresStore({ tenant, clock: systemClock })
      return {
        ...engine,
        store,
        search: postgresSearch(tenant),
        semantics: { ...engine.semantics, vectors: postgresVectors(tenant) },
        graph: postgresGraph(tenant),
        upkeepIndex: postgresUpkeep(tenant),
        conflicts: postgresConflicts(tenant),
        briefs: postgresBriefs(tenant),
      }
    },
  }
})
