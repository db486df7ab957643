import { describe, expect, it } from 'vitest'
import { type FindingEvidence, pointsOf, scoreFinding } from './score-finding.ts'

const EVIDENCE: FindingEvidence = {
  content: 'The proxy drops idle sockets after a minute.',
  kind: 'lesson',
  importance: 0.5,
  isRemembered: false,
  isPinned: false,
  sessions: 1,
  agents: 1,
}
const points = (evidence: Partial<FindingEvidence>) =>
  scoreFinding({ ...EVIDENCE, ...evidence }, 'balanced').points

describe('the points of a finding', () => {
  it('are the seed’s six signals', () => {
    expect(points({})).toBe(0)
    expect(points({ isRemembered: true })).toBe(5)
    expect(points({ isPinned: true })).toBe(5)
    expect(points({ sessions: 2 })).toBe(2)
    expect(points({ kind: 'error' })).toBe(2)
    expect(points({ agents: 2 })).toBe(1)
    expect(points({ importance: 0.7 })).toBe(1)
    expect(points({ sessions: 3, kind: 'error', agents: 4, importance: 0.9 })).toBe(6)
  })

  it('ignore a signal of an older version', () => {
    expect(pointsOf(['user-statement', 'plain-statement', 'multi-session'])).toBe(2)
  })
})

describe('the filters of a preset', () => {
  it('hide what is too short or matters too little', () => {
    const hidden = (evidence: Partial<FindingEvidence>, preset: 'conservative' | 'balanced' | 'aggressive') =>
      scoreFinding({ ...EVIDENCE, ...evidence }, preset).hiddenBy
    expect(hidden({}, 'balanced')).toBeUndefined()
    expect(hidden({}, 'conservative')).toBe('content_too_short')
    expect(hidden({ importance: 0.2 }, 'balanced')).toBe('importance_too_low')
    expect(hidden({ importance: 0.2 }, 'aggressive')).toBeUndefined()
    expect(hidden({ importance: Number.NaN }, 'aggressive')).toBe('importance_too_low')
    expect(hidden({ content: 'Short.', isRemembered: true }, 'conservative')).toBeUndefined()
  })
})
