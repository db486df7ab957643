import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planSplits, type SplitEntry } from './plan-split.ts'

const LIMITS = { mostEntries: 3, keepEntries: 2, pageBytes: 262_144 }

/** Entries of a month, the first of them the oldest. */
const entries = (month: string, ...ids: number[]): SplitEntry[] =>
  ids.map(id => ({ id: `${id}-aaaa`, date: `${month}-03T10:00`, bytes: 100, text: `Entry ${id}.` }))
const ids = (...numbers: number[]) => numbers.map(id => `${id}-aaaa`)

describe('a file with too many entries', () => {
  it('that is a head file keeps the newest, and the older go to the pages of their months', () => {
    const head = [...entries('2026-01', 1, 2), ...entries('2026-02', 3, 4, 5)]
    expect(
      planSplits(
        { head: 'local/dev/decisions.md', entriesByPath: new Map([['local/dev/decisions.md', head]]) },
        LIMITS,
      ),
    ).toEqual([
      {
        file: 'local/dev/decisions.md',
        entries: 5,
        stays: 2,
        moves: [
          { to: 'local/dev/decisions/2026-01.md', entries: ids(1, 2) },
          { to: 'local/dev/decisions/2026-02.md', entries: ids(3) },
        ],
      },
    ])
  })

  it('that is a page keeps the oldest, and the newer go on to numbered pages after those that are there', () => {
    const entriesByPath = new Map([
      ['local/dev/decisions/2026-02.md', entries('2026-02', 1, 2, 3, 4, 5, 6)],
      ['local/dev/decisions/2026-02.2.md', entries('2026-02', 7, 8)],
    ])
    expect(planSplits({ head: 'local/dev/decisions.md', entriesByPath }, LIMITS)).toEqual([
      {
        file: 'local/dev/decisions/2026-02.md',
        entries: 6,
        stays: 3,
        moves: [
          { to: 'local/dev/decisions/2026-02.2.md', entries: ids(4) },
          { to: 'local/dev/decisions/2026-02.3.md', entries: ids(5, 6) },
        ],
      },
    ])
  })

  it('begins another page where one would be over its size', () => {
    const large = entries('2026-02', 1, 2, 3, 4, 5).map(entry => ({ ...entry, bytes: 3_000 }))
    const [split] = planSplits(
      { head: 'local/dev/lessons.md', entriesByPath: new Map([['local/dev/lessons.md', large]]) },
      { ...LIMITS, pageBytes: 4_096 },
    )
    expect(split?.moves.map(({ to }) => to)).toEqual([
      'local/dev/lessons/2026-02.md',
      'local/dev/lessons/2026-02.2.md',
      'local/dev/lessons/2026-02.3.md',
    ])
  })

  it('that is a committed head file keeps the newest, and the older get files of their own', () => {
    const entriesByPath = new Map([
      ['dev/decisions.md', entries('2026-01', 1, 2, 3, 4)],
      ['dev/decisions/2026-01.md', entries('2026-01', 5, 6, 7, 8)],
    ])
    expect(planSplits({ head: 'dev/decisions.md', entriesByPath }, LIMITS)).toEqual([
      {
        file: 'dev/decisions.md',
        entries: 4,
        stays: 2,
        moves: [
          { to: 'dev/decisions/2026-01-03-entry-1-aaaa.md', entries: ids(1) },
          { to: 'dev/decisions/2026-01-03-entry-2-aaaa.md', entries: ids(2) },
        ],
      },
    ])
  })

  it('is left alone at the limit', () => {
    const entriesByPath = new Map([['local/dev/tasks.md', entries('2026-02', 1, 2, 3)]])
    expect(planSplits({ head: 'local/dev/tasks.md', entriesByPath }, LIMITS)).toEqual([])
  })
})

it('leaves every file within the limit, loses none and names none twice, whatever is where', () => {
  const file = fc.tuple(
    fc.constantFrom('', '2026-01', '2026-01.2', '2026-02', 'notes'),
    fc.integer({ min: 0, max: 20 }),
  )
  fc.assert(
    fc.property(fc.array(file), fc.integer({ min: 1, max: 6 }), (files, mostEntries) => {
      const entriesByPath = new Map<string, SplitEntry[]>()
      let id = 0
      for (const [name, count] of files) {
        const path = name === '' ? 'local/dev/decisions.md' : `local/dev/decisions/${name}.md`
        const fresh = Array.from({ length: count }, () => ({
          id: `${++id}-aaaa`,
          date: `2026-0${1 + (id % 3)}-01T10:00`,
          bytes: 10,
          text: 'x',
        }))
        entriesByPath.set(path, [...(entriesByPath.get(path) ?? []), ...fresh])
      }
      const head = 'local/dev/decisions.md'
      const splits = planSplits({ head, entriesByPath }, { ...LIMITS, mostEntries })
      const pathById = new Map(
        [...entriesByPath].flatMap(([path, own]) => own.map(entry => [entry.id, path] as const)),
      )
      const moved = splits.flatMap(({ moves }) => moves.flatMap(({ entries: gone }) => gone))
      expect(new Set(moved).size).toBe(moved.length)
      for (const { file: from, moves } of splits)
        for (const { to, entries: gone } of moves)
          for (const one of gone) {
            expect(pathById.get(one)).toBe(from)
            pathById.set(one, to)
          }
      expect(pathById.size).toBe(id)
      const counts = new Map<string, number>()
      for (const path of pathById.values()) counts.set(path, (counts.get(path) ?? 0) + 1)
      expect(Math.max(0, ...counts.values())).toBeLessThanOrEqual(mostEntries)
    }),
  )
})
