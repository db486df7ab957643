import { utimesSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { inWorld, runProcess, type World } from './world.ts'

const ID = '1794992400000-k3f9'
const FILE = '.memory/shared/decisions/2026-11-18-sessions-live-in-redis-k3f9.md'
const WHO = {
  GIT_AUTHOR_NAME: 'Ana',
  GIT_AUTHOR_EMAIL: 'ana@example.invalid',
  GIT_COMMITTER_NAME: 'Ana',
  GIT_COMMITTER_EMAIL: 'ana@example.invalid',
  GIT_CONFIG_NOSYSTEM: '1',
}

async function git(world: World, ...words: string[]): Promise<number> {
  const run = await runProcess('git', words, { cwd: world.root, env: { ...world.environment, ...WHO } })
  return run.code ?? -1
}

function written(content: string): string {
  const [title] = content.split('.', 1)
  return `<!-- id:${ID} -->\n## 2026-11-18T09:00 · ${title}\n\n${content}\n\n---\n`
}

async function commitAll(world: World, message: string): Promise<void> {
  expect(await git(world, 'add', '-A')).toBe(0)
  expect(await git(world, 'commit', '-q', '-m', message)).toBe(0)
}

describe('a merge that nobody has finished', () => {
  it(
    'shows both sides of an entry without markers, marked until it is resolved',
    inWorld(async world => {
      expect(await git(world, 'init', '-q', '-b', 'main')).toBe(0)
      world.write(FILE, written('Sessions live in Redis.\nThey last one hour.'))
      await world.ok('list')
      await commitAll(world, 'start')
      await git(world, 'switch', '-q', '-c', 'theirs')
      world.write(FILE, written('Sessions live in memory.\nThey last one hour.'))
      await commitAll(world, 'theirs')
      await git(world, 'switch', '-q', 'main')
      world.write(FILE, written('Sessions live in Postgres.\nThey last one hour.'))
      await commitAll(world, 'ours')
      expect(await git(world, 'merge', '-q', '--no-edit', 'theirs')).toBe(1)
      const marked = world.read(FILE)
      expect(marked).toContain('<<<<<<< HEAD\n')

      const { hits } = await world.json<{ hits: { entry: { id: string; content: string } }[] }>(
        'search',
        'where sessions live',
      )
      expect(Object.fromEntries(hits.map(({ entry }) => [entry.id, entry.content]))).toEqual({
        [ID]: 'Sessions live in Postgres.\nThey last one hour.',
        [`${ID}~2`]: 'Sessions live in memory.\nThey last one hour.',
      })
      const found = await world.ok('search', 'where sessions live')
      expect(found).toContain('unmerged: our side of a git conflict')
      expect(found).toContain('unmerged: their side of a git conflict')
      expect(await world.ok('show', `${ID}~2`)).toContain('unmerged: their side of a git conflict')
      expect((await world.cairn(['pin', ID])).code).not.toBe(0)
      expect(world.read(FILE)).toBe(marked)

      world.write(FILE, written('Sessions live in memory.\nThey last one hour.'))
      await commitAll(world, 'resolved')
      expect(await world.ok('search', 'where sessions live')).not.toContain('unmerged')
      expect((await world.json('list')).entries.map(({ id }) => id)).toEqual([ID])
      expect((await world.json('status')).problems).toEqual([])
    }),
  )
})

describe('what a person types into a vault file', () => {
  it(
    'is found, and reading it leaves the file as it is',
    inWorld(async world => {
      const text =
        '# Decisions\n\n- Deploys go out on Tuesdays.\n- Logs are kept for a week.\n\n## Queues\n\nQueues are kept in Postgres.\n'
      world.write('.memory/shared/decisions.md', text)
      const { entries } = await world.json('list')
      expect(entries.map(({ content }) => content).sort()).toEqual([
        'Deploys go out on Tuesdays.',
        'Logs are kept for a week.',
        'Queues\n\nQueues are kept in Postgres.',
      ])
      expect((await world.json('search', 'when do deploys go out')).hits).toHaveLength(1)
      expect(world.read('.memory/shared/decisions.md')).toBe(text)
      expect((await world.json('doctor')).healthy).toBe(true)

      world.write('.memory/shared/decisions.md', `${text}\n---\n\nNobody reads this.\n`)
      expect((await world.json('status')).problems).toMatchObject([{ code: 'unread_text' }])
      world.write('.memory/shared/decisions.md', text)

      const { id } = entries.find(({ content }) => content.startsWith('Logs')) ?? { id: '' }
      await world.ok('pin', id)
      expect((await world.json('show', id)).entry).toMatchObject({ id, status: 'pinned' })
      expect((await world.json('list')).entries).toHaveLength(3)
      expect((await world.json('doctor')).healthy).toBe(true)
    }),
  )

  it(
    'is an entry of its own in each file, and keeps its date when the file is touched',
    inWorld(async world => {
      const [shared, dev] = ['.memory/shared/lessons.md', '.memory/dev/lessons.md']
      for (const file of [shared, dev]) world.write(file, '- Indent with tabs.\n')
      const list = async () => (await world.json('list')).entries
      const before = await list()
      expect(before.map(({ agent }) => agent).sort()).toEqual(['dev', 'shared'])
      expect(new Set(before.map(({ id }) => id)).size).toBe(2)

      const past = new Date('2026-01-02T03:04:00Z')
      for (const file of [shared, dev]) {
        world.write(file, '- Indent with tabs.\n- Another one.\n')
        utimesSync(path.join(world.root, file), past, past)
      }
      const after = await list()
      expect(after).toHaveLength(4)
      for (const entry of before) expect(after).toContainEqual(entry)
      expect(after.filter(({ date }) => date === '2026-01-02T03:04')).toHaveLength(2)
      expect((await world.json('doctor')).healthy).toBe(true)

      for (const { id } of before) await world.ok('pin', id)
      expect((await list()).filter(({ status }) => status === 'pinned')).toHaveLength(2)
      expect(world.read(dev).endsWith('---\n- Another one.\n')).toBe(true)
      expect((await world.json('doctor')).healthy).toBe(true)
    }),
  )
})
