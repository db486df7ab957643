import { describe, expect, it } from 'vitest'
import type { Entry } from '../../../kernel/model/entry.ts'
import type { Scored } from './fuse.ts'
import { namedPredecessor, preferSuccessors, successionOf } from './succession.ts'

const scored = (id: string, score: number): Scored => ({ id, score, words: score, meaning: 0 })
const order = (ranked: readonly Scored[]) => ranked.map(({ id }) => id).join(' ')

describe('preferSuccessors', () => {
  it('leaves a ranking without replacements as it is', () => {
    const ranked = [scored('a', 0.5), scored('b', 0.4)]
    expect(preferSuccessors(ranked, new Map(), true)).toEqual(ranked)
  })

  it('puts the newer entry before the one it replaces, with its score', () => {
    const ranked = preferSuccessors(
      [scored('old', 0.5), scored('x', 0.48), scored('new', 0.1)],
      new Map([['old', 'new']]),
      true,
    )
    expect(order(ranked)).toBe('new x old')
    expect(ranked[0]).toMatchObject({ score: 0.5, replaces: 'old', words: 0.1 })
    expect(ranked[2]).toMatchObject({ replacedBy: 'new' })
  })

  it('follows a chain to its end, and demotes each older entry once', () => {
    const chain = new Map([
      ['a', 'b'],
      ['b', 'c'],
    ])
    const ranked = preferSuccessors([scored('a', 0.5), scored('b', 0.3)], chain, true)
    expect(ranked.map(({ id, score }) => [id, Math.round(score * 100)])).toEqual([
      ['c', 50],
      ['a', 45],
      ['b', 27],
    ])
  })

  it('adds nothing that a filter may exclude, and survives a ring', () => {
    expect(order(preferSuccessors([scored('a', 0.5)], new Map([['a', 'b']]), false))).toBe('a')
    const ring = new Map([
      ['a', 'b'],
      ['b', 'a'],
    ])
    expect(order(preferSuccessors([scored('a', 0.5), scored('b', 0.4)], ring, true))).toBe('a b')
  })
})

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
