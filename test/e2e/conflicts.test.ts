import { rmSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { inWorld, steady, type World } from './world.ts'

const LIVE = 'Sessions live in Redis.'
const GONE = 'Sessions do not live in Redis.'
const OLD = 'Background jobs go through Sidekiq.'
const NEW = 'Sidekiq was retired, background jobs go through SQS.'

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
    'lists two entries that deny each other, marks them in a brief, and takes a decision that can be undone',
    inWorld(async world => {
      const live = await decide(world, LIVE)
      const gone = await decide(world, GONE)
      const screen = await world.ok('conflicts')
      expect(
        steady(screen.replace(/^[0-9a-f]{6}/gm, 'PAIR').replace(/resolve [0-9a-f]{6}/, 'resolve PAIR')),
      ).toBe(
        `PAIR  contradictory 0.90  the newer one denies what the older one says (Sessions, live, Redis)
  DAY  ID  decision · shared
              ${LIVE}
  DAY  ID  decision · shared
              ${GONE}

cairn conflicts resolve PAIR --keep <id>, --supersede <id>, --both or --not-a-conflict
`,
      )
      expect(await told(world, 'where do sessions live?')).toContain(
        `[⚠ CONFLICT] Entry #${live} says "${LIVE}" but Entry #${gone} says "${GONE}". Verify which is current.`,
      )
      expect(await world.ok('show', live)).toContain(`in conflict with ${gone}: ${GONE}`)
      expect(await world.ok('search', 'sessions')).toContain(`in conflict with ${gone}: ${GONE}`)

      const [pair] = (await conflicts(world)).conflicts
      await world.ok('conflicts', 'resolve', pair?.id ?? '', '--keep', gone)
      expect((await conflicts(world)).conflicts).toEqual([])
      expect((await conflicts(world, '--all')).conflicts[0]?.resolved).toMatchObject({
        resolution: 'kept',
        holds: gone,
        by: 'cli',
      })
      const brief = await told(world, 'where do sessions live?')
      expect(brief).toContain(GONE)
      expect(brief).not.toContain(LIVE)
      expect(await found(world, 'sessions live')).toEqual([
        [GONE, undefined],
        [LIVE, { supersededBy: gone }],
      ])
      expect(await world.ok('show', live)).toContain(`superseded by ${gone}`)

      expect((await world.json('undo')).undone.action).toBe('resolve')
      expect((await conflicts(world)).conflicts.map(({ id }) => id)).toEqual([pair?.id])
      expect(await told(world, 'where do sessions live?')).toContain('[⚠ CONFLICT]')
    }),
  )

  it(
    'removes the one that lost when asked to, and undo brings it and the question back',
    inWorld(async world => {
      const live = await decide(world, LIVE)
      const gone = await decide(world, GONE)
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
    'lets a newer decision take the place of an older one: kept, dated, found, and not told; without the index too',
    inWorld(async world => {
      const old = await decide(world, OLD)
      const now = await decide(world, NEW)
      for (const isRebuilt of [false, true]) {
        if (isRebuilt) rmSync(path.join(world.root, '.memory', '.vault'), { recursive: true })
        for (const flags of [['--prompt', 'how do background jobs run?'], ['--start']]) {
          const { text } = await world.json<{ text: string }>('brief', ...flags)
          expect(text).toContain(NEW)
          expect(text).not.toContain(OLD)
        }
        expect(await found(world, 'background jobs Sidekiq')).toEqual([
          [NEW, undefined],
          [OLD, { supersededBy: now }],
        ])
        expect(await world.ok('why', 'how do background jobs run?')).toContain(`replaced by ${now}`)
        expect((await conflicts(world, '--all')).conflicts).toMatchObject([
          { older: { id: old }, newer: { id: now }, resolved: { resolution: 'superseded', by: 'cairn' } },
        ])
      }
      const { conflicts: recorded } = JSON.parse(world.read('.memory/curation.json'))
      expect(recorded).toMatchObject([{ entryA: old, entryB: now, conflictType: 'superseded', holds: now }])
      expect(world.read('.memory/shared/decisions.md')).toContain(OLD)
    }),
  )

  it(
    'leaves the last deed of a person to undo, and takes its own record back when it is named',
    inWorld(async world => {
      const old = await decide(world, OLD)
      const now = await decide(world, NEW)
      const [automatic] = (await world.json('log')).records
      expect([automatic?.action, automatic?.by.host]).toEqual(['resolve', 'cairn'])
      await world.ok('undo', automatic?.id ?? '')
      expect((await conflicts(world)).conflicts.map(({ type }) => type)).toEqual(['superseded'])
      expect(await told(world, 'how do background jobs run?')).toContain('[⚠ CONFLICT]')
      await world.ok('conflicts', 'resolve', old, now, '--supersede', old)
      await world.ok('undo')
      await world.ok('undo')
      expect((await world.json('list')).entries.map(({ id }) => id)).toEqual([old])
    }),
  )

  it(
    'works by words where meaning is off',
    inWorld(async world => {
      await world.ok('config', 'set', 'embedder.use', 'off')
      await decide(world, LIVE)
      await decide(world, GONE)
      await decide(world, OLD)
      const now = await decide(world, NEW)
      expect(
        (await conflicts(world)).conflicts.map(({ older, newer }) => [older.content, newer.content]),
      ).toEqual([[LIVE, GONE]])
      expect(await found(world, 'background jobs Sidekiq')).toEqual([
        [NEW, undefined],
        [OLD, { supersededBy: now }],
      ])
      expect(await told(world, 'background jobs through Sidekiq')).not.toContain(OLD)
    }),
  )

  it(
    'picks up what was written by hand, and a decision that came with git',
    inWorld(async world => {
      const live = await decide(world, LIVE)
      world.write(
        '.memory/shared/decisions.md',
        `${world.read('.memory/shared/decisions.md')}\n<!-- id:1773679871839-k3f9 -->\n## 2026-03-16T16:51\n\n${GONE}\n\n---\n`,
      )
      const [pair] = (await conflicts(world)).conflicts
      expect([pair?.older.content, pair?.newer.content]).toEqual([GONE, LIVE])
      await world.ok('conflicts', 'resolve', pair?.id ?? '', '--not-a-conflict')
      const decided = world.read('.memory/curation.json')
      await world.ok('undo')
      expect((await conflicts(world)).conflicts.length).toBe(1)
      world.write('.memory/curation.json', decided)
      expect((await conflicts(world)).conflicts).toEqual([])
      await world.ok('edit', live, '--content', `${LIVE} For an hour.`)
      expect((await conflicts(world)).conflicts.length).toBe(1)
    }),
  )

  it(
    'says what is wrong with a decision that cannot be taken',
    inWorld(async world => {
      const live = await decide(world, LIVE)
      const gone = await decide(world, GONE)
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
