import { expect, it } from 'vitest'
import { type HunkLine, numberLines, pairLines } from './side-by-side.ts'

const LINES: readonly HunkLine[] = [
  { kind: 'same', text: 'a' },
  { kind: 'removed', text: 'b' },
  { kind: 'removed', text: 'c' },
  { kind: 'added', text: 'B' },
  { kind: 'same', text: 'd' },
]

it('numbers every line on its sides', () => {
  expect(numberLines(LINES, { old: 10, now: 20 }).map(({ old, now }) => [old, now])).toEqual([
    [10, 20],
    [11, undefined],
    [12, undefined],
    [undefined, 21],
    [13, 22],
  ])
})

it('pairs removed with added lines, and continues the longer run alone', () => {
  const rows = pairLines(numberLines(LINES, { old: 1, now: 1 }))
  expect(rows.map(({ before, after }) => [before?.text, after?.text])).toEqual([
    ['a', 'a'],
    ['b', 'B'],
    ['c', undefined],
    ['d', 'd'],
  ])
})
