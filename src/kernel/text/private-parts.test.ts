import { expect, it } from 'vitest'
import { withoutClosedPrivate, withoutPrivate } from './private-parts.ts'

it.each([
  ['a <private>b</private> c', 'a [private] c', 'a [private] c'],
  ['a < PRIVATE >b</ private> c <private>d', 'a [private] c [private]', 'a [private] c <private>d'],
  ['a</private> b', '[private] b', 'a</private> b'],
  ['<private>a <b>c</b></private> d', '[private] d', '[private] d'],
  ['Map<string> stays', 'Map<string> stays', 'Map<string> stays'],
])('%j', (text, all, closed) => {
  expect(withoutPrivate(text)).toBe(all)
  expect(withoutClosedPrivate(text)).toBe(closed)
})

it('takes time in proportion to the length of a text', () => {
  for (const unit of ['<private>', '<private', '< ', '<private>a</privat', '</private>'])
    expect(withoutClosedPrivate(unit.repeat(50_000)).length).toBeGreaterThan(0)
})
