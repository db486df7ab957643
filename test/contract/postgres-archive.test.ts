import { postgresWorld } from '../support/postgres-world.ts'
import { describeArchive } from './archive.contract.ts'

const world = postgresWorld()

describeArchive('the archive in PostgreSQL', async () => {
  const project = await world.project()
  return { open: () => world.open(project).archive }
})
