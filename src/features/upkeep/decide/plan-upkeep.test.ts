import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Entry, ORIGINS, STATUSES } from '../../../kernel/model/entry.ts'
import type { AccessCounters } from './decay.ts'
import { planUpkeep, UPKEEP_SETTINGS, type UpkeepPlan, type UpkeepSnapshot } from './plan-upkeep.ts'

const DAY = 86_400_000
const NOW = Date.parse('2026-11-15T12:00Z')

function entry(id: string, fields: Partial<Entry> = {}): Entry {
  return {
    id,
    agent: 'shared',
    category: 'decisions',
    kind: 'decision',
    status: 'confirmed',
    origin: 'machine',
    date: '2026-11-01T00:00',
    content: `entry ${id}`,
    tags: [],
    files: [],
    importance: 0.5,
    ...fields,
  }
}

function snapshot(entries: readonly Entry[], rest: Partial<UpkeepSnapshot> = {}): UpkeepSnapshot {
  return { entries, countersById: new Map(), exempt: new Set(), nowMs: NOW, ...rest }
}

const removedIn = ({ expire, fade, evict }: UpkeepPlan) => [...expire, ...fade, ...evict].map(({ id }) => id)

function apply(state: UpkeepSnapshot, plan: UpkeepPlan): UpkeepSnapshot {
  const removed = new Set(removedIn(plan))
  return { ...state, entries: state.entries.filter(({ id }) => !removed.has(id)) }
}

const EMPTY: UpkeepPlan = { expire: [], fade: [], evict: [] }
/** An entry for eviction: it may have been injected, so it neither expires nor fades. */
const CANDIDATE = { status: 'candidate', origin: 'agent' } as const
const SMALL = { ...UPKEEP_SETTINGS, mostEntries: 3, targetEntries: 2 }

describe('planUpkeep', () => {
  const SUGGESTION = { status: 'candidate', origin: 'machine' } as const

  it('expires a suggestion that was idle longer than the TTL of its kind, and reports how long', () => {
    const plan = planUpkeep(
      snapshot([
        entry('old', { ...SUGGESTION, kind: 'warning', date: '2026-10-01T00:00' }),
        entry('same-age', { ...SUGGESTION, date: '2026-10-01T00:00' }),
      ]),
    )
    expect(plan).toEqual({
      ...EMPTY,
      expire: [{ id: 'old', reason: { code: 'expired', idleDays: 45, ttlDays: 30 } }],
    })
  })

  it('never expires a confirmed entry, a preference or a candidate of an agent by date', () => {
    const old = { date: '2020-01-01T00:00' }
    const entries = [
      entry('confirmed', { ...old, kind: 'warning' }),
      entry('preference', { ...old, ...SUGGESTION, kind: 'preference', importance: 0.1 }),
      entry('agent', { ...old, status: 'candidate', origin: 'agent', kind: 'warning', importance: 0.1 }),
    ]
    expect(planUpkeep(snapshot(entries))).toEqual(EMPTY)
  })

  it("archives an agent's candidate after 30 sessions in which it was injected and not used", () => {
    const byAgent = { status: 'candidate', origin: 'agent' } as const
    const countersById = new Map<string, AccessCounters>([
      ['unused', { accessCount: 0, unusedSessions: 30 }],
      ['almost', { accessCount: 0, unusedSessions: 29 }],
      ['confirmed', { accessCount: 0, unusedSessions: 99 }],
    ])
    const entries = [
      entry('unused', byAgent),
      entry('almost', byAgent),
      entry('confirmed', { origin: 'agent' }),
    ]
    expect(planUpkeep(snapshot(entries, { countersById }))).toEqual({
      ...EMPTY,
      fade: [{ id: 'unused', reason: { code: 'unused', sessions: 30 } }],
    })
  })

  it('expires old handoffs except the newest one of each agent', () => {
    const handoff = (id: string, date: string, agent: string) =>
      entry(id, { kind: 'handoff', category: 'handoffs', date, agent })
    const entries = [
      handoff('first', '2026-08-01T00:00', 'ana'),
      handoff('last', '2026-09-01T00:00', 'ana'),
      handoff('only', '2026-07-01T00:00', 'ben'),
    ]
    expect(removedIn(planUpkeep(snapshot(entries)))).toEqual(['first'])
    const next = handoff('next', '2026-11-15T00:00', 'ana')
    expect(removedIn(planUpkeep(snapshot([...entries, next])))).toEqual(['first', 'last'])
  })

  it('does not compensate for an undone eviction', () => {
    const entries = [0.9, 0.2, 0.1, 0.3].map((importance, i) => entry(`e${i}`, { ...CANDIDATE, importance }))
    const evicted = planUpkeep(snapshot(entries), SMALL).evict.map(({ id }) => id)
    expect(evicted).toEqual(['e2', 'e1'])
    expect(planUpkeep(snapshot(entries, { exempt: new Set(evicted) }), SMALL)).toEqual(EMPTY)
  })

  it('neither removes nor counts confirmed and pinned entries of any author', () => {
    const entries = [0.9, 0.2, 0.1, 0.3].map((importance, i) => entry(`c${i}`, { ...CANDIDATE, importance }))
    const stays = (['confirmed', 'pinned'] as const).flatMap(status =>
      (['agent', 'machine'] as const).map(origin =>
        entry(`${status}-${origin}`, { status, origin, importance: 0.01, date: '2020-01-01T00:00' }),
      ),
    )
    expect(planUpkeep(snapshot(stays), SMALL)).toEqual(EMPTY)
    expect(removedIn(planUpkeep(snapshot([...entries, ...stays]), SMALL))).toEqual(['c2', 'c1'])
  })

  it('does not expire an entry with three accesses or a recent one', () => {
    const old = { ...SUGGESTION, kind: 'warning', date: '2024-01-01T00:00' }
    const countersById = new Map<string, AccessCounters>([
      ['thrice', { accessCount: 3, lastAccessMs: NOW - 300 * DAY }],
      ['lately', { accessCount: 1, lastAccessMs: NOW - 29 * DAY }],
      ['once', { accessCount: 1, lastAccessMs: NOW - 31 * DAY }],
    ])
    const plan = planUpkeep(
      snapshot([entry('thrice', old), entry('lately', old), entry('once', old)], { countersById }),
    )
    expect(removedIn(plan)).toEqual(['once'])
  })

  it('archives a faded suggestion that was never fetched', () => {
    const faint = { ...SUGGESTION, importance: 0.1, kind: 'decision' }
    const countersById = new Map([['asked', { accessCount: 1, lastAccessMs: NOW - 20 * DAY }]])
    const plan = planUpkeep(snapshot([entry('faint', faint), entry('asked', faint)], { countersById }))
    expect(removedIn(plan)).toEqual(['faint'])
    expect(plan.fade[0]?.reason).toMatchObject({ code: 'faded', least: 0.05 })
    expect(planUpkeep(snapshot([entry('faint', faint)]), { ...UPKEEP_SETTINGS, leastImportance: 0 })).toEqual(
      EMPTY,
    )
  })

  it('evicts the least important entries above the limit, but none accessed within a day', () => {
    const entries = [0.9, 0.2, 0.1, 0.3, 0.8].map((importance, i) =>
      entry(`e${i}`, { ...CANDIDATE, importance }),
    )
    const countersById = new Map([['e2', { accessCount: 1, lastAccessMs: NOW - DAY / 2 }]])
    const plan = planUpkeep(snapshot(entries, { countersById }), SMALL)
    expect(plan.evict.map(({ id }) => id)).toEqual(['e1', 'e3', 'e4'])
    expect(plan.evict[0]?.reason).toMatchObject({ code: 'over_limit', mostEntries: 3 })
  })

  it('evicts a new entry that was never fetched', () => {
    const entries = [0.9, 0.2, 0.1, 0.3].map((importance, i) => entry(`e${i}`, { ...CANDIDATE, importance }))
    const arrived = { accessCount: 0, lastAccessMs: NOW - 1_000 }
    const countersById = new Map(entries.map(({ id }) => [id, arrived]))
    const plan = planUpkeep(snapshot(entries, { countersById }), SMALL)
    expect(plan.evict.map(({ id }) => id)).toEqual(['e2', 'e1'])
  })

  it('never evicts without a limit, and does not oscillate if too many entries must stay', () => {
    const entries = Array.from({ length: 6 }, (_, i) => entry(`e${i}`, CANDIDATE))
    expect(planUpkeep(snapshot(entries), { ...SMALL, mostEntries: 0 })).toEqual(EMPTY)
    const odd = { ...SMALL, targetEntries: 5 }
    const after = apply(snapshot(entries), planUpkeep(snapshot(entries), odd))
    expect(after.entries.length).toBe(3)
    expect(planUpkeep(after, odd)).toEqual(EMPTY)
  })

  it('removes nothing because of an unreadable or future date', () => {
    const dates = ['soon', '', '2031-01-01T00:00']
    const entries = dates.map((date, i) => entry(`e${i}`, { ...SUGGESTION, date, kind: 'task_progress' }))
    expect(planUpkeep(snapshot(entries))).toEqual(EMPTY)
  })

  it('plans 10,000 entries in less than quadratic time', () => {
    const kinds = ['decision', 'warning', 'discovery', 'preference']
    const entries = Array.from({ length: 10_000 }, (_, i) =>
      entry(`e${i}`, {
        ...CANDIDATE,
        importance: (i % 97) / 97,
        kind: kinds[i % 4] ?? 'decision',
        date: new Date(NOW - (i % 200) * DAY).toISOString().slice(0, 16),
      }),
    )
    const state = snapshot(entries)
    planUpkeep(state)
    const times = [1, 2, 3].map(() => {
      const start = performance.now()
      planUpkeep(state)
      return performance.now() - start
    })
    expect(Math.min(...times)).toBeLessThan(1_000)
    expect(apply(state, planUpkeep(state)).entries.length).toBe(2_700)
  })
})

describe('any plan', () => {
  const anyEntry = fc.record({
    kind: fc.constantFrom('task_progress', 'warning', 'decision', 'preference', 'handoff', 'house rule'),
    status: fc.constantFrom(...STATUSES),
    origin: fc.constantFrom(...ORIGINS),
    importance: fc.double({ min: 0, max: 1, noNaN: true }),
    ageDays: fc.integer({ min: -5, max: 800 }),
    accessCount: fc.integer({ min: 0, max: 4 }),
    idleDays: fc.integer({ min: 0, max: 100 }),
    isExempt: fc.boolean(),
  })
  const anySnapshot = fc.array(anyEntry, { maxLength: 40 }).map(all =>
    snapshot(
      all.map(({ kind, status, origin, importance, ageDays }, i) =>
        entry(`e${i}`, {
          kind,
          status,
          origin,
          importance,
          date: new Date(NOW - ageDays * DAY).toISOString().slice(0, 16),
        }),
      ),
      {
        countersById: new Map(
          all.flatMap(({ accessCount, idleDays }, i): [string, AccessCounters][] =>
            accessCount === 0 ? [] : [[`e${i}`, { accessCount, lastAccessMs: NOW - idleDays * DAY }]],
          ),
        ),
        exempt: new Set(all.flatMap((each, i) => (each.isExempt ? [`e${i}`] : []))),
      },
    ),
  )

  it('never includes an entry that is pinned, or that a person wrote or confirmed', () => {
    fc.assert(
      fc.property(anySnapshot, state => {
        const removed = new Set(removedIn(planUpkeep(state, SMALL)))
        for (const each of state.entries) {
          if (!removed.has(each.id)) continue
          expect(each.status).not.toBe('pinned')
          if (each.kind !== 'handoff') expect(each.status).not.toBe('confirmed')
          expect(each.origin).not.toBe('person')
          expect(state.exempt.has(each.id)).toBe(false)
        }
      }),
    )
  })

  it('is empty once it was applied', () => {
    fc.assert(
      fc.property(anySnapshot, state => {
        expect(planUpkeep(apply(state, planUpkeep(state, SMALL)), SMALL)).toEqual(EMPTY)
      }),
    )
  })

  it('removes an entry once', () => {
    fc.assert(
      fc.property(anySnapshot, state => {
        const removed = removedIn(planUpkeep(state, SMALL))
        expect(new Set(removed).size).toBe(removed.length)
      }),
    )
  })

  it('does not depend on the order of the entries', () => {
    fc.assert(
      fc.property(anySnapshot, state => {
        const reversed = { ...state, entries: [...state.entries].reverse() }
        expect(planUpkeep(reversed, SMALL)).toEqual(planUpkeep(state, SMALL))
      }),
    )
  })
})
