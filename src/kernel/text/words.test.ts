import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scanChunks } from './words.ts'

test('keeps identifiers, paths and contractions together', () => {
  const chunks = scanChunks("see src/auth/token.ts: don't use `max_retry_count` (std::fs)")
  expect(chunks.map(chunk => chunk.text)).toEqual([
    'see',
    'src/auth/token.ts',
    "don't",
    'use',
    'max_retry_count',
    'std::fs',
  ])
})

test('says where each chunk starts', () => {
  expect(scanChunks('« já » feito')).toEqual([
    { text: 'já', start: 2 },
    { text: 'feito', start: 7 },
  ])
})

test('reads Latin text the same by either pattern', () => {
  const latin = fc.string({
    unit: fc.constantFrom(
      ...Array.from({ length: 0x250 }, (_, code) => String.fromCharCode(code)),
      '\u0301',
      '—',
      '…',
      '’',
    ),
  })
  fc.assert(
    fc.property(latin, text => {
      // A letter of another script at the end switches the whole text to the pattern for all scripts.
      const all = scanChunks(`${text} ж`)
      expect(scanChunks(text)).toEqual(all.slice(0, -1))
    }),
  )
})
