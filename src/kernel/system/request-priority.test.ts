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

test('work that nobody waits for begins at once where nobody asks', async () => {
  const { clock, rang } = quickClock()
  await openRequestPriority(clock).turn()
  expect(rang).toEqual([])
})

test('it waits until nobody has asked for a while', async () => {
  const { clock, rang } = quickClock()
  const way = openRequestPriority(clock)
  way.note()
  await way.turn()
  expect(rang).toEqual([700])
})

test('where somebody asks all the time it has its turn after ten seconds', async () => {
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

test('at the end nobody is waited for', async () => {
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

test('who asks while one piece of work follows the other is heard of before the next', async () => {
  const { clock, rang } = quickClock()
  const way = openRequestPriority(clock)
  setImmediate(way.note)
  await way.turn()
  expect(rang).toEqual([700])
})
