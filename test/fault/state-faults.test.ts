import { readdirSync } from 'node:fs'
import * as path from 'node:path'
import { expect, it } from 'vitest'
import { composeEngine } from '../../src/compose/compose.ts'
import { CairnError } from '../../src/kernel/model/errors.ts'
import { bundle, checkpointOf, stateOf } from '../contract/state-files.contract.ts'
import { failingDisk } from '../support/failing-disk.ts'
import { scratchProject, writeIn } from '../support/scratch-project.ts'

const OLD = stateOf(bundle('Old.'), 'first')
const NEW_CHECKPOINT = checkpointOf('2026-03-17T12-00-00-000Z-b', bundle('New.'))
const NEW = stateOf(bundle('New.'), NEW_CHECKPOINT.id)
const MAX_STEPS = 40

it.each([
  ['once', false],
  ['for good, as when the process dies', true],
])(
  'a disk step that fails %s leaves the old state or the new one, with the checkpoint that it names',
  async (_name, forGood) => {
    let failures = 0
    for (let failAt = 1; failAt <= MAX_STEPS; failAt++) {
      const root = scratchProject()
      const first = composeEngine({ root })
      await first.state.update(async () => ({
        state: OLD,
        checkpoint: checkpointOf('first', bundle('Old.')),
      }))
      await first.close()
      const engine = composeEngine({ root, disk: failingDisk(failAt, { forGood }).disk })
      const error = await engine.state
        .update(async () => ({ state: NEW, checkpoint: NEW_CHECKPOINT }))
        .then(
          () => undefined,
          (failure: unknown) => failure,
        )
      await engine.close()
      if (error !== undefined) {
        failures++
        expect(error).toBeInstanceOf(CairnError)
      }

      const next = composeEngine({ root })
      const reading = await next.state.read()
      const hash = reading.kind === 'read' ? reading.state.bundleHash : reading.kind
      expect(error === undefined ? [NEW.bundleHash] : [OLD.bundleHash, NEW.bundleHash]).toContain(hash)
      const named = reading.kind === 'read' ? reading.state.maintenance.latestCheckpointId : undefined
      expect((await next.state.readCheckpoint(named ?? ''))?.kind).toBe('read')
      // And it goes on from there.
      await next.state.update(async () => ({ state: NEW, checkpoint: NEW_CHECKPOINT }))
      expect((await next.state.read()).kind).toBe('read')
      await next.close()
    }
    expect(failures).toBeGreaterThan(4)
  },
)

it('a damaged state is there, or kept beside the new one, whichever step fails', async () => {
  for (let failAt = 1; failAt <= MAX_STEPS; failAt++) {
    const root = scratchProject()
    writeIn(root, '.memory/state.json', '{"torn')
    const engine = composeEngine({ root, disk: failingDisk(failAt, { forGood: true }).disk })
    await engine.state
      .update(async () => ({ state: NEW }))
      .catch((failure: unknown) => {
        expect(failure).toBeInstanceOf(CairnError)
      })
    await engine.close()
    const names = readdirSync(path.join(root, '.memory')).filter(name =>
      /^state\.json(?:\.damaged-\d+)?$/.test(name),
    )
    const next = composeEngine({ root })
    const reading = await next.state.read()
    await next.close()
    expect(reading.kind === 'damaged' || (reading.kind === 'read' && names.length === 2)).toBe(true)
  }
})
