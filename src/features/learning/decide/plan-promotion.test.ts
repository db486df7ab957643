import { describe, expect, it } from 'vitest'
import type { Entry } from '../../../kernel/model/entry.ts'
import type { Finding } from '../../../kernel/model/session.ts'
import { entryOfFinding, planPromotions, type Weighed } from './plan-promotion.ts'

const FINDING: Finding = {
  text: 'The worker drops the first header, so it is sent twice.',
  message: 3,
  speaker: 'agent',
  kind: 'discovery',
  category: 'lessons',
  importance: 0.6,
  confidence: 0.5,
  files: ['src/worker.ts'],
  tags: ['worker'],
  fingerprint: 'p1',
}
const ENTRY = { id: 'e1', status: 'candidate', origin: 'agent' } as Entry

function weighed(finding: Partial<Finding> = {}, more: Partial<Weighed> = {}): Weighed {
  return {
    finding: { ...FINDING, ...finding },
    agent: 'dev',
    sessions: 1,
    agents: 1,
    wasRejected: false,
    ...more,
  }
}
const kindsOf = (...some: readonly Weighed[]) => planPromotions(some, 'balanced').map(({ kind }) => kind)

describe('a plan', () => {
  it('adds what a person asked for and suggests the rest, including their own words', () => {
    expect(kindsOf(weighed({ wanted: true }), weighed({ speaker: 'user' }), weighed())).toEqual([
      'add',
      'suggest',
      'suggest',
    ])
  })

  it('never adds a finding because of its points', () => {
    const strong = weighed({ importance: 0.9, kind: 'error' }, { sessions: 9, agents: 9 })
    expect(planPromotions([strong], 'aggressive')).toMatchObject([{ kind: 'suggest', score: { points: 6 } }])
  })

  it('ignores a rejected finding unless a person asks for it', () => {
    expect(
      kindsOf(weighed({}, { wasRejected: true }), weighed({ wanted: true }, { wasRejected: true })),
    ).toEqual(['rejected', 'add'])
  })

  it('does not suggest an existing entry', () => {
    expect(kindsOf(weighed({}, { entry: ENTRY }))).toEqual(['known'])
  })

  it('archives the findings that the preset filters out', () => {
    expect(
      planPromotions([weighed({ importance: 0.2 }), weighed({ text: 'Too short.' })], 'balanced'),
    ).toMatchObject([
      { kind: 'archive', reason: 'importance_too_low' },
      { kind: 'archive', reason: 'content_too_short' },
    ])
  })

  it('shows the three with the most points, then importance, then the last', () => {
    const some = [
      weighed({ importance: 0.5 }),
      weighed({ importance: 0.5 }),
      weighed({ importance: 0.9 }),
      weighed({ importance: 0.3 }, { sessions: 2 }),
      weighed({ importance: 0.6 }),
    ]
    expect(kindsOf(...some)).toEqual(['archive', 'archive', 'suggest', 'suggest', 'suggest'])
  })
})

describe('the entry of a finding', () => {
  const at = { session: 's1', date: '2026-03-16T10:00', untrusted: 'web' as const }

  it('belongs to the person who asked for it', () => {
    expect(entryOfFinding(weighed({ wanted: true }), at)).toMatchObject({
      status: 'confirmed',
      origin: 'person',
      lineage: {},
    })
  })

  it('records that a rule found it when a person accepts it', () => {
    expect(entryOfFinding(weighed(), at)).toMatchObject({
      status: 'confirmed',
      origin: 'person',
      lineage: { capturedBy: 'rule', untrusted: 'web' },
    })
  })
})
