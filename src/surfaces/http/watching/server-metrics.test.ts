import { expect, it } from 'vitest'
import { serverMetrics } from './server-metrics.ts'

it('a request that only waits, or listens, is in flight and not under way', () => {
  const metrics = serverMetrics({ version: 'test' })
  const answered = { note: { id: 'r1' }, status: 200, ms: 1 }
  const [search, claim, listen] = [metrics.begin(), metrics.begin(), metrics.begin()]
  const endWait = metrics.beginWait()
  const endStream = metrics.beginStream()
  expect(metrics.underWay()).toBe(1)
  search(answered)
  expect(metrics.underWay()).toBe(0)
  endWait()
  endWait()
  expect(metrics.underWay()).toBe(1)
  claim(answered)
  endStream()
  listen(answered)
  expect(metrics.underWay()).toBe(0)
})
