import { composeEngine } from '../../src/compose/compose.ts'
import { scratchProject } from '../support/scratch-project.ts'
import { describeStateFiles } from './state-files.contract.ts'

describeStateFiles('the state in files', async () => {
  const root = scratchProject()
  return { open: async () => composeEngine({ root, actor: { host: 'test', agent: 'dev' } }) }
})
