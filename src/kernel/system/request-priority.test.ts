import { expect, test } from 'vitest'
import { openRequestPriority } from './request-priority.ts'

/** A clock whose alarms fire immediately and advance the time. */
function quickClock() {
  let nowMs = 1_000
  const rang: number[] = []
  return {
    rang,
    clock: {
      nowMs: () => nowMs,
      alarm(ms: number) {
        nowMs += ms
        rang.push(ms)
        return { passed: Promise.resolve(), cancel: () => undefined }
      },
    },
  }
}

test('background work starts immediately without requests', async () => {
  const { clock, rang } = quickClock()
  await openRequestPriority(clock).turn()
  expect(rang).toEqual([])
})

test('background work waits until there was no request for a while', async () => {
  const { clock, rang } = quickClock()
  const way = openRequestPriority(clock)
  way.note()
  await way.turn()
  expect(rang).toEqual([700])
})

test('with constant requests background work gets a turn after ten seconds', async () => {
  const { clock, rang } = quickClock()
  const way = openRequestPriority({
    ...clock,
    alarm(ms) {
      const alarm = clock.alarm(ms)
      way.note()
      return alarm
    },
  })
  way.note()
  await way.turn()
  expect(rang.reduce((sum, ms) => sum + ms, 0)).toBe(10_000)
})

test('background work waits for no request after the end', async () => {
  const { clock } = quickClock()
  const way = openRequestPriority({
    ...clock,
    alarm: () => ({ passed: new Promise(() => undefined), cancel: () => undefined }),
  })
  way.note()
  const turn = way.turn()
  way.end()
  await turn
  expect(clock.nowMs()).toBe(1_000)
})

test('a request between two pieces of background work delays the second one', async () => {
  const { clock, rang } = quickClock()
  const way = openRequestPriority(clock)
  setImmediate(way.note)
  await way.turn()
  expect(rang).toEqual([700])
})
