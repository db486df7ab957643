import { expect, it } from 'vitest'
import { fittingSummaries } from './fitting-summaries.ts'

const retry = { summary: 'Asked for “make the partner gateway retry with backoff”. 2 findings.' }
const theme = { summary: 'Asked for “dark theme for the settings page”. Nothing was found.' }

it('tells the summaries that speak of what is asked, and no others', () => {
  expect(fittingSummaries('why does the partner gateway not retry?', [theme, retry])).toEqual([retry])
  expect(fittingSummaries('add a changelog entry', [theme, retry])).toEqual([])
  expect(fittingSummaries('hi', [theme, retry])).toEqual([])
})

it('asks a long prompt for no more than eight words', () => {
  const long = `In the partner gateway the retry with backoff does not work when the upstream answers slowly, the log has timeouts, please look at metrics, dashboards, alerts, queues, workers and batches`
  expect(fittingSummaries(long, [theme, retry])).toEqual([retry])
})

it('tells two at most, the best first', () => {
  const other = { summary: 'Asked for “gateway retry”. 1 finding.' }
  const third = { summary: 'Asked for “retry of the gateway tests”. 1 finding.' }
  expect(fittingSummaries('retry of the partner gateway with backoff', [other, retry, third])).toEqual([
    retry,
    other,
  ])
})
