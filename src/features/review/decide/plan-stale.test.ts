import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planSplits, planStaleReview, type SplitEntry, type StaleState } from './plan-stale.ts'
import type { ReviewedEntry } from './ports.ts'
import { withDismissals } from './stale-proposal.ts'

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
const proposed = (entries: readonly ReviewedEntry[], more: Partial<StaleState> = {}) =>
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
    ['pinned: it is proposed every time', { status: 'pinned' }, []],
    ['fetched once', { accessCount: 1 }, []],
    ['changed since', { updated: '2026-11-01T10:00:00' }, []],
    ['first seen here last week', { lastAccessMs: NOW_MS - 7 * DAY_MS }, []],
    ['90 days old', { date: '2026-08-17T12:00' }, []],
    ['91 days old', { date: '2026-08-16T11:00' }, [['archive', 'a', 'unused', 'any']]],
    ['of the future', { date: '2027-01-01T10:00' }, []],
    ['without a date that can be read', { date: 'soon' }, []],
  ])('%s', (_, more, expected) => {
    expect(proposed([entry('a', more)])).toEqual(expected)
  })

  it('is not listed if a person confirmed it or found it useful', () => {
    expect(proposed([entry('a')], { confirmedMsById: new Map([['a', 1]]) })).toEqual([])
    expect(proposed([entry('a')], { usefulIds: new Set(['a']) })).toEqual([])
  })
})

describe('an entry whose files changed', () => {
  const used = { accessCount: 3 }
  it.each([
    ['changed', used, CHANGED, [['confirm', 'a', 'drifted', 'by name']]],
    ['gone, and it was used', used, GONE, [['confirm', 'a', 'orphaned', 'by name']]],
    ['gone, and nobody ever used it', {}, GONE, [['archive', 'a', 'orphaned unused', 'any']]],
    ['changed, and nobody ever used it', {}, CHANGED, [['confirm', 'a', 'drifted unused', 'by name']]],
  ])('%s', (_, more, freshness, expected) => {
    expect(proposed([entry('a', more)], { freshnessById: new Map([['a', freshness]]) })).toEqual(expected)
  })
})

describe('a superseded entry', () => {
  const supersededById = new Map([['a', { by: 'b', atMs: 1_000 }]])
  const used = { accessCount: 1 }

  it('is archived, and a person’s entry only by id', () => {
    expect(proposed([entry('a', used)], { supersededById })).toEqual([['archive', 'a', 'superseded', 'any']])
    expect(proposed([entry('a', { ...used, origin: 'person' })], { supersededById })).toEqual([
      ['archive', 'a', 'superseded', 'by name'],
    ])
  })

  it('stays if a person confirmed it afterwards', () => {
    expect(
      proposed([entry('a', used)], { supersededById, confirmedMsById: new Map([['a', 2_000]]) }),
    ).toEqual([])
    expect(proposed([entry('a', used)], { supersededById, confirmedMsById: new Map([['a', 500]]) })).toEqual([
      ['archive', 'a', 'superseded', 'by name'],
    ])
  })
})

it('proposes to settle a contradiction, only by id', () => {
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

  it('gets a proposal to split it', () => {
    expect(proposed(many(51))).toEqual([['split', 'dev/lessons.md', 'too_many_entries', 'any']])
    expect(proposed(many(50))).toEqual([])
  })

  it('is skipped if it must be repaired first', () => {
    expect(proposed(many(51), { damagedPaths: new Set(['dev/lessons.md']) })).toEqual([])
  })

  it('has another id when the entries to move change', () => {
    const [of51, of52] = [51, 52].map(count => plan(many(count)).proposals[0]?.id ?? '')
    expect(of51).not.toBe(of52)
    expect(of51?.slice(0, 9)).toBe(of52?.slice(0, 9))
  })
})

describe('a dismissed proposal', () => {
  const said = { at: '2026-11-15T12:00:00.000Z', by: 'cli' }
  const dismissals = (entries: readonly ReviewedEntry[]) =>
    withDismissals({}, plan(entries).proposals, said).dismissals as StaleState['dismissals']

  it('does not return because of age', () => {
    const state = { dismissals: dismissals([entry('a')]), nowMs: NOW_MS + 400 * DAY_MS }
    expect(plan([entry('a')], state)).toEqual({ proposals: [], dismissed: 1 })
  })

  it('returns if the entry changed or there are more reasons', () => {
    const no = { dismissals: dismissals([entry('a')]) }
    expect(proposed([entry('a', { fingerprint: 'other' })], no)).toHaveLength(1)
    expect(proposed([entry('a')], { ...no, freshnessById: new Map([['a', CHANGED]]) })).toHaveLength(1)
  })
})

const LIMITS = { mostEntries: 3, keepEntries: 2, pageBytes: 262_144 }

/** Entries of a month, the first of them the oldest. */
const entries = (month: string, ...ids: number[]): SplitEntry[] =>
  ids.map(id => ({ id: `${id}-aaaa`, date: `${month}-03T10:00`, bytes: 100, text: `Entry ${id}.` }))
const ids = (...numbers: number[]) => numbers.map(id => `${id}-aaaa`)

describe('a file with too many entries', () => {
  it('that is a head file keeps the newest and moves older ones to monthly pages', () => {
    const head = [...entries('2026-01', 1, 2), ...entries('2026-02', 3, 4, 5)]
    expect(
      planSplits(
        { head: 'local/dev/decisions.md', entriesByPath: new Map([['local/dev/decisions.md', head]]) },
        LIMITS,
      ),
    ).toEqual([
      {
        file: 'local/dev/decisions.md',
        entries: 5,
        stays: 2,
        moves: [
          { to: 'local/dev/decisions/2026-01.md', entries: ids(1, 2) },
          { to: 'local/dev/decisions/2026-02.md', entries: ids(3) },
        ],
      },
    ])
  })

  it('that is a page keeps the oldest and moves newer ones to additional numbered pages', () => {
    const entriesByPath = new Map([
      ['local/dev/decisions/2026-02.md', entries('2026-02', 1, 2, 3, 4, 5, 6)],
      ['local/dev/decisions/2026-02.2.md', entries('2026-02', 7, 8)],
    ])
    expect(planSplits({ head: 'local/dev/decisions.md', entriesByPath }, LIMITS)).toEqual([
      {
        file: 'local/dev/decisions/2026-02.md',
        entries: 6,
        stays: 3,
        moves: [
          { to: 'local/dev/decisions/2026-02.2.md', entries: ids(4) },
          { to: 'local/dev/decisions/2026-02.3.md', entries: ids(5, 6) },
        ],
      },
    ])
  })

  it('starts another page before one exceeds its maximum size', () => {
    const large = entries('2026-02', 1, 2, 3, 4, 5).map(entry => ({ ...entry, bytes: 3_000 }))
    const [split] = planSplits(
      { head: 'local/dev/lessons.md', entriesByPath: new Map([['local/dev/lessons.md', large]]) },
      { ...LIMITS, pageBytes: 4_096 },
    )
    expect(split?.moves.map(({ to }) => to)).toEqual([
      'local/dev/lessons/2026-02.md',
      'local/dev/lessons/2026-02.2.md',
      'local/dev/lessons/2026-02.3.md',
    ])
  })

  it('that is a committed head file keeps the newest and moves each older one to a separate file', () => {
    const entriesByPath = new Map([
      ['dev/decisions.md', entries('2026-01', 1, 2, 3, 4)],
      ['dev/decisions/2026-01.md', entries('2026-01', 5, 6, 7, 8)],
    ])
    expect(planSplits({ head: 'dev/decisions.md', entriesByPath }, LIMITS)).toEqual([
      {
        file: 'dev/decisions.md',
        entries: 4,
        stays: 2,
        moves: [
          { to: 'dev/decisions/2026-01-03-entry-1-aaaa.md', entries: ids(1) },
          { to: 'dev/decisions/2026-01-03-entry-2-aaaa.md', entries: ids(2) },
        ],
      },
    ])
  })

  it('is not changed at the limit', () => {
    const entriesByPath = new Map([['local/dev/tasks.md', entries('2026-02', 1, 2, 3)]])
    expect(planSplits({ head: 'local/dev/tasks.md', entriesByPath }, LIMITS)).toEqual([])
  })
})

it('leaves every file within the limit, without losing or repeating an entry', () => {
  const file = fc.tuple(
    fc.constantFrom('', '2026-01', '2026-01.2', '2026-02', 'notes'),
    fc.integer({ min: 0, max: 20 }),
  )
  fc.assert(
    fc.property(fc.array(file), fc.integer({ min: 1, max: 6 }), (files, mostEntries) => {
      const entriesByPath = new Map<string, SplitEntry[]>()
      let id = 0
      for (const [name, count] of files) {
        const path = name === '' ? 'local/dev/decisions.md' : `local/dev/decisions/${name}.md`
        const fresh = Array.from({ length: count }, () => ({
          id: `${++id}-aaaa`,
          date: `2026-0${1 + (id % 3)}-01T10:00`,
          bytes: 10,
          text: 'x',
        }))
        entriesByPath.set(path, [...(entriesByPath.get(path) ?? []), ...fresh])
      }
      const head = 'local/dev/decisions.md'
      const splits = planSplits({ head, entriesByPath }, { ...LIMITS, mostEntries })
      const pathById = new Map(
        [...entriesByPath].flatMap(([path, own]) => own.map(entry => [entry.id, path] as const)),
      )
      const moved = splits.flatMap(({ moves }) => moves.flatMap(({ entries: gone }) => gone))
      expect(new Set(moved).size).toBe(moved.length)
      for (const { file: from, moves } of splits)
        for (const { to, entries: gone } of moves)
          for (const one of gone) {
            expect(pathById.get(one)).toBe(from)
            pathById.set(one, to)
          }
      expect(pathById.size).toBe(id)
      const counts = new Map<string, number>()
      for (const path of pathById.values()) counts.set(path, (counts.get(path) ?? 0) + 1)
      expect(Math.max(0, ...counts.values())).toBeLessThanOrEqual(mostEntries)
    }),
  )
})
