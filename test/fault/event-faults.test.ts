import { describe, expect, it } from 'vitest'
import { composeEngine } from '../../src/compose/compose.ts'
import type { EventLog } from '../../src/features/sessions/decide/event-log.ts'
import { CairnError } from '../../src/kernel/model/errors.ts'
import { event } from '../contract/event-log.contract.ts'
import { failingDisk } from '../support/failing-disk.ts'
import { scratchProject } from '../support/scratch-project.ts'

const MAX_STEPS = 40

async function idsIn(root: string): Promise<{ ids: string[]; damaged: number }> {
  const engine = composeEngine({ root })
  const ids: string[] = []
  let damaged = 0
  for await (const { id } of engine.events.read(() => damaged++)) ids.push(id)
  await engine.close()
  return { ids, damaged }
}

/** Enough that the table of hashes is written too. */
const EVENTS = Array.from({ length: 400 }, (_, n) => event(n))
const idsOf = (events: readonly { id: string }[]) => events.map(({ id }) => id)

const CASES: readonly { name: string; act: (log: EventLog) => Promise<unknown>; after: readonly string[] }[] =
  [
    {
      name: 'appending',
      act: log => log.append([event(1), event(500), event(501)]),
      after: idsOf([...EVENTS, event(500), event(501)]),
    },
    {
      name: 'removing',
      act: log => log.remove(new Set(idsOf(EVENTS.slice(0, 100)))),
      after: idsOf(EVENTS.slice(100)),
    },
  ]

describe.each(CASES)('$name, when the nth step on the disk fails', ({ act, after }) => {
  it.each([false, true])('leaves the old log or the new one (for good: %s)', async forGood => {
    for (let failAt = 1; failAt <= MAX_STEPS; failAt++) {
      const root = scratchProject()
      const first = composeEngine({ root })
      await first.events.append(EVENTS)
      await first.close()
      const failing = failingDisk(failAt, { forGood })
      const engine = composeEngine({ root, disk: failing.disk })
      const error = await act(engine.events).then(
        () => undefined,
        (failure: unknown) => failure,
      )
      await engine.close()
      const { ids, damaged } = await idsIn(root)
      if (error === undefined) expect(ids).toEqual(after)
      else {
        expect(error).toBeInstanceOf(CairnError)
        // Of an append by a process that could not even take back its half, whole lines may be there.
        expect(after.slice(0, ids.length).join() === ids.join() || ids.length === EVENTS.length).toBe(true)
        expect(damaged).toBeLessThanOrEqual(forGood ? 1 : 0)
      }
      // And it goes on from there.
      const again = composeEngine({ root })
      await act(again.events)
      await again.close()
      expect((await idsIn(root)).ids).toEqual(after)
      if (error === undefined && failing.steps() < failAt) return
    }
    throw new Error('more steps than expected')
  })
})
