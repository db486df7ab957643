import type { Hub } from '../../../compose/compose-hub.ts'
import type { MetricRegistry } from './metric-registry.ts'
import { readBackground } from './server-metrics.ts'

/** Metrics of a hub: its pool, its database, its projects. */
export function readHub(registry: MetricRegistry, hub: Hub): void {
  const { reading } = registry
  readBackground(registry, hub.backgroundSteps)
  const { usage } = hub.pool
  if (usage !== undefined)
    reading('gauge', 'cairn_database_connections', 'Connections of the pool, by what they do.', () => {
      const { inUse, idle, waiting, most } = usage()
      return Object.entries({ in_use: inUse, idle, waiting, most }).map(([state, value]) => ({
        labels: { state },
        value,
      }))
    })
  reading(
    'gauge',
    'cairn_database_up',
    'Whether the database answers, in time and with our tables.',
    async () => ((await hub.database()).kind === 'ready' ? 1 : 0),
  )
  reading('gauge', 'cairn_database_round_trip_seconds', 'One small question to the database.', async () => {
    const state = await hub.database()
    return state.kind === 'unreachable' ? undefined : state.roundTripMs / 1_000
  })
  reading('gauge', 'cairn_schema_version', 'The version of the tables.', async () => {
    const state = await hub.database()
    return state.kind === 'unreachable' ? undefined : state.version
  })
  reading('gauge', 'cairn_open_projects', 'Projects whose memory is open.', () => hub.openProjects())
}
