import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { learningBlocks, planLearningSplit } from './learnings-file.ts'

const entry = (date: string, title: string, eol = '\n') =>
  [`### [${date}] ${title}`, '', '**Category:** architecture', '', `About ${title}.`, '', '---', '', ''].join(
    eol,
  )
const FILE = 'user/memory/workspaces/devtools/decisions.md'

describe('a file of learnings with too many entries', () => {
  it('keeps the newest, and the older go to a page of their year with their text as it is', () => {
    const text = `# Decisions\n\n${entry('2024-01-01', 'A')}${entry('2025-02-01', 'B')}${entry('2025-03-01', 'C')}${entry('2026-01-01', 'D')}${entry('2026-02-01', 'E')}`
    const split = planLearningSplit({ path: FILE, text }, new Map(), 4)
    expect(split?.moves).toEqual([
      { to: FILE.replace('.md', '-2024.md'), titles: ['[2024-01-01] A'] },
      { to: FILE.replace('.md', '-2025.md'), titles: ['[2025-02-01] B', '[2025-03-01] C'] },
    ])
    expect(split?.texts.map(({ after }) => after)).toEqual([
      entry('2024-01-01', 'A'),
      entry('2025-02-01', 'B') + entry('2025-03-01', 'C'),
      `# Decisions\n\n${entry('2026-01-01', 'D')}${entry('2026-02-01', 'E')}`,
    ])
  })

  it('fills pages of months where a year is too much for one', () => {
    const text = ['2025-01-01', '2025-01-02', '2025-02-01', '2026-01-01', '2026-01-02']
      .map(day => entry(day, day))
      .join('')
    const pages = new Map([
      [FILE.replace('.md', '-2025.md'), entry('2025-12-01', 'X') + entry('2025-12-02', 'Y')],
    ])
    expect(planLearningSplit({ path: FILE, text }, pages, 4)?.moves.map(({ to }) => to)).toEqual([
      FILE.replace('.md', '-2025-01.md'),
      FILE.replace('.md', '-2025-02.md'),
    ])
  })

  it('leaves what has no date, what was written on the same day, and a page of a month', () => {
    const same = Array.from({ length: 6 }, (_, n) => entry('2026-01-01', `S${n}`)).join('')
    expect(planLearningSplit({ path: FILE, text: same }, new Map(), 4)).toBeUndefined()
    const undated = Array.from(
      { length: 6 },
      (_, n) => `### Title ${n}\n\n**Category:** x\n\nText.\n\n`,
    ).join('')
    expect(planLearningSplit({ path: FILE, text: undated }, new Map(), 4)).toBeUndefined()
    const month = FILE.replace('.md', '-2025-01.md')
    const many = Array.from({ length: 6 }, (_, n) => entry(`2025-01-0${n + 1}`, `M${n}`)).join('')
    expect(planLearningSplit({ path: month, text: many }, new Map(), 4)).toBeUndefined()
  })

  it('takes no heading in a code block for an entry, and keeps CRLF', () => {
    const text = `\ufeff${entry('2024-01-01', 'A', '\r\n')}${entry('2026-01-01', 'B', '\r\n').replace('About B.', '```\r\n### Not an entry\r\n**Category:** x\r\n```')}${entry('2026-01-02', 'C', '\r\n')}`
    const split = planLearningSplit({ path: FILE, text }, new Map(), 2)
    expect(split?.moves.flatMap(({ titles }) => titles)).toEqual(['[2024-01-01] A', '[2026-01-01] B'])
    expect(split?.texts.at(-1)?.after).toBe(`\ufeff${entry('2026-01-02', 'C', '\r\n')}`)
  })
})

it('loses no entry and doubles none, and once everything is split nothing is left to split', () => {
  const day = fc.date({ min: new Date('2023-01-01'), max: new Date('2026-12-28'), noInvalidDate: true })
  fc.assert(
    fc.property(fc.array(day, { maxLength: 40 }), fc.integer({ min: 2, max: 8 }), (days, most) => {
      const files = new Map([
        [FILE, days.map((at, n) => entry(at.toISOString().slice(0, 10), `T${n}`)).join('')],
      ])
      const titles = () =>
        [...files.values()].flatMap(text => learningBlocks(text).map(({ title }) => title)).sort()
      const before = titles()
      for (let round = 0; round < 4; round++) {
        for (const path of [...files.keys()]) {
          const split = planLearningSplit({ path, text: files.get(path) ?? '' }, files, most)
          for (const { path: to, after } of split?.texts ?? []) files.set(to, after)
        }
      }
      expect(titles()).toEqual(before)
      for (const [path, text] of files) expect(planLearningSplit({ path, text }, files, most)).toBeUndefined()
    }),
  )
})
