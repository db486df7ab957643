import { describe, expect, it } from 'vitest'
import { extraOfLineage, lineageOf, writerOf } from './provenance.ts'

describe('the lineage of an entry', () => {
  it('survives the comment it is stored in', () => {
    const lineage = { capturedBy: 'rule', untrusted: 'web', supersedes: '1773679871839-k3f9' } as const
    expect(lineageOf({ extra: extraOfLineage(lineage) })).toEqual(lineage)
  })

  it('ignores values that a hand edit made unreadable', () => {
    expect(lineageOf({ extra: { lineage: 'x', untrusted: 'y', supersedes: 'a b' } })).toEqual({})
  })

  it('names the writer', () => {
    expect(writerOf({ origin: 'person' })).toBe('person')
    expect(writerOf({ origin: 'agent' })).toBe('agent')
    expect(writerOf({ origin: 'machine' })).toBe('rule')
    expect(writerOf({ origin: 'person', extra: { lineage: 'rule' } })).toBe('rule')
    expect(writerOf({ origin: 'machine', extra: { imported: 'claude-mem' } })).toBe('import')
  })
})
