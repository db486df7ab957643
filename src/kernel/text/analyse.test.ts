import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ANALYSED_CHARACTERS, analyseEntry } from './analyse.ts'

const EMPTY = { content: '', tags: [], files: [], kind: '', date: '' }

test('writes the tokens of each field', () => {
  expect(
    analyseEntry({
      content: 'We retry failed deployments with maxRetryCount.',
      tags: ['ci', 'error-handling'],
      files: ['src/deploy.ts'],
      kind: 'task_progress',
      date: '2026-03-16T16:51',
    }),
  ).toEqual({
    language: 'en',
    body: 'we retri fail deploy with max retri count maxretrycount',
    tags: 'ci error handl errorhandl',
    files: 'src deploy ts deployt srcdeployt',
    kind: 'task progress taskprogress',
    date: '2026 202603 20260316 16 march marc',
  })
})

test('tells Portuguese by its small words, with or without accents', () => {
  const accented = analyseEntry({ ...EMPTY, content: 'As decisões não são mais feitas aqui' })
  const plain = analyseEntry({ ...EMPTY, content: 'As decisoes nao sao mais feitas aqui' })
  expect(accented.language).toBe('pt')
  expect(plain).toEqual(accented)
})

test('takes an entry without small words for English', () => {
  expect(analyseEntry({ ...EMPTY, content: 'JWT rotation 15 min' }).language).toBe('en')
})

test('reads the first 64 KB of a huge entry', () => {
  const { body } = analyseEntry({ ...EMPTY, content: `${'word '.repeat(20_000_000 / 5)}end` })
  expect(body.split(' ')).toHaveLength(Math.ceil(ANALYSED_CHARACTERS / 'word '.length))
})

test('writes only letters and digits between single blanks, whatever it is given', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))
  fc.assert(
    fc.property(text, fc.array(text), text, (content, tags, kind) => {
      const entry = analyseEntry({ content, tags, files: tags, kind, date: content })
      for (const field of [entry.body, entry.tags, entry.files, entry.kind, entry.date]) {
        expect(field).toMatch(/^(?:[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)*)?$/u)
      }
    }),
  )
})
