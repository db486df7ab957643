import { expect, test } from 'vitest'
import { analyseQuery } from '../../../kernel/text/query-terms.ts'
import { expandTerm, spellingsOf, vocabularyNeeds } from './expansion.ts'

const languages = new Set(['en'] as const)

function world(query: string, vocabulary: Record<string, number>, documentCount = 100) {
  const input = {
    terms: analyseQuery(query, { languages }),
    documentCount,
    dfOf: (token: string) => vocabulary[token] ?? 0,
  }
  const spellings = spellingsOf(input, languages)
  const needs = vocabularyNeeds(input, spellings)
  const answers = new Map(
    needs.map(({ prefix, minLength, maxLength }) => [
      prefix,
      Object.entries(vocabulary)
        .filter(
          ([token]) => token.startsWith(prefix) && token.length >= minLength && token.length <= maxLength,
        )
        .map(([token, df]) => ({ token, df })),
    ]),
  )
  const guesses = input.terms
    .map(term => expandTerm(term, input, { vocabulary: answers, spellings }))
    .flatMap(term => term.variants.filter(variant => variant.weight < 1))
  return { needs, guesses }
}

test('asks for nothing when a longer question has only known words', () => {
  const { needs } = world('retry deploy cache error', { retri: 1, deploy: 1, cach: 1, error: 1 })
  expect(needs).toEqual([])
})

test('completes a word that is not in the index', () => {
  const { guesses } = world('config', { configur: 3, confirm: 9 })
  expect(guesses).toEqual([{ token: 'configur', weight: 0.4 }])
})

test('hints at longer words when a short question has a known one', () => {
  const { guesses } = world('auth', { auth: 2, authent: 3 })
  expect(guesses).toEqual([{ token: 'authent', weight: 0.15 }])
})

test.each([
  ['cahce', 'cach', 0.4],
  ['gradel', 'gradl', 0.4],
  ['tunder', 'thunder', 0.4],
  ['ekyboard', 'keyboard', 0.4],
  ['microsfot', 'microsoft', 0.4],
  ['conection', 'connect', 0.4],
  ['monitorameto', 'monitoramento', 0.4],
  ['postgers', 'postgre', 0.4],
  ['kuberntse', 'kubernet', 0.3],
])('reads %s as %s', (typed, token, weight) => {
  const { guesses } = world(typed, { [token]: 1, unrelated: 5 })
  expect(guesses).toEqual([{ token, weight }])
})

test.each([
  ['notificat', 'notif'],
  ['notificati', 'notif'],
  ['notifi', 'notif'],
  ['authentica', 'authent'],
  ['concurrenc', 'concurr'],
  ['observabi', 'observ'],
  ['internati', 'internationaliz'],
  ['notificaton', 'notif'],
  ['notifcation', 'notif'],
  ['noitfication', 'notif'],
  ['authorizaton', 'author'],
])('reads %s, cut or misspelt inside its suffix, as %s', (typed, token) => {
  const { guesses } = world(typed, { [token]: 1, unrelated: 5 })
  expect(guesses).toEqual([{ token, weight: 0.4 }])
})

test('reads no further for a word that is one slip from a word of the index', () => {
  const { needs } = world('conection', { connect: 1 })
  expect(needs.map(need => need.prefix)).toEqual(['conect', 'conection'])
})

test('does not guess at words of three letters, numbers or identifiers with digits', () => {
  expect(world('cat', { car: 1 }).guesses).toEqual([])
  expect(world('4041', { '4042': 1 }).guesses).toEqual([])
})

test('prefers fewer slips, then the more frequent word', () => {
  const { guesses } = world('forma', { format: 1, forma: 0, form: 2, farm: 50 })
  expect(guesses.map(guess => guess.token)).toEqual(['format', 'form'])
})

test('takes a word that is short in the index for no other that is two slips away', () => {
  expect(world('earnings', { are: 7, euro: 1 }).guesses).toEqual([])
})

test('guesses at the first twelve unknown words of a long text', () => {
  const words = Array.from(
    { length: 60 },
    (_, i) => `${String.fromCharCode(97 + (i % 26))}unknown${'x'.repeat(i)}`,
  )
  const { needs } = world(words.join(' '), {}, 1_000_000)
  expect(needs.filter(need => need.prefix.length > 2)).toHaveLength(12)
})

test('wants two letters right in a large index', () => {
  expect(world('cahce', {}, 1_000_000).needs.map(need => need.prefix)).toEqual([
    'cahc',
    'cahce',
    'ca',
    'ac',
    'ch',
  ])
  expect(world('cahce', {}, 1_000).needs.map(need => need.prefix)).toEqual(['cahc', 'cahce', 'c', 'a'])
})
