import { expect, it } from 'vitest'
import { type Pair, resolutionOf } from './resolution.ts'

const entry = (id: string, content: string) => ({ id, content }) as Pair['older']
const pair = {
  id: '4f09ab',
  type: 'contradictory',
  detectedAt: 0,
  reason: { code: 'value', words: ['session', 'redi', 'live'] },
  older: entry('a', 'Sessions live in Redis.'),
  newer: entry('b', 'Sessions do not live in Redis.'),
} satisfies Pair

it('converts a decision to the input of the route', () => {
  expect(resolutionOf('keepNewer', pair)).toEqual({ pair: 'a', other: 'b', supersede: 'a' })
  expect(resolutionOf('keepOlder', pair)).toEqual({ pair: 'a', other: 'b', keep: 'a' })
  expect(resolutionOf('removeOlder', pair)).toEqual({ pair: 'a', other: 'b', keep: 'b', remove: true })
  expect(resolutionOf('removeNewer', pair)).toEqual({ pair: 'a', other: 'b', keep: 'a', remove: true })
  expect(resolutionOf('keepBoth', pair)).toEqual({ pair: 'a', other: 'b', both: true })
  expect(resolutionOf('notAConflict', pair)).toEqual({ pair: 'a', other: 'b', notAConflict: true })
})
