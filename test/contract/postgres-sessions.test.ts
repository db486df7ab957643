import { postgresWorld } from '../support/postgres-world.ts'
import { describeSessionFiles } from './session-files.contract.ts'

const world = postgresWorld()

describeSessionFiles('sessions in PostgreSQL', async () => {
  const project = await world.project()
  return { open: async () => world.open(project) }
})
