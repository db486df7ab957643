import { expect, test } from 'vitest'
import { findDatePhrases } from './date-phrases.ts'
import { dateTokens } from './dates.ts'

/** A Monday. */
const NOW = '2026-06-22T09:00'

function tokensIn(text: string, now?: string): string[] {
  return findDatePhrases(text, now).flatMap(phrase => phrase.tokens)
}

test('writes the forms in which a question names a day', () => {
  expect(dateTokens('2026-03-05T16:51')).toEqual(['2026', '202603', '20260305', '5', 'march', 'marc'])
  expect(dateTokens('2026-03')).toEqual(['2026', '202603', 'march', 'marc'])
  expect(dateTokens('soon')).toEqual([])
})

test.each([
  ['what changed on 2026-03-16?', ['20260316']],
  ['what changed in 2026-03?', ['202603']],
  ['on 8 may 2023', ['20230508', '202305']],
  ['on may 8, 2023', ['20230508']],
  ['on may 8th 2023', ['20230508']],
  ['em 20 de abril de 2026', ['20260420', '202604']],
  ['in june 2026', ['202606']],
  ['junho de 2026', ['202606']],
])('reads the date in "%s"', (text, tokens) => {
  expect(tokensIn(text)).toEqual(tokens)
})

test.each([
  ['what did we agree on yesterday?', ['20260621']],
  ['o que mudou ontem?', ['20260621']],
  ['what landed around 10-11 june', ['20260610', '20260611']],
  ['o problema do dia 20 de dezembro', ['20251220']],
  ['this month', ['202606']],
  ['mes passado', ['202605']],
  ['last week', ['20260615', '20260616', '20260617', '20260618', '20260619', '20260620', '20260621']],
])('reads "%s" from the given day', (text, tokens) => {
  expect(tokensIn(text, NOW)).toEqual(tokens)
})

test('takes a weekday for the latest one, without being certain', () => {
  expect(findDatePhrases('what happened thursday?', NOW)).toEqual([
    { tokens: ['20260618'], text: 'thursday', certain: false },
  ])
})

test('knows no relative date without a clock', () => {
  expect(findDatePhrases('yesterday, last week, 10 june, friday')).toEqual([])
})

test('reads nothing into impossible days', () => {
  expect(tokensIn('99 june 2026', NOW)).toEqual(['202606'])
})
