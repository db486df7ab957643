import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Snippet } from '../../../kernel/model/search.ts'
import { analyseQuery } from '../../../kernel/text/query-terms.ts'
import { snippetMaker } from './snippet.ts'

function snippet(content: string, query: string): Snippet {
  const terms = analyseQuery(query, { languages: new Set(['en', 'pt']) })
  const makeSnippet = snippetMaker(
    terms.map(term => ({
      ...term,
      idf: 1,
      variants: term.variants.map(variant => ({ ...variant, df: 1, idf: 1, isLookedUp: true })),
    })),
  )
  return makeSnippet(content)
}

function marked({ text, matches }: Snippet): string[] {
  return matches.map(({ start, end }) => text.slice(start, end))
}

test('shows a short entry whole, with the words that match by stem', () => {
  const found = snippet('Retries are capped.\nSee maxRetryCount.', 'why do we retry?')
  expect(found.text).toBe('Retries are capped. See maxRetryCount.')
  expect(marked(found)).toEqual(['Retries', 'maxRetryCount'])
})

const LONG = `${'Nothing to see in this part of the text. '.repeat(10)}The token bucket limits webhooks to ten per second for each tenant of ours, and refills slowly. ${'More of nothing. '.repeat(10)}`

test('cuts about 120 characters around the match, between words', () => {
  const found = snippet(LONG, 'token bucket webhooks')
  expect(found.text).toBe(
    '…in this part of the text. The token bucket limits webhooks to ten per second for each tenant of ours, and refills…',
  )
  expect(marked(found)).toEqual(['token', 'bucket', 'webhooks'])
})

test('prefers the place where more of the question meets', () => {
  const found = snippet(`token token token ${'x '.repeat(200)} token bucket`, 'token bucket')
  expect(marked(found)).toEqual(['token', 'bucket'])
})

test('shows the beginning when nothing in the content matches', () => {
  const found = snippet(LONG, 'kafka')
  expect(found).toEqual({
    text: 'Nothing to see in this part of the text. Nothing to see in this part of the text. Nothing to see in this part of the…',
    matches: [],
  })
})

test('marks accented words asked for without accents', () => {
  expect(marked(snippet('Configuração da conexão', 'configuracoes conexao'))).toEqual([
    'Configuração',
    'conexão',
  ])
})

test('does not mark small words beside telling ones', () => {
  expect(marked(snippet('why the cache is cold', 'why is the cache cold'))).toEqual(['cache', 'cold'])
})

test('is quick on 50 MB', () => {
  const found = snippet(`${'lorem ipsum dolor '.repeat(3_000_000)}`, 'ipsum')
  expect(found.text.length).toBeLessThanOrEqual(122)
})

test('has no broken letters and marks within the text, whatever it is given', () => {
  const content = fc.oneof(
    fc.string({ maxLength: 600 }),
    fc.string({ unit: 'binary', maxLength: 600 }),
    fc
      .array(fc.constantFrom('🙂', 'retry', ' ', '\n', 'ação', '\ud83d', '検索', 'x'.repeat(150)), {
        maxLength: 80,
      })
      .map(parts => parts.join('')),
  )
  fc.assert(
    fc.property(content, text => {
      const found = snippet(text, 'retry ação 検索 x')
      expect(found.text).toBe(new TextDecoder().decode(new TextEncoder().encode(found.text)))
      expect(found.text).not.toMatch(/[\n\r\t\0]/)
      expect(found.text.length).toBeLessThanOrEqual(180)
      for (const { start, end } of found.matches) {
        expect(start).toBeGreaterThanOrEqual(0)
        expect(end).toBeGreaterThan(start)
        expect(end).toBeLessThanOrEqual(found.text.length)
      }
    }),
  )
})
