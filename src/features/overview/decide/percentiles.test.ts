import { expect, it } from 'vitest'
import { percentilesOf } from './percentiles.ts'

it('takes percentiles by nearest rank, whatever the order of the samples', () => {
  const samples = Array.from({ length: 100 }, (_, at) => 100 - at)
  expect(percentilesOf(samples)).toEqual({ p50: 50, p95: 95, p99: 99, count: 100 })
  expect(percentilesOf([7.04])).toEqual({ p50: 7, p95: 7, p99: 7, count: 1 })
})

it('says nothing of no samples, and leaves out what is no time', () => {
  expect(percentilesOf([])).toBeUndefined()
  expect(percentilesOf([Number.NaN, -1, 2])).toEqual({ p50: 2, p95: 2, p99: 2, count: 1 })
})
