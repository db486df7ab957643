import { expect, test } from 'vitest'
import { addSample, assess, limitsFor } from './slo.ts'

const window = (millis: number, count = 100) => Array.from({ length: count }, () => millis)

test('is healthy below 200 ms and degraded above 300 ms', () => {
  expect(assess(window(199))).toEqual({ state: 'healthy', p95: 199 })
  expect(assess(window(301))).toEqual({ state: 'degraded', p95: 301 })
})

test('stays what it was in between', () => {
  expect(assess(window(250), 'healthy').state).toBe('healthy')
  expect(assess(window(250), 'degraded').state).toBe('degraded')
  expect(assess(window(250), 'insufficient').state).toBe('healthy')
  expect(assess(window(300), 'healthy').state).toBe('healthy')
  expect(assess(window(200), 'degraded').state).toBe('degraded')
})

test('needs five samples to say anything', () => {
  expect(assess(window(900, 4), 'degraded')).toEqual({ state: 'insufficient' })
  expect(assess(window(900, 5)).state).toBe('degraded')
})

test('forgives five slow ones in a hundred, not six', () => {
  expect(assess([...window(10, 95), ...window(900, 5)])).toEqual({ state: 'healthy', p95: 10 })
  expect(assess([...window(10, 94), ...window(900, 6)])).toEqual({ state: 'degraded', p95: 900 })
})

test('looks at the last hundred, and at numbers only', () => {
  expect(assess([...window(900), ...window(10)]).state).toBe('healthy')
  expect(assess([Number.NaN, -1, Infinity, ...window(10, 5)])).toEqual({ state: 'healthy', p95: 10 })
  expect(addSample(window(1), 2)).toEqual([...window(1, 99), 2])
})

test('looks less far while it is slow', () => {
  expect(limitsFor('degraded')).toEqual({ topK: 5, maxCandidates: 100 })
  expect(limitsFor('healthy')).toEqual({ topK: 15, maxCandidates: 500 })
  expect(limitsFor('insufficient')).toEqual({ topK: 15, maxCandidates: 500 })
})
