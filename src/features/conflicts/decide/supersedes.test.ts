import { describe, expect, it } from 'vitest'
import type { Entry } from '../../../kernel/model/entry.ts'
import { namedPredecessor, successionOf } from './supersedes.ts'

const entry = (id: string, fields: Partial<Entry> = {}): Entry => ({
  id,
  agent: 'shared',
  category: 'decisions',
  kind: 'decision',
  status: 'confirmed',
  origin: 'person',
  date: '2026-11-01T00:00',
  content: `entry ${id}`,
  tags: [],
  files: [],
  importance: 0.5,
  ...fields,
})
const AGENT = { origin: 'agent', status: 'candidate' } as const
const NAMES_OLD = { extra: { supersedes: 'old' } }

describe('namedPredecessor', () => {
  it('reads the lineage, and words that name an entry with a replacing verb', () => {
    expect(namedPredecessor(entry('new', NAMES_OLD))).toBe('old')
    expect(namedPredecessor(entry('new', { content: 'Jobs run in Temporal. Replaces [[old]].' }))).toBe('old')
    expect(namedPredecessor(entry('new', { content: 'Jobs run in Temporal, see [[old]].' }))).toBeUndefined()
    expect(namedPredecessor(entry('new', { content: 'Temporal replaces Sidekiq, #old.' }))).toBeUndefined()
  })
})

describe('successionOf', () => {
  it("lets an agent retire an agent's candidate only", () => {
    const newer = entry('new', { ...AGENT, ...NAMES_OLD })
    expect(successionOf(newer, entry('old', AGENT))).toBe('superseded')
    expect(successionOf(newer, entry('old'))).toBe('claim')
    expect(successionOf(newer, entry('old', { ...AGENT, status: 'confirmed' }))).toBe('claim')
    expect(successionOf(newer, entry('old', { ...AGENT, status: 'pinned' }))).toBe('claim')
    expect(successionOf(newer, entry('old', { ...AGENT, origin: 'person' }))).toBe('claim')
    expect(successionOf(newer, entry('other', AGENT))).toBeUndefined()
  })

  it('lets a person retire everything but a pinned entry', () => {
    const newer = entry('new', NAMES_OLD)
    expect(successionOf(newer, entry('old'))).toBe('superseded')
    expect(successionOf(newer, entry('old', { status: 'pinned' }))).toBe('claim')
  })

  it('takes words alone for a claim, and nothing from a suggestion', () => {
    const content = 'Jobs run in Temporal. Replaces [[old]].'
    expect(successionOf(entry('new', { content }), entry('old'))).toBe('claim')
    expect(successionOf(entry('new', { ...AGENT, content }), entry('old', AGENT))).toBe('claim')
    const suggestion = entry('new', { origin: 'machine', status: 'candidate', ...NAMES_OLD })
    expect(successionOf(suggestion, entry('old'))).toBeUndefined()
  })
})
