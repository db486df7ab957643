import { rmSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileSaying } from '../support/vault-files.ts'
import { inWorld, steady, type World } from './world.ts'

const PORT = 'The gateway port is 8080.'
const OTHER = 'The gateway port is 9090.'
const OLD = 'Background jobs go through Sidekiq.'
const NEW = 'Background jobs go through SQS.'

interface ConflictsAnswer {
  readonly conflicts: readonly {
    readonly id: string
    readonly type: string
    readonly older: { readonly id: string; readonly content: string }
    readonly newer: { readonly id: string; readonly content: string }
    readonly resolved?: { readonly resolution: string; readonly holds?: string; readonly by: string }
  }[]
  readonly waiting: number
}

/** How soon is for the bench to say; a test machine may be busy. */
const unhurried = (world: World) => world.ok('config', 'set', 'brief.deadlineMs', '10000')

async function decide(world: World, content: string): Promise<string> {
  return (await world.json('remember', content, '--kind', 'decision')).entry.id
}
const conflicts = (world: World, ...flags: string[]) => world.json<ConflictsAnswer>('conflicts', ...flags)
const told = async (world: World, prompt: string) =>
  (await world.json<{ text: string }>('brief', '--prompt', prompt)).text
const found = async (world: World, query: string) =>
  (await world.json('search', query)).hits.map(({ entry, marks }) => [entry.content, marks])

describe.concurrent('cairn conflicts', () => {
  it(
    'lists two entries with different values, marks them in a brief, and takes a decision that can be undone',
    inWorld(async world => {
      await unhurried(world)
      const live = await decide(world, PORT)
      const gone = await decide(world, OTHER)
      const screen = await world.ok('conflicts')
      expect(
        steady(screen.replace(/^[0-9a-f]{6}/gm, 'PAIR').replace(/resolve [0-9a-f]{6}/, 'resolve PAIR')),
      ).toBe(
        `PAIR  contradictory 0.95  they state different values of gateway port: 8080 (older), 9090 (newer)
  DAY  ID  decision · shared
              ${PORT}
  DAY  ID  decision · shared
              ${OTHER}

cairn conflicts resolve PAIR --keep <id>, --supersede <id>, --both or --not-a-conflict
`,
      )
      const sides = [`Entry #${live} says "${PORT}"`, `Entry #${gone} says "${OTHER}"`]
      const marks = (await told(world, 'which port does the gateway have?')).match(/\[⚠ CONFLICT\].*/g)
      expect(
        [sides, sides.toReversed()].map(([a, b]) => [`[⚠ CONFLICT] ${a} but ${b}. Verify which is current.`]),
      ).toContainEqual(marks)
      expect(await world.ok('show', live)).toContain(`in conflict with ${gone}: ${OTHER}`)
      expect(await world.ok('search', 'gateway')).toContain(`in conflict with ${gone}: ${OTHER}`)

      const [pair] = (await conflicts(world)).conflicts
      await world.ok('conflicts', 'resolve', pair?.id ?? '', '--keep', gone)
      expect((await conflicts(world)).conflicts).toEqual([])
      expect((await conflicts(world, '--all')).conflicts[0]?.resolved).toMatchObject({
        resolution: 'kept',
        holds: gone,
        by: 'cli',
      })
      const brief = await told(world, 'which port does the gateway have?')
      expect(brief).toContain(OTHER)
      expect(brief).not.toContain(PORT)
      expect(await found(world, 'gateway port')).toEqual([
        [OTHER, undefined],
        [PORT, { supersededBy: gone }],
      ])
      expect(await world.ok('show', live)).toContain(`superseded by ${gone}`)

      expect((await world.json('undo')).undone.action).toBe('resolve')
      expect((await conflicts(world)).conflicts.map(({ id }) => id)).toEqual([pair?.id])
      expect(await told(world, 'which port does the gateway have?')).toContain('[⚠ CONFLICT]')
    }),
  )

  it(
    'removes the one that lost when asked to, and undo brings it and the question back',
    inWorld(async world => {
      const live = await decide(world, PORT)
      const gone = await decide(world, OTHER)
      await world.ok('conflicts', 'resolve', live, gone, '--keep', live, '--remove', '--dry-run')
      expect((await world.json('list')).total).toBe(2)
      const out = await world.ok('conflicts', 'resolve', live, gone, '--keep', live, '--remove')
      expect(out).toContain(`${gone} is removed.`)
      expect((await world.json('list')).entries.map(({ id }) => id)).toEqual([live])
      await world.ok('undo')
      expect((await world.json('list')).total).toBe(2)
      expect((await conflicts(world)).conflicts.length).toBe(1)
    }),
  )

  it(
    'takes a newer entry that names an older one by its comment: kept, dated, found, and not injected; without the index too',
    inWorld(async world => {
      await unhurried(world)
      const old = await decide(world, OLD)
      const now = '1773679871839-k3f9'
      world.write(
        '.memory/shared/decisions.md',
        `<!-- id:${now} supersedes:${old} -->\n## 2026-03-16T16:51\n\n${NEW}\n\n---\n`,
      )
      for (const isRebuilt of [false, true]) {
        if (isRebuilt) rmSync(path.join(world.root, '.memory', '.vault'), { recursive: true })
        const { text } = await world.json<{ text: string }>(
          'brief',
          '--prompt',
          'background jobs through Sidekiq',
        )
        expect(text).toContain(NEW)
        expect(text).not.toContain(OLD)
        expect(await found(world, 'background jobs Sidekiq')).toEqual([
          [NEW, undefined],
          [OLD, { supersededBy: now }],
        ])
        expect((await conflicts(world)).conflicts).toEqual([])
      }
      expect(fileSaying(world.root, OLD)).toMatch(/^\.memory\/shared\/decisions\//)
    }),
  )

  it(
    'guesses nothing from free words, with meaning on or off',
    inWorld(async world => {
      await unhurried(world)
      await decide(world, OLD)
      await decide(world, 'Sidekiq was retired, background jobs go through SQS.')
      await decide(world, 'Sessions live in Redis.')
      await decide(world, 'Sessions do not live in Redis.')
      for (const use of ['built-in', 'off']) {
        await world.ok('config', 'set', 'embedder.use', use)
        expect((await conflicts(world)).conflicts).toEqual([])
        expect(await told(world, 'background jobs through Sidekiq')).toContain(OLD)
      }
    }),
  )

  it(
    'picks up what was written by hand, and a decision that came with git',
    inWorld(async world => {
      const live = await decide(world, PORT)
      world.write(
        '.memory/shared/decisions.md',
        `<!-- id:1773679871839-k3f9 -->\n## 2026-03-16T16:51\n\n${OTHER}\n\n---\n`,
      )
      const [pair] = (await conflicts(world)).conflicts
      expect([pair?.older.content, pair?.newer.content]).toEqual([OTHER, PORT])
      await world.ok('conflicts', 'resolve', pair?.id ?? '', '--not-a-conflict')
      const decided = world.read('.memory/curation.json')
      await world.ok('undo')
      expect((await conflicts(world)).conflicts.length).toBe(1)
      world.write('.memory/curation.json', decided)
      expect((await conflicts(world)).conflicts).toEqual([])
      await world.ok('edit', live, '--content', 'The gateway port is 8081.')
      expect((await conflicts(world)).conflicts.length).toBe(1)
    }),
  )

  it(
    'says what is wrong with a decision that cannot be taken',
    inWorld(async world => {
      const live = await decide(world, PORT)
      const gone = await decide(world, OTHER)
      const [pair] = (await conflicts(world)).conflicts
      const refuse = (...words: string[]) => world.failure('conflicts', 'resolve', ...words)
      expect(await refuse('zzzzzz', '--both')).toMatchObject({ exit: 3, code: 'conflict_not_found' })
      expect(await refuse(live, 'xyzzy', '--both')).toMatchObject({ exit: 3 })
      expect(await refuse(pair?.id ?? '')).toMatchObject({ exit: 2, code: 'invalid_input' })
      expect(await refuse(pair?.id ?? '', '--both', '--keep', live)).toMatchObject({ exit: 2 })
      expect(await refuse(pair?.id ?? '', '--both', '--remove')).toMatchObject({ exit: 2 })
      expect(await refuse(pair?.id ?? '', '--keep', 'other')).toMatchObject({ exit: 2 })
      expect(await refuse(gone, gone, '--both')).toMatchObject({ exit: 2 })
    }),
  )
})
