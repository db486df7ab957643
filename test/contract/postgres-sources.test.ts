import { postgresWorld } from '../support/postgres-world.ts'
import { sourceRegistryContract } from './source-registry.contract.ts'

const world = postgresWorld()

sourceRegistryContract('sources.json in PostgreSQL', async () => {
  const project = await world.project()
  return { open: () => world.open(project).sourceRegistry }
})
