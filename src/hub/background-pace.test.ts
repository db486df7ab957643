import { expect, it } from 'vitest'
import { backgroundPace } from './background-pace.ts'

it('lets one after the other go, and everybody when it ends', async () => {
  const alarms: (() => void)[] = []
  const pace = backgroundPace({
    alarm: () => {
      let pass: () => void = () => undefined
      const passed = new Promise<void>(resolve => {
        pass = resolve
      })
      alarms.push(pass)
      return { passed, cancel: () => undefined }
    },
  })
  const went: string[] = []
  const turns = ['a', 'b', 'c'].map(name => pace.turn().then(() => went.push(name)))
  await new Promise(resolve => setImmediate(resolve))
  expect(alarms).toHaveLength(1)
  alarms[0]?.()
  await turns[0]
  await new Promise(resolve => setImmediate(resolve))
  expect([went, alarms.length]).toEqual([['a'], 2])
  pace.end()
  await Promise.all(turns)
  expect(went).toEqual(['a', 'b', 'c'])
})
