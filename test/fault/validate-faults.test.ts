import { existsSync, utimesSync } from 'node:fs'
import * as path from 'node:path'
import { expect, it } from 'vitest'
import { applyMends, planMends, validateMemory } from '../../src/features/validate/validate-memory.ts'
import { openAt } from '../support/aged-vault.ts'
import { failingDisk } from '../support/failing-disk.ts'
import { readIn, scratchProject } from '../support/scratch-project.ts'
import { NOW_MS, soundMemory } from '../support/sound-memory.ts'

const BEFORE = 'history/\n'
const AFTER =
  'history/\nprivate/\nconversations/\nsessions/\nsources.json\n.vault/\narchive/\nstate.json\n*.cairn-tmp\n'
const LEFTOVER = '.memory/shared/tasks.md.cairn-tmp'

it('mending leaves each file as it was or as it should be, whichever step fails', async () => {
  let steps = 1
  for (let failAt = 1; failAt <= steps + 1; failAt++) {
    const root = scratchProject({
      ...soundMemory(),
      '.memory/.gitignore': BEFORE,
      [LEFTOVER]: 'half',
    })
    utimesSync(path.join(root, LEFTOVER), 1, 1)
    const { disk, steps: taken } = failingDisk(failAt, { forGood: true })
    const engine = openAt(root, NOW_MS, { disk })
    const plans = planMends((await validateMemory(engine, {})).findings)
    expect(plans.length).toBe(2)
    const failure = await applyMends(engine, plans).then(
      () => undefined,
      (error: unknown) => error,
    )
    steps = Math.max(steps, taken())
    await engine.close()
    expect([BEFORE, AFTER]).toContain(readIn(root, '.memory/.gitignore'))
    expect(existsSync(path.join(root, '.memory/shared/lessons.md'))).toBe(true)
    if (failure === undefined) expect(existsSync(path.join(root, LEFTOVER))).toBe(false)

    // Whoever comes next can finish it.
    const next = openAt(root, NOW_MS)
    await applyMends(next, planMends((await validateMemory(next, {})).findings))
    expect((await validateMemory(next, {})).findings).toEqual([])
    await next.close()
  }
  expect(steps).toBeGreaterThan(3)
})
