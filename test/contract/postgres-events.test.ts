import { Tenant } from '../../src/stores/postgres/tenant.ts'
import { postgresWorld } from '../support/postgres-world.ts'
import { describeEventLog } from './event-log.contract.ts'

const world = postgresWorld()

describeEventLog('events in PostgreSQL', async () => {
  const project = await world.project()
  return {
    open: async () => {
      const engine = world.open(project)
      return { log: engine.events, close: () => engine.close() }
    },
    damage: async line => {
      await new Tenant(world.pool(), project.number).query(
        `INSERT INTO event (project, key, place, packed)
         SELECT $1, max(v.key) + 1, max(v.place) + 1, $2 FROM event v WHERE v.project = $1 ON CONFLICT DO NOTHING`,
        line,
      )
    },
  }
})
