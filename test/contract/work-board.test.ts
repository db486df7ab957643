import { composeEngine } from '../../src/compose/compose.ts'
import { scratchProject } from '../support/scratch-project.ts'
import { describeWorkBoard } from './work-board.contract.ts'

describeWorkBoard('the work board of a project', async () => {
  const root = scratchProject()
  return {
    open: async () => {
      const engine = composeEngine({ root, actor: { host: 'test', agent: 'dev' } })
      return engine.work
    },
  }
})
