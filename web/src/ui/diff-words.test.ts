import { describe, expect, it } from 'vitest'
import { type DiffPart, diffWords } from './diff-words.ts'

/** `Sessions [-do not-] live`: removed in [- -], added in [+ +]. */
const marked = (parts: readonly DiffPart[]) =>
  parts
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'removed' ? `[-${text}-]` : `[+${text}+]`))
    .join('')

describe('diffWords', () => {
  it('names the words that were put in, and leaves the rest', () => {
    expect(marked(diffWords('Sessions live in Redis.', 'Sessions do not live in Redis.'))).toBe(
      'Sessions [+do not +]live in Redis.',
    )
  })

  it('names a word that was replaced on both sides', () => {
    expect(marked(diffWords('The limit is five.', 'The limit is seven!'))).toBe(
      'The limit is [-five.-][+seven!+]',
    )
  })

  it('keeps together what was put in together', () => {
    const before = 'Sessions live in Redis, all of them.'
    expect(marked(diffWords(before, 'Sessions of the old shop live in Redis.'))).toBe(
      'Sessions [+of the old shop +]live in Redis[-, all of them-].',
    )
  })

  it('keeps words of other scripts and signs whole', () => {
    expect(marked(diffWords('O botão é azul.', 'O botão é verde.'))).toBe('O botão é [-azul-][+verde+].')
  })

  it('has nothing to tell of equal texts, nor of two empty ones', () => {
    expect(diffWords('Same.', 'Same.')).toEqual([{ kind: 'same', text: 'Same.' }])
    expect(diffWords('', '')).toEqual([])
  })

  it('gives either text back, whatever the two are', () => {
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

  it('tells texts that are too long to be compared word by word as replaced, but for their ends', () => {
    const long = (word: string) => `Begin ${`${word} `.repeat(2_000)}end.`
    expect(diffWords(long('left'), long('right')).map(({ kind }) => kind)).toEqual([
      'same',
      'removed',
      'added',
      'same',
    ])
  })
})
