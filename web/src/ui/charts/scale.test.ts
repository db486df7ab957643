import { expect, it } from 'vitest'
import { labelled, linePath, ticksTo } from './scale.ts'

it('divides an axis in steps that people count in', () => {
  expect(ticksTo(7)).toEqual([0, 2, 4, 6, 8])
  expect(ticksTo(120)).toEqual([0, 50, 100, 150])
  expect(ticksTo(1)).toEqual([0, 1])
  expect(ticksTo(0)).toEqual([0, 1])
  expect(ticksTo(0.3)).toEqual([0, 0.1, 0.2, 0.3])
})

it('writes as many labels as there is room for, and always the last', () => {
  expect([...labelled(30, 4)].sort((a, b) => a - b)).toEqual([5, 13, 21, 29])
  expect([...labelled(2, 10)].sort((a, b) => a - b)).toEqual([0, 1])
})

it('draws a line through points', () => {
  expect(
    linePath([
      [0, 10],
      [5, 4.04],
    ]),
  ).toBe('M0,10 L5,4')
})
