import { expect, test } from 'vitest'
import { DEFAULT_ALIASES, expandAliases } from './aliases.ts'
import { analyseQuery } from './query-terms.ts'

const languages = new Set(['en'] as const)

function expansions(query: string, aliases: Record<string, readonly string[]>): Record<string, string[]> {
  const terms = expandAliases(analyseQuery(query, { languages }), { aliases, languages })
  return Object.fromEntries(
    terms.map(term => [
      term.text,
      term.variants.filter(({ weight }) => weight < 1).map(({ token }) => token),
    ]),
  )
}

test('finds the other members of a group, from any of them', () => {
  const aliases = { db: ['database', 'banco'] }
  expect(expansions('db', aliases)).toEqual({ db: ['databas', 'banco'] })
  expect(expansions('databases', aliases)).toEqual({ databases: ['db', 'banco'] })
  expect(expansions('bancos', aliases)).toEqual({ bancos: ['db', 'databas'] })
})

test('takes a member of several words only when all of them are asked', () => {
  const aliases = { pr: ['pull request'] }
  expect(expansions('pull request', aliases)).toEqual({ pull: ['pr'], request: ['pr'] })
  expect(expansions('request', aliases)).toEqual({ request: [] })
})

test('offers the words of a longer member at a part of the weight', () => {
  const [term] = expandAliases(analyseQuery('pr', { languages }), {
    aliases: { pr: ['pull request'] },
    languages,
  })
  expect(term?.variants).toEqual([
    { token: 'pr', weight: 1 },
    { token: 'pull', weight: 0.2 },
    { token: 'request', weight: 0.2 },
  ])
})

test('leaves terms without a group as they are', () => {
  const terms = analyseQuery('kafka', { languages })
  expect(expandAliases(terms, { aliases: DEFAULT_ALIASES, languages })).toEqual(terms)
})

test('joins the words of both languages by default', () => {
  expect(expansions('senhas', DEFAULT_ALIASES)).toEqual({ senhas: ['password'] })
})

test('leaves out words that mean something else in the other language', () => {
  // `data` is Portuguese for date and `time` for team: as aliases they would lead English questions astray.
  const words = Object.entries(DEFAULT_ALIASES).flat(2)
  expect(words.filter(word => word === 'date' || word === 'time')).toEqual([])
})
