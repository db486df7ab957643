import { describe, expect, it } from 'vitest'
import type { Entry } from '../../model/entry.ts'
import { inOrder, judgePair, mayConflict } from './judge-pair.ts'

const entry = (id: string, content: string, fields: Partial<Entry> = {}): Entry => ({
  id,
  agent: 'shared',
  category: 'decisions',
  kind: 'decision',
  status: 'confirmed',
  origin: 'person',
  date: '2026-01-01T00:00',
  content,
  tags: [],
  files: [],
  importance: 0.5,
  ...fields,
})

describe('judgePair', () => {
  it('says it in the words of the seed', () => {
    const type = (a: string, b: string) => judgePair({ a: entry('1', a), b: entry('2', b) })?.type
    expect(type('The audit bucket is public.', 'The audit bucket is private.')).toBe('contradictory')
    expect(type('The lease lasts 30 seconds.', 'A lease lasts 2 minutes.')).toBe('contradictory')
    expect(type('Jobs go through Sidekiq.', 'Sidekiq was retired, jobs go through SQS.')).toBe('superseded')
    expect(type('Redis holds the sessions.', 'The parser has no recursion.')).toBeUndefined()
  })

  it('calls what rests on little ambiguous', () => {
    const a = entry('1', 'Parcels are labelled with stickers.')
    const b = entry('2', 'Label parcels with chalk.')
    expect(judgePair({ a, b, cosine: 0.8 })).toMatchObject({ type: 'ambiguous' })
  })

  it('says what contradicts what, in the words of the entries', () => {
    const reason = (a: string, b: string) => judgePair({ a: entry('1', a), b: entry('2', b) })?.reason
    expect(reason('The lease lasts 30 seconds.', 'A lease lasts 2 minutes.')).toEqual({
      code: 'quantity',
      words: ['time'],
      sides: [['30 seconds'], ['2 minutes']],
    })
    expect(reason('The panel listens on port 9443.', 'The panel listens on port 8443.')?.sides).toEqual([
      ['port 9443'],
      ['port 8443'],
    ])
    expect(reason('The ledger is kept in MySQL.', 'The ledger lives in PostgreSQL.')?.sides).toEqual([
      ['MySQL'],
      ['PostgreSQL'],
    ])
    expect(reason('The audit bucket is public.', 'The audit bucket is private.')?.sides).toEqual([
      ['public'],
      ['private'],
    ])
    expect(reason('Do not edit `lib/gen.ts` by hand.', '`lib/gen.ts` is edited by hand.')).toEqual({
      code: 'negation',
      words: ['edit', 'lib/gen.ts'],
      deniedBy: 'older',
    })
  })

  it('tells the older from the newer by date, then by id', () => {
    const a = entry('2', 'The lease lasts 30 seconds.', { date: '2026-02-01T00:00' })
    const b = entry('9', 'A lease lasts 2 minutes.')
    expect(judgePair({ a, b })).toMatchObject({ older: '9', newer: '2' })
    expect(judgePair({ a: b, b: a })).toEqual(judgePair({ a, b }))
    expect(inOrder(entry('2', ''), entry('1', '')).map(({ id }) => id)).toEqual(['1', '2'])
  })

  it('is asked of what says how things are, not of tasks, handoffs and reports of changes', () => {
    const asked = (fields: Partial<Entry>) => mayConflict(entry('1', '', fields))
    expect([asked({}), asked({ kind: 'warning', category: 'lessons' })]).toEqual([true, true])
    expect([
      asked({ kind: 'task', category: 'tasks' }),
      asked({ kind: 'handoff', category: 'handoffs' }),
      asked({ kind: 'file_change', category: 'projects' }),
    ]).toEqual([false, false, false])
  })
})
