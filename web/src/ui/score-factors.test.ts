import { expect, it } from 'vitest'
import { reachOf } from './score-factors.tsx'

it('draws a factor as long as its inverse, within the bar', () => {
  expect([reachOf(1), reachOf(2), reachOf(0.5)]).toEqual([0, 1, -1])
  expect(reachOf(1.25)).toBeCloseTo(-reachOf(0.8))
  expect([reachOf(8), reachOf(0.01), reachOf(0), reachOf(Number.NaN)]).toEqual([1, -1, -1, -1])
})
