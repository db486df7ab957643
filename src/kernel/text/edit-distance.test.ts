import fc from 'fast-check'
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

test('agrees with the plain recursion', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é'), maxLength: 6 })
  fc.assert(
    fc.property(word, word, fc.constantFrom(1, 2), (a, b, limit) => {
      expect(editDistance(a, b, limit)).toBe(Math.min(plainDistance(a, b), limit + 1))
    }),
  )
})

function plainDistance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length
  const options = [
    plainDistance(a.slice(1), b) + 1,
    plainDistance(a, b.slice(1)) + 1,
    plainDistance(a.slice(1), b.slice(1)) + (a[0] === b[0] ? 0 : 1),
  ]
  if (a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0]) {
    options.push(plainDistance(a.slice(2), b.slice(2)) + 1)
  }
  return Math.min(...options)
}
