import { expect, test } from 'vitest'
import * as library from '../src/api.ts'
import { scratchProject } from '../test/support/scratch-project.ts'
import { mergePairs } from './merge-pairs.ts'

test('branches that add, edit, retype, forget and confirm entries of one category merge with plain git', async () => {
  const report = await mergePairs(library, scratchProject(), { pairs: 20, seed: 3 })
  expect(report.firstConflict).toBeUndefined()
  expect(report).toMatchObject({ pairs: 20, conflicts: 0, wrong: 0 })
  expect(Math.min(...Object.values(report.steps))).toBeGreaterThan(5)
})
