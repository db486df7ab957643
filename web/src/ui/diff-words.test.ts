import { describe, expect, it } from 'vitest'
import { type DiffPart, diffWords } from './diff-words.ts'

/** `Sessions [-do not-] live`: removed in [- -], added in [+ +]. */
const marked = (parts: readonly DiffPart[]) =>
  parts
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'removed' ? `[-${text}-]` : `[+${text}+]`))
    .join('')

describe('diffWords', () => {
  it('marks the added words only', () => {
    expect(marked(diffWords('Sessions live in Redis.', 'Sessions do not live in Redis.'))).toBe(
      'Sessions [+do not +]live in Redis.',
    )
  })

  it('marks a replaced word on both sides', () => {
    expect(marked(diffWords('The limit is five.', 'The limit is seven!'))).toBe(
      'The limit is [-five.-][+seven!+]',
    )
  })

  it('keeps a consecutive addition together', () => {
    const before = 'Sessions live in Redis, all of them.'
    expect(marked(diffWords(before, 'Sessions of the old shop live in Redis.'))).toBe(
      'Sessions [+of the old shop +]live in Redis[-, all of them-].',
    )
  })

  it('does not split words of other scripts and symbols', () => {
    expect(marked(diffWords('O botão é azul.', 'O botão é verde.'))).toBe('O botão é [-azul-][+verde+].')
  })

  it('finds no difference between equal or empty texts', () => {
    expect(diffWords('Same.', 'Same.')).toEqual([{ kind: 'same', text: 'Same.' }])
    expect(diffWords('', '')).toEqual([])
  })

  it('reproduces both texts from the parts', () => {
    const texts = ['', 'a', 'a b a', 'b a b', 'one\ntwo', '  x ', 'a b c d e f', 'f e d c b a', '((a))']
    for (const before of texts)
      for (const after of texts) {
        const parts = diffWords(before, after)
        const without = (kind: DiffPart['kind']) =>
          parts
            .filter(part => part.kind !== kind)
            .map(({ text }) => text)
            .join('')
        expect([without('added'), without('removed')]).toEqual([before, after])
      }
  })

  it('reports the middle of very long texts as replaced', () => {
    const long = (word: string) => `Begin ${`${word} `.repeat(2_000)}end.`
    expect(diffWords(long('left'), long('right')).map(({ kind }) => kind)).toEqual([
      'same',
      'removed',
      'added',
      'same',
    ])
  })
})
