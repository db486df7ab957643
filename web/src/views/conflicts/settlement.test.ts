import { expect, it } from 'vitest'
import { type Pair, recordOfDecision, settlementOf, wordsAsWritten } from './settlement.ts'

const entry = (id: string, content: string) => ({ id, content }) as Pair['older']
const pair = {
  id: '4f09ab',
  type: 'contradictory',
  detectedAt: 0,
  reason: { code: 'negation', words: ['session', 'redi', 'live'] },
  older: entry('a', 'Sessions live in Redis.'),
  newer: entry('b', 'Sessions do not live in Redis.'),
} satisfies Pair

it('says to the route what a person chose', () => {
  expect(settlementOf('keepNewer', pair)).toEqual({ pair: 'a', other: 'b', supersede: 'a' })
  expect(settlementOf('keepOlder', pair)).toEqual({ pair: 'a', other: 'b', keep: 'a' })
  expect(settlementOf('removeOlder', pair)).toEqual({ pair: 'a', other: 'b', keep: 'b', remove: true })
  expect(settlementOf('removeNewer', pair)).toEqual({ pair: 'a', other: 'b', keep: 'a', remove: true })
  expect(settlementOf('keepBoth', pair)).toEqual({ pair: 'a', other: 'b', both: true })
  expect(settlementOf('notAConflict', pair)).toEqual({ pair: 'a', other: 'b', notAConflict: true })
})

it('finds the record of a decision by its moment, and none that was taken back or is about something else', () => {
  const at = Date.parse('2026-03-16T10:00:00.000Z')
  const record = (id: string, when: string, more: object = {}) => ({
    id,
    at: `2026-03-16T10:00:${when}Z`,
    action: 'resolve' as const,
    by: { host: 'http' },
    undone: false,
    changes: 1,
    entries: [],
    ...more,
  })
  const far = record('far', '09.000')
  const near = record('near', '00.004')
  expect(recordOfDecision([far, near, record('other', '00.000', { action: 'feedback' })], at)).toBe('near')
  expect(recordOfDecision([far, { ...near, undone: true }], at)).toBe(undefined)
})

it('tells words as the entries have them', () => {
  expect(wordsAsWritten(pair)).toEqual(['Sessions', 'Redis', 'live'])
})
