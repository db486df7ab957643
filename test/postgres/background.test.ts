import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backgroundVectors } from '../../src/compose/background-vectors.ts'
import { type Hub, openHub } from '../../src/compose/compose-hub.ts'
import { composePostgresEngine } from '../../src/compose/compose-postgres.ts'
import { compareEntries } from '../../src/features/conflicts/find-conflicts.ts'
import { remember } from '../../src/features/entries/write-entries.ts'
import { embedWaiting } from '../../src/features/search/meaning.ts'
import { search } from '../../src/features/search/search-memory.ts'
import { isRecallDue } from '../../src/features/state/auto-recall.ts'
import { scheduleUpkeep } from '../../src/features/upkeep/scheduled-upkeep.ts'
import { isUpkeepDue } from '../../src/features/upkeep/upkeep.ts'
import type { HubProject } from '../../src/kernel/model/hub.ts'
import { type Clock, systemClock } from '../../src/kernel/system/clock.ts'
import { removeProjectRows } from '../../src/stores/postgres/postgres-directory.ts'
import { Tenant } from '../../src/stores/postgres/tenant.ts'
import { postgresWorld } from '../support/postgres-world.ts'
import { freshDatabase } from '../support/test-postgres.ts'
import { wordEmbedder } from '../support/word-embedder.ts'

describe('what goes on by itself over PostgreSQL', () => {
  const world = postgresWorld()

  it('ends no process when its project is removed: that is told as one that is not there', async () => {
    const project = await world.project()
    const engine = world.open(project)
    await remember(engine, [{ content: 'One.' }])
    await world.pool().transaction(connection => removeProjectRows(connection, project.number))
    const gone = { code: 'project_not_found' }
    await expect(engine.store.readDocument('config.json')).rejects.toMatchObject(gone)
    await expect(remember(engine, [{ content: 'Two.' }])).rejects.toMatchObject(gone)
    const upkeep = scheduleUpkeep(engine, 0, { pauseMs: 1 })
    await engine.clock.sleep(100)
    await upkeep.stop()
  })

  it('stops between two entries that are compared, and keeps what was compared', async () => {
    const project = await world.project()
    const engine = world.open(project, { embedder: wordEmbedder() })
    const contents = Array.from({ length: 12 }, (_, i) => `The gateway port number ${i} is ${8_000 + i}.`)
    await remember(
      engine,
      contents.map(content => ({ content, kind: 'decision' })),
    )
    await embedWaiting(engine)
    const uncompared = () => engine.conflicts.waiting()
    expect(await uncompared()).toBe(12)
    let turns = 0
    let stopped: Promise<void> | undefined
    const work = backgroundVectors(engine, {
      turn: async () => {
        if (++turns === 3) stopped = work.stop()
      },
    })
    work.wake()
    await expect.poll(() => turns, { timeout: 20_000 }).toBe(3)
    await stopped
    expect([turns, await uncompared()]).toEqual([3, 9])
  })

  it('asks in few transactions after a write: each is a packet there and back, and holds up who is answered', async () => {
    const pool = world.pool()
    let transactions = 0
    const engine = composePostgresEngine({
      pool: {
        ...pool,
        transaction: (work, end) => {
          transactions++
          return pool.transaction(work, end)
        },
      },
      project: await world.project(),
      actor: { host: 'test' },
      embedder: wordEmbedder(),
    })
    const follow = async () => {
      await embedWaiting(engine)
      return compareEntries(engine, () => false)
    }
    const said = (port: number) => ({ content: `The gateway port is ${port}.`, kind: 'decision' })
    await remember(engine, [said(8080), said(8081)])
    await follow()
    await remember(engine, [said(8082)])
    transactions = 0
    expect(await follow()).toEqual({ compared: 1, waiting: 0 })
    expect(transactions).toBeLessThanOrEqual(12)
    transactions = 0
    await isUpkeepDue(engine)
    await isRecallDue(engine)
    expect(transactions).toBe(2)
  })

  it('says that the hub itself makes the vectors that are missing', async () => {
    const engine = world.open(await world.project(), { embedder: wordEmbedder() })
    await remember(engine, [{ content: 'One.' }])
    const { degraded } = await search(engine, 'one', { filter: {}, limit: 10 })
    expect(degraded).toMatchObject([
      { code: 'vectors_waiting', message: expect.stringMatching(/automatically\.$/) },
    ])
  })
})

describe('what a hub does by itself', () => {
  let hub: Hub
  let passedMs = 0
  let turns = 0
  const clock: Clock = {
    ...systemClock,
    nowMs: () => systemClock.nowMs() + passedMs,
    alarm(ms) {
      // The pause before each piece of work (background-pace.ts).
      if (ms === 30) turns++
      return systemClock.alarm(ms)
    },
  }
  beforeAll(async () => {
    hub = await openHub({ store: await freshDatabase(), clock, embedder: wordEmbedder() })
  }, 120_000)
  afterAll(() => hub.close())

  const addProject = (name: string) => hub.deskOf({ principal: 'test' }).addProject(name)
  const leftIn = async (project: HubProject): Promise<number> => {
    const row = await new Tenant(hub.pool, project.number).one<{ left: number }>(
      `SELECT (SELECT count(*)::int FROM unembedded u WHERE u.project = $1) +
              (SELECT count(*)::int FROM uncompared u WHERE u.project = $1) AS left`,
    )
    return row?.left ?? 0
  }
  const find = (project: HubProject) => search(hub.engineOf(project), 'port', { filter: {}, limit: 1 })

  it('takes no turn while more of a memory is to come', async () => {
    const project = await addProject('coming')
    await remember(hub.engineOf(project), [{ content: 'The port is 8080.' }])
    hub.wake(project, { more: true })
    await clock.sleep(1_500)
    expect([turns, await leftIn(project)]).toEqual([0, 2])
    await expect.poll(() => leftIn(project), { timeout: 20_000 }).toBe(0)
    expect(turns).toBeLessThan(5)
  })

  it('goes on with what a server that died had left, when somebody reads', async () => {
    const project = await addProject('left')
    await remember(hub.engineOf(project), [{ content: 'The port is 8080.' }])
    await clock.sleep(500)
    expect(await leftIn(project)).toBe(2)
    await find(project)
    await expect.poll(() => leftIn(project), { timeout: 20_000 }).toBe(0)

    await remember(hub.engineOf(project), [{ content: 'The port of the tests is 8081.' }])
    await find(project)
    await clock.sleep(500)
    expect(await leftIn(project)).toBe(2)
    passedMs += 61_000
    await find(project)
    await expect.poll(() => leftIn(project), { timeout: 20_000 }).toBe(0)
  })
})
