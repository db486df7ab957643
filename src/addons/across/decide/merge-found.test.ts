import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ProjectName } from '../../../kernel/model/across.ts'
import type { Entry } from '../../../kernel/model/entry.ts'
import { type FoundInProject, mergeFound, potentialOf } from './merge-found.ts'

const project = (name: string, isHere = false): ProjectName => ({
  id: `id-${name}`,
  name,
  root: null,
  isHere,
})

function found(name: string, score: number, content: string, more: Partial<Entry> = {}): FoundInProject {
  const entry: Entry = {
    id: `1000000000000-${name}`,
    agent: 'shared',
    category: 'lessons',
    kind: 'lesson',
    status: 'confirmed',
    origin: 'person',
    date: '2026-03-16T10:00',
    content,
    tags: [],
    files: [],
    importance: 0.5,
    ...more,
  }
  return { project: project(name, name === 'here'), entry, score, words: score }
}

const told = (all: readonly FoundInProject[], limit = 10) =>
  mergeFound(all, limit).map(({ entry, from }) => [entry.content, from.map(place => place.project.name)])

test('what only is nearest in meaning needs more than what has the words', () => {
  const near = (score: number, words: number) => ({ ...found('api', score, `near ${score}`), words })
  expect(told([near(0.12, 0), near(0.12, 0.07)])).toEqual([])
  expect(told([near(0.13, 0)])).toEqual([['near 0.13', ['api']]])
  expect(told([near(0.09, 0.08)])).toEqual([['near 0.09', ['api']]])
  expect(told([near(0.3, 0), found('shop', 0.9, 'said')])).toEqual([
    ['said', ['shop']],
    ['near 0.3', ['api']],
  ])
})

test('the best of all projects comes first, wherever it stands', () => {
  expect(told([found('api', 0.4, 'a'), found('shop', 0.6, 'b'), found('bank', 0.5, 'c')])).toEqual([
    ['b', ['shop']],
    ['c', ['bank']],
    ['a', ['api']],
  ])
})

test('the same text is one result with all its places: here first, then the newest', () => {
  const all = [
    found('api', 0.5, 'Wait for the  database.', { date: '2026-01-01T10:00' }),
    found('shop', 0.5, 'wait for the database.', { date: '2026-02-01T10:00' }),
    found('here', 0.5, 'Wait for the database.', { date: '2025-01-01T10:00' }),
  ]
  expect(told(all)).toEqual([['Wait for the database.', ['here', 'shop', 'api']]])
})

test('a project in which nothing fits contributes nothing', () => {
  expect(told([found('api', 0.8, 'a'), found('shop', 0.15, 'b')])).toEqual([['a', ['api']]])
  expect(told([found('shop', 0.05, 'b')])).toEqual([])
})

test('what was replaced comes later and says so', () => {
  const all = [{ ...found('api', 0.6, 'old'), replacedBy: 'newer' }, found('shop', 0.5, 'new')]
  expect(told(all)).toEqual([
    ['new', ['shop']],
    ['old', ['api']],
  ])
  expect(mergeFound(all, 10)[1]?.from[0]).toMatchObject({ replacedBy: 'newer' })
})

test('the order does not depend on who was asked first', () => {
  const some = fc.record({
    name: fc.constantFrom('api', 'shop', 'bank', 'here'),
    score: fc.constantFrom(0.3, 0.5, 0.7),
    content: fc.constantFrom('a', 'b', 'c', 'd'),
    id: fc.nat({ max: 9 }).map(String),
  })
  fc.assert(
    fc.property(
      fc.uniqueArray(some, { maxLength: 12, selector: ({ name, id }) => `${name} ${id}` }),
      fc.infiniteStream(fc.nat()),
      (all, order) => {
        const made = all.map(({ name, score, content, id }) => found(name, score, content, { id }))
        const numbers = made.map(() => order.next().value as number)
        const shuffled = [...made.keys()].sort((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0))
        expect(
          mergeFound(
            shuffled.flatMap(at => made[at] ?? []),
            5,
          ).map(({ score, from }) => [score, from]),
        ).toEqual(mergeFound(made, 5).map(({ score, from }) => [score, from]))
      },
    ),
  )
})

test('what a project could score at most is the worth of the words it has', () => {
  const term = (text: string, idf: number) => ({
    text,
    source: 'word' as const,
    weight: 1,
    position: 0,
    df: 1,
    idf,
    variants: [{ token: text, weight: 1, df: 1, idf, isLookedUp: true }],
  })
  const plan = {
    match: [],
    order: 'bm25' as const,
    terms: [term('raft', 4), term('error', 1)],
    pruned: [],
    ceiling: 5,
    knownShare: 1,
    rareIdf: 4,
    isQuestion: false,
  }
  expect(potentialOf(plan, () => true)).toBe(1)
  expect(potentialOf(plan, token => token === 'error')).toBe(0.25)
  expect(potentialOf(plan, () => false)).toBe(0)
})
