import { expect, test } from 'vitest'
import { expandAliases } from '../../../kernel/text/aliases.ts'
import { analyseQuery } from '../../../kernel/text/query-terms.ts'
import { planQuery } from './query-plan.ts'

const languages = new Set(['en', 'pt'] as const)

function plan(query: string, dfs: Record<string, number>, documentCount: number) {
  return planQuery({
    terms: analyseQuery(query, { languages: new Set(['en']) }),
    documentCount,
    dfOf: token => dfs[token] ?? 0,
  })
}

function texts(terms: readonly { text: string }[]): string[] {
  return terms.map(term => term.text)
}

test('looks up any of the words, and leaves the small ones to the ranking', () => {
  const { match, order, terms, pruned } = plan(
    'why does raft snapshot?',
    { whi: 9, raft: 2, snapshot: 3 },
    10,
  )
  expect({ match, order, terms: texts(terms), pruned: texts(pruned) }).toEqual({
    match: [[['raft']], [['snapshot']]],
    order: 'bm25',
    terms: ['raft', 'snapshot'],
    pruned: ['why'],
  })
})

test('looks up small words when there are no others', () => {
  expect(plan('what is it', { what: 3, it: 8 }, 10).match).toEqual([[['what']], [['it']]])
})

test('leaves out words that are in no entry, yet lets them lower what a score is worth', () => {
  const known = plan('raft', { raft: 2 }, 10)
  const unknown = plan('raft kubernetes', { raft: 2 }, 10)
  expect(unknown.match).toEqual([[['raft']]])
  expect(unknown.ceiling).toBeGreaterThan(known.ceiling)
})

test('has nothing to look up when no word is in the index', () => {
  expect(plan('raft', {}, 10)).toMatchObject({ match: [], terms: [], pruned: [] })
})

test('keeps the rarest words within what can be ranked', () => {
  const { match, pruned } = plan(
    'raft snapshot error',
    { raft: 40, snapshot: 900, error: 400_000 },
    1_000_000,
  )
  expect(match).toEqual([[['raft']], [['snapshot']]])
  expect(texts(pruned)).toEqual(['error'])
})

test('looks up two frequent words together beside a single rare one', () => {
  const { match } = plan('raft error test', { raft: 40, error: 90_000, test: 80_000 }, 1_000_000)
  expect(match).toEqual([[['raft']], [['test'], ['error']]])
})

test('looks up frequent words together when there are no others, and falls back to the newest', () => {
  const { match, order, fallback } = plan('error test', { error: 90_000, test: 80_000 }, 1_000_000)
  expect({ match, order, fallback }).toEqual({
    match: [[['test'], ['error']]],
    order: 'bm25',
    fallback: { match: [[['test']]], order: 'newest' },
  })
})

test('takes the newest entries for one word that very many have', () => {
  expect(plan('error', { error: 400_000 }, 1_000_000)).toMatchObject({
    match: [[['error']]],
    order: 'newest',
  })
})

test('does not look up a frequent alias beside the word itself', () => {
  const terms = expandAliases(analyseQuery('db', { languages }), { aliases: { db: ['database'] }, languages })
  const dfs: Record<string, number> = { db: 20, databas: 50_000 }
  const { match, terms: planned } = planQuery({
    terms,
    documentCount: 1_000_000,
    dfOf: token => dfs[token] ?? 0,
  })
  expect(match).toEqual([[['db']]])
  expect(planned[0]?.variants.map(variant => variant.token)).toEqual(['db', 'databas'])
})

test('never lets a rare guess weigh more than the word that was asked for', () => {
  const terms = expandAliases(analyseQuery('db', { languages }), { aliases: { db: ['dbms'] }, languages })
  const dfs: Record<string, number> = { db: 50, dbms: 1 }
  const [term] = planQuery({ terms, documentCount: 100, dfOf: token => dfs[token] ?? 0 }).terms
  expect(new Set(term?.variants.map(variant => variant.idf)).size).toBe(1)
})
