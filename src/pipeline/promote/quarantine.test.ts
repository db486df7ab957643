import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { STATUSES } from '../../model/entry.ts'
import { quarantineFactor } from '../../model/quarantine.ts'
import { judgeQuarantine } from './quarantine.ts'

const HOUR = 3_600_000
const candidate = { status: 'candidate', sinceMs: 0, accessCount: 0, nowMs: 24 * HOUR } as const

describe('judgeQuarantine', () => {
  it('waits for a day', () => {
    expect(judgeQuarantine({ ...candidate, nowMs: 24 * HOUR - 1, accessCount: 5 })).toEqual({
      kind: 'waiting',
      untilMs: 24 * HOUR,
    })
  })

  it('confirms what was asked for', () => {
    expect(judgeQuarantine({ ...candidate, accessCount: 1 })).toEqual({ kind: 'confirm' })
  })

  it('takes a fifth of the importance of what nobody asked for, however often it is judged', () => {
    expect(judgeQuarantine(candidate)).toEqual({ kind: 'penalised', factor: 0.8 })
    expect(judgeQuarantine({ ...candidate, nowMs: 900 * 24 * HOUR })).toEqual({
      kind: 'penalised',
      factor: 0.8,
    })
  })

  it('confirms a penalised candidate that is asked for later', () => {
    expect(judgeQuarantine({ ...candidate, nowMs: 100 * HOUR, accessCount: 1 }).kind).toBe('confirm')
  })

  it('leaves pinned and confirmed entries alone', () => {
    expect(judgeQuarantine({ ...candidate, status: 'pinned' })).toEqual({ kind: 'settled' })
    expect(judgeQuarantine({ ...candidate, status: 'confirmed' })).toEqual({ kind: 'settled' })
  })

  it('waits when the clock stands before the promotion', () => {
    expect(judgeQuarantine({ ...candidate, sinceMs: 500 * HOUR }).kind).toBe('waiting')
  })

  it('gives the factor that it announces', () => {
    const facts = fc.record({
      status: fc.constantFrom(...STATUSES),
      sinceMs: fc.integer({ min: 0, max: 100 * HOUR }),
      accessCount: fc.integer({ min: 0, max: 3 }),
      nowMs: fc.integer({ min: 0, max: 100 * HOUR }),
    })
    fc.assert(
      fc.property(facts, each => {
        const verdict = judgeQuarantine(each)
        expect(quarantineFactor(each)).toBe(verdict.kind === 'penalised' ? verdict.factor : 1)
      }),
    )
  })
})
