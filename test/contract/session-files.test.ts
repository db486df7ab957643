import { composeEngine } from '../../src/compose/compose.ts'
import { scratchProject } from '../support/scratch-project.ts'
import { describeSessionFiles } from './session-files.contract.ts'

describeSessionFiles('sessions in files', async () => {
  const root = scratchProject()
  return { open: async () => composeEngine({ root, actor: { host: 'test', agent: 'dev' } }) }
})
