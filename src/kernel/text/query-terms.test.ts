import fc from 'fast-check'
import { expect, test } from 'vitest'
import { analyseQuery, type QueryTerm } from './query-terms.ts'

const EN = { languages: new Set(['en'] as const) }
const BOTH = { languages: new Set(['en', 'pt'] as const) }

function telling(terms: readonly QueryTerm[]): string[] {
  return terms.filter(term => term.source !== 'stop-word').map(term => term.text)
}

test('finds the significant words, and gives the others a low weight', () => {
  expect(analyseQuery('why do we retry deployments?', EN)).toEqual([
    { text: 'why', variants: [{ token: 'whi', weight: 1 }], weight: 0.25, source: 'stop-word' },
    { text: 'do', variants: [{ token: 'do', weight: 1 }], weight: 0.25, source: 'stop-word' },
    { text: 'we', variants: [{ token: 'we', weight: 1 }], weight: 0.25, source: 'stop-word' },
    { text: 'retry', variants: [{ token: 'retri', weight: 1 }], weight: 1, source: 'word' },
    { text: 'deployments', variants: [{ token: 'deploy', weight: 1 }], weight: 1, source: 'word' },
  ])
})

test('stems in every language that the entries are in', () => {
  const [term] = analyseQuery('configurações', BOTH)
  expect(term?.variants.map(variant => variant.token)).toEqual(['configuraco', 'configur'])
})

test('asks for an identifier by its words and whole', () => {
  expect(telling(analyseQuery('maxRetryCount', EN))).toEqual(['max', 'retry', 'count', 'maxretrycount'])
})

test('asks once for two forms of a word', () => {
  expect(telling(analyseQuery('retry retries retried', EN))).toEqual(['retry'])
})

test('drops the small words of the language that the question is in', () => {
  expect(telling(analyseQuery('onde ficam as chaves de cobrança do cliente?', BOTH))).toEqual([
    'ficam',
    'chaves',
    'cobranca',
    'cliente',
  ])
})

test('keeps a question made only of stop words', () => {
  const terms = analyseQuery('what is it', EN)
  expect(terms.map(term => [term.text, term.weight])).toEqual([
    ['what', 1],
    ['is', 1],
    ['it', 1],
  ])
})

test('adds the day that "yesterday" means when it knows today', () => {
  const terms = analyseQuery('what broke yesterday?', { ...EN, now: '2026-06-22T09:00' })
  expect(terms.at(-1)).toEqual({
    text: 'yesterday',
    variants: [{ token: '20260621', weight: 1 }],
    weight: 1,
    source: 'date',
  })
})

test.each(['', '   ', '🙂🎉', '\u0000\u0000', '"" () * ^ - +', '\ud800'])(
  'finds nothing to ask for in %j',
  query => {
    expect(analyseQuery(query, EN)).toEqual([])
  },
)

test('reads operators and quotes as words or not at all', () => {
  const terms = analyseQuery('"auth" NEAR/2 (body:token) NOT x*', EN)
  expect(telling(terms)).toEqual(['auth', 'near', '2', 'body', 'token', 'x'])
})

test('keeps the most significant 64 of ten thousand words', () => {
  const words = Array.from({ length: 10_000 }, (_, i) => `w${'o'.repeat(i % 40)}rd`)
  const terms = analyseQuery(`${words.join(' ')} deployTarget`, EN)
  expect(terms.length).toBeLessThanOrEqual(64)
})

test('never throws, and asks only for letters and digits', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))
  fc.assert(
    fc.property(text, query => {
      for (const term of analyseQuery(query, { ...BOTH, now: '2026-06-22T09:00' })) {
        for (const { token } of term.variants) expect(token).toMatch(/^[\p{L}\p{N}]+$/u)
      }
    }),
  )
})
