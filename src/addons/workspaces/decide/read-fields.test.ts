import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isDate } from './read-fields.ts'

describe('a date', () => {
  it('is a day that there is', () => {
    const two = (most: number) => fc.integer({ min: 0, max: most }).map(n => String(n).padStart(2, '0'))
    const year = fc.integer({ min: 0, max: 9_999 }).map(n => String(n).padStart(4, '0'))
    fc.assert(
      fc.property(year, two(15), two(35), (yyyy, mm, dd) => {
        const text = `${yyyy}-${mm}-${dd}`
        const day = new Date(`${text}T00:00:00Z`)
        const isThere = !Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === text
        expect(isDate(text)).toBe(isThere && yyyy !== '0000')
      }),
      { numRuns: 2_000 },
    )
  })

  it('is written as YYYY-MM-DD and no other way', () => {
    const texts = ['2026-2-8', '2026-02-08 ', '26-02-08', '2026/02/08', '2026-02-08T00:00:00Z', '']
    expect(texts.filter(isDate)).toEqual([])
    expect(['2024-02-29', '2000-02-29', '2026-12-31'].filter(isDate)).toHaveLength(3)
    expect(['2026-02-29', '1900-02-29', '2026-04-31'].filter(isDate)).toEqual([])
  })
})
