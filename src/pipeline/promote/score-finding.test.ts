import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FindingEvidence, PROMOTION_PRESETS, scoreFinding } from './score-finding.ts'

const finding: FindingEvidence = {
  content: 'The queue consumer must acknowledge after the commit, never before it.',
  kind: 'decision',
  importance: 0.5,
  confidence: 0.5,
  speaker: 'agent',
  isRemembered: false,
  isPinned: false,
  isErrorResolution: false,
  sessions: 1,
  agents: 1,
}

describe('scoreFinding', () => {
  it('adds the points of every signal that holds, in the order of the table', () => {
    expect(scoreFinding({ ...finding, kind: 'error', sessions: 3, agents: 2, importance: 0.7 })).toEqual({
      promote: true,
      points: 6,
      signals: [
        { name: 'multi-session', points: 2 },
        { name: 'error-resolution', points: 2 },
        { name: 'multi-agent', points: 1 },
        { name: 'high-importance', points: 1 },
      ],
    })
  })

  it('says what is missing when a finding is left for review', () => {
    expect(scoreFinding({ ...finding, sessions: 2 })).toEqual({
      promote: false,
      points: 2,
      signals: [{ name: 'multi-session', points: 2 }],
      rejectedBy: { code: 'too_few_points', points: 2, least: 3 },
    })
  })

  it('rejects what is too short or matters too little, whatever its points', () => {
    const strong = { ...finding, kind: 'error', sessions: 4, agents: 3 }
    expect(scoreFinding({ ...strong, content: '  fixed the flaky test by retry ' })).toMatchObject({
      promote: false,
      rejectedBy: { code: 'content_too_short', length: 29, least: 30 },
    })
    expect(scoreFinding({ ...strong, importance: 0.2 })).toMatchObject({
      promote: false,
      rejectedBy: { code: 'importance_too_low', importance: 0.2, least: 0.25 },
    })
    expect(scoreFinding({ ...strong, importance: Number.NaN }).promote).toBe(false)
  })

  it('keeps what a person asked for, short and unimportant as it may be', () => {
    expect(scoreFinding({ ...finding, content: 'use tabs', importance: 0, isRemembered: true })).toEqual({
      promote: true,
      points: 5,
      signals: [{ name: 'user-intent', points: 5 }],
    })
    expect(scoreFinding({ ...finding, content: 'use tabs', importance: 0, isPinned: true }).promote).toBe(
      true,
    )
  })

  it('takes a person at their word, and an agent when it speaks plainly of something that matters', () => {
    const stated = { ...finding, speaker: 'user' as const }
    expect(scoreFinding(stated)).toMatchObject({
      promote: true,
      signals: [{ name: 'user-statement', points: 3 }],
    })
    expect(scoreFinding({ ...stated, confidence: 0.3 }).promote).toBe(false)
    expect(scoreFinding({ ...finding, confidence: 0.7 }).promote).toBe(false)
    expect(scoreFinding({ ...finding, confidence: 0.7, importance: 0.75 })).toMatchObject({
      promote: true,
      points: 3,
      signals: [{ name: 'plain-statement' }, { name: 'high-importance' }],
    })
  })

  it('asks more or less with another preset', () => {
    const repeated = { ...finding, sessions: 2 }
    const solved = { ...finding, kind: 'error', importance: 0.8 }
    const presets = ['conservative', 'balanced', 'aggressive'] as const
    expect(presets.map(preset => scoreFinding(repeated, preset).promote)).toEqual([false, false, true])
    expect(presets.map(preset => scoreFinding(solved, preset).promote)).toEqual([false, true, true])
    expect(scoreFinding(repeated, { ...PROMOTION_PRESETS.balanced, leastPoints: 1 }).promote).toBe(true)
  })

  it('never promotes with a stricter preset what a looser one rejects', () => {
    const evidence: fc.Arbitrary<FindingEvidence> = fc.record({
      content: fc.string({ maxLength: 60 }),
      kind: fc.constantFrom('error', 'decision', 'house rule'),
      importance: fc.double({ min: 0, max: 1, noNaN: true }),
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
      speaker: fc.constantFrom('user', 'agent'),
      isRemembered: fc.boolean(),
      isPinned: fc.boolean(),
      isErrorResolution: fc.boolean(),
      sessions: fc.integer({ min: 0, max: 4 }),
      agents: fc.integer({ min: 0, max: 4 }),
    })
    fc.assert(
      fc.property(evidence, each => {
        const [conservative, balanced, aggressive] = [
          scoreFinding(each, 'conservative').promote,
          scoreFinding(each, 'balanced').promote,
          scoreFinding(each, 'aggressive').promote,
        ]
        expect(!conservative || balanced).toBe(true)
        expect(!balanced || aggressive).toBe(true)
      }),
    )
  })
})
