import { postgresWorld } from '../support/postgres-world.ts'
import { describeStateFiles } from './state-files.contract.ts'

const world = postgresWorld()

describeStateFiles('the state in PostgreSQL', async () => {
  const project = await world.project()
  return { open: async () => world.open(project) }
})
