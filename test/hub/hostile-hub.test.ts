import { mkdirSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as path from 'node:path'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { linkHub, parseHubUrl } from '../../src/addons/link/link-hub.ts'
import { lookAtHub, syncWithHub } from '../../src/addons/link/sync-with-hub.ts'
import { composeEngine } from '../../src/compose/compose.ts'
import { remember } from '../../src/features/entries/write-entries.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { entriesOf } from '../support/link-world.ts'
import { scratchProject } from '../support/scratch-project.ts'

const before = process.env.CAIRN_HOME
afterEach(() => {
  if (before === undefined) delete process.env.CAIRN_HOME
  else process.env.CAIRN_HOME = before
})

type Answer = object | ((response: ServerResponse) => void)
type Answers = Record<string, (question: Record<string, unknown>) => Answer>

const HELLO = { protocol: 1, identity: 'the-hub', revision: 1, nowMs: 1 }
const EMPTY = { identity: 'the-hub', revision: 1, cursor: '1', isLast: true, entries: [], documents: [] }
const ACCEPT = ({ entries, documents }: Record<string, unknown>) => ({
  before: 1,
  revision: 1,
  entries: (entries as { id: string }[]).map(({ id }) => ({ id, outcome: 'accepted' })),
  documents: (documents as { name: string }[]).map(({ name }) => ({ name, outcome: 'accepted' })),
})
const ENTRY = {
  id: '1773679871839-k3f9',
  agent: 'shared',
  category: 'decisions',
  kind: 'decision',
  status: 'confirmed',
  origin: 'person',
  date: '2026-03-16T16:51',
  content: 'Sessions live in Redis.',
  tags: [],
  files: [],
  importance: 0.5,
}

/** A repository with one entry, linked to somebody who answers what he likes. */
async function linkedTo(answers: Answers) {
  const place = scratchProject()
  process.env.CAIRN_HOME = path.join(place, 'home')
  mkdirSync(path.join(place, 'repository'))
  const given: Answers = { hello: () => HELLO, pull: () => EMPTY, push: ACCEPT, ...answers }
  const asked: string[] = []
  const server = createServer((request: IncomingMessage, response) => {
    let body = ''
    request.on('data', piece => {
      body += piece
    })
    request.on('end', () => {
      const route = (request.url ?? '').split('/').at(-1) ?? ''
      asked.push(route)
      const answer = given[route]?.(JSON.parse(body)) ?? { known: [] }
      if (typeof answer === 'function') answer(response)
      else response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const engine = composeEngine({
    root: path.join(place, 'repository'),
    actor: { host: 'test' },
    clock: { ...systemClock, sleep: async () => undefined },
  })
  onTestFinished(async () => {
    await engine.close()
    server.closeAllConnections()
    server.close()
  })
  await engine.store.exclusively(() => undefined)
  await engine.projects.register(path.join(place, 'repository'), { by: 'trust' })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await remember(engine, [{ content: 'Deploys wait for smoke tests.' }])
  const link = () =>
    linkHub(engine, {
      url,
      project: 'shop',
      token: `cairn_${'0'.repeat(16)}_${'1'.repeat(64)}`,
      isInsecure: false,
    })
  return {
    engine,
    asked,
    link,
    sync: () => syncWithHub(engine),
    texts: async () => (await entriesOf(engine)).map(({ content }) => content).sort(),
  }
}

it('takes the sound entries of a page, and names those that are none', async () => {
  const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`)
  const hostile = [
    { ...ENTRY, id: '1', agent: '../../etc' },
    { ...ENTRY, id: '2', content: 7 },
    { ...ENTRY, id: '3', tags: 'all' },
    { ...ENTRY, id: '4', files: [null] },
    { ...ENTRY, id: '5', category: '../shared' },
    { ...ENTRY, id: '6', date: 'now' },
    { ...ENTRY, id: '7', extra: { deep } },
    { ...ENTRY, id: '8', deep },
    { ...ENTRY, id: '9', importance: 'high' },
    { ...ENTRY, id: 'a\u001b[2J' },
    { ...ENTRY, id: 'b', content: `The key is ghp_${'a1B2c3D4'.repeat(5)}` },
    { id: 'c' },
    [],
  ]
  const world = await linkedTo({
    pull: () => ({
      ...EMPTY,
      entries: [...hostile, ENTRY].map((entry, at) => ({
        id: (entry as { id?: string }).id ?? `n${at}`,
        entry,
        revision: 1,
      })),
      documents: [{ name: 'curation.json', body: `${'{"aliases":'.repeat(2_000)}1${'}'.repeat(2_000)}` }],
    }),
  })
  await world.link()
  const { received, withheld, isRestless } = await world.sync()
  expect({ received, isRestless }).toEqual({ received: 1, isRestless: false })
  expect(withheld.map(({ id, why }) => `${id} ${why}`)).toEqual([
    ...['1', '2', '3', '4', '5', '6', '7', '8', '9', 'a\u001b[2J'].map(id => `${id} unsound`),
    'b secret_there',
    ...['c', 'n12', 'curation.json'].map(id => `${id} unsound`),
  ])
  expect(await world.texts()).toEqual(['Deploys wait for smoke tests.', 'Sessions live in Redis.'])
})

it('keeps an id that looks like a path, or like the end of a comment, as the name it is', async () => {
  const ids = ['../../x', '--> <!-- id:9', 'a b:c,d%2F']
  const world = await linkedTo({
    pull: () => ({
      ...EMPTY,
      entries: ids.map((id, at) => ({
        id,
        entry: { ...ENTRY, id, content: `What is kept as ${at}.` },
        revision: 1,
      })),
    }),
  })
  await world.link()
  await world.sync()
  const kept = await entriesOf(world.engine)
  expect(kept.map(({ id }) => id).filter(id => ids.includes(id))).toEqual([...ids].sort())
  expect(kept).toHaveLength(4)
})

it('leaves a hub that leads in a circle, or whose answers are none', async () => {
  const code = async (answers: Answers, look = false) => {
    const world = await linkedTo(answers)
    await world.link()
    const failure = await (look ? lookAtHub(world.engine) : world.sync()).catch(error => error)
    expect(await world.texts()).toContain('Deploys wait for smoke tests.')
    return failure.code
  }
  const entries = [{ id: ENTRY.id, entry: ENTRY, revision: 1 }]
  const notLast = { ...EMPTY, isLast: false }
  expect(await code({ pull: () => notLast })).toBe('hub_refused')
  expect(await code({ pull: () => notLast }, true)).toBe('hub_refused')
  expect(await code({ pull: () => ({ ...notLast, entries }) })).toBe('hub_refused')
  expect(await code({ pull: () => ({ ...notLast, entries, cursor: '9', revision: 5 }) })).toBe('hub_refused')
  expect(await code({ pull: () => ({ ...EMPTY, cursor: '../..' }) })).toBe('hub_refused')
  expect(await code({ pull: () => ({ ...EMPTY, entries: 'all of them' }) })).toBe('hub_refused')
  expect(
    await code({ pull: () => ({ ...EMPTY, documents: [{ name: '../config.json', body: '{}' }] }) }),
  ).toBe('hub_refused')
  expect(await code({ push: () => ({ before: 1e300, revision: 1, entries: [], documents: [] }) })).toBe(
    'hub_refused',
  )
})

it('is not led to another address, and does not read for ever', async () => {
  const elsewhere = await linkedTo({})
  await elsewhere.link()
  const { url } = (await elsewhere.engine.hubLink.address()) ?? { url: '' }
  const askedBefore = elsewhere.asked.length
  const redirecting = await linkedTo({
    hello: () => response => response.writeHead(307, { location: `${url}/p/shop/api/sync/hello` }).end(),
  })
  await expect(redirecting.link()).rejects.toMatchObject({ code: 'hub_unreachable' })
  expect(elsewhere.asked).toHaveLength(askedBefore)

  const endless = await linkedTo({
    hello: () => response => {
      const piece = Buffer.alloc(1024 * 1024, 0x20)
      const more = () => {
        while (!response.destroyed && response.write(piece));
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    },
  })
  await expect(endless.link()).rejects.toMatchObject({ code: 'hub_unreachable' })
})

it('tells how many a hub removed here, and which record takes them back', async () => {
  let isGone = false
  const entry = (at: number) => ({ ...ENTRY, id: `1773679871839-${at}`, content: `Fact ${at}.` })
  const world = await linkedTo({
    pull: () => ({
      ...EMPTY,
      revision: isGone ? 2 : 1,
      cursor: isGone ? '2' : '1',
      entries: Array.from({ length: 300 }, (_, at) => ({
        id: entry(at).id,
        entry: isGone ? null : entry(at),
        revision: isGone ? 2 : 1,
      })),
    }),
  })
  await world.link()
  await world.sync()
  isGone = true
  const { removed, records } = await world.sync()
  expect(removed).toBe(300)
  expect(await world.texts()).toEqual(['Deploys wait for smoke tests.'])
  expect(records).toHaveLength(1)
})

it('an address with a stray % is none', () => {
  expect(() => parseHubUrl('https://hub.example.org/p/%zz', { isInsecure: false })).toThrow(
    'is not the address of a hub',
  )
})
