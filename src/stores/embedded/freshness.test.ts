import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { failingDatabase } from '../../../test/support/failing-database.ts'
import { scratchProject, writeIn } from '../../../test/support/scratch-project.ts'
import { composeEngine } from '../../compose/compose.ts'
import { remember } from '../../features/entries/write-entries.ts'
import { search } from '../../features/search/search-memory.ts'
import { type Disk, nodeDisk } from '../../kernel/system/disk.ts'

const PAGE = '.memory/dev/decisions/2026-01.md'
const LESSONS = '.memory/dev/lessons.md'
const entry = (id: number, text: string) => `<!-- id:${id} -->\n## 2026-01-02\n\n${text}\n\n---\n`

/** Beyond the grain of the file system's clock, in which a change might go unseen. */
const settle = () => new Promise(resolve => setTimeout(resolve, 70))

function countingDisk(): { disk: Disk; lists: () => number } {
  let lists = 0
  const listFolder: Disk['listFolder'] = folder => {
    lists++
    return nodeDisk.listFolder(folder)
  }
  return { disk: { ...nodeDisk, listFolder }, lists: () => lists }
}

/** What a fresh process finds, and how many folders it lists on the way. */
async function look(root: string): Promise<{ found: string[]; lists: number }> {
  const { disk, lists } = countingDisk()
  const engine = composeEngine({ root, disk })
  const { hits } = await search(engine, 'zebra', { filter: {}, limit: 20 })
  await engine.close()
  return { found: hits.map(hit => hit.entry.content).sort(), lists: lists() }
}

/** A vault that has been looked at: what is there is known, and nothing is in doubt. */
async function surveyed(files: Record<string, string> = {}): Promise<string> {
  const root = scratchProject({
    [LESSONS]: entry(1700000000001, 'zebra one'),
    [PAGE]: entry(1700000000002, 'zebra two'),
    ...files,
  })
  await settle()
  await look(root)
  await settle()
  await look(root)
  return root
}

const BOTH = ['zebra one', 'zebra two']

/** On Windows no survey is kept (kernel/vault/vault-survey.ts says why), and every look lists. */
const posixIt = it.skipIf(process.platform === 'win32')

describe('a vault in which nothing has changed', () => {
  posixIt('is not listed again', async () => {
    expect(await look(await surveyed())).toEqual({ found: BOTH, lists: 0 })
  })

  posixIt('is listed once when a folder has changed for something else', async () => {
    const root = await surveyed()
    writeIn(root, '.memory/dev/notes.md', 'not ours')
    await settle()
    expect((await look(root)).lists).toBeGreaterThan(0)
    expect(await look(root)).toEqual({ found: BOTH, lists: 0 })
  })

  posixIt('is listed every time when there is a link in it', async () => {
    const root = await surveyed({ '.memory/_linked.md': '' })
    symlinkSync('../_linked.md', path.join(root, '.memory/dev/handoffs.md'))
    await settle()
    await look(root)
    expect((await look(root)).lists).toBeGreaterThan(0)
  })

  it('is answered from the index when there is no space to note that', async () => {
    const root = await surveyed()
    writeIn(root, '.memory/dev/notes.md', 'not ours')
    await settle()
    const engine = composeEngine({ root, openDatabase: fullDatabase })
    const { hits } = await search(engine, 'zebra', { filter: {}, limit: 20 })
    await engine.close()
    expect(hits).toHaveLength(2)
  })
})

describe('a change after a look that found nothing new is seen:', () => {
  const CHANGES: readonly { name: string; change: (root: string) => void; found: readonly string[] }[] = [
    {
      name: 'the same number of bytes, in place',
      change: root => writeFileSync(path.join(root, PAGE), entry(1700000000002, 'zebra 222')),
      found: ['zebra 222', 'zebra one'],
    },
    {
      name: 'a new page beside the others',
      change: root => writeIn(root, '.memory/dev/decisions/2026-02.md', entry(1700000000003, 'zebra three')),
      found: ['zebra one', 'zebra three', 'zebra two'],
    },
    {
      name: 'a new agent',
      change: root => writeIn(root, '.memory/ops/lessons.md', entry(1700000000003, 'zebra three')),
      found: ['zebra one', 'zebra three', 'zebra two'],
    },
    {
      name: 'an empty folder of pages that gets one',
      change: root => {
        mkdirSync(path.join(root, '.memory/dev/lessons'))
        writeIn(root, '.memory/dev/lessons/2026-01.md', entry(1700000000003, 'zebra three'))
      },
      found: ['zebra one', 'zebra three', 'zebra two'],
    },
    {
      name: 'a page that is gone',
      change: root => rmSync(path.join(root, PAGE)),
      found: ['zebra one'],
    },
  ]

  it.each(CHANGES)('$name', async ({ change, found }) => {
    const root = await surveyed()
    change(root)
    expect((await look(root)).found).toEqual(found)
  })

  it('several within one tick of the clock, each of the same size', async () => {
    const root = await surveyed()
    for (const letter of ['A', 'B', 'C', 'D']) {
      writeFileSync(path.join(root, LESSONS), entry(1700000000001, `zebra ${letter}`))
      expect((await look(root)).found).toEqual([`zebra ${letter}`, 'zebra two'])
    }
  })

  it('what another process wrote, by one that was open all the time', async () => {
    const root = await surveyed()
    const open = composeEngine({ root })
    const find = async () => (await search(open, 'zebra', { filter: {}, limit: 20 })).hits.length
    expect(await find()).toBe(2)
    const other = composeEngine({ root })
    await remember(other, [{ content: 'zebra three', agent: 'dev' }])
    await other.close()
    expect(await find()).toBe(3)
    await settle()
    expect(await find()).toBe(3)
    writeFileSync(
      path.join(root, LESSONS),
      readFileSync(path.join(root, LESSONS), 'utf8').replace('zebra one', 'horse one'),
    )
    expect(await find()).toBe(2)
    await open.close()
  })
})

/** Reads as usual; nothing can be written. */
function fullDatabase(location: string) {
  const database = failingDatabase(0).open(location)
  return {
    ...database,
    exec: (sql: string) => {
      if (sql.startsWith('BEGIN')) throw Object.assign(new Error('database or disk is full'), { errcode: 13 })
      database.exec(sql)
    },
  }
}

describe('a process that is asked many times a second, whose look holds for a moment', () => {
  const zebras = async (engine: ReturnType<typeof composeEngine>) =>
    (await search(engine, 'zebra', { filter: {}, limit: 20 })).hits.map(hit => hit.entry.content).sort()

  it('finds at once what another process keeps', async () => {
    const root = await surveyed()
    const asked = composeEngine({ root, freshnessCacheMs: 60 })
    const other = composeEngine({ root })
    expect(await zebras(asked)).toEqual(BOTH)
    await remember(other, [{ content: 'zebra three', agent: 'dev', category: 'lessons' }])
    expect(await zebras(asked)).toEqual(['zebra one', 'zebra three', 'zebra two'])
    await other.close()
    await asked.close()
  })

  it('finds what an editor changed when the moment is over', async () => {
    const root = await surveyed()
    const asked = composeEngine({ root, freshnessCacheMs: 60 })
    expect(await zebras(asked)).toEqual(BOTH)
    writeIn(root, LESSONS, entry(1700000000001, 'zebra won'))
    await settle()
    expect(await zebras(asked)).toEqual(['zebra two', 'zebra won'])
    await asked.close()
  })
})
