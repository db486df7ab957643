import { postgresWorld } from '../support/postgres-world.ts'
import { describeStore } from './store.contract.ts'
import { describeStoreIndexes } from './store-indexes.contract.ts'

const world = postgresWorld()

const make = async () => {
  const project = await world.project()
  return { hasFiles: false, open: async () => world.open(project) }
}

describeStore('the PostgreSQL store', make)
describeStoreIndexes('the PostgreSQL store', make)
