import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { migrateOperation } from '../src/addons/import/verbs/migrate.ts'
import { composeEngine } from '../src/compose/compose.ts'
import type { ComposedCheckout } from '../src/compose/composed.ts'
import { confirmOperation } from '../src/features/entries/verbs/confirm.ts'
import { editOperation } from '../src/features/entries/verbs/edit.ts'
import { forgetOperation } from '../src/features/entries/verbs/forget.ts'
import { pinOperation } from '../src/features/entries/verbs/pin.ts'
import { undoOperation } from '../src/features/entries/verbs/undo.ts'
import { remember } from '../src/features/entries/write-entries.ts'
import { statusOperation } from '../src/features/status/verbs/status.ts'
import type { Entry } from '../src/kernel/model/entry.ts'
import type { NewEntry } from '../src/kernel/model/new-entry.ts'
import { loadSqlite } from '../src/stores/sqlite/driver.ts'
import { git, gitRepository } from './support/git-repository.ts'
import { scratchProject } from './support/scratch-project.ts'
import { fileSaying, headFile, vaultFiles } from './support/vault-files.ts'

const DECISION: NewEntry = { content: 'Sessions live in Redis.', kind: 'decision' }

function open(root: string): ComposedCheckout {
  const engine = composeEngine({ root, actor: { host: 'test' } })
  onTestFinished(() => engine.close())
  return engine
}

async function keep(engine: ComposedCheckout, entry: NewEntry): Promise<Entry> {
  const [kept] = await remember(engine, [entry])
  if (kept === undefined) throw new Error('one in, one out')
  return kept.entry
}

/** What a process finds that looks at the files anew. */
async function entriesIn(root: string): Promise<string[]> {
  const engine = composeEngine({ root, actor: { host: 'test' } })
  const { entries } = await engine.store.listEntries({ filter: {}, limit: 500, offset: 0 })
  expect(await engine.store.check()).toEqual([])
  await engine.close()
  return entries.map(({ id, status, content }) => `${id} ${status} ${content}`).sort()
}

const unseen = (root: string) => git(root, 'status', '--porcelain', '--untracked-files=all')

function commitAll(root: string): void {
  git(root, 'add', '--all')
  git(root, 'commit', '--quiet', '--message', 'memory')
}

const inRoot = (root: string, name: string) => path.join(root, name)

/** A repository with one decision, and a copy of its file under another name. */
async function copied(change: (text: string) => string) {
  const root = gitRepository(path.join(scratchProject(), 'shop'))
  const engine = open(root)
  const entry = await keep(engine, DECISION)
  const file = fileSaying(root, DECISION.content)
  const copy = '.memory/shared/decisions/zz-template.md'
  writeFileSync(inRoot(root, copy), change(readFileSync(inRoot(root, file), 'utf8')))
  commitAll(root)
  return { root, engine, entry, file, copy }
}

describe('a copy of an entry file', () => {
  it('stays as it is, counts once, and is named by status', async () => {
    const { root, engine, entry, copy } = await copied(text => text)
    expect(await entriesIn(root)).toEqual([`${entry.id} confirmed Sessions live in Redis.`])
    const { problems } = await statusOperation.run(engine, {}, {})
    expect(problems).toMatchObject([{ code: 'entry_twice', path: copy.replace('.memory/', '') }])
    expect(unseen(root)).toBe('')
  })

  it('goes with the entry when that is forgotten', async () => {
    const { root, engine, entry } = await copied(text => text)
    await entriesIn(root)
    await forgetOperation.run(engine, { target: entry.id }, {})
    expect(vaultFiles(root)).toEqual({})
    expect(await entriesIn(root)).toEqual([])
  })

  it('becomes the entry when the file of that is removed by hand', async () => {
    const { root, entry, file } = await copied(text => text)
    await entriesIn(root)
    git(root, 'rm', '--quiet', file)
    expect(await entriesIn(root)).toEqual([`${entry.id} confirmed Sessions live in Redis.`])
  })

  it('is another entry when it says something else, under the same id in every clone, and no read changes it', async () => {
    const { root, engine, entry, file } = await copied(text => text.replaceAll('Redis', 'Postgres'))
    const both = [
      `${entry.id} confirmed Sessions live in Redis.`,
      `${entry.id}~2 confirmed Sessions live in Postgres.`,
    ]
    expect(await entriesIn(root)).toEqual(both)
    const clone = `${root}-clone`
    git(root, 'clone', '--quiet', root, clone)
    expect(await entriesIn(clone)).toEqual(both)
    expect([unseen(root), unseen(clone)]).toEqual(['', ''])

    await editOperation.run(engine, { target: `${entry.id}~2`, content: 'Sessions live in SQLite.' }, {})
    expect(await entriesIn(root)).toEqual([
      `${entry.id} confirmed Sessions live in Redis.`,
      `${entry.id}~2 confirmed Sessions live in SQLite.`,
    ])
    await forgetOperation.run(engine, { target: entry.id }, {})
    expect(Object.keys(vaultFiles(root))).not.toContain(file)
    expect(await entriesIn(root)).toEqual([`${entry.id}~2 confirmed Sessions live in SQLite.`])
  })
})

it('of two versions in one file the later counts, and reading leaves both', async () => {
  const root = gitRepository(path.join(scratchProject(), 'shop'))
  const engine = open(root)
  const { id } = await keep(engine, DECISION)
  const file = inRoot(root, fileSaying(root, DECISION.content))
  const before = readFileSync(file, 'utf8')
  await pinOperation.run(engine, { target: id }, {})
  writeFileSync(file, `${before}\n${readFileSync(file, 'utf8')}`)
  commitAll(root)
  expect(await entriesIn(root)).toEqual([`${id} pinned Sessions live in Redis.`])
  expect(unseen(root)).toBe('')
})

it('what is typed above an entry with the same words is another entry, and the id stays where it is written', async () => {
  const root = gitRepository(path.join(scratchProject(), 'shop'))
  const engine = open(root)
  const file = inRoot(root, '.memory/shared/decisions.md')
  await keep(engine, DECISION)
  writeFileSync(file, '- Never log tokens\n')
  await pinOperation.run(engine, { target: 'log tokens' }, {})
  writeFileSync(file, `- Never log tokens\n\n${readFileSync(file, 'utf8')}`)
  commitAll(root)
  const typed = (await entriesIn(root)).filter(line => line.startsWith('typed-'))
  expect(typed.map(line => line.replace(/^typed-[0-9a-f]+/, 'typed'))).toEqual([
    'typed pinned Never log tokens',
    'typed~2 confirmed Never log tokens',
  ])
  expect(unseen(root)).toBe('')
})

describe('a memory of 0.1.0 in git', () => {
  const HEADS = {
    '.memory/config.json': '{\n  "version": 1\n}\n',
    '.memory/.gitignore': 'history/\n.vault/\n',
    '.memory/dev/handoffs.md': headFile(
      Array.from({ length: 40 }, (_, n) => ({
        content: `Asked: task ${n}.`,
        date: `2026-03-${String((n % 27) + 1).padStart(2, '0')}T10:${String(n).padStart(2, '0')}`,
      })),
      'o',
    ),
    '.memory/dev/lessons.md': headFile([
      {
        content: 'The build may be slow.',
        date: '2026-03-10T10:00',
        comment: 'status:candidate origin:agent',
      },
      { content: 'Tests run alone.', date: '2026-03-11T10:00' },
      { content: 'Logs are in UTC.', date: '2026-03-12T10:00' },
    ]),
  }

  const repository = () => gitRepository(path.join(scratchProject(), 'shop'), HEADS)

  it('is the same on both sides of a switch between a branch with the migration and one without', async () => {
    const root = repository()
    const before = await entriesIn(root)
    git(root, 'checkout', '--quiet', '-b', 'migrated')
    const engine = open(root)
    await migrateOperation.run(engine, {}, {})
    commitAll(root)
    git(root, 'checkout', '--quiet', 'main')
    expect(await entriesIn(root)).toEqual(before)
    expect(unseen(root)).toBe('')
    git(root, 'checkout', '--quiet', 'migrated')
    expect(await entriesIn(root)).toEqual(before)
    expect(unseen(root)).toBe('')
  })

  it('merged with a branch from before the migration loses nothing, and migrating again leaves one file for each entry', async () => {
    const root = repository()
    git(root, 'checkout', '--quiet', '-b', 'feature')
    const edited = open(root)
    await editOperation.run(edited, { target: 'Logs are in UTC.', content: 'Logs are in UTC, always.' }, {})
    await edited.close()
    commitAll(root)
    git(root, 'checkout', '--quiet', 'main')
    const engine = open(root)
    await migrateOperation.run(engine, {}, {})
    commitAll(root)
    expect(() => git(root, 'merge', '--quiet', 'feature')).toThrow(
      /CONFLICT \(modify\/delete\)|Command failed/,
    )
    const lessons = (lines: string[]) =>
      lines.map(line => line.replace(/^\S+ /, '')).filter(line => !/Asked/.test(line))
    const expected = [
      'candidate The build may be slow.',
      'confirmed Tests run alone.',
      'confirmed Logs are in UTC, always.',
    ].sort()
    const standing = vaultFiles(root)
    expect(lessons(await entriesIn(root)).sort()).toEqual(expected)
    expect(vaultFiles(root)).toEqual(standing)
    const again = await migrateOperation.run(engine, {}, {})
    expect(again.layout.copies.map(({ from, text }) => `${from} ${text}`).sort()).toEqual([
      'dev/lessons.md Tests run alone.',
      'dev/lessons.md The build may be slow.',
    ])
    expect(lessons(await entriesIn(root)).sort()).toEqual(expected)
    expect(Object.keys(vaultFiles(root))).not.toContain('.memory/dev/lessons.md')
    commitAll(root)
    expect(lessons(await entriesIn(root)).sort()).toEqual(expected)
  })

  it('has its files back after the undo of a migration, to the byte', async () => {
    const root = repository()
    const agent = composeEngine({ root, actor: { host: 'mcp' } })
    // As 0.1.0 stored what an agent saved: as a person's words. It stands in a head file, as 0.1.0 wrote it.
    await keep(agent, { content: 'The cache is warm.', kind: 'lesson', agent: 'dev' })
    await agent.close()
    const own = fileSaying(root, 'The cache is warm.')
    const lessons = inRoot(root, '.memory/dev/lessons.md')
    const text = readFileSync(inRoot(root, own), 'utf8').replace(/^(## \S+) · .*$/m, '$1')
    writeFileSync(lessons, `${text}\n${readFileSync(lessons, 'utf8')}`)
    rmSync(inRoot(root, own))
    const entries = await entriesIn(root)
    const before = vaultFiles(root)
    const engine = open(root)
    const { trust } = await migrateOperation.run(engine, {}, {})
    expect(trust.toAgent.map(({ text }) => text)).toEqual(['The cache is warm.'])
    expect(fileSaying(root, 'The cache is warm.')).toBe('.memory/local/dev/lessons.md')
    await undoOperation.run(engine, {}, {})
    expect(vaultFiles(root)).toEqual(before)
    expect(await entriesIn(root)).toEqual(entries)
  })

  it('keeps a candidate in its file when it is confirmed and when that is undone', async () => {
    const root = repository()
    const engine = open(root)
    const before = vaultFiles(root)
    await confirmOperation.run(engine, { target: 'The build may be slow.' }, {})
    expect(fileSaying(root, 'The build may be slow.')).toBe('.memory/dev/lessons.md')
    await undoOperation.run(engine, {}, {})
    expect(vaultFiles(root)).toEqual(before)
  })
})

it('a memory whose index an earlier version made is read anew', async () => {
  const name = '.memory/shared/lessons.md'
  const root = scratchProject({ [name]: '- Herons stand on one leg.\n' })
  const then = new Date('2026-11-01T10:00:00.500Z')
  utimesSync(inRoot(root, name), then, then)
  await entriesIn(root)
  // Nothing that a stamp shows, as for entries that an earlier version did not see in the file.
  writeFileSync(inRoot(root, name), '- Herons stand on two leg.\n')
  utimesSync(inRoot(root, name), then, then)
  const database = new (loadSqlite().DatabaseSync)(inRoot(root, '.memory/.vault/index.db'))
  database.exec('DROP TABLE twin; PRAGMA user_version = 8')
  database.close()
  expect(await entriesIn(root)).toEqual([expect.stringContaining('two leg')])
})

it('one branch moves the only lesson to another category, the other adds a lesson: plain git merges them', async () => {
  const root = gitRepository(path.join(scratchProject(), 'shop'))
  const engine = open(root)
  const { id } = await keep(engine, { content: 'Sessions live in Redis, for two hours.', kind: 'lesson' })
  commitAll(root)
  git(root, 'checkout', '--quiet', '-b', 'moves')
  await editOperation.run(engine, { target: id, kind: 'decision' }, {})
  expect(unseen(root)).toMatch(/lessons\/\.gitkeep$/m)
  commitAll(root)
  git(root, 'checkout', '--quiet', 'main')
  await keep(engine, { content: 'Tests run alone.', kind: 'lesson' })
  commitAll(root)
  expect(git(root, 'merge-tree', '--write-tree', 'main', 'moves')).toMatch(/^[0-9a-f]{40}$/)
})
