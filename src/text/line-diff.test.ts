import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffLines, linesOf } from './line-diff.ts'

function applied(before: readonly string[], edits: ReturnType<typeof diffLines>): string[] {
  const lines = [...before]
  for (const { at, removed, added } of [...edits].reverse()) lines.splice(at, removed.length, ...added)
  return lines
}

describe('lines of a text', () => {
  it('keep their line breaks', () => {
    expect(linesOf('a\r\nb\n\nc')).toEqual(['a\r\n', 'b\n', '\n', 'c'])
    expect(linesOf('')).toEqual([])
  })
})

describe('the difference of two texts', () => {
  it('is the lines that changed, each place by itself', () => {
    expect(
      diffLines(linesOf('one\ntwo\nthree\nfour\nfive\n'), linesOf('one\n2\nthree\nfour\nfive\nsix\n')),
    ).toEqual([
      { at: 1, removed: ['two\n'], added: ['2\n'] },
      { at: 5, removed: [], added: ['six\n'] },
    ])
  })

  it('is nothing for the same text', () => {
    expect(diffLines(linesOf('a\nb'), linesOf('a\nb'))).toEqual([])
  })

  it('makes the one text of the other, whatever they are', () => {
    const lines = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', 'd\r\n', '\n'), { maxLength: 30 })
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        expect(applied(before, diffLines(before, after))).toEqual(after)
      }),
    )
  })

  it('never names a line that both have at the same place at the ends', () => {
    const lines = fc.array(fc.constantFrom('a\n', 'b\n'), { maxLength: 12 })
    fc.assert(
      fc.property(lines, lines, lines, (head, one, other) => {
        const edits = diffLines([...head, ...one], [...head, ...other])
        expect(edits.every(({ removed, added }) => removed.length + added.length > 0)).toBe(true)
        expect(edits.every(({ at }) => at >= 0)).toBe(true)
        if (one.length === 0 && other.length === 0) expect(edits).toEqual([])
      }),
    )
  })
})
