import { expect, it } from 'vitest'
import { backupOf } from '../addons/backup/decide/backup-line.ts'
import { GITIGNORE } from '../stores/embedded/git-files.ts'
import { loadSqlite } from '../stores/sqlite/driver.ts'
import { migrate } from '../stores/sqlite/schema.ts'
import { checkedFirst, ignoredNames, ignoredRows, LAYOUT, reservedNames, rowsOf } from './layout.ts'

it('reserves these names, which agents of clones may not take', () => {
  expect([...reservedNames()].sort()).toEqual([
    'archive',
    'config.json',
    'conversations',
    'curation.json',
    'history',
    'local',
    'sessions',
    'sources.json',
    'state.json',
  ])
})

it('keeps what git ignores from other users', () => {
  expect([...ignoredNames()].sort()).toEqual([
    '.vault',
    'archive',
    'conversations',
    'history',
    'local',
    'private',
    'sessions',
    'sources.json',
    'state.json',
  ])
})

it('writes these lines into .gitignore', () => {
  expect(GITIGNORE.split('\n').slice(1)).toEqual([
    'private/',
    'local/',
    'conversations/',
    'sessions/',
    'history/',
    'archive/',
    'state.json',
    'state.json.damaged-*',
    'sources.json',
    'sources.json.damaged-*',
    '.vault/',
    '*.md.bak',
    '*.cairn-tmp',
    '',
  ])
  expect(ignoredRows().every(({ git }) => git === 'ignored')).toBe(true)
})

it('checks these paths for links before anything is read, each folder before what is in it', () => {
  const paths = checkedFirst()
  expect([...paths].sort()).toEqual([
    '.vault',
    '.vault/backup',
    '.vault/index.db',
    '.vault/lock.db',
    '_project.md',
    'archive',
    'config.json',
    'conversations',
    'curation.json',
    'history',
    'history/audit.jsonl',
    'local',
    'local/curation.json',
    'sessions',
  ])
  for (const [at, each] of paths.entries())
    expect(paths.slice(0, at).some(earlier => earlier.startsWith(`${each}/`))).toBe(false)
})

it.each([
  ['_project.md', 'projectText'],
  ['private/lessons/2026-11-18-mine-k3f9.md', 'privateVault'],
  ['shared/decisions.md', 'heads'],
  ['shared/decisions/2026-02.md', 'entries'],
  ['dev/_persona.md', 'persona'],
  ['local/dev/decisions/2026-02.md', 'localEntries'],
  ['local/curation.json', 'localCuration'],
  ['conversations/dev/s1.jsonl', 'conversations'],
  ['history/checkpoints/1.json', 'stateCheckpoints'],
  ['history/other.txt', 'history'],
  ['state.json.damaged-17', 'damagedState'],
  ['.vault/index.db', 'index'],
  ['.vault/index.db-wal', 'databaseJournals'],
  ['.vault/checkpoints/dev/s1.json', 'checkpoints'],
  ['.vault/something', 'data'],
  ['dev/decisions.md.bak', 'migrated'],
] as const)('knows %s as %s', (file, key) => {
  expect(rowsOf(file)[0]).toBe(LAYOUT[key])
})

it.each(['notes.txt', '.git/config', '.hidden/decisions.md'])('does not know %s', file => {
  expect(rowsOf(file)).toEqual([])
})

it.each([
  ['.vault/work.db', 'database'],
  ['.vault/link.db', 'database'],
  ['.vault/work.db-wal', 'none'],
  ['.vault/index.db', 'none'],
  ['.vault/index.db.damaged-17', 'none'],
  ['.vault/backup/config.json', 'none'],
  ['.vault/project-token', 'none'],
  ['.vault/event-hashes', 'none'],
  ['.vault/spool/s1.jsonl', 'copy'],
  ['.vault/.evict.cairn-tmp', 'none'],
  ['shared/decisions.md.cairn-tmp', 'none'],
  ['shared/decisions.md', 'copy'],
  ['state.json.damaged-17', 'copy'],
  ['anything/else', 'copy'],
])('backs up %s: %s', (file, how) => {
  expect(backupOf(file)).toBe(how)
})

it('lists the tables of the index', () => {
  const database = new (loadSqlite().DatabaseSync)(':memory:')
  migrate(database)
  const tables = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .all()
    .map(row => String((row as { name: unknown }).name))
    // FTS5 creates tables of its own for each of its tables.
    .filter(name => !/^(?:sqlite|fulltext|doc_fulltext)_/.test(name))
  expect(tables).toEqual(
    [...(LAYOUT.index.tables?.rebuilt ?? []), ...(LAYOUT.index.tables?.kept ?? [])].sort(),
  )
})
