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
  it('is the changed lines, each place separately', () => {
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

  it('tells the few lines that changed in a long text one by one', () => {
    const before = Array.from({ length: 3_000 }, (_, at) => `line ${at}\n`)
    const after = before.map((line, at) => (at === 1 || at === 2_990 ? `new ${line}` : line))
    after.splice(1_500, 1)
    expect(diffLines(before, after)).toEqual([
      { at: 1, removed: ['line 1\n'], added: ['new line 1\n'] },
      { at: 1_500, removed: ['line 1500\n'], added: [] },
      { at: 2_990, removed: ['line 2990\n'], added: ['new line 2990\n'] },
    ])
  })

  it('makes the one long text of the other, and takes one edit for all where nearly all lines differ', () => {
    const numbers = fc.array(fc.nat(1_199), { minLength: 1, maxLength: 40 })
    const before = Array.from({ length: 1_200 }, (_, at) => `line ${at}\n`)
    fc.assert(
      fc.property(numbers, numbers, (gone, repeated) => {
        const after = before.flatMap((line, at) =>
          gone.includes(at) ? [] : repeated.includes(at) ? [line, 'again\n'] : [line],
        )
        const framed = ['first\n', ...after, 'last\n']
        expect(applied(before, diffLines(before, framed))).toEqual(framed)
      }),
      { numRuns: 30 },
    )
    const other = before.map(line => `other ${line}`)
    expect(diffLines(before, other)).toEqual([{ at: 0, removed: before, added: other }])
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
