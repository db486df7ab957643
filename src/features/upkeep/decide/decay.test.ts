import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../../../kernel/model/entry.ts'
import { daysSinceLife, effectiveImportance, ttlDaysOf } from './decay.ts'

const DAY = 86_400_000
const WRITTEN = Date.parse('2026-03-01T00:00Z')
const written: Entry = {
  id: 'e1',
  agent: 'shared',
  category: 'decisions',
  kind: 'decision',
  status: 'confirmed',
  origin: 'machine',
  date: '2026-03-01T00:00',
  content: 'Sessions are kept in Redis.',
  tags: [],
  files: [],
  importance: 0.8,
}
const rounded = (value: number) => Math.round(value * 1_000) / 1_000

describe('effectiveImportance', () => {
  it('drops by a twentieth a week since the last activity', () => {
    const counters = { accessCount: 10, lastAccessMs: WRITTEN + 7 * DAY }
    expect(rounded(effectiveImportance(written, counters, WRITTEN + 7 * DAY))).toBe(0.8)
    expect(rounded(effectiveImportance(written, counters, WRITTEN + 14 * DAY))).toBe(0.76)
    expect(rounded(effectiveImportance(written, counters, WRITTEN + 21 * DAY))).toBe(0.722)
  })

  it('is halved without accesses, and lower for a candidate', () => {
    const candidate = { ...written, status: 'candidate' } as const
    const never = { accessCount: 0 }
    expect(rounded(effectiveImportance(written, never, WRITTEN))).toBe(0.4)
    expect(rounded(effectiveImportance(candidate, never, WRITTEN))).toBe(0.36)
    expect(rounded(effectiveImportance(candidate, never, WRITTEN + 7 * DAY))).toBe(0.342)
  })

  it('does not change for a pinned entry', () => {
    const pinned = { ...written, status: 'pinned' } as const
    expect(effectiveImportance(pinned, { accessCount: 0 }, WRITTEN + 4_000 * DAY)).toBe(0.8)
  })

  it('never exceeds the importance and never grows without accesses', () => {
    const days = fc.integer({ min: -10, max: 2_000 })
    fc.assert(
      fc.property(days, fc.nat(2_000), fc.nat(30), (from, more, accessCount) => {
        const counters = { accessCount, lastAccessMs: WRITTEN }
        const before = effectiveImportance(written, counters, WRITTEN + from * DAY)
        const after = effectiveImportance(written, counters, WRITTEN + (from + more) * DAY)
        expect(before).toBeLessThanOrEqual(0.8)
        expect(after).toBeLessThanOrEqual(before)
      }),
    )
  })
})

describe('daysSinceLife', () => {
  it('uses the latest of written, changed and accessed', () => {
    const changed = { ...written, updated: '2026-03-05T00:00:00' }
    const now = WRITTEN + 10 * DAY
    expect(daysSinceLife(written, { accessCount: 0 }, now)).toBe(10)
    expect(daysSinceLife(changed, { accessCount: 0 }, now)).toBe(6)
    expect(daysSinceLife(changed, { accessCount: 1, lastAccessMs: WRITTEN + 8 * DAY }, now)).toBe(2)
    expect(daysSinceLife({ ...written, date: '2026-03-01' }, { accessCount: 0 }, now)).toBe(10)
  })
})

describe('ttlDaysOf', () => {
  it('covers the kinds of the seed and treats a custom kind like its file', () => {
    expect(['task_progress', 'decision', 'preference', 'house rule', 'constructor'].map(ttlDaysOf)).toEqual([
      14, 90, 365, 180, 180,
    ])
  })
})
