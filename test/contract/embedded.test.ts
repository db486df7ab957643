import { composeEngine } from '../../src/compose.ts'
import { scratchProject } from '../support/scratch-project.ts'
import { describeStore } from './store.contract.ts'

describeStore('the embedded store', async () => {
  const root = scratchProject()
  return { hasFiles: true, open: async () => composeEngine({ root, actor: { host: 'test', agent: 'dev' } }) }
})
