import { rmSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { openMemory } from '../src/api.ts'
import { loadSqlite } from '../src/backends/sqlite/driver.ts'
import { promptBrief, startBrief } from '../src/brief.ts'
import { type Composed, composeEngine } from '../src/compose.ts'
import { askConflicts } from '../src/conflicts/find-conflicts.ts'
import { openConflicts, resolveConflict } from '../src/conflicts/settle-conflicts.ts'
import { changeEntry, remember, search } from '../src/engine.ts'
import { embedWaiting } from '../src/meaning.ts'
import type { NewEntry } from '../src/model/new-entry.ts'
import { conflictMarks, supersededBy } from '../src/superseded.ts'
import { scratchProject } from './support/scratch-project.ts'
import { unhurriedClock } from './support/unhurried-clock.ts'
import { wordEmbedder } from './support/word-embedder.ts'

const LIVE = 'Sessions live in Redis.'
const GONE = 'Sessions do not live in Redis.'
const OLD = 'Background jobs go through Sidekiq.'
const NEW = 'Sidekiq was retired, background jobs go through SQS.'
const NEWEST = 'SQS was retired, background jobs go through Kafka.'

const never = () => false

function open(root: string): Composed {
  return composeEngine({ root, clock: unhurriedClock, embedder: wordEmbedder({}) })
}

/** A minute apart, the first one the oldest; compared by words unless vectors are asked for. */
async function furnish(
  engine: Composed,
  entries: readonly (string | NewEntry)[],
  { withVectors = false } = {},
): Promise<string[]> {
  const inputs = entries.map((entry, i) => ({
    kind: 'decision',
    date: `2026-03-01T10:${String(10 + i)}`,
    ...(typeof entry === 'string' ? { content: entry } : entry),
  }))
  const kept = await remember(engine, inputs)
  if (withVectors) await embedWaiting(engine)
  await askConflicts(engine, never)
  return kept.map(({ entry }) => entry.id)
}

const openPairs = async (engine: Composed) =>
  (await openConflicts(engine)).map(({ older, newer, type }) => [older.content, newer.content, type])

describe('conflicts on the path', () => {
  it('are compared anew where an index was made with other rules', async () => {
    const root = scratchProject()
    const first = open(root)
    await furnish(first, [LIVE, GONE])
    await first.close()
    const database = new (loadSqlite().DatabaseSync)(path.join(root, '.memory/.vault/index.db'))
    database.exec('UPDATE conflict SET reason = \'{"code":"change","words":[]}\'; PRAGMA user_version = 6')
    database.close()

    const engine = open(root)
    expect(await openPairs(engine)).toEqual([])
    await askConflicts(engine, never)
    expect((await openConflicts(engine)).map(({ reason }) => reason)).toEqual([
      { code: 'negation', words: ['Sessions', 'live', 'Redis'], deniedBy: 'newer' },
    ])
    await engine.close()
  })

  for (const withVectors of [false, true]) {
    it(`are found ${withVectors ? 'by vectors' : 'by words'}, and marked in a brief and in search`, async () => {
      const engine = open(scratchProject())
      const [live, , gone] = await furnish(engine, [LIVE, OLD, GONE], { withVectors })
      expect(await openPairs(engine)).toEqual([[LIVE, GONE, 'contradictory']])
      const { brief } = await promptBrief(engine, { prompt: 'where do sessions live?' })
      const sides = [`Entry #${live} says "${LIVE}"`, `Entry #${gone} says "${GONE}"`]
      const marks = [sides, sides.toReversed()].map(
        both => `[⚠ CONFLICT] ${both.join(' but ')}. Verify which is current.`,
      )
      expect(marks.filter(mark => brief.text.includes(mark))).toHaveLength(1)
      const { hits } = await search(engine, 'sessions redis', { filter: {}, limit: 2 })
      expect(hits.map(hit => hit.marks?.conflictsWith?.content).sort()).toEqual([GONE, LIVE])
      await engine.close()
    })
  }

  it('are looked for once, and again when an entry says something else', async () => {
    const engine = open(scratchProject())
    const [, gone] = await furnish(engine, [LIVE, GONE])
    expect(await askConflicts(engine, never)).toEqual({ compared: 0, waiting: 0 })
    const edit = (fields: object) =>
      changeEntry(engine, gone ?? '', 'update', entry => ({ ...entry, ...fields }))
    await edit({ importance: 0.9 })
    expect(await engine.conflicts.waiting()).toBe(0)
    await edit({ content: 'Sessions live in Redis for an hour.' })
    expect(await openPairs(engine)).toEqual([])
    expect(await askConflicts(engine, never)).toEqual({ compared: 1, waiting: 0 })
    expect(await openPairs(engine)).toEqual([])
    await edit({ content: GONE })
    await askConflicts(engine, never)
    expect(await openPairs(engine)).toEqual([[LIVE, GONE, 'contradictory']])
    await changeEntry(engine, gone ?? '', 'remove', () => null)
    expect(await openPairs(engine)).toEqual([])
    await engine.close()
  })

  it('stop when the time is up or enough is done, and go on later', async () => {
    const engine = open(scratchProject())
    await remember(engine, [{ content: LIVE }, { content: GONE }, { content: OLD }])
    expect(await askConflicts(engine, () => true)).toEqual({ compared: 0, waiting: 3 })
    expect(await askConflicts(engine, never, { limit: 2 })).toEqual({ compared: 2, waiting: 1 })
    expect(await askConflicts(engine, never)).toEqual({ compared: 1, waiting: 0 })
    await engine.close()
  })

  it('exist only where one agent reads both, and are told to nobody else', async () => {
    const engine = open(scratchProject())
    const [a] = await furnish(engine, [
      { content: LIVE, agent: 'ana' },
      { content: GONE, agent: 'ben' },
    ])
    expect(await openPairs(engine)).toEqual([])
    const [shared] = await furnish(engine, [{ content: 'Sessions must not live in Redis.', agent: 'shared' }])
    expect(await openPairs(engine)).toEqual([[LIVE, 'Sessions must not live in Redis.', 'contradictory']])
    expect((await conflictMarks(engine, [shared ?? ''], 'ana')).get(shared ?? '')?.conflictsWith?.id).toBe(a)
    expect((await conflictMarks(engine, [shared ?? ''], 'cleo')).size).toBe(0)
    const { brief } = await promptBrief(engine, { prompt: 'where do sessions live?', agent: 'cleo' })
    expect(brief.text).not.toContain(LIVE)
    await engine.close()
  })
})

describe('supersession', () => {
  it('takes the older one out of briefs and puts it behind the newer in search, whatever the index', async () => {
    const root = scratchProject()
    let engine = open(root)
    const [old, now] = await furnish(engine, [OLD, NEW, LIVE])
    for (const isRebuilt of [false, true]) {
      if (isRebuilt) {
        await engine.close()
        rmSync(path.join(root, '.memory', '.vault'), { recursive: true })
        engine = open(root)
      }
      const { brief, considered } = await promptBrief(engine, {
        prompt: 'how do background jobs run? Sidekiq?',
      })
      expect(brief.included.map(({ id }) => id)).toEqual([now])
      expect(considered.find(({ entry }) => entry.id === old)?.cut).toBe('replaced')
      const start = await startBrief(engine, { prompt: 'background jobs through Sidekiq' })
      expect(start.brief.text).not.toContain(OLD)
      expect(start.brief.text).toContain(NEW)
      const { hits } = await search(engine, 'background jobs Sidekiq', { filter: {}, limit: 5 })
      expect(hits.map(({ id, marks }) => [id, marks?.supersededBy])).toEqual([
        [now, undefined],
        [old, now],
      ])
    }
    await engine.close()
  })

  it('follows a chain to its end', async () => {
    const engine = open(scratchProject())
    const [old, , newest] = await furnish(engine, [OLD, NEW, NEWEST])
    const { brief } = await promptBrief(engine, { prompt: 'background jobs through Sidekiq' })
    expect(brief.included.map(({ id }) => id)).toEqual([newest])
    expect((await supersededBy(engine, [old ?? ''], { bySuggestion: false })).size).toBeGreaterThan(0)
    await engine.close()
  })

  it('is no business of a reader who does not see the newer one', async () => {
    const engine = open(scratchProject())
    const [old] = await furnish(engine, [
      { content: OLD, agent: 'shared' },
      { content: NEW, agent: 'ben' },
    ])
    const told = async (agent: string) =>
      (await promptBrief(engine, { prompt: 'background jobs through Sidekiq', agent })).brief.included.map(
        ({ id }) => id,
      )
    expect(await told('ana')).toEqual([old])
    expect(await told('ben')).not.toContain(old)
    await engine.close()
  })

  it('is asked about, not recorded, when a guess would retire what a person said, or a pin', async () => {
    const engine = open(scratchProject())
    await furnish(engine, [OLD, { content: NEW, status: 'candidate', origin: 'machine' }])
    expect(await openPairs(engine)).toEqual([[OLD, NEW, 'superseded']])
    expect(await engine.resolutions()).toEqual([])
    const newer = (await openConflicts(engine))[0]?.newer.id ?? ''
    await changeEntry(engine, newer, 'confirm', entry => ({ ...entry, status: 'confirmed' }))
    await askConflicts(engine, never)
    expect((await engine.resolutions()).map(({ holds, by }) => [holds, by])).toEqual([[newer, 'cairn']])
    await engine.close()
  })

  it('leaves a pinned entry in its place until a person decides, and then tells the newer one instead', async () => {
    const engine = open(scratchProject())
    const [old, now] = await furnish(engine, [{ content: OLD, status: 'pinned' }, NEW])
    expect(await openPairs(engine)).toEqual([[OLD, NEW, 'superseded']])
    await resolveConflict(engine, [old ?? '', now ?? ''], { kind: 'supersede', id: old ?? '' })
    const { brief } = await startBrief(engine, {})
    expect(brief.text).not.toContain(OLD)
    expect(brief.included.map(({ id, tier }) => [id, tier])).toEqual([[now, 'always-inject']])
    await engine.close()
  })
})

describe('what vectors suggest', () => {
  /** Suggested, and not on record: the pair is not compared. */
  async function suggest(older: Partial<NewEntry>, newer: Partial<NewEntry>) {
    const engine = open(scratchProject())
    const kept = await remember(engine, [
      { content: OLD, kind: 'decision', date: '2026-03-01T10:10', ...older },
      { content: NEW, kind: 'decision', date: '2026-03-01T10:11', ...newer },
    ])
    await embedWaiting(engine)
    const [old, now] = kept.map(({ entry }) => entry.id) as [string, string]
    expect([...(await engine.semantics.vectors.successors([old]))]).toEqual([[old, now]])
    const start = await startBrief(engine, { prompt: 'background jobs through Sidekiq' })
    const prompted = await promptBrief(engine, { prompt: 'background jobs through Sidekiq' })
    const { hits } = await search(engine, 'background jobs Sidekiq', { filter: {}, limit: 2 })
    await engine.close()
    const isTold = (text: string | null) => text?.includes(OLD) === true
    return [
      isTold(start.brief.text),
      isTold(prompted.brief.text),
      hits.some(hit => hit.marks?.supersededBy === now),
    ]
  }
  const guess = { origin: 'machine', status: 'candidate' } as const

  it('puts a newer entry in the place of the older one', async () => {
    expect(await suggest({}, {})).toEqual([false, false, true])
    expect(await suggest(guess, guess)).toEqual([false, false, true])
  })

  it('takes no pinned entry out of a brief, and none that a person said for a guess of the machine', async () => {
    expect(await suggest({ status: 'pinned' }, {})).toEqual([true, true, false])
    expect(await suggest({ status: 'pinned' }, guess)).toEqual([true, true, false])
    expect(await suggest({}, guess)).toEqual([true, true, false])
  })
})

describe('what was decided about a conflict', () => {
  it('closes it until one of the two entries changes', async () => {
    const engine = open(scratchProject())
    const [live, gone] = await furnish(engine, [LIVE, GONE])
    await resolveConflict(engine, [live ?? '', gone ?? ''], { kind: 'both' })
    expect(await openPairs(engine)).toEqual([])
    expect((await conflictMarks(engine, [live ?? ''])).size).toBe(0)
    await changeEntry(engine, live ?? '', 'update', entry => ({ ...entry, content: `${LIVE} Always.` }))
    await askConflicts(engine, never)
    expect(await openPairs(engine)).toEqual([[`${LIVE} Always.`, GONE, 'contradictory']])
    await engine.close()
  })

  it('can be said of a pair that was not found, and overrules what was recorded', async () => {
    const engine = open(scratchProject())
    const [old, now] = await furnish(engine, [OLD, NEW])
    await resolveConflict(engine, [now ?? '', old ?? ''], {
      kind: 'keep',
      id: old ?? '',
      removesOther: false,
    })
    expect([...(await supersededBy(engine, [now ?? ''], { bySuggestion: true }))]).toEqual([[now, old]])
    expect((await engine.resolutions()).length).toBe(1)
    await engine.close()
  })

  it('is listed and taken back through the library', async () => {
    const memory = await openMemory({ root: scratchProject(), vectors: 'never' })
    await memory.remember({ content: LIVE, kind: 'decision' })
    await memory.remember({ content: GONE, kind: 'decision' })
    const { conflicts } = await memory.conflicts()
    const [pair] = conflicts
    expect([pair?.older.content, pair?.newer.content, pair?.type]).toEqual([LIVE, GONE, 'contradictory'])
    const { resolved, removed } = await memory.resolveConflict(pair?.id ?? '', {
      keep: pair?.newer.id ?? '',
      remove: true,
    })
    expect([resolved.resolution, removed]).toEqual(['kept', pair?.older.id])
    expect((await memory.list()).total).toBe(1)
    await memory.undo()
    expect((await memory.list()).total).toBe(2)
    expect((await memory.conflicts()).conflicts.map(({ id }) => id)).toEqual([pair?.id])
    await expect(memory.resolveConflict('zzzzzz', { both: true })).rejects.toMatchObject({
      code: 'conflict_not_found',
    })
    await expect(memory.resolveConflict(pair?.id ?? '', {})).rejects.toMatchObject({ code: 'invalid_input' })
    await memory.close()
  })
})
