import { expect, test } from 'vitest'
import { editDistance } from './edit-distance.ts'

test.each([
  ['cache', 'cache', 0],
  ['cahce', 'cache', 1],
  ['cach', 'cache', 1],
  ['caache', 'cache', 1],
  ['cacke', 'cache', 1],
  ['reqest', 'requests', 2],
])('from %s to %s it is %i', (a, b, distance) => {
  expect(editDistance(a, b, 2)).toBe(distance)
  expect(editDistance(b, a, 2)).toBe(distance)
})

test('gives up beyond the limit', () => {
  expect(editDistance('kafka', 'postgres', 2)).toBe(3)
  expect(editDistance('abcdef', 'fedcba', 1)).toBe(2)
})
