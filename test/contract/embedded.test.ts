import { composeEngine } from '../../src/compose/compose.ts'
import { scratchProject } from '../support/scratch-project.ts'
import { describeStore } from './store.contract.ts'
import { describeStoreIndexes } from './store-indexes.contract.ts'

const make = async () => {
  const root = scratchProject()
  return { hasFiles: true, open: async () => composeEngine({ root, actor: { host: 'test', agent: 'dev' } }) }
}

describeStore('the embedded store', make)
describeStoreIndexes('the embedded store', make)
