import { describe, expect, it } from 'vitest'
import type { Scored } from './scored.ts'
import { preferSuccessors } from './succession.ts'

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
