import { describe, expect, it } from 'vitest'
import type { ResolvedConflict } from '../../../kernel/model/conflict.ts'
import { isStillValid, loserOf, readResolutions, withResolution } from './resolutions.ts'

const resolved = (fields: Partial<ResolvedConflict> = {}): ResolvedConflict => ({
  entryA: 'a',
  entryB: 'b',
  conflictType: 'superseded',
  detectedAt: 1,
  resolvedAt: 2,
  resolution: 'superseded',
  holds: 'b',
  said: ['1', '2'],
  by: 'cli',
  ...fields,
})

describe('what was decided about conflicts', () => {
  it('is read from what people may have edited', () => {
    const { holds: _, ...even } = resolved({ resolution: 'both' })
    const good = [resolved(), even]
    const bad = [
      null,
      'b',
      resolved({ holds: 'c' }),
      { ...resolved(), resolution: 'maybe' },
      { ...even, resolution: 'kept' },
      { ...resolved(), said: ['1'] },
    ]
    expect(readResolutions([...bad, ...good])).toEqual(good)
    expect([readResolutions(undefined), readResolutions({})]).toEqual([[], []])
  })

  it('says who lost, unless both hold', () => {
    const { holds: _, ...both } = resolved({ resolution: 'both' })
    expect([loserOf(resolved()), loserOf(resolved({ holds: 'a' })), loserOf(both)]).toEqual([
      'a',
      'b',
      undefined,
    ])
  })

  it('holds while both say what they said', () => {
    const prints = new Map([
      ['a', '1'],
      ['b', '2'],
    ])
    expect(isStillValid(resolved(), id => prints.get(id))).toBe(true)
    prints.set('b', '3')
    expect(isStillValid(resolved(), id => prints.get(id))).toBe(false)
  })

  it('takes the place of what was decided before about the pair, and leaves what it cannot read', () => {
    const other = resolved({ entryA: 'c' })
    const again = resolved({ entryA: 'b', entryB: 'a', resolvedAt: 9 })
    expect(withResolution([resolved(), 'by hand', other], again)).toEqual(['by hand', other, again])
    expect(withResolution(undefined, again)).toEqual([again])
  })
})
