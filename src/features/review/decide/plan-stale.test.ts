import { describe, expect, it } from 'vitest'
import { withDismissals } from './dismissals.ts'
import { planStaleReview, type StaleState } from './plan-stale.ts'
import type { ReviewedEntry } from './review-index.ts'

const NOW_MS = Date.parse('2026-11-15T12:00:00Z')
const DAY_MS = 86_400_000
const SETTINGS = { mostEntries: 50, keepEntries: 20, pageBytes: 262_144, unusedDays: 90 }

function entry(id: string, more: Partial<ReviewedEntry> = {}): ReviewedEntry {
  return {
    id,
    agent: 'dev',
    category: 'lessons',
    kind: 'discovery',
    status: 'candidate',
    origin: 'machine',
    date: '2026-01-01T10:00',
    path: 'dev/lessons.md',
    text: `About ${id}.`,
    bytes: 20,
    fingerprint: `print of ${id}`,
    accessCount: 0,
    ...more,
  }
}

function plan(entries: readonly ReviewedEntry[], more: Partial<StaleState> = {}) {
  return planStaleReview(
    {
      nowMs: NOW_MS,
      entries,
      freshnessById: new Map(),
      supersededById: new Map(),
      contradicted: [],
      confirmedMsById: new Map(),
      usefulIds: new Set(),
      damagedPaths: new Set(),
      dismissals: {},
      ...more,
    },
    SETTINGS,
  )
}
const told = (entries: readonly ReviewedEntry[], more: Partial<StaleState> = {}) =>
  plan(entries, more).proposals.map(({ kind, what, reasons, byNameOnly }) => [
    kind,
    what,
    reasons.map(({ code }) => code).join(' '),
    byNameOnly ? 'by name' : 'any',
  ])
const GONE = { state: 'orphaned', files: [{ file: 'src/a.ts', what: 'gone' }] } as const
const CHANGED = { state: 'drifted', files: [{ file: 'src/a.ts', what: 'changed' }] } as const

describe('an entry that was never used', () => {
  it.each<[string, Partial<ReviewedEntry>, unknown[]]>([
    ['captured', {}, [['archive', 'a', 'unused', 'any']]],
    ['captured and confirmed', { status: 'confirmed' }, [['confirm', 'a', 'unused', 'by name']]],
    ["a person's", { origin: 'person' }, [['confirm', 'a', 'unused', 'by name']]],
    ['pinned: it is told every time', { status: 'pinned' }, []],
    ['fetched once', { accessCount: 1 }, []],
    ['changed since', { updated: '2026-11-01T10:00:00' }, []],
    ['first seen here last week', { lastAccessMs: NOW_MS - 7 * DAY_MS }, []],
    ['90 days old', { date: '2026-08-17T12:00' }, []],
    ['91 days old', { date: '2026-08-16T11:00' }, [['archive', 'a', 'unused', 'any']]],
    ['of the future', { date: '2027-01-01T10:00' }, []],
    ['without a date that can be read', { date: 'soon' }, []],
  ])('%s', (_, more, expected) => {
    expect(told([entry('a', more)])).toEqual(expected)
  })

  it('and that a person vouched for, or found useful, is not named', () => {
    expect(told([entry('a')], { confirmedMsById: new Map([['a', 1]]) })).toEqual([])
    expect(told([entry('a')], { usefulIds: new Set(['a']) })).toEqual([])
  })
})

describe('an entry whose files are not as they were', () => {
  const used = { accessCount: 3 }
  it.each([
    ['changed', used, CHANGED, [['confirm', 'a', 'drifted', 'by name']]],
    ['gone, and it was used', used, GONE, [['confirm', 'a', 'orphaned', 'by name']]],
    ['gone, and nobody ever used it', {}, GONE, [['archive', 'a', 'orphaned unused', 'any']]],
    ['changed, and nobody ever used it', {}, CHANGED, [['confirm', 'a', 'drifted unused', 'by name']]],
  ])('%s', (_, more, freshness, expected) => {
    expect(told([entry('a', more)], { freshnessById: new Map([['a', freshness]]) })).toEqual(expected)
  })
})

describe('a superseded entry', () => {
  const supersededById = new Map([['a', { by: 'b', atMs: 1_000 }]])
  const used = { accessCount: 1 }

  it('goes to the archive, by name where it is a person’s', () => {
    expect(told([entry('a', used)], { supersededById })).toEqual([['archive', 'a', 'superseded', 'any']])
    expect(told([entry('a', { ...used, origin: 'person' })], { supersededById })).toEqual([
      ['archive', 'a', 'superseded', 'by name'],
    ])
  })

  it('stays when a person said since that it holds', () => {
    expect(told([entry('a', used)], { supersededById, confirmedMsById: new Map([['a', 2_000]]) })).toEqual([])
    expect(told([entry('a', used)], { supersededById, confirmedMsById: new Map([['a', 500]]) })).toEqual([
      ['archive', 'a', 'superseded', 'by name'],
    ])
  })
})

it('proposes to settle what is contradicted, by name', () => {
  const pair = { older: 'a', newer: 'b', conflict: 'contradictory', holds: 'b' }
  const [first] = plan([entry('a', { accessCount: 1 }), entry('b', { accessCount: 1 })], {
    contradicted: [pair],
  }).proposals
  expect(first).toMatchObject({
    kind: 'settle',
    what: 'a',
    does: { kind: 'settle', holds: 'b', retires: 'a' },
    byNameOnly: true,
  })
})

describe('a file with too many entries', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => entry(`${1_000 + n}-aaaa`, { accessCount: 1 }))

  it('is to be split', () => {
    expect(told(many(51))).toEqual([['split', 'dev/lessons.md', 'too_many_entries', 'any']])
    expect(told(many(50))).toEqual([])
  })

  it('waits when it must be mended first', () => {
    expect(told(many(51), { damagedPaths: new Set(['dev/lessons.md']) })).toEqual([])
  })

  it('has another id as soon as what would move is otherwise', () => {
    const [of51, of52] = [51, 52].map(count => plan(many(count)).proposals[0]?.id ?? '')
    expect(of51).not.toBe(of52)
    expect(of51?.slice(0, 9)).toBe(of52?.slice(0, 9))
  })
})

describe('what a person said no to', () => {
  const said = { at: '2026-11-15T12:00:00.000Z', by: 'cli' }
  const dismissals = (entries: readonly ReviewedEntry[]) =>
    withDismissals({}, plan(entries).proposals, said).dismissals as StaleState['dismissals']

  it('is not proposed again, however old it gets', () => {
    const state = { dismissals: dismissals([entry('a')]), nowMs: NOW_MS + 400 * DAY_MS }
    expect(plan([entry('a')], state)).toEqual({ proposals: [], dismissed: 1 })
  })

  it('is proposed again when it changed, or when there is more against it', () => {
    const no = { dismissals: dismissals([entry('a')]) }
    expect(told([entry('a', { fingerprint: 'other' })], no)).toHaveLength(1)
    expect(told([entry('a')], { ...no, freshnessById: new Map([['a', CHANGED]]) })).toHaveLength(1)
  })
})
