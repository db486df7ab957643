import { expect, it } from 'vitest'
import type { Entry } from '../../../kernel/model/entry.ts'
import type { JournalRecord } from '../../../kernel/model/journal.ts'
import { countRecord, growthOf, percentilesOf } from './figures.ts'

const entry = { id: '1-a' } as Entry
const record = (changes: JournalRecord['changes']): JournalRecord => ({
  id: '1-a',
  at: '2026-11-16T10:00:00.000Z',
  action: 'update',
  by: { host: 'test' },
  changes,
})

it('counts what came and went, and not what was reworded or moved', () => {
  expect(
    countRecord(
      record([
        { type: 'entry', before: null, after: entry },
        { type: 'entry', before: null, after: entry },
        { type: 'entry', before: entry, after: null },
        { type: 'entry', before: entry, after: entry },
        { type: 'entry', before: entry, after: entry, from: 'dev/lessons.md' },
        { type: 'document', name: 'config.json', edits: [] },
      ]),
    ),
  ).toEqual({ added: 2, removed: 1 })
})

it('works the days out backwards from what there is now', () => {
  const byDay = new Map([
    ['2026-11-16', { added: 3, removed: 1 }],
    ['2026-11-14', { added: 4, removed: 0 }],
  ])
  expect(growthOf(byDay, { days: 4, today: '2026-11-16', total: 10 })).toEqual([
    { day: '2026-11-13', entries: 4, added: 0, removed: 0 },
    { day: '2026-11-14', entries: 8, added: 4, removed: 0 },
    { day: '2026-11-15', entries: 8, added: 0, removed: 0 },
    { day: '2026-11-16', entries: 10, added: 3, removed: 1 },
  ])
})

it('takes percentiles by nearest rank, whatever the order of the samples', () => {
  const samples = Array.from({ length: 100 }, (_, at) => 100 - at)
  expect(percentilesOf(samples)).toEqual({ p50: 50, p95: 95, p99: 99, count: 100 })
  expect(percentilesOf([7.04])).toEqual({ p50: 7, p95: 7, p99: 7, count: 1 })
})

it('says nothing of no samples, and leaves out what is no time', () => {
  expect(percentilesOf([])).toBeUndefined()
  expect(percentilesOf([Number.NaN, -1, 2])).toEqual({ p50: 2, p95: 2, p99: 2, count: 1 })
})
