import { describe, expect, it } from 'vitest'
import { isWatchedFolder, partsChanged, partsOf } from './memory-parts.ts'

describe('the parts that a path belongs to', () => {
  it.each([
    ['dev/decisions.md', ['entries', 'review', 'conflicts']],
    ['dev/decisions/2026-03.md', ['entries', 'review', 'conflicts']],
    ['curation.json', ['entries', 'review', 'conflicts']],
    ['local/curation.json', ['entries', 'review', 'conflicts']],
    ['_project.md', ['project-text']],
    ['config.json', ['config']],
    ['state.json', ['state']],
    ['history/events.jsonl', ['state']],
    ['history/checkpoints/1.json', ['state']],
    ['sessions/9f3c.memory.json', ['sessions', 'review']],
    ['conversations/dev/9f3c.jsonl', ['sessions']],
    ['archive/evict-2026', ['upkeep']],
    ['.vault/compact-log.json', ['upkeep']],
    ['.vault/obsidian.db', ['obsidian']],
    ['.vault/index.db-wal', []],
    // Its rows are compared instead.
    ['.vault/work.db', []],
    ['history/audit.jsonl.cairn-tmp', []],
    ['private/lessons/2026-11-18-mine-k3f9.md', ['entries', 'review', 'conflicts']],
    ['local/dev/decisions/2026-02.md', ['entries', 'review', 'conflicts']],
    ['dev/decisions.md.cairn-tmp', []],
    ['dev/decisions.md~', []],
    ['dev/.decisions.md.swp', []],
    ['dev/notes.txt', []],
    ['.gitignore', []],
  ])('%s', (path, parts) => {
    expect(partsOf(path)).toEqual(parts)
  })
})

it('looks into vaults and their pages, and not into what the index or a batch of the archive holds', () => {
  const folders = ['', 'dev', 'dev/decisions', 'history', '.vault', 'archive', 'conversations/dev']
  expect(folders.every(isWatchedFolder)).toBe(true)
  expect(['.vault/checkpoints', 'archive/evict-2026', '.git', 'a/b/c/d'].some(isWatchedFolder)).toBe(false)
})

it('tells of what came, went or changed', () => {
  const before = new Map([
    ['lessons.md', '10 1 1'],
    ['tasks.md', '10 1 2'],
  ])
  expect([...partsChanged('dev', before, before)]).toEqual([])
  expect([...partsChanged('dev', before, new Map([['lessons.md', '10 1 1']]))]).toEqual([
    'entries',
    'review',
    'conflicts',
  ])
  expect([...partsChanged('', new Map(), new Map([['_project.md', '1 1 1']]))]).toEqual(['project-text'])
})
