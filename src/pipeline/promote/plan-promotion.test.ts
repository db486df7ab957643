import { describe, expect, it } from 'vitest'
import type { Entry } from '../../model/entry.ts'
import type { Finding } from '../../model/finding.ts'
import type { SessionFinding } from '../../model/session.ts'
import { entryOfFinding, planPromotions, type Weighed } from './plan-promotion.ts'

const finding: Finding = {
  text: 'Retries are limited to three, because the partner blocks a key after five.',
  message: 4,
  speaker: 'user',
  kind: 'decision',
  category: 'decisions',
  importance: 0.7,
  confidence: 0.6,
  files: ['src/retry.ts'],
  tags: ['partner'],
  fingerprint: 'aa',
}
const weighed: Weighed = {
  finding,
  agent: 'dev',
  sessions: 1,
  agents: 1,
  wasTold: false,
  isOwn: false,
  wasRejected: false,
}
const entry: Entry = {
  id: '1773679871839-k3f9',
  agent: 'shared',
  category: 'decisions',
  kind: 'decision',
  status: 'confirmed',
  origin: 'person',
  date: '2026-10-01T10:00',
  content: 'Three retries at most: the partner blocks keys after five.',
  tags: [],
  files: [],
  importance: 0.5,
  session: 'other',
}
const said = (extra: Partial<Finding>) => ({ ...weighed, finding: { ...finding, ...extra } })
const kindsOf = (...all: Weighed[]) =>
  planPromotions(all, { session: 'now', preset: 'balanced' }).map(({ kind }) => kind)

describe('planPromotions', () => {
  it('adds what a person said, and lets wait what an agent thinks', () => {
    expect(kindsOf(weighed, said({ speaker: 'agent', confidence: 0.5 }))).toEqual(['add', 'wait'])
  })

  it('strengthens the entry that says the same, but not by what only repeats it', () => {
    const known = { ...weighed, entry }
    expect(kindsOf(known)).toEqual(['strengthen'])
    expect(kindsOf({ ...said({ speaker: 'agent' }), entry, wasTold: true })).toEqual(['echo'])
    expect(kindsOf({ ...known, wasTold: true })).toEqual(['strengthen'])
    expect(kindsOf({ ...known, isOwn: true })).toEqual(['echo'])
    expect(kindsOf({ ...known, entry: { ...entry, session: 'now' } })).toEqual(['echo'])
  })

  it('leaves alone what an earlier closing has promoted, and proposes again what waited', () => {
    const earlier: SessionFinding = {
      id: 'f1',
      fingerprint: 'aa',
      content: finding.text,
      category: 'decision',
      importance: 0.7,
      confidence: 0.6,
      promotedToProjectMemory: true,
      promotedEntryId: entry.id,
    }
    expect(kindsOf({ ...weighed, earlier })).toEqual(['settled'])
    expect(kindsOf({ ...weighed, earlier: { ...earlier, promotedToProjectMemory: false } })).toEqual(['add'])
  })

  it('remembers a rejection, unless the person asks for it now', () => {
    expect(kindsOf({ ...weighed, wasRejected: true })).toEqual(['rejected'])
    expect(kindsOf({ ...said({ wanted: true }), wasRejected: true })).toEqual(['add'])
  })

  it('makes one entry of what two agents found, whoever of them is believed', () => {
    const byAgent = { ...said({ speaker: 'agent', confidence: 0.5 }), agents: 2 }
    expect(kindsOf(weighed, { ...byAgent, sameAs: 0 })).toEqual(['add', 'joined'])
    expect(kindsOf(byAgent, { ...weighed, sameAs: 0 })).toEqual(['wait', 'add'])
  })
})

describe('entryOfFinding', () => {
  it('makes a candidate of the machine, and an entry of the person who asked for it', () => {
    const made = entryOfFinding(weighed, { session: 'now', date: '2026-11-15T12:00' })
    expect(made).toMatchObject({ status: 'candidate', origin: 'machine', session: 'now', agent: 'dev' })
    expect(made.tags).toEqual(['partner', 'auto-extract'])
    const wanted = entryOfFinding(said({ wanted: true }), { session: 'now', date: '2026-11-15T12:00' })
    expect(wanted).toMatchObject({ status: 'confirmed', origin: 'person', tags: ['partner'] })
  })

  it('makes an open task of a task', () => {
    const task = said({ kind: 'task', category: 'tasks', text: 'Rotate the signing key before June.' })
    expect(entryOfFinding(task, { session: 'now', date: '2026-11-15T12:00' }).content).toBe(
      '- [ ] Rotate the signing key before June.',
    )
  })
})
