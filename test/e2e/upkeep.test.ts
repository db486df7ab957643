import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { captured, furnishAged } from '../support/aged-vault.ts'
import { inWorld, type World } from './world.ts'

/** Two that have expired, one that is pinned, one that a person wrote. */
async function furnish(world: World, agent = 'shared'): Promise<string[]> {
  return furnishAged(
    world.root,
    [
      captured('The importer retries twice. #import', 60, { agent }),
      captured('Websocket frames are dropped by the old proxy.', 50, { agent }),
      captured('Never touch the ledger table by hand.', 200, { status: 'pinned' }),
      { content: 'We deploy on Fridays.', ageDays: 400 },
    ],
    Date.now(),
  )
}

describe.concurrent('compact', () => {
  it(
    'shows what it would do and why, does it, and says what it did',
    inWorld(async world => {
      const ids = await furnish(world)
      const before = world.bytes()
      const planned = await world.ok('compact', '--dry-run')
      expect(planned).toBe(
        `Would archive 2 entries\n  ${ids[2]}  not used for 60 days; the limit of its kind is 21\n      The importer retries twice. #import\n  ${ids[3]}  not used for 50 days; the limit of its kind is 21\n      Websocket frames are dropped by the old proxy.\n\`cairn compact\` applies this plan.\n`,
      )
      const vault = (files: Record<string, string>) =>
        Object.fromEntries(Object.entries(files).filter(([name]) => !name.includes('.vault/')))
      expect(vault(world.bytes())).toEqual(vault(before))
      expect(await world.ok('compact', '--last')).toBe('Upkeep has not run yet.\n')

      const done = await world.ok('compact')
      expect(done).toMatch(
        /^2 entries archived \(2 expired\)\. \(20\S+ \S+ UTC, \d+ ms\)\n {2}evict-\S+Z\n`cairn restore <batch>` restores it\.\n$/,
      )
      expect((await world.json('list')).total).toBe(2)
      expect(await world.ok('compact', '--last')).toBe(done)
      expect(await world.ok('status')).toMatch(/\nUpkeep 20\S+: 2 entries archived \(2 expired\)\n/)
      expect(await world.ok('compact')).toMatch(/^Nothing to do\. \(/)

      const log = JSON.parse(world.read('.memory/.vault/compact-log.json'))
      expect(Object.keys(log.lastCompaction).slice(0, 6)).toEqual([
        'timestamp',
        'checkpointsCleaned',
        'conversationsTrimmed',
        'vaultEntriesMerged',
        'indexRebuilt',
        'legacyFilesCleaned',
      ])
      expect(log.earlier).toMatchObject([{ entriesExpired: 2 }])
    }),
  )

  it(
    'is undone by undo, and journaled with who did it',
    inWorld(async world => {
      await furnish(world)
      await world.ok('compact')
      expect((await world.json('log', '--limit', '1')).records).toMatchObject([
        { action: 'evict', changes: 2 },
      ])
      await world.ok('undo')
      expect((await world.json('list')).total).toBe(4)
      // Whoever takes it back wants the entries: the next run leaves them.
      expect((await world.json('compact')).result).toMatchObject({ entriesExpired: 0 })
      await world.ok('undo', (await world.json('log', '--limit', '1')).records[0]?.id ?? '')
      expect((await world.json('list')).total).toBe(2)
    }),
  )

  it(
    'runs by itself after a command when it is due, and not when it is switched off',
    inWorld(async world => {
      // In a vault that git ignores: by itself upkeep changes no other file.
      await furnish(world, 'private')
      await world.ok('config', 'set', 'upkeep.auto', 'false')
      await world.ok('remember', 'Something new.')
      expect((await world.json('status')).upkeep).toMatchObject({ last: null, isDue: false })
      await world.ok('config', 'unset', 'upkeep.auto')
      expect((await world.json('status')).upkeep).toMatchObject({ last: null, isDue: true })
      const run = await world.cairn(['remember', 'Something newer.'])
      expect(run).toMatchObject({ code: 0, stderr: '' })
      expect(run.stdout).not.toContain('archived')
      expect((await world.json('status')).upkeep).toMatchObject({ last: { entriesExpired: 2 }, isDue: false })
    }),
  )
})

describe.concurrent('the archive', () => {
  it(
    'is searched only when asked, and what is found there says so',
    inWorld(async world => {
      const ids = await furnish(world)
      await world.ok('compact')
      expect((await world.json('search', 'proxy', 'websocket')).hits).toEqual([])
      const { hits } = await world.json('search', '--archive', 'websockets', 'proxy')
      expect(hits).toMatchObject([{ id: ids[3], archived: expect.stringMatching(/^evict-/) }])
      expect(await world.ok('search', '--archive', 'websockets')).toMatch(
        /^0\.\d\d {2}archived · \S+ {2}candidate · discovery/,
      )
      expect(await world.ok('search', '--archive', 'websockets', '--kind', 'decision')).toBe(
        'Nothing found.\n',
      )
    }),
  )

  it(
    'gives back a batch or one entry by words, and names what stands in the way',
    inWorld(async world => {
      const ids = await furnish(world)
      await world.ok('compact')
      const { batches } = await world.json('restore')
      expect(batches).toMatchObject([{ kind: 'evict', entries: 2, files: [], events: 0 }])
      expect(await world.ok('restore')).toMatch(/^evict-\S+ {2}2 entries\n`cairn restore <batch>`/)

      expect(await world.ok('restore', '--dry-run', 'websocket proxy')).toMatch(/^Would restore: /)
      expect((await world.json('list')).total).toBe(2)
      const one = await world.ok('restore', 'websocket proxy')
      expect(one).toContain('Websocket frames are dropped by the old proxy.')
      expect((await world.json('search', '--archive', 'websockets')).hits).toEqual([])
      expect((await world.json('show', ids[3] ?? '')).entry.content).toContain('Websocket')

      await world.ok('remember', '--agent', 'shared', 'The importer retries twice. #import')
      const blocked = await world.failure('restore', ids[2] ?? '')
      expect(blocked).toMatchObject({ code: 'restore_conflict', exit: 4 })
      const rest = await world.json('restore', batches[0]?.id ?? '')
      expect(rest.restored).toMatchObject({ entries: [], already: 1, conflicts: [{ what: ids[2] }] })
      expect((await world.json('restore')).batches).toMatchObject([{ restoredAt: expect.any(String) }])

      expect(await world.failure('restore', 'evict-2020')).toMatchObject({ code: 'batch_not_found', exit: 3 })
      expect(await world.failure('restore', 'zeppelin')).toMatchObject({ code: 'entry_not_found', exit: 3 })
    }),
  )

  it(
    'keeps the leftovers of a migration, and gives them back',
    inWorld(async world => {
      world.write('.memory/dev.md', '# Dev\n\nas it was\n')
      await world.ok('migrate')
      world.write('.memory/dev.md', '# Dev\n\nas it was\n')
      expect((await world.json('compact')).result).toMatchObject({ legacyFilesCleaned: 2 })
      expect(() => world.read('.memory/dev.md')).toThrow()
      const { batches } = await world.json('restore')
      await world.ok('restore', batches[0]?.id ?? '')
      expect(world.read('.memory/dev.md')).toBe('# Dev\n\nas it was\n')
      expect((await world.json('compact')).result).toMatchObject({ legacyFilesCleaned: 0 })
    }),
  )
})

describe.concurrent('a memory of seed A', () => {
  const MESSAGES = Array.from({ length: 47 }, (_, n) => ({
    role: n % 2 === 0 ? 'user' : 'agent',
    text:
      n === 3
        ? 'We decided to use Redis for the export queue, because the partner drops connections.'
        : `Message ${n} of the conversation.`,
  }))

  it(
    'has its conversations distilled and trimmed, by the verb and by the names of the seed',
    inWorld(
      async world => {
        expect(await world.ok('compact', '--dry-run')).toContain('Would distil 1 conversation\n  seed-dev')
        expect((await world.json('compact')).result).toMatchObject({ conversationsTrimmed: 1 })
        expect(JSON.parse(world.read('.memory/conversations/dev.json')).messages).toHaveLength(20)
        expect(await world.ok('review')).toContain('We decided to use Redis for the export queue')
        expect(await world.ok('list', '--category', 'handoffs')).toMatch(
          /#compacted #auto-handoff\n +\[Agent\]: Message 21 of/,
        )
        // One undo takes back what a person did, not the handoff that upkeep left.
        await world.ok('remember', 'The board uses SSE.')
        await world.ok('undo')
        expect(await world.ok('list', '--category', 'handoffs')).toContain('#compacted')
      },
      { '.memory/conversations/dev.json': JSON.stringify({ agentId: 'dev', messages: MESSAGES }) },
    ),
  )

  it(
    'that is only read leaves nothing for git, and `status` and `validate` agree about what is not ignored',
    inWorld(
      async world => {
        const git = (...words: string[]) =>
          execFileSync('git', words, { cwd: world.root, env: world.environment, encoding: 'utf8' })
        git('init', '-q')
        git('add', '.')
        await world.ok('list')
        expect(git('status', '--porcelain')).not.toContain('??')
        expect((await world.json('status')).problems).toMatchObject([{ code: 'memory_not_ignored' }])
        const { findings } = JSON.parse((await world.cairn(['validate', '--json'])).stdout)
        expect(findings).toMatchObject([{ code: 'gitignore_missing' }])
        await world.ok('validate', '--fix')
        expect((await world.json('status')).problems).toEqual([])
      },
      { '.memory/dev/decisions.md': '## 2026-03-16T16:51 · #auth\n\nUse JWT.\n\n---\n' },
    ),
  )
})
