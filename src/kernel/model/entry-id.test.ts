import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareIds, newEntryId, timeOfId } from './entry-id.ts'

const zeros = () => 0

describe('newEntryId', () => {
  it('is the time in milliseconds and four characters of base 36', () => {
    const digits = [20, 3, 15, 35]
    expect(newEntryId({ nowMs: 1773679871839, lastMs: 0, random: () => digits.shift() ?? 0 })).toBe(
      '1773679871839-k3fz',
    )
  })

  it('never goes back when the clock does', () => {
    expect(newEntryId({ nowMs: 1000, lastMs: 5000, random: zeros })).toBe('5001-0000')
  })

  it('never repeats within a millisecond', () => {
    expect(newEntryId({ nowMs: 5000, lastMs: 5000, random: zeros })).toBe('5001-0000')
  })

  it('drops fractions of a millisecond', () => {
    expect(newEntryId({ nowMs: 5000.9, lastMs: 0, random: zeros })).toBe('5000-0000')
  })
})

describe('timeOfId', () => {
  it.each([
    ['1773679871839-k3f9', 1773679871839],
    ['1773679871839', 1773679871839],
    ['1773679871839~2', 1773679871839],
    ['7', 7],
    ['my-note', undefined],
    ['2026abc', undefined],
    ['999999999999999', undefined],
    ['', undefined],
  ])('%s → %s', (id, time) => {
    expect(timeOfId(id)).toBe(time)
  })
})

describe('compareIds', () => {
  it('puts the newest first, then the greater suffix, then ids without a number', () => {
    const ids = ['9-a', 'note', '1773679871839', '10-a', '10-b', '0009-b', 'typed-ff']
    expect(ids.sort(compareIds)).toEqual([
      '1773679871839',
      '10-b',
      '10-a',
      '9-a',
      '0009-b',
      'typed-ff',
      'note',
    ])
  })

  it('compares numbers of any length exactly', () => {
    expect(compareIds('90071992547409931', '90071992547409930')).toBe(-1)
  })

  it('is an order: antisymmetric, transitive, and equal only for the same id', () => {
    const id = fc.oneof(fc.stringMatching(/^[0-9]{1,4}(-[a-c]{1,2})?$/), fc.string({ maxLength: 4 }))
    fc.assert(
      fc.property(id, id, id, (a, b, c) => {
        expect(Math.sign(compareIds(a, b)) + Math.sign(compareIds(b, a))).toBe(0)
        expect(compareIds(a, b) === 0).toBe(a === b)
        if (compareIds(a, b) <= 0 && compareIds(b, c) <= 0) expect(compareIds(a, c)).toBeLessThanOrEqual(0)
      }),
    )
  })
})
