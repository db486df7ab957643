import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ACROSS_PRESENTERS } from '../../src/addons/across/present-across.ts'
import { learn } from '../../src/addons/workspaces/writing.ts'
import { readKnownProjects } from '../../src/features/projects/known-projects.ts'
import { search } from '../../src/features/search/search-memory.ts'
import type { Terminal } from '../../src/kernel/system/terminal.ts'
import { loadSqlite } from '../../src/stores/sqlite/driver.ts'
import { typeOver } from '../support/vault-files.ts'
import { writeOverview, writePlan } from '../support/workspace-tree.ts'
import { acrossWorld, placesOf } from './across-world.ts'

const QUEUE = 'We put a queue between checkout and billing, because billing was down twice.'
const RATES = 'Exchange rates are cached for an hour.'

describe('everywhere', () => {
  it('finds in every project of this user, and says where', async () => {
    const world = acrossWorld()
    await world.project('here', 'The page is written in React.')
    await world.project('shop', {
      content: QUEUE,
      kind: 'decision',
      session: 's-7',
      files: ['src/billing.ts'],
      date: '2026-03-16T10:00',
    })
    await world.project('bank', RATES)
    const answer = await world.everywhere('queue before billing')
    expect(placesOf(answer)).toEqual([`${QUEUE} — shop`])
    expect(answer.hits[0]?.from[0]).toEqual({
      project: {
        id: expect.stringMatching(/^[0-9a-f]{16}$/),
        name: 'shop',
        root: world.rootOf('shop'),
        isHere: false,
      },
      entry: expect.any(String),
      agent: 'shared',
      kind: 'decision',
      status: 'confirmed',
      date: '2026-03-16T10:00',
      session: 's-7',
      files: ['src/billing.ts'],
    })
    expect(answer).toMatchObject({ searched: 3, closed: 0, degraded: [] })
    expect(answer.projects.map(({ name, found }) => [name, found])).toEqual([['shop', 1]])
  })

  it('counts how rare a word is in all projects together', async () => {
    const world = acrossWorld()
    await world.project('here', 'Nothing of interest.')
    // `retry` is in one of two entries there, and in every entry of the other.
    await world.project('small', 'The retry of the deploy is manual.', 'Lunch is at noon.')
    await world.project(
      'large',
      ...Array.from({ length: 20 }, (_, at) => `Retry rule ${at}: wait longer each time.`),
      'The kafka consumer has a retry of its own.',
    )
    const [first] = placesOf(await world.everywhere('kafka retry'))
    expect(first).toBe('The kafka consumer has a retry of its own. — large')
  })

  it('finds what says the same in other words, and nothing where nothing is meant', async () => {
    const world = acrossWorld()
    await world.project('here', 'The page is written in React.', 'Colours are in tokens.css.')
    const friday = 'Never ship on a Friday afternoon: nobody is around to repair what breaks.'
    await world.project('shop', friday, 'Invoices are numbered without gaps.', RATES)
    await world.project('bank', 'Lunch is at noon.', 'The office has a green door.')
    const asked = 'when should we not deploy to production?'
    expect(placesOf(await world.everywhere(asked))).toEqual([])
    for (const name of ['here', 'shop', 'bank']) await world.embed(name)
    const answer = await world.everywhere(asked)
    expect(placesOf(answer)).toEqual([`${friday} — shop`])
    expect(answer).toMatchObject({ searched: 3, degraded: [] })
    expect(placesOf(await world.everywhere('how do I tune a violin?'))).toEqual([])
  })

  it('compares meanings only where the vectors are of the same model, and says where words decided', async () => {
    const world = acrossWorld()
    await world.project('here', 'The page is written in React.')
    await world.project('shop', QUEUE)
    for (const name of ['here', 'shop']) await world.embed(name)
    const index = new (loadSqlite().DatabaseSync)(path.join(world.rootOf('shop'), '.memory/.vault/index.db'))
    index.exec("UPDATE vector_totals SET model = 'another-model'")
    index.close()
    const answer = await world.everywhere('queue before billing')
    expect(placesOf(answer)).toEqual([`${QUEUE} — shop`])
    expect(answer.degraded.map(({ code, message }) => `${code} ${message.slice(0, 5)}`)).toEqual([
      'vectors_waiting shop:',
    ])
  })

  it('tells the same text of several projects once, with all its places', async () => {
    const world = acrossWorld()
    await world.project('here', QUEUE)
    await world.project('shop', { content: QUEUE, date: '2026-03-16T10:00' })
    await world.project('bank', { content: `  ${QUEUE.toUpperCase()} `, date: '2026-04-16T10:00' })
    expect(placesOf(await world.everywhere('queue billing'))).toEqual([`${QUEUE} — here, bank, shop`])
  })

  it('asks only the projects that are named', async () => {
    const world = acrossWorld()
    await world.project('here', QUEUE)
    await world.project('shop', `${QUEUE} Yes.`)
    expect(placesOf(await world.everywhere('queue billing', { projects: ['shop'] }))).toEqual([
      `${QUEUE} Yes. — shop`,
    ])
    await expect(world.everywhere('queue', { projects: ['nobody'] })).rejects.toMatchObject({
      code: 'project_not_found',
    })
  })

  it('leaves the folders of other projects as they were', async () => {
    const world = acrossWorld()
    await world.project('here', 'One.')
    const root = await world.project('shop', QUEUE)
    const before = filesBelow(root)
    await world.everywhere('queue')
    await world.entity('redis')
    expect(filesBelow(root)).toEqual(before)
  })
})

describe('met', () => {
  it('finds who met an error, on another machine and in another project, and what helped', async () => {
    const world = acrossWorld()
    await world.project('here', 'The page is written in React.')
    await world.project('api', {
      content:
        'connect ECONNREFUSED 127.0.0.1:5432 in CI. The database was not up yet. Fixed by waiting with pg_isready.',
      kind: 'lesson',
    })
    await world.project('shop', { content: 'Looked into ECONNREFUSED today, not done.', kind: 'handoff' })
    const answer = await world.met(
      "Error: connect ECONNREFUSED 10.1.2.3:5432\n    at TCPConnectWrap (node:net:1595:16) { code: 'ECONNREFUSED' }",
    )
    expect(answer.names).toEqual(['ECONNREFUSED'])
    expect(answer.hits.map(({ tells, says, from }) => [from[0]?.project.name, tells, says])).toEqual([
      ['api', 'solution', 'Fixed by waiting with pg_isready.'],
      ['shop', 'mention', undefined],
    ])
  })

  it('finds who decided the same', async () => {
    const world = acrossWorld()
    await world.project('here', 'The page is written in React.')
    await world.project('shop', { content: QUEUE, kind: 'decision' })
    const answer = await world.met('Should we put a queue between checkout and billing?')
    expect(answer.sort).toBe('statement')
    expect(placesOf(answer)).toEqual([`${QUEUE} — shop`])
    expect(answer.hits[0]?.says).toBe(QUEUE)
  })
})

describe('entity', () => {
  it('tells in which projects it occurs, and what is said of it', async () => {
    const world = acrossWorld()
    await world.project('here', 'The page is written in React.')
    await world.project('shop', 'Redis replaces RabbitMQ.', 'Redis holds the carts.')
    await world.project('bank', 'Redis caches the rates.')
    const { entities } = await world.entity('redis')
    expect(entities).toHaveLength(1)
    expect(entities[0]).toMatchObject({
      type: 'service',
      name: 'redis',
      entries: 3,
      in: [
        { project: { name: 'shop' }, entries: 2 },
        { project: { name: 'bank' }, entries: 1, newest: [{ headline: 'Redis caches the rates.' }] },
      ],
      relations: [
        {
          from: { name: 'redis' },
          relation: 'replaces',
          to: { name: 'rabbitmq' },
          projects: [expect.any(String)],
        },
      ],
    })
  })
})

describe('never across a boundary', () => {
  const FALCON = 'Falcon is the name of the merger.'

  it('a project that opted out is counted, and neither opened nor named', async () => {
    const world = acrossWorld()
    await world.project('here', 'One.')
    const root = await world.project('secret', FALCON)
    writeFileSync(path.join(root, '.memory/config.json'), '{"version":1,"across":{"visible":false}}')
    const answer = await world.everywhere('falcon merger')
    expect(answer).toMatchObject({ hits: [], projects: [], searched: 1, closed: 1, degraded: [] })
    expect(JSON.stringify(answer)).not.toContain('secret')
    expect(JSON.stringify(await world.met(FALCON))).not.toContain('secret')
    expect((await world.entity('falcon')).entities).toEqual([])
    await expect(world.everywhere('falcon', { projects: ['secret'] })).rejects.toMatchObject({
      code: 'project_not_found',
    })
  })

  it('a configuration that cannot be read has not said yes', async () => {
    const world = acrossWorld()
    await world.project('here', 'One.')
    const root = await world.project('secret', FALCON)
    writeFileSync(path.join(root, '.memory/config.json'), '{"version":1,"across":')
    rmSync(path.join(root, '.memory/.vault/backup'), { recursive: true, force: true })
    expect(await world.everywhere('falcon')).toMatchObject({ hits: [], closed: 1 })
  })

  it('a project that is not trusted any more is closed', async () => {
    const world = acrossWorld()
    await world.project('here', 'One.')
    await world.project('lent', FALCON)
    const engine = world.standIn('here')
    const known = readKnownProjects()
    if (known === 'damaged') throw new Error('the registry is readable')
    await engine.projects.untrust(known.projects.find(({ name }) => name === 'lent')?.id ?? '')
    expect(await world.everywhere('falcon')).toMatchObject({ hits: [], searched: 1, closed: 1 })
  })

  it('another memory in the place of a trusted one is closed', async () => {
    const world = acrossWorld()
    await world.project('here', 'One.')
    const root = await world.project('api', 'Two.')
    renameSync(root, `${root}-moved`)
    const foreign = await world.project('elsewhere', FALCON)
    renameSync(foreign, root)
    rmSync(path.join(root, '.memory/.vault/project-token'))
    expect(placesOf(await world.everywhere('falcon'))).toEqual([])
  })

  it('a folder that is gone is no project any more', async () => {
    const world = acrossWorld()
    await world.project('here', 'One.')
    rmSync(await world.project('gone', FALCON), { recursive: true })
    expect(await world.everywhere('falcon')).toMatchObject({ hits: [], searched: 1, closed: 0, degraded: [] })
  })

  it('a memory that is a link out of its project is not followed', async () => {
    const world = acrossWorld()
    await world.project('here', 'One.')
    const root = await world.project('api', FALCON)
    renameSync(path.join(root, '.memory/.vault/index.db'), path.join(world.base, 'index.db'))
    symlinkSync(path.join(world.base, 'index.db'), path.join(root, '.memory/.vault/index.db'))
    const answer = await world.everywhere('falcon')
    expect(answer.hits).toEqual([])
    expect(answer.degraded).toEqual([
      { code: 'memory_outside_project', message: expect.stringMatching(/^api: .*outside the memory\.$/) },
    ])
  })

  it('what is private stays in its project, in searches, entities and what stands beside them', async () => {
    const world = acrossWorld()
    await world.project('here', { content: 'Redis at home is private here.', agent: 'private' })
    await world.project(
      'shop',
      { content: 'The redis password is kept by Ana.', agent: 'private' },
      { content: 'Redis holds the carts.', agent: 'shared' },
    )
    expect(placesOf(await world.everywhere('redis'))).toEqual([
      'Redis holds the carts. — shop',
      'Redis at home is private here. — here',
    ])
    const { entities } = await world.entity('redis')
    expect(entities[0]?.in.map(({ project, entries }) => [project.name, entries])).toEqual([
      ['here', 1],
      ['shop', 1],
    ])
    expect(JSON.stringify(entities)).not.toContain('password')
  })

  it('an agent reads its own vault and the shared one there, as it does here', async () => {
    const world = acrossWorld()
    await world.project('here', 'One.')
    await world.project(
      'shop',
      { content: 'Redis for dev.', agent: 'dev' },
      { content: 'Redis for ops.', agent: 'ops' },
      { content: 'Redis for all.', agent: 'shared' },
    )
    const asked = await world.everywhere('redis', { reader: 'dev' })
    expect(placesOf(asked).sort()).toEqual(['Redis for all. — shop', 'Redis for dev. — shop'])
    expect(JSON.stringify(await world.entity('redis', { reader: 'dev' }))).not.toContain('for ops')
  })

  it('a project that looks into no other says so', async () => {
    const world = acrossWorld()
    const root = await world.project('here', 'Falcon here.')
    writeFileSync(path.join(root, '.memory/config.json'), '{"version":1,"across":{"reads":false}}')
    await world.project('api', FALCON)
    const answer = await world.everywhere('falcon')
    expect(placesOf(answer)).toEqual(['Falcon here. — here'])
    expect(answer.degraded.map(({ code }) => code)).toEqual(['across_reads_off'])
    expect(await world.standIn('here').across.hasOthers()).toBe(false)
  })

  it('a list of projects that cannot be read opens none', async () => {
    const world = acrossWorld()
    await world.project('here', 'Falcon here.')
    await world.project('api', FALCON)
    writeFileSync(path.join(world.home, 'projects.json'), '{')
    const answer = await world.everywhere('falcon')
    expect(placesOf(answer)).toEqual(['Falcon here. — here'])
    expect(answer.degraded.map(({ code }) => code)).toEqual(['registry_damaged'])
  })
})

describe('one memory never spoils the others', () => {
  it('a damaged index, none, one of an older Cairn and one of a newer are told, and the rest is found', async () => {
    const world = acrossWorld()
    await world.project('here', 'One.')
    await world.project('sound', QUEUE)
    const indexOf = async (name: string) =>
      path.join(await world.project(name, QUEUE), '.memory/.vault/index.db')
    const damaged = await indexOf('damaged')
    rmSync(`${damaged}-wal`, { force: true })
    writeFileSync(damaged, 'this is no database')
    rmSync(await indexOf('none'))
    const older = await indexOf('older')
    const newer = await indexOf('newer')
    const { DatabaseSync } = loadSqlite()
    for (const [file, version] of [
      [older, 1],
      [newer, 999],
    ] as const) {
      const database = new DatabaseSync(file)
      database.exec(`PRAGMA user_version = ${version}`)
      database.close()
    }
    const answer = await world.everywhere('queue billing')
    expect(placesOf(answer)).toEqual([`${QUEUE} — sound`])
    expect(answer.degraded).toHaveLength(1)
    expect(answer.degraded[0]?.message).toMatch(/^damaged, newer, none, older: not searched/)
    expect(answer.searched).toBe(2)
    // Nothing was rebuilt on the way.
    expect(readFileSync(path.join(world.rootOf('damaged'), '.memory/.vault/index.db'), 'utf8')).toBe(
      'this is no database',
    )
    expect(existsSync(path.join(world.rootOf('none'), '.memory/.vault/index.db'))).toBe(false)
  })

  it('a memory whose pages do not fit together is told when it is read', async () => {
    const world = acrossWorld()
    await world.project('here', 'One.')
    await world.project('sound', QUEUE)
    const root = await world.project('torn', QUEUE)
    const file = path.join(root, '.memory/.vault/index.db')
    for (const beside of ['-wal', '-shm']) rmSync(`${file}${beside}`, { force: true })
    const bytes = readFileSync(file)
    writeFileSync(file, Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 7)]))
    const answer = await world.everywhere('queue billing')
    expect(placesOf(answer)).toEqual([`${QUEUE} — sound`])
    expect(answer.degraded.map(({ message }) => message)).toEqual([expect.stringMatching(/^torn: /)])
  })

  it('files that changed since are told: what is newest may be missing', async () => {
    const world = acrossWorld()
    await world.project('here', 'One.')
    const root = await world.project('shop', QUEUE)
    typeOver(root, QUEUE, `${QUEUE} A word by hand.`)
    const answer = await world.everywhere('queue billing')
    expect(placesOf(answer)).toEqual([`${QUEUE} — shop`])
    expect(answer.degraded).toEqual([
      { code: 'index_stale', message: expect.stringMatching(/^shop: files changed/) },
    ])
  })

  it('what was not reached in time is told', async () => {
    const world = acrossWorld()
    await world.project('here', QUEUE)
    await world.project('shop', QUEUE)
    const engine = world.standIn('here')
    let calls = 0
    const clock = { ...engine.clock, nowMs: () => (calls++ < 3 ? 0 : 10_000) }
    const { searchEverywhere } = await import('../../src/addons/across/search-everywhere.ts')
    const answer = await searchEverywhere(
      engine.across,
      { query: 'queue', filter: {}, limit: 5, aliases: {} },
      { clock, withinMs: 100 },
    )
    expect(answer.degraded.map(({ code }) => code)).toEqual(['across_time_up'])
    expect(answer.degraded[0]?.message).toContain('shop')
  })
})

it('brings no entry that only stands beside a match in its session', async () => {
  const world = acrossWorld()
  await world.project('here', 'The page is written in React.')
  await world.project(
    'farm',
    { content: 'Who sharpens the scythes before the harvest?', session: 's1' },
    { content: 'Lunch is at noon.', session: 's1' },
  )
  const texts = async () => (await world.everywhere('scythes')).hits.map(({ content }) => content)
  expect(await texts()).toEqual(['Who sharpens the scythes before the harvest?'])
  await world.embed('farm')
  expect(await texts()).toEqual(['Who sharpens the scythes before the harvest?'])
})

it('finds documents of workspaces too, unless the filter asks for what only entries have', async () => {
  const world = acrossWorld()
  await world.project('here', 'The page is written in React.')
  const shop = await world.project('shop', 'Exchange rates are cached for an hour.')
  writePlan(shop, 'devtools/common', '260208-workflow-engine', {
    name: 'Workflow Engine',
    body: 'The scheduler is an xstate machine.',
  })
  writeOverview(world.rootOf('here'), 'store', 'What customers see', 'The basket forgets nothing.')
  // What another project holds is read from its index as it lies there.
  await search(world.standIn('shop'), 'anything', { filter: {}, limit: 1, documents: {} })
  const { hits, searched } = await world.everywhere('xstate scheduler')
  expect(searched).toBe(2)
  expect(hits.map(({ from }) => from[0])).toEqual([
    expect.objectContaining({
      entry: 'plan:devtools/common/260208-workflow-engine',
      kind: 'plan',
      document: {
        id: 'plan:devtools/common/260208-workflow-engine',
        kind: 'plan',
        scope: 'devtools/common',
        path: 'resources/workspaces/devtools/common/_plans/260208-workflow-engine.md',
        status: 'new',
      },
    }),
  ])
  const here = await world.everywhere('basket')
  expect(here.hits[0]?.from[0]).toMatchObject({ entry: 'overview:store', project: { isHere: true } })
  expect((await world.everywhere('xstate scheduler', { file: 'src/a.ts' })).hits).toEqual([])
  const shown: string[] = []
  const plain = (text: string) => text
  const terminal = {
    out: (text: string) => shown.push(text),
    bold: plain,
    dim: plain,
    accent: plain,
    bad: plain,
  }
  ACROSS_PRESENTERS.everywhere(here, terminal as unknown as Terminal)
  expect(shown[0]).toMatch(
    /here \(here\) overview:store {2}overview · store · resources\/workspaces\/store\/OVERVIEW\.md\n/,
  )
})

it('finds what another project learned for a workspace, though nobody searched there', async () => {
  const world = acrossWorld()
  await world.project('here', 'The page is written in React.')
  await world.project('orchard', 'Apples are sold by the crate.')
  writeOverview(world.rootOf('orchard'), 'trees', 'Our trees')
  await learn(world.standIn('orchard'), { workspace: 'trees' }, 'lesson', {
    title: 'Grafting needs quincewood',
    category: 'integration',
    content: 'The stock takes best in March.',
  })
  const { hits } = await world.everywhere('quincewood')
  expect(hits.map(({ from }) => from[0]?.document?.scope)).toEqual(['trees'])
})

it('asks two hundred projects, and finds the one that has it', async () => {
  const world = acrossWorld()
  await world.project('here', 'One.')
  const plain = await world.project('plain', 'Common words of a project.')
  const special = await world.project('special', 'Common words of a project.', 'The zeppelin docks here.')
  const known = Array.from({ length: 200 }, (_, at) => {
    const root = world.rootOf(`p${at}`)
    cpSync(at === 123 ? special : plain, root, { recursive: true })
    const seen = '2026-03-16T10:00:00.000Z'
    return { id: `id${at}`, name: `p${at}`, root, trustedAt: seen, firstSeenAt: seen, lastSeenAt: seen }
  })
  writeFileSync(path.join(world.home, 'projects.json'), JSON.stringify({ version: 1, projects: known }))
  const answer = await world.everywhere('where does the zeppelin dock?', { withinMs: 60_000 })
  expect(placesOf(answer)).toEqual(['The zeppelin docks here. — p123'])
  expect(answer.searched).toBe(201)
  // Copies have other stamps: one line says it of all of them.
  expect(answer.degraded).toEqual([
    {
      code: 'index_stale',
      message: expect.stringMatching(/^p0, p1, p10, p100, p101 and 195 more: files changed/),
    },
  ])
}, 60_000)

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
}
