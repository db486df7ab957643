import { expect, it } from 'vitest'
import { dollars, everyDay, milliseconds, runSummary, type UpkeepRunCounts } from './health-model.ts'

it('shows 0 for a day without briefs', () => {
  expect(everyDay(['2026-03-15', '2026-03-16', '2026-03-17'], [{ day: '2026-03-16', tokens: 90 }])).toEqual([
    0, 90, 0,
  ])
})

it('lists only the non-zero counts of an upkeep run', () => {
  const run = { entriesExpired: 2, entriesFaded: 0, sessionsArchived: 1 } as UpkeepRunCounts
  expect(runSummary(run)).toEqual([
    ['entriesExpired', 2],
    ['sessionsArchived', 1],
  ])
})

it('formats times and prices with useful digits', () => {
  expect([milliseconds(3.14), milliseconds(312.4)]).toEqual(['3.1 ms', '312 ms'])
  expect([dollars(0), dollars(1_230), dollars(2_500_000)]).toEqual(['$0.00', '$0.0012', '$2.50'])
})
