import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Grant, TokenScope } from '../../src/kernel/model/hub.ts'
import type { HubRouteName } from '../../src/surfaces/http/paths.generated.ts'
import { type HubWorld, hubWorld } from '../support/hub-world.ts'

let world: HubWorld
afterEach(() => world.end())

const QUEUE = 'We put a queue between checkout and billing, because billing was down twice.'
const REFUSED =
  'connect ECONNREFUSED 127.0.0.1:5432 in CI. The database was not up yet. Fixed by waiting with pg_isready.'
const PLAIN = 'Lunch is at noon.'

/** Three projects with something to find in each. */
async function furnish(): Promise<void> {
  world = await hubWorld({ projects: ['shop', 'bank', 'vault'] })
  await keep('shop', QUEUE, PLAIN, 'Redis replaces RabbitMQ.')
  await keep('bank', REFUSED, PLAIN, 'Redis caches the rates.')
  await keep('vault', `${QUEUE} Falcon.`, 'Falcon is the name of the merger.', 'Redis hides Falcon.')
}

async function keep(project: string, ...contents: string[]): Promise<void> {
  for (const content of contents) {
    const { status } = await world.ask('remember', { project, token: world.admin, fields: { content } })
    expect(status).toBe(200)
  }
}

/** Vectors are made behind the writes: an answer before them is another one. */
async function embedded(...projects: string[]): Promise<void> {
  for (const project of projects)
    await vi.waitFor(
      async () => {
        const { body } = await world.ask('health', { project, token: world.admin })
        expect(body).toMatchObject({ index: { vectorsWaiting: 0 } })
      },
      { timeout: 60_000, interval: 200 },
    )
}

async function reader(...projects: string[]): Promise<string> {
  const grants = projects.map((project): Grant => ({ project, scope: 'read' as TokenScope }))
  return (await world.desk.addToken({ name: `reads-${projects.join('-')}`, kind: 'user', grants })).token
}

interface Answer {
  readonly hits: readonly {
    readonly content: string
    readonly says?: string
    readonly from: readonly { readonly project: { readonly name: string }; readonly entry: string }[]
  }[]
  readonly entities: readonly {
    readonly entries: number
    readonly in: readonly { readonly project: { readonly name: string } }[]
  }[]
  readonly searched: number
  readonly closed: number
  readonly degraded: readonly { readonly code: string }[]
}

async function asked(name: HubRouteName, token: string, fields: Record<string, unknown>): Promise<Answer> {
  const { status, body } = await world.askHub(name, { token, fields })
  expect(body).not.toHaveProperty('code')
  expect(status).toBe(200)
  return body as unknown as Answer
}

const places = ({ hits }: Answer) =>
  hits.map(({ content, from }) => `${content} — ${from.map(each => each.project.name).join(', ')}`)

describe('on a hub', () => {
  it('every project that the token may read answers, and says where', async () => {
    await furnish()
    const both = await reader('shop', 'bank')
    expect(places(await asked('hubEverywhere', both, { query: 'queue before billing' }))).toEqual([
      `${QUEUE} — shop`,
    ])
    expect(places(await asked('hubEverywhere', both, { query: 'lunch at noon' }))).toEqual([
      `${PLAIN} — bank, shop`,
    ])
    const met = await asked('hubMet', both, { text: 'Error: connect ECONNREFUSED 10.0.0.9:5432' })
    expect(met.hits[0]).toMatchObject({
      says: 'Fixed by waiting with pg_isready.',
      from: [{ project: { id: 'bank', name: 'bank', root: null, isHere: false } }],
    })
    const { entities } = await asked('hubEntity', both, { name: 'redis' })
    expect(entities[0]?.in.map(({ project }) => project.name)).toEqual(['bank', 'shop'])
    expect(await asked('hubEverywhere', world.admin, { query: 'falcon' })).toMatchObject({ searched: 3 })
  })

  it('what says the same in other words is found once it has its vectors', async () => {
    await furnish()
    await keep('bank', 'Never ship on a Friday afternoon: nobody is around to repair what breaks.')
    await embedded('shop', 'bank')
    const both = await reader('shop', 'bank')
    const answer = await asked('hubEverywhere', both, { query: 'when should we not deploy to production?' })
    expect(places(answer)).toEqual([
      'Never ship on a Friday afternoon: nobody is around to repair what breaks. — bank',
    ])
  })

  it('an answer is the same whether there is a project that may not be read or not', async () => {
    await furnish()
    const both = await reader('shop', 'bank')
    const questions: readonly [HubRouteName, Record<string, unknown>][] = [
      ['hubEverywhere', { query: 'queue before billing falcon' }],
      ['hubEverywhere', { query: 'falcon' }],
      ['hubEverywhere', { query: 'falkon merjer' }],
      ['hubMet', { text: 'Falcon is the name of the merger' }],
      ['hubMet', { text: 'Error: EFALCON merger' }],
      ['hubEntity', { name: 'redis' }],
    ]
    await embedded('shop', 'bank')
    const withIt = []
    for (const [name, fields] of questions) withIt.push(await asked(name, both, fields))
    // The question itself is told again, without its last dot.
    expect(JSON.stringify(withIt)).not.toMatch(/vault|merger\.|hides/i)
    await keep('vault', ...Array.from({ length: 30 }, (_, at) => `Falcon queue billing ${at} EFALCON.`))
    const withMore = []
    for (const [name, fields] of questions) withMore.push(await asked(name, both, fields))
    expect(withMore).toEqual(withIt)
    await world.desk.archiveProject('vault')
    const without = []
    for (const [name, fields] of questions) without.push(await asked(name, both, fields))
    expect(without).toEqual(withIt)
  })

  it('a project that may not be read is one that is not there', async () => {
    await furnish()
    const one = await reader('shop')
    const named = async (project: string) =>
      world.askHub('hubEverywhere', { token: one, fields: { query: 'falcon', projects: [project] } })
    const hidden = await named('vault')
    const absent = await named('nobody')
    expect([hidden.status, hidden.body.code]).toEqual([404, 'project_not_found'])
    expect(String(hidden.body.message).replace('vault', 'nobody')).toBe(absent.body.message)
  })

  it('a token that was revoked, has run out, or is none, is told nothing', async () => {
    await furnish()
    const { token, listed } = await world.desk.addToken({
      name: 'brief',
      kind: 'agent',
      grants: [{ project: 'shop', scope: 'read' }],
      validMs: 60_000,
    })
    expect(places(await asked('hubEverywhere', token, { query: 'queue' }))).toHaveLength(1)
    world.passMs(120_000)
    const status = async (given?: string) =>
      (await world.askHub('hubEverywhere', { ...(given && { token: given }), fields: { query: 'queue' } }))
        .status
    expect(await status(token)).toBe(401)
    expect(await status()).toBe(401)
    expect(await status(`cairn_${listed.id}_${'0'.repeat(64)}`)).toBe(401)
  })

  it('asked in a project, its own comes first and the others by the token', async () => {
    await furnish()
    const both = await reader('shop', 'bank')
    const { status, body } = await world.ask('everywhere', {
      project: 'shop',
      token: both,
      fields: { query: 'lunch at noon' },
    })
    expect(status).toBe(200)
    expect(places(body as unknown as Answer)).toEqual([`${PLAIN} — shop, bank`])
    const other = await world.ask('everywhere', {
      project: 'vault',
      token: both,
      fields: { query: 'falcon' },
    })
    expect(other.status).toBe(404)
  })

  it('a project that is not to be read from others is not, and one that reads no other does not', async () => {
    await furnish()
    const both = await reader('shop', 'bank')
    const set = async (project: string, across: object) => {
      const { engineOf, directory } = world.hub
      const found = await directory.findProject(project)
      if (found === undefined) throw new Error(`there is no ${project}`)
      const engine = engineOf(found)
      await engine.store.write(engine.actor, async view => ({
        action: 'config',
        changes: [
          {
            type: 'document',
            name: 'config.json',
            before: await view.readDocument('config.json'),
            after: { version: 1, across },
          },
        ],
      }))
    }
    await set('bank', { visible: false })
    expect(await asked('hubEverywhere', both, { query: 'redis' })).toMatchObject({ searched: 1, closed: 1 })
    await set('bank', { visible: true })
    await set('shop', { reads: false })
    const { body } = await world.ask('everywhere', {
      project: 'shop',
      token: both,
      fields: { query: 'redis' },
    })
    expect(places(body as unknown as Answer)).toEqual(['Redis replaces RabbitMQ. — shop'])
    // A database without pgvector says so as well, once there are vectors.
    const codes = (body.degraded as { code: string }[]).map(({ code }) => code)
    expect(codes.filter(code => code !== 'vectors_by_signs')).toEqual(['across_reads_off'])
  })

  it('what is private in a project is told in no other', async () => {
    await furnish()
    await world.ask('remember', {
      project: 'bank',
      token: world.admin,
      fields: { content: 'The redis password lies in the safe.', agent: 'private' },
    })
    const both = await reader('shop', 'bank')
    const answers = [
      await asked('hubEverywhere', both, { query: 'redis password safe' }),
      await asked('hubEntity', both, { name: 'redis' }),
      (await world.ask('met', { project: 'shop', token: both, fields: { text: 'redis password' } })).body,
    ]
    expect(JSON.stringify(answers)).not.toContain('safe.')
  })
})
