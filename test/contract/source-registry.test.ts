import { onTestFinished } from 'vitest'
import { composeEngine } from '../../src/compose/compose.ts'
import { scratchProject } from '../support/scratch-project.ts'
import { sourceRegistryContract } from './source-registry.contract.ts'

sourceRegistryContract('sources.json', () => {
  const root = scratchProject()
  return {
    open: () => {
      const engine = composeEngine({ root, actor: { host: 'test' } })
      onTestFinished(() => engine.close())
      return engine.sourceRegistry
    },
  }
})
