import { expect, test } from 'vitest'
import { analyseEntry, type EntryText } from '../../../kernel/text/analyse.ts'
import { analyseQuery } from '../../../kernel/text/query-terms.ts'
import { planQuery } from './query-plan.ts'
import { type Candidate, FIELD_BORDER, FIELDS, startRanking } from './rank.ts'

interface Small extends Partial<EntryText> {
  readonly id: string
  readonly session?: string
}

/** A corpus small enough to see, with the figures that a store would keep. */
function world(entries: readonly Small[], query: string) {
  const all: Candidate[] = entries.map((entry, order) => {
    const { content = '', tags = [], files = [], kind = 'lesson', date = '2026-01-01T00:00' } = entry
    const { language: _, ...tokens } = analyseEntry({ content, tags, files, kind, date })
    return {
      id: entry.id,
      text: FIELDS.map(field => tokens[field]).join(FIELD_BORDER),
      lengths: FIELDS.map(field => tokens[field].split(' ').length),
      date,
      order,
      ...(entry.session !== undefined && { session: entry.session }),
    }
  })
  const lists = all.map(candidate => candidate.text.split(/[ \n]/))
  const dfOf = (token: string) => lists.filter(list => list.includes(token)).length
  const averageLengths = Object.fromEntries(
    FIELDS.map((field, at) => [
      field,
      all.reduce((sum, { lengths }) => sum + (lengths[at] ?? 0), 0) / all.length,
    ]),
  ) as Record<(typeof FIELDS)[number], number>
  const terms = analyseQuery(query, { languages: new Set(['en']) })
  const plan = planQuery({ terms, documentCount: all.length, dfOf })
  return { plan, all, stats: { averageLengths } }
}

function order(entries: readonly Small[], query: string): string[] {
  const { plan, all, stats } = world(entries, query)
  return startRanking({ plan, candidates: all, stats })
    .finish([])
    .map(({ id }) => id)
}

test('puts the entry with more of the question first, and those with nothing of it last', () => {
  const entries = [
    { id: 'one', content: 'retry the upload' },
    { id: 'both', content: 'retry the deploy' },
    { id: 'none', content: 'cache invalidation' },
  ]
  expect(order(entries, 'retry deploy')).toEqual(['both', 'one', 'none'])
})

test('weighs the content above tags, tags above files, files above the kind', () => {
  const filler = { content: 'something else entirely' }
  const entries = [
    { ...filler, id: 'kind', kind: 'raft' },
    { ...filler, id: 'file', files: ['raft'] },
    { ...filler, id: 'tag', tags: ['raft'] },
    { id: 'content', content: 'raft else entirely' },
  ]
  expect(order(entries, 'raft')).toEqual(['content', 'tag', 'file', 'kind'])
})

test('prefers the entry that opens with the word', () => {
  const rest =
    'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen'
  const entries = [
    { id: 'late', content: `${rest} raft` },
    { id: 'early', content: `raft ${rest}` },
  ]
  expect(order(entries, 'raft')).toEqual(['early', 'late'])
})

test('prefers words that stand together as they were asked', () => {
  const entries = [
    { id: 'apart', content: 'token of the new bucket' },
    { id: 'swapped', content: 'the bucket token is new' },
    { id: 'together', content: 'the token bucket is new' },
  ]
  expect(order(entries, 'token bucket')[0]).toBe('together')
})

test('counts a term once, by its best form', () => {
  const entries = [
    { id: 'exact', content: 'use db here' },
    { id: 'other', content: 'use raft here' },
  ]
  const { plan, all, stats } = world(entries, 'db')
  const [db] = plan.terms
  const guessed = {
    ...plan,
    terms:
      db === undefined
        ? []
        : [{ ...db, variants: [...db.variants, { ...db.variants[0], token: 'raft', weight: 0.5 }] }],
  } as typeof plan
  const [first, second] = startRanking({ plan: guessed, candidates: all, stats }).finish([])
  expect([first?.id, second?.id]).toEqual(['exact', 'other'])
  expect((second?.score ?? 0) / (first?.score ?? 1)).toBeCloseTo(0.5)
})

test('finds an entry by the date it was written', () => {
  const entries = [
    { id: 'may', content: 'we moved to pnpm', date: '2026-05-02T10:00' },
    { id: 'june', content: 'we moved to pnpm', date: '2026-06-02T10:00' },
  ]
  expect(order(entries, 'what moved in may 2026?')).toEqual(['may', 'june'])
})

test('puts the newer of two equals first, then goes by id', () => {
  const entries = [
    { id: 'b', content: 'raft' },
    { id: 'a', content: 'raft' },
    { id: 'new', content: 'raft', date: '2026-02-01T00:00' },
  ]
  expect(order(entries, 'raft')).toEqual(['new', 'a', 'b'])
})

test('lets an entry borrow from its neighbours in the session, and only from them', () => {
  const entries = [
    { id: 'question', content: 'which queue do we use for invoices?', session: 's1' },
    { id: 'answer', content: 'pg-boss', session: 's1' },
    { id: 'far', content: 'colours of buttons', session: 's2' },
  ]
  const { plan, all, stats } = world(entries, 'queue invoices')
  const [question, answer] = all
  if (question === undefined || answer === undefined) throw new Error('the world has three entries')
  const input = { plan, candidates: [question], stats }
  expect(startRanking(input).needs).toEqual([{ session: 's1', order: 0, reach: 2 }])
  const ranked = startRanking(input).finish([[question, answer]])
  expect(ranked.map(({ id }) => id)).toEqual(['question', 'answer'])
})

test('needs no neighbours for entries without a session', () => {
  const { plan, all, stats } = world([{ id: 'a', content: 'raft' }], 'raft')
  expect(startRanking({ plan, candidates: all, stats }).needs).toEqual([])
})

test('scores below the ceiling however often the word stands there', () => {
  const entries = [
    { id: 'a', content: 'raft raft raft raft', tags: ['raft'], files: ['raft.rs'] },
    { id: 'b', content: 'x' },
  ]
  const { plan, all, stats } = world(entries, 'raft')
  const [best] = startRanking({ plan, candidates: all, stats }).finish([])
  expect(best?.score).toBeGreaterThan(0)
  expect(best?.score).toBeLessThan(plan.ceiling)
})
