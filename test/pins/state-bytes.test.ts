import { expect, test } from 'vitest'
import { composeEngine } from '../../src/compose/compose.ts'
import { bundleHashOf } from '../../src/kernel/system/digest.ts'
import { bundle, checkpointOf, stateOf } from '../contract/state-files.contract.ts'
import { readIn, scratchProject } from '../support/scratch-project.ts'

test('the hash of a bundle', () => {
  expect(bundleHashOf(bundle('Mind the gap.'))).toBe(
    'a5357ec903406e4dfcdd9493d89172599f70926f1f1ef4e0efcea1d6993539de',
  )
  const { project, ...rest } = bundle('Mind the gap.')
  expect(bundleHashOf({ ...rest, project: { description: 'Sells things.', name: project.name } })).toBe(
    bundleHashOf(bundle('Mind the gap.')),
  )
})

test('the fields of state.json and of a checkpoint, in their order', async () => {
  const root = scratchProject()
  const engine = composeEngine({ root })
  const checkpoint = checkpointOf('2026-03-16T12-00-00-000Z-a', bundle('Mind the gap.'))
  await engine.state.update(async () => ({
    state: stateOf(bundle('Mind the gap.'), checkpoint.id),
    checkpoint,
  }))
  await engine.close()
  const state = JSON.parse(readIn(root, '.memory/state.json'))
  expect(Object.keys(state)).toEqual([
    'schemaVersion',
    'generatorVersion',
    'provider',
    'generatedAt',
    'bundleHash',
    'bundle',
    'maintenance',
  ])
  expect(Object.keys(state.bundle)).toEqual([
    'project',
    'projectMap',
    'currentFocus',
    'gotchas',
    'nextSteps',
    'validationCommands',
  ])
  expect(Object.keys(state.maintenance)).toEqual([
    'lastRecalledAt',
    'lastRecalledEventId',
    'latestCheckpointId',
    'historyEventCount',
    'importSourceCount',
    'recallCursors',
  ])
  expect(Object.keys(JSON.parse(readIn(root, `.memory/history/checkpoints/${checkpoint.id}.json`)))).toEqual([
    'schemaVersion',
    'id',
    'createdAt',
    'bundleHash',
    'reason',
    'bundle',
  ])
})
