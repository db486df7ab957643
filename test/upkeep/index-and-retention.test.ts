import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it } from 'vitest'
import { remember } from '../../src/features/entries/write-entries.ts'
import { search } from '../../src/features/search/search-memory.ts'
import { recall } from '../../src/features/state/recall.ts'
import { compact } from '../../src/features/upkeep/upkeep.ts'
import { compactOperation } from '../../src/features/upkeep/verbs/compact.ts'
import { nodeDisk } from '../../src/kernel/system/disk.ts'
import { DAY_MS, NOW_MS, openAt } from '../support/aged-vault.ts'
import { scratchProject, writeIn } from '../support/scratch-project.ts'

const INDEX = '.memory/.vault/index.db'

async function furnished(): Promise<string> {
  const root = scratchProject()
  const engine = openAt(root)
  await remember(
    engine,
    Array.from({ length: 20 }, (_, n) => ({
      content: `Fact number ${n} about the exporter.`,
      kind: 'lesson',
    })),
  )
  await compact(engine)
  await engine.close()
  return root
}

const countIn = async (root: string) => {
  const engine = openAt(root)
  const { total } = await engine.store.counts()
  await engine.close()
  return total
}

describe('the index', () => {
  it('that lacks half of its rows is rebuilt, and the result says so once', async () => {
    const root = await furnished()
    const database = new DatabaseSync(path.join(root, INDEX))
    database.exec('DELETE FROM entry WHERE key % 2 = 0')
    database.close()
    expect(await countIn(root)).toBe(10)
    const engine = openAt(root)
    expect((await compactOperation.run(engine, { dryRun: true }, {})).plan).toMatchObject([
      { does: 'rebuild the index', items: [{ what: '.vault/index.db' }] },
    ])
    expect((await compact(engine)).result).toMatchObject({ indexRebuilt: true })
    expect((await compact(engine)).result).toMatchObject({ indexRebuilt: false })
    await engine.close()
    expect(await countIn(root)).toBe(20)
  })

  it.each([
    "DELETE FROM analysed; INSERT INTO fulltext (fulltext) VALUES ('rebuild')",
    "DELETE FROM analysed WHERE key % 2 = 0; INSERT INTO fulltext (fulltext) VALUES ('rebuild')",
    'INSERT INTO vector SELECT key + 1000, zeroblob(388) FROM entry',
    'DELETE FROM unembedded WHERE key % 2 = 0; DELETE FROM vector WHERE key % 2 = 0',
    "INSERT INTO title VALUES ('a title', 1000)",
    'DELETE FROM term WHERE df = 1',
    'UPDATE term SET df = df + 1',
    "DELETE FROM meta WHERE key = 'statistics'",
    'DROP TABLE title',
  ])('whose tables do not fit together is rebuilt: %s', async damage => {
    const root = await furnished()
    const database = new DatabaseSync(path.join(root, INDEX))
    database.exec(damage)
    database.close()
    const engine = openAt(root)
    expect((await compact(engine)).result).toMatchObject({ indexRebuilt: true })
    expect((await search(engine, 'exporter', { filter: {}, limit: 50 })).hits).toHaveLength(20)
    expect((await compact(engine)).result).toMatchObject({ indexRebuilt: false })
    await engine.close()
  })

  it('of random bytes is rebuilt, and the result says so', async () => {
    const root = await furnished()
    writeFileSync(path.join(root, INDEX), Buffer.alloc(40_000, 'no database at all'))
    for (const suffix of ['-wal', '-shm']) rmSync(path.join(root, INDEX + suffix), { force: true })
    const engine = openAt(root)
    expect((await compact(engine)).result).toMatchObject({ indexRebuilt: true })
    await engine.close()
    expect(await countIn(root)).toBe(20)
  })

  it('that was deleted is rebuilt, and the result says so; a new memory has none to rebuild', async () => {
    const root = await furnished()
    for (const suffix of ['', '-wal', '-shm']) rmSync(path.join(root, INDEX + suffix), { force: true })
    const engine = openAt(root)
    expect((await compact(engine)).result).toMatchObject({ indexRebuilt: true })
    await engine.close()
    const fresh = openAt(scratchProject())
    await remember(fresh, [{ content: 'The first entry.' }])
    expect((await compact(fresh)).result).toMatchObject({ indexRebuilt: false })
    await fresh.close()
  })

  it('that cannot be rebuilt is a problem, indexRebuilt is false, and the other steps are done', async () => {
    const root = await furnished()
    const database = new DatabaseSync(path.join(root, INDEX))
    database.exec('DELETE FROM entry WHERE key % 2 = 0')
    database.close()
    writeIn(root, '.memory/.vault/checkpoints/dev/torn.json', '{"version": 1, "mess')
    let isFull = false
    const engine = openAt(root, NOW_MS, {
      disk: {
        ...nodeDisk,
        rename(from, to) {
          if (isFull && from.endsWith('index.db')) throw Object.assign(new Error('no'), { code: 'EPERM' })
          nodeDisk.rename(from, to)
        },
      },
    })
    isFull = true
    const { result, problems } = await compact(engine)
    expect(problems).toMatchObject([{ code: 'vault_read_only', path: '.vault/index.db' }])
    expect(result).toMatchObject({ indexRebuilt: false, checkpointsCleaned: 1 })
    await engine.close()
  })
})

it('an index that cannot be written is what is named, beside an entry that was written', async () => {
  const root = scratchProject()
  const engine = openAt(root, NOW_MS, {
    disk: {
      ...nodeDisk,
      makeFolder(folder) {
        if (folder.endsWith('.vault')) throw Object.assign(new Error('no'), { code: 'EROFS' })
        nodeDisk.makeFolder(folder)
      },
    },
  })
  writeIn(root, '.memory/dev/decisions.md', '## 2026-03-16T16:51\n\nUse JWT.\n\n---\n')
  expect((await engine.store.counts()).total).toBe(1)
  expect(engine.store.takeDegraded()).toMatchObject([
    {
      code: 'index_in_memory',
      message:
        'The index in .memory/.vault cannot be written (it is read-only), so it was built in memory for this call.',
    },
  ])
  await engine.close()
})

describe('retention', () => {
  it('keeps the latest checkpoint of the state by its name, whatever times a copy gave the files', async () => {
    const root = scratchProject({
      '.memory/config.json': '{"retention": {"checkpoints": {"keepRecent": 1}}}',
    })
    const ids: string[] = []
    for (const ageDays of [90, 80, 70, 60]) {
      const engine = openAt(root, NOW_MS - ageDays * DAY_MS)
      await remember(engine, [{ content: `- [ ] Step of day ${ageDays}`, category: 'tasks' }])
      ids.push((await recall(engine)).checkpoint ?? '')
      await engine.close()
    }
    const folder = path.join(root, '.memory/history/checkpoints')
    for (const [at, id] of ids.entries()) {
      const seconds = (NOW_MS - (at + 1) * 40 * DAY_MS) / 1000
      utimesSync(path.join(folder, `${id}.json`), seconds, seconds)
    }
    const engine = openAt(root)
    expect((await compact(engine)).result).toMatchObject({ snapshotsArchived: 3 })
    expect(readdirSync(folder)).toEqual([`${ids[3]}.json`])
    // D4.2: below its path in the memory.
    const [batch] = (await engine.archive.list()).batches
    expect(batch?.files).toContain(`history/checkpoints/${ids[0]}.json`)
    expect(
      existsSync(
        path.join(root, '.memory/archive', batch?.id ?? '', `files/history/checkpoints/${ids[0]}.json`),
      ),
    ).toBe(true)
    await engine.close()
  })
})

it('a project of seed A that is only read shows git nothing new', async () => {
  const root = scratchProject({
    '.memory/dev/decisions.md': '## 2026-03-16T16:51 · #auth\n\nUse JWT.\n\n---\n',
  })
  const engine = openAt(root)
  expect((await engine.store.counts()).total).toBe(1)
  await engine.close()
  const listed = readdirSync(path.join(root, '.memory')).sort()
  expect(listed).toEqual(['.vault', 'dev'])
  const git = path.join(root, 'copy')
  mkdirSync(git)
  cpSync(path.join(root, '.memory/.vault'), path.join(git, '.vault'), { recursive: true })
  const { execFileSync } = await import('node:child_process')
  execFileSync('git', ['init', '-q'], { cwd: git })
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: git }).toString()).toBe('')
})
