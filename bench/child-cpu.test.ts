import { expect, it } from 'vitest'
import { parseTimes } from './child-cpu.ts'

it('reads the CPU of the children from what a shell prints', () => {
  expect(parseTimes('0m0.002s 0m0.003s\n0m0.301s 0m0.098s\n')).toBeCloseTo(399, 6)
  expect(parseTimes('0m0.00s 0m0.00s\n1m2.50s 0m0.25s\n')).toBeCloseTo(62_750, 6)
})

it('refuses anything else', () => {
  expect(() => parseTimes('times: not found')).toThrow('not found')
})
