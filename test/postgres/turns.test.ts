import { expect, it } from 'vitest'
import { backgroundVectors } from '../../src/compose/background-vectors.ts'
import { remember } from '../../src/features/entries/write-entries.ts'
import { isRecallDue, recallWhenDue } from '../../src/features/state/auto-recall.ts'
import { fingerprint } from '../../src/kernel/text/fingerprint.ts'
import { Tenant } from '../../src/stores/postgres/tenant.ts'
import { postgresWorld } from '../support/postgres-world.ts'
import { day, run } from '../support/recall-world.ts'
import { wordEmbedder } from '../support/word-embedder.ts'

const world = postgresWorld()

it('is one server at a time, in each project, until it ends its turn or dies', async () => {
  const [shop, blog] = [await world.project(), await world.project()]
  const [one, two] = [world.open(shop), world.open(shop)]
  expect(await one.turns.take('vectors')).toBe(true)
  expect(await one.turns.take('vectors')).toBe(true)
  expect(await two.turns.take('vectors')).toBe(false)
  expect(await two.turns.take('recall')).toBe(true)
  expect(await world.open(blog).turns.take('vectors')).toBe(true)
  await two.turns.end('vectors')
  expect(await two.turns.take('vectors')).toBe(false)
  await one.turns.end('vectors')
  expect(await two.turns.take('vectors')).toBe(true)
  // As if it had died a while ago.
  await new Tenant(world.pool(), shop.number).query(
    "UPDATE turn t SET until = now() - interval '1 second' WHERE t.project = $1",
  )
  expect(await one.turns.take('vectors')).toBe(true)
  expect(await two.turns.take('vectors')).toBe(false)
})

it('makes no vector while another server has the turn, and all of them when it is free', async () => {
  const project = await world.project()
  const [here, there] = [wordEmbedder(), wordEmbedder()].map(embedder => world.open(project, { embedder }))
  if (here === undefined || there === undefined) throw new Error('two servers')
  await there.turns.take('vectors')
  await remember(here, [{ content: 'One.' }, { content: 'Two.' }])
  const work = backgroundVectors(here)
  work.wake()
  await here.clock.sleep(600)
  expect((await here.semantics.vectors.state()).waiting).toBe(2)
  await there.turns.end('vectors')
  work.wake()
  for (;;) {
    if ((await here.semantics.vectors.state()).waiting === 0) break
    await here.clock.sleep(50)
  }
  await work.stop()
})

it('ends the turn when the work fails, and when its server stops', async () => {
  const project = await world.project()
  const broken = {
    ...wordEmbedder(),
    embed: async () => {
      throw new Error('no model today')
    },
  }
  const [here, there] = [broken, wordEmbedder()].map(embedder => world.open(project, { embedder }))
  if (here === undefined || there === undefined) throw new Error('two servers')
  await remember(here, [{ content: 'One.' }])
  const work = backgroundVectors(here)
  work.wake()
  await here.clock.sleep(600)
  await work.stop()
  expect(await there.turns.take('vectors')).toBe(true)
})

it('ends the turn of a recall that fails', async () => {
  const project = await world.project()
  const [here, there] = [world.open(project), world.open(project)]
  await here.events.append([run('a', day(2), 'npm test', 'passed')])
  expect(await isRecallDue(here)).toBe(true)
  const failing = {
    ...here,
    state: { ...here.state, update: () => Promise.reject(new Error('the disk is gone')) },
  }
  await expect(recallWhenDue(failing)).rejects.toThrow('the disk is gone')
  expect(await there.turns.take('recall')).toBe(true)
})

it('tells listeners of conflicts that were found', async () => {
  const engine = world.open(await world.project())
  await remember(engine, [{ content: 'Sessions live here.' }, { content: 'Sessions do not live here.' }])
  const [newer, older] = (await engine.store.listEntries({ filter: {}, limit: 2, offset: 0 })).entries
  if (older === undefined || newer === undefined) throw new Error('two entries')
  const told: string[] = []
  const leave = await engine.changes.listen({
    onChange: parts => told.push(...parts),
    onFailure: error => told.push(String(error)),
  })
  await engine.conflicts.putCompared(
    [],
    [
      {
        older: older.id,
        newer: newer.id,
        type: 'contradictory',
        confidence: 0.8,
        reason: { code: 'value', words: ['session'] },
        detectedAt: 1_000,
        said: [fingerprint(older.content), fingerprint(newer.content)],
      },
    ],
  )
  for (let waited = 0; told.length === 0 && waited < 100; waited++) await engine.clock.sleep(50)
  leave()
  expect(told).toEqual(['conflicts'])
})
