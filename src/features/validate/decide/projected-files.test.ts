import { expect, it } from 'vitest'
import { judgeProjected } from './judge-surroundings.ts'

it('tells of projections and blocks that are behind, edited or broken, and of no other', () => {
  const file = (state: string) => ({ path: `${state}.md`, state, line: 3 })
  const findings = judgeProjected(
    ['absent', 'current', 'unknown', 'behind', 'edited', 'foreign', 'newer', 'unreadable'].map(file),
    ['absent', 'none', 'linked', 'imports', 'current', 'behind', 'edited', 'broken', 'newer'].map(file),
  )
  expect(findings.map(({ severity, code, path, line }) => `${severity} ${code} ${path}:${line}`)).toEqual([
    'warning projection_behind behind.md:3',
    'warning projection_edited edited.md:3',
    'note projection_foreign foreign.md:3',
    'warning projection_newer newer.md:3',
    'error projection_unreadable unreadable.md:3',
    'warning entry_block_behind behind.md:3',
    'warning entry_block_edited edited.md:3',
    'error entry_block_broken broken.md:3',
    'warning entry_block_newer newer.md:3',
  ])
})
