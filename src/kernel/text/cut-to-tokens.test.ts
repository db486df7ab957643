import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutToTokens } from './cut-to-tokens.ts'
import { estimateTokens } from './token-estimate.ts'

test('leaves a text alone that fits', () => {
  expect(cutToTokens('Use tabs.', 10)).toBe('Use tabs.')
})

test('cuts at a paragraph', () => {
  const text =
    'The first paragraph says what the project is.\n\nThe second says how it is built.\n\nThe third says much more.'
  expect(cutToTokens(text, 22)).toBe(
    'The first paragraph says what the project is.\n\nThe second says how it is built.\n\n[…]',
  )
})

test('cuts at a sentence where there is no paragraph', () => {
  expect(cutToTokens('One thing is true. Another thing is true. A third thing is not at all true.', 16)).toBe(
    'One thing is true. Another thing is true. […]',
  )
})

test('cuts at a word where there is no sentence', () => {
  expect(cutToTokens('one two three four five six seven eight nine ten', 8)).toBe('one two three four […]')
})

test('cuts between whole characters', () => {
  const cut = cutToTokens('🙂'.repeat(100), 20)
  expect(cut).toMatch(/^🙂+\[…\]$/u)
})

test('gives nothing when nothing fits', () => {
  expect(cutToTokens('word '.repeat(100), 2)).toBe('')
  expect(cutToTokens('word', 0)).toBe('')
})

test('never has more tokens than asked for, nor a new half of a pair', () => {
  const text = fc
    .array(fc.constantFrom('word ', 'Retry. ', '\n\n', '🙂', '字', 'ação ', '{\n  ', 'x'.repeat(60), '123'), {
      maxLength: 300,
    })
    .map(parts => parts.join(''))
  fc.assert(
    fc.property(text, fc.integer({ min: 0, max: 120 }), (whole, most) => {
      const cut = cutToTokens(whole, most)
      expect(estimateTokens(cut)).toBeLessThanOrEqual(most)
      expect(cut).toBe(new TextDecoder().decode(new TextEncoder().encode(cut)))
      if (cut !== whole && cut !== '') expect(cut.endsWith('[…]')).toBe(true)
    }),
  )
})

test('is quick on a megabyte', () => {
  expect(estimateTokens(cutToTokens('A sentence of the log. '.repeat(45_000), 2_000))).toBeLessThanOrEqual(
    2_000,
  )
})
