import { expect, it } from 'vitest'
import { backgroundPace } from './background-pace.ts'

/** Alarms that the test triggers. */
function handClock() {
  const alarms: { readonly ms: number; pass(): void }[] = []
  const settle = () => new Promise(resolve => setImmediate(resolve))
  return {
    alarms,
    settle,
    alarm(ms: number) {
      let pass: () => void = () => undefined
      const passed = new Promise<void>(resolve => {
        pass = resolve
      })
      alarms.push({ ms, pass })
      return { passed, cancel: () => undefined }
    },
    async pass() {
      alarms.at(-1)?.pass()
      await settle()
    },
  }
}

it('lets one after the other go, and everybody when it ends', async () => {
  const clock = handClock()
  const pace = backgroundPace(clock)
  const went: string[] = []
  const turns = ['a', 'b', 'c'].map(name => pace.turn().then(() => went.push(name)))
  await clock.settle()
  expect(clock.alarms).toHaveLength(1)
  await clock.pass()
  await turns[0]
  await clock.settle()
  expect([went, clock.alarms.length]).toEqual([['a'], 2])
  pace.end()
  await Promise.all(turns)
  expect(went).toEqual(['a', 'b', 'c'])
})

it('waits while somebody is answered, and not for ever', async () => {
  const clock = handClock()
  const pace = backgroundPace(clock)
  let isAnswering = true
  pace.giveWayTo(() => isAnswering)
  let went = 0
  const go = () => {
    pace.turn().then(() => went++)
    return clock.settle()
  }
  await go()
  await clock.pass()
  await clock.pass()
  expect(went).toBe(0)
  isAnswering = false
  await clock.pass()
  expect(went).toBe(1)

  isAnswering = true
  await go()
  let waited = 0
  while (went < 2 && waited < 10_000) {
    waited += clock.alarms.at(-1)?.ms ?? 0
    await clock.pass()
  }
  expect([went, waited]).toEqual([2, 1_000])
})
