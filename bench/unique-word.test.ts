import { expect, it } from 'vitest'
import { uniqueWord } from './unique-word.ts'

it('gives every number a word of its own', () => {
  expect(new Set(Array.from({ length: 8_000 }, (_, number) => uniqueWord(number))).size).toBe(8_000)
  expect(uniqueWord(1)).toBe('cocubobubobubobuk')
})
