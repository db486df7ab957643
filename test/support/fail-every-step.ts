import { cpSync } from 'node:fs'
import { expect } from 'vitest'
import { composeEngine } from '../../src/compose/compose.ts'
import type { ComposedCheckout } from '../../src/compose/composed.ts'
import { failingDisk } from './failing-disk.ts'
import { scratchProject } from './scratch-project.ts'

/** How a disk fails in the tests that fail each of its steps; the second is a process that dies. */
export const WAYS_TO_FAIL: readonly (readonly [name: string, forGood: boolean])[] = [
  ['once', false],
  ['and every step after it, as when the process dies', true],
]

/**
 * Does it once on a copy of the project, then again on a fresh copy for each disk step it took, with that step failing. After each, the
 * state that a later process finds is the old one or the new one, and the new one where the work said that it was done.
 */
export async function failEveryStep({
  original,
  act,
  stateOf,
  forGood,
  leastSteps = 1,
  afterEach,
}: {
  readonly original: string
  readonly act: (engine: ComposedCheckout) => Promise<unknown>
  readonly stateOf: (root: string) => Promise<string>
  readonly forGood: boolean
  /** Fewer would mean that the disk was not gone through. */
  readonly leastSteps?: number
  readonly afterEach?: (root: string, found: 'before' | 'after') => unknown
}): Promise<void> {
  const before = await stateOf(original)
  const copy = () => {
    const root = scratchProject()
    cpSync(original, root, { recursive: true })
    return root
  }
  const succeeded = copy()
  const whole = failingDisk(Number.POSITIVE_INFINITY, { forGood })
  const engine = composeEngine({ root: succeeded, disk: whole.disk })
  await act(engine)
  await engine.close()
  const after = await stateOf(succeeded)
  expect(after).not.toBe(before)
  expect(whole.steps()).toBeGreaterThanOrEqual(leastSteps)
  for (let failAt = 1; failAt <= whole.steps(); failAt++) {
    const root = copy()
    const failing = composeEngine({ root, disk: failingDisk(failAt, { forGood }).disk })
    const isDone = await act(failing).then(
      () => true,
      () => false,
    )
    await failing.close()
    const found = await stateOf(root)
    if (isDone) expect(found, `step ${failAt}`).toBe(after)
    else expect([before, after], `step ${failAt}`).toContain(found)
    await afterEach?.(root, found === after ? 'after' : 'before')
  }
}
