import { expect, test } from 'vitest'
import { foldText, foldWord } from './fold.ts'

test('folds case, diacritics and compatibility forms', () => {
  expect(['Decisão', 'AÇÕES', 'naïve', 'ＡＰＩ', 'ﬁle', 'İstanbul', 'Ёлка'].map(foldWord)).toEqual([
    'decisao',
    'acoes',
    'naive',
    'api',
    'file',
    'istanbul',
    'елка',
  ])
})

test('keeps syllables and voiced letters whole', () => {
  expect(foldWord('한국어')).toBe('한국어')
  expect(foldWord('がく')).toBe('がく')
})

test('drops what is neither letter nor digit', () => {
  expect(foldWord('a½b')).toBe('a12b')
  expect(foldWord('\u0301')).toBe('')
})

test('folds running text and keeps its punctuation', () => {
  expect(foldText('Última Semana, às 10:00?')).toBe('ultima semana, as 10:00?')
})

test('folds Western European letters as normalising does', () => {
  for (let code = 0xc0; code <= 0xff; code += 1) {
    const letter = String.fromCharCode(code)
    const normalised = letter
      .toLowerCase()
      .normalize('NFKD')
      .replace(/[^\p{L}\p{N}]/gu, '')
    expect(foldWord(letter)).toBe(normalised)
  }
})
