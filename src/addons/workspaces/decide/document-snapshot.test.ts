import { expect, it } from 'vitest'
import { isSameByFiles, isSameByStamps, storedSnapshotOf } from './document-snapshot.ts'

const FILE = { path: 'w/a/OVERVIEW.md', size: 10, mtimeMs: 5, inode: 3 }
const SURVEY = { roots: ['w', 'm'], files: [FILE], folders: ['w', 'w/a'] }
const FOLDERS: Readonly<Record<string, { size: number; mtimeMs: number; inode: number }>> = {
  w: { size: 1, mtimeMs: 1, inode: 1 },
  'w/a': { size: 1, mtimeMs: 2, inode: 2 },
}
const all = (path: string) => (path === FILE.path ? FILE : FOLDERS[path])
const kept = storedSnapshotOf(SURVEY, { stampOf: all, isSettled: () => true })

it('tells by stamps alone that nothing came, went or changed', () => {
  expect(kept.paths).toEqual(['w', 'm', 'w/a', 'w/a/OVERVIEW.md'])
  expect(isSameByStamps(kept, ['w', 'm'], all)).toBe(true)
  const changed: [string, object | undefined][] = [
    ['w/a/OVERVIEW.md', undefined],
    ['w/a/OVERVIEW.md', { ...FILE, mtimeMs: 6 }],
    ['w/a/OVERVIEW.md', { ...FILE, inode: 9 }],
    ['w/a', { size: 1, mtimeMs: 3, inode: 2 }],
    ['m', { size: 1, mtimeMs: 1, inode: 8 }],
  ]
  for (const [at, stamp] of changed)
    expect(isSameByStamps(kept, ['w', 'm'], path => (path === at ? (stamp as typeof FILE) : all(path)))).toBe(
      false,
    )
})

it('is of no use to other roots', () => {
  expect(isSameByStamps(kept, ['elsewhere', 'm'], all)).toBe(false)
})

it('keeps the files alone where folders do not tell, and is compared with another survey', () => {
  for (const survey of [
    storedSnapshotOf({ ...SURVEY, folders: undefined }, { stampOf: all, isSettled: () => true }),
    storedSnapshotOf(SURVEY, { stampOf: all, isSettled: ({ inode }) => inode !== 2 }),
    storedSnapshotOf(SURVEY, {
      stampOf: path => ({ ...FILE, ...all(path), inode: 0 }),
      isSettled: () => true,
    }),
  ]) {
    expect(isSameByStamps(survey, ['w', 'm'], all)).toBeUndefined()
    expect(isSameByFiles(survey, SURVEY)).toBe(true)
    expect(isSameByFiles(survey, { ...SURVEY, files: [] })).toBe(false)
    expect(isSameByFiles(survey, { ...SURVEY, files: [{ ...FILE, size: 11 }] })).toBe(false)
    expect(isSameByFiles(survey, { ...SURVEY, files: [{ ...FILE, path: 'w/b/OVERVIEW.md' }] })).toBe(false)
  }
})
