import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffHunks, type Hunk } from './diff-hunks.ts'

const text = (...lines: string[]) => lines.map(line => `${line}\n`).join('')
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`)

describe('the hunks of a file that changed', () => {
  it('hold the lines that changed with three around them, and both line numbers', () => {
    const before = numbered(20)
    const after = [...before.slice(0, 9), 'ten', 'ten and a half', ...before.slice(10)]
    expect(diffHunks(text(...before), text(...after), 100)).toEqual({
      hunks: [
        {
          oldStart: 7,
          newStart: 7,
          lines: [
            { kind: 'same', text: 'line 7' },
            { kind: 'same', text: 'line 8' },
            { kind: 'same', text: 'line 9' },
            { kind: 'removed', text: 'line 10' },
            { kind: 'added', text: 'ten' },
            { kind: 'added', text: 'ten and a half' },
            { kind: 'same', text: 'line 11' },
            { kind: 'same', text: 'line 12' },
            { kind: 'same', text: 'line 13' },
          ],
        },
      ],
      left: 0,
    })
  })

  it('are one where the lines around them meet, and two where they do not', () => {
    const before = numbered(40)
    const changed = (...at: number[]) => before.map((line, i) => (at.includes(i) ? `${line}!` : line))
    expect(
      diffHunks(text(...before), text(...changed(5, 11)), 100).hunks.map(({ oldStart }) => oldStart),
    ).toEqual([3])
    expect(
      diffHunks(text(...before), text(...changed(5, 13)), 100).hunks.map(({ oldStart }) => oldStart),
    ).toEqual([3, 11])
  })

  it('are none for the same text with other line ends', () => {
    expect(diffHunks('a\r\nb\r\n', 'a\nb\n', 10)).toEqual({ hunks: [], left: 0 })
  })

  it('stop at the most lines, and say how many more there are', () => {
    const { hunks, left } = diffHunks('', text(...numbered(30)), 10)
    expect([hunks[0]?.lines.length, left]).toEqual([10, 20])
  })

  it('make the one text of the other', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 60 })
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const { hunks, left } = diffHunks(text(...before), text(...after), 1_000)
        expect(left).toBe(0)
        expect(applied(before, hunks)).toEqual(after)
      }),
    )
  })
})

/** As `patch` would: every line that stays or goes must stand where the hunk says. */
function applied(before: readonly string[], hunks: readonly Hunk[]): string[] {
  const after: string[] = []
  let at = 0
  for (const { oldStart, newStart, lines } of hunks) {
    after.push(...before.slice(at, oldStart - 1))
    at = oldStart - 1
    expect(after.length).toBe(newStart - 1)
    for (const { kind, text: line } of lines) {
      if (kind !== 'added') expect(before[at++]).toBe(line)
      if (kind !== 'removed') after.push(line)
    }
  }
  return [...after, ...before.slice(at)]
}
