import { rmSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { openMemory } from '../src/api.ts'
import { composeEngine } from '../src/compose/compose.ts'
import type { Composed } from '../src/compose/composed.ts'
import { promptBrief, startBrief } from '../src/features/brief/brief.ts'
import { compareEntries } from '../src/features/conflicts/find-conflicts.ts'
import { openConflicts, resolveConflict } from '../src/features/conflicts/resolve-conflicts.ts'
import { undoOperation } from '../src/features/entries/verbs/undo.ts'
import { changeEntry, remember } from '../src/features/entries/write-entries.ts'
import { reviewQueue } from '../src/features/learning/review-queue.ts'
import { reviewAcceptOperation } from '../src/features/review/verbs/review.ts'
import { search } from '../src/features/search/search-memory.ts'
import { conflictMarks, supersededBy } from '../src/features/search/superseded.ts'
import type { NewEntry } from '../src/kernel/model/new-entry.ts'
import { loadSqlite } from '../src/stores/sqlite/driver.ts'
import { scratchProject } from './support/scratch-project.ts'
import { unhurriedClock } from './support/unhurried-clock.ts'
import { wordEmbedder } from './support/word-embedder.ts'

const PORT = 'The gateway port is 8080.'
const OTHER_PORT = 'The gateway port is 9090.'
const JOBS = 'Background jobs go through Sidekiq.'
const NEW_JOBS = 'Background jobs go through Temporal.'

const never = () => false

function open(root: string): Composed {
  return composeEngine({ root, clock: unhurriedClock, embedder: wordEmbedder({}) })
}

/** A minute apart, the first one the oldest. */
async function furnish(
  engine: Composed,
  entries: readonly (string | NewEntry)[],
  minute = 10,
): Promise<string[]> {
  const inputs = entries.map((entry, i) => ({
    kind: 'decision',
    date: `2026-03-01T10:${String(minute + i)}`,
    ...(typeof entry === 'string' ? { content: entry } : entry),
  }))
  const kept = await remember(engine, inputs)
  await compareEntries(engine, never)
  return kept.map(({ entry }) => entry.id)
}

const AGENT = { origin: 'agent', status: 'candidate' } as const

/** An entry, and a newer one that names it. */
async function succession(
  engine: Composed,
  older: Partial<NewEntry>,
  newer: Partial<NewEntry>,
): Promise<[string, string]> {
  const [old = ''] = await furnish(engine, [{ content: JOBS, ...older }])
  const [now = ''] = await furnish(
    engine,
    [{ content: NEW_JOBS, lineage: { supersedes: old }, ...newer }],
    20,
  )
  return [old, now]
}

const openPairs = async (engine: Composed) =>
  (await openConflicts(engine)).map(({ older, newer, reason }) => [
    older.content,
    newer.content,
    reason?.code,
  ])

describe('two literal values of one thing', () => {
  it('are reported once, and marked in a brief and in search', async () => {
    const engine = open(scratchProject())
    const [port, , other] = await furnish(engine, [PORT, JOBS, OTHER_PORT])
    expect(await openPairs(engine)).toEqual([[PORT, OTHER_PORT, 'value']])
    expect((await openConflicts(engine))[0]?.reason).toEqual({
      code: 'value',
      words: ['gateway', 'port'],
      sides: [['8080'], ['9090']],
    })
    const { brief } = await promptBrief(engine, { prompt: 'which port does the gateway have?' })
    const sides = [`Entry #${port} says "${PORT}"`, `Entry #${other} says "${OTHER_PORT}"`]
    const marks = [sides, sides.toReversed()].map(
      both => `[⚠ CONFLICT] ${both.join(' but ')}. Verify which is current.`,
    )
    expect(marks.filter(mark => brief.text.includes(mark))).toHaveLength(1)
    const { hits } = await search(engine, 'gateway port', { filter: {}, limit: 2 })
    expect(hits.map(hit => hit.marks?.conflictsWith?.content).sort()).toEqual([PORT, OTHER_PORT])
    await engine.close()
  })

  it('are compared again where an index was made with other rules', async () => {
    const root = scratchProject()
    const first = open(root)
    await furnish(first, [PORT, OTHER_PORT])
    await first.close()
    const database = new (loadSqlite().DatabaseSync)(path.join(root, '.memory/.vault/index.db'))
    database.exec(`
      UPDATE conflict SET reason = '{"code":"change","words":[]}';
      CREATE TABLE succession (older INTEGER PRIMARY KEY, newer INTEGER NOT NULL);
      CREATE TABLE unasked (key INTEGER PRIMARY KEY);
      DROP INDEX entry_by_predecessor;
      DROP INDEX entry_by_version;
      ALTER TABLE access DROP COLUMN unused;
      PRAGMA user_version = 7`)
    database.close()

    const engine = open(root)
    expect(await openPairs(engine)).toEqual([])
    await compareEntries(engine, never)
    expect(await openPairs(engine)).toEqual([[PORT, OTHER_PORT, 'value']])
    await engine.close()
  })

  it('are looked for once, and again when an entry says something else', async () => {
    const engine = open(scratchProject())
    const [, other = ''] = await furnish(engine, [PORT, OTHER_PORT])
    expect(await compareEntries(engine, never)).toEqual({ compared: 0, waiting: 0 })
    const edit = (fields: object) => changeEntry(engine, other, 'update', entry => ({ ...entry, ...fields }))
    await edit({ importance: 0.9 })
    expect(await engine.conflicts.waiting()).toBe(0)
    await edit({ content: 'The gateway port is 8080 since March.' })
    expect(await compareEntries(engine, never)).toEqual({ compared: 1, waiting: 0 })
    expect(await openPairs(engine)).toEqual([])
    await edit({ content: OTHER_PORT })
    await compareEntries(engine, never)
    expect(await openPairs(engine)).toEqual([[PORT, OTHER_PORT, 'value']])
    await changeEntry(engine, other, 'remove', () => null)
    expect(await openPairs(engine)).toEqual([])
    await engine.close()
  })

  it('stop when the time is up or enough is done, and continue later', async () => {
    const engine = open(scratchProject())
    await remember(engine, [{ content: PORT }, { content: OTHER_PORT }, { content: JOBS }])
    expect(await compareEntries(engine, () => true)).toEqual({ compared: 0, waiting: 3 })
    expect(await compareEntries(engine, never, { limit: 2 })).toEqual({ compared: 2, waiting: 1 })
    expect(await compareEntries(engine, never)).toEqual({ compared: 1, waiting: 0 })
    await engine.close()
  })

  it('exist only where one agent reads both, and are shown to nobody else', async () => {
    const engine = open(scratchProject())
    const [a] = await furnish(engine, [
      { content: PORT, agent: 'ana' },
      { content: OTHER_PORT, agent: 'ben' },
    ])
    expect(await openPairs(engine)).toEqual([])
    const third = 'The gateway port is 7070.'
    const [shared = ''] = await furnish(engine, [{ content: third, agent: 'shared' }], 20)
    expect(await openPairs(engine)).toEqual([
      [PORT, third, 'value'],
      [OTHER_PORT, third, 'value'],
    ])
    expect((await conflictMarks(engine, [shared], 'ana')).get(shared)?.conflictsWith?.id).toBe(a)
    expect((await conflictMarks(engine, [shared], 'cleo')).size).toBe(0)
    await engine.close()
  })

  it('are not guessed: compatible and freely worded statements give no report', async () => {
    const engine = open(scratchProject())
    await furnish(engine, [
      'We use SSE, not WebSockets.',
      'Use SSE because proxies drop idle sockets.',
      'Failed calls are retried 3 times.',
      'A call times out after 30 seconds.',
      JOBS,
      'Sidekiq was retired, background jobs go through SQS.',
      'Always use tabs in Makefiles.',
      'Never use tabs in YAML.',
      'Add retries to the invoice client.',
      'Remove retries from the invoice client.',
      'Uploads are retried five times.',
      'Uploads are retried after two seconds.',
      'Rule 1: handlers return a result.',
      'Rule 2: handlers never throw.',
    ])
    expect(await openPairs(engine)).toEqual([])
    const { total } = await engine.store.listEntries({
      filter: { status: 'confirmed' },
      limit: 50,
      offset: 0,
    })
    expect(total).toBe(14)
    const { brief } = await startBrief(engine, {})
    expect(brief.text).not.toContain('CONFLICT')
    await engine.close()
  })
})

describe('an entry that names the one it replaces', () => {
  it("retires an agent's candidate at once: not injected, still found, whatever the index", async () => {
    const root = scratchProject()
    let engine = open(root)
    const [old, now] = await succession(engine, AGENT, AGENT)
    for (const isRebuilt of [false, true]) {
      if (isRebuilt) {
        await engine.close()
        rmSync(path.join(root, '.memory', '.vault'), { recursive: true })
        engine = open(root)
      }
      const { brief } = await promptBrief(engine, { prompt: 'how do background jobs run? Sidekiq?' })
      expect(brief.included.map(({ id }) => id)).toEqual([now])
      const start = await startBrief(engine, { prompt: 'background jobs through Sidekiq' })
      expect(start.brief.text).not.toContain(JOBS)
      expect(start.brief.text).toContain(NEW_JOBS)
      const { hits } = await search(engine, 'background jobs Sidekiq', { filter: {}, limit: 5 })
      expect(hits.map(({ id, marks }) => [id, marks?.supersededBy])).toEqual([
        [now, undefined],
        [old, now],
      ])
      expect(await openPairs(engine)).toEqual([])
      expect(await engine.resolutions()).toEqual([])
    }
    await undoOperation.run(engine, {}, {})
    expect([...(await supersededBy(engine, [old]))]).toEqual([])
    await engine.close()
  })

  it("leaves a person's entry injected, marked with the claim, and asks the person once", async () => {
    const engine = open(scratchProject())
    const [old, now] = await succession(engine, {}, AGENT)
    expect(await openPairs(engine)).toEqual([[JOBS, NEW_JOBS, 'claim']])
    const { brief } = await promptBrief(engine, { prompt: 'what do background jobs go through?' })
    expect(brief.included.map(({ id }) => id).sort()).toEqual([old, now].sort())
    expect(brief.text).toContain(`[newer claim: #${now}]`)
    expect((await conflictMarks(engine, [old, now])).get(old)).toEqual({ newerClaim: now })
    await engine.close()
  })

  it('shows in the review what accepting it would replace', async () => {
    const engine = open(scratchProject())
    const [old, now] = await succession(engine, {}, AGENT)
    const { proposals } = await reviewQueue(engine, { limit: 10 })
    expect(proposals).toMatchObject([{ id: now, replaces: { id: old, content: JOBS } }])
    await reviewAcceptOperation.run(engine, { ids: [now] }, {})
    expect([...(await supersededBy(engine, [old]))]).toEqual([[old, now]])
    await engine.close()
  })

  it.each([
    ['a pinned entry, which it cannot replace', { status: 'pinned' }, {}],
    ['an entry in the vault of another agent', { agent: 'ana' }, { agent: 'ben' }],
  ] as const)('shows nothing there of %s', async (_, older, newer) => {
    const engine = open(scratchProject())
    const [, now] = await succession(engine, older, { ...AGENT, ...newer })
    const { proposals } = await reviewQueue(engine, { limit: 10 })
    expect(proposals.map(({ id, replaces }) => [id, replaces])).toEqual([[now, undefined]])
    await engine.close()
  })

  it('is accepted, refused or kept beside the older one by a person, and each can be undone', async () => {
    const engine = open(scratchProject())
    const [old, now] = await succession(engine, {}, AGENT)
    const statusOf = async (id: string) => (await engine.search.loadEntries([id])).get(id)?.status
    await resolveConflict(engine, [old, now], { kind: 'supersede', id: old })
    expect([...(await supersededBy(engine, [old]))]).toEqual([[old, now]])
    expect([await openPairs(engine), await statusOf(now)]).toEqual([[], 'confirmed'])
    await undoOperation.run(engine, {}, {})
    expect([await openPairs(engine), await statusOf(now)]).toEqual([[[JOBS, NEW_JOBS, 'claim']], 'candidate'])

    await resolveConflict(engine, [old, now], { kind: 'keep', id: old, removesOther: false })
    expect([...(await supersededBy(engine, [old, now]))]).toEqual([[now, old]])
    await undoOperation.run(engine, {}, {})

    await resolveConflict(engine, [old, now], { kind: 'both' })
    expect([(await supersededBy(engine, [old, now])).size, await openPairs(engine)]).toEqual([0, []])
    expect((await conflictMarks(engine, [old])).size).toBe(0)
    await engine.close()
  })

  it('is obeyed where a person wrote it, but never over a pinned entry', async () => {
    const engine = open(scratchProject())
    const [old, now] = await succession(engine, {}, {})
    expect([...(await supersededBy(engine, [old]))]).toEqual([[old, now]])
    await changeEntry(engine, old, 'pin', entry => ({ ...entry, status: 'pinned' }))
    expect((await supersededBy(engine, [old])).size).toBe(0)
    expect(await openPairs(engine)).toEqual([[JOBS, NEW_JOBS, 'claim']])
    await engine.close()
  })

  it('is a claim where only its text says so, and nothing where it is a suggestion', async () => {
    const engine = open(scratchProject())
    const [old = ''] = await furnish(engine, [JOBS])
    const text = `${NEW_JOBS} Replaces [[${old}]].`
    const [now = ''] = await furnish(engine, [{ content: text }], 20)
    expect(await openPairs(engine)).toEqual([[JOBS, text, 'claim']])
    await changeEntry(engine, now, 'update', entry => ({ ...entry, origin: 'machine', status: 'candidate' }))
    expect(await openPairs(engine)).toEqual([])
    expect((await conflictMarks(engine, [old])).size).toBe(0)
    await engine.close()
  })

  it('is followed to the end of a chain', async () => {
    const engine = open(scratchProject())
    const [old, now] = await succession(engine, AGENT, AGENT)
    const content = 'Background jobs go through Kafka.'
    const [newest] = await furnish(engine, [{ content, ...AGENT, lineage: { supersedes: now } }], 30)
    const { brief } = await promptBrief(engine, { prompt: 'background jobs through Sidekiq' })
    expect(brief.included.map(({ id }) => id)).toEqual([newest])
    expect([...(await supersededBy(engine, [old]))]).toEqual([
      [old, now],
      [now, newest],
    ])
    await engine.close()
  })

  it('replaces nothing for a reader who does not see it', async () => {
    const engine = open(scratchProject())
    const [old] = await succession(engine, { ...AGENT, agent: 'shared' }, { ...AGENT, agent: 'ben' })
    expect((await supersededBy(engine, [old], { reader: 'ana' })).size).toBe(0)
    expect((await supersededBy(engine, [old], { reader: 'ben' })).size).toBe(1)
    await engine.close()
  })
})

describe('a decision about a conflict', () => {
  it('closes it until one of the two entries changes', async () => {
    const engine = open(scratchProject())
    const [port = '', other = ''] = await furnish(engine, [PORT, OTHER_PORT])
    await resolveConflict(engine, [port, other], { kind: 'both' })
    expect(await openPairs(engine)).toEqual([])
    expect((await conflictMarks(engine, [port])).size).toBe(0)
    const changed = 'The gateway port is 8081.'
    await changeEntry(engine, port, 'update', entry => ({ ...entry, content: changed }))
    await compareEntries(engine, never)
    expect(await openPairs(engine)).toEqual([[changed, OTHER_PORT, 'value']])
    await engine.close()
  })

  it('can be made about a pair that was not reported', async () => {
    const engine = open(scratchProject())
    const [old = '', now = ''] = await furnish(engine, [JOBS, NEW_JOBS])
    await resolveConflict(engine, [now, old], { kind: 'supersede', id: old })
    const { brief } = await startBrief(engine, {})
    expect(brief.text).not.toContain(JOBS)
    expect([...(await supersededBy(engine, [old]))]).toEqual([[old, now]])
    await engine.close()
  })

  it('has no effect where 0.1.0 made it without asking', async () => {
    const engine = open(scratchProject())
    const [old = '', now = ''] = await furnish(engine, [JOBS, NEW_JOBS])
    await resolveConflict(engine, [now, old], { kind: 'supersede', id: old })
    await engine.store.write(engine.actor, async view => {
      const before = await view.readDocument('curation.json')
      const conflicts = (before.conflicts as object[]).map(one => ({ ...one, by: 'cairn' }))
      return {
        action: 'resolve',
        changes: [{ type: 'document', name: 'curation.json', before, after: { ...before, conflicts } }],
      }
    })
    expect((await supersededBy(engine, [old])).size).toBe(0)
    await engine.close()
  })

  it('is listed and undone through the library', async () => {
    const memory = await openMemory({ root: scratchProject(), vectors: 'never' })
    await memory.remember({ content: PORT, kind: 'decision' })
    await memory.remember({ content: OTHER_PORT, kind: 'decision' })
    const { conflicts } = await memory.conflicts()
    const [pair] = conflicts
    expect([pair?.older.content, pair?.newer.content, pair?.type]).toEqual([
      PORT,
      OTHER_PORT,
      'contradictory',
    ])
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
