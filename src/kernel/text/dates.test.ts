import { expect, test } from 'vitest'
import { dateTokens, utcMinute } from './dates.ts'

test('a moment is written to the minute, in UTC', () => {
  expect(utcMinute(Date.UTC(2026, 2, 6, 4, 5, 59))).toBe('2026-03-06T04:05')
  expect(utcMinute(Date.UTC(2026, 11, 31, 23, 59))).toBe('2026-12-31T23:59')
})

test('a day is found by its year, month, number and name', () => {
  expect(dateTokens('2026-03-16T16:51')).toEqual(['2026', '202603', '20260316', '16', 'march', 'marc'])
})
