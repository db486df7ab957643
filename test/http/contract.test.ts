import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONTRACT } from '../../src/surfaces/http/contract.ts'
import { PATHS, type RouteName } from '../../src/surfaces/http/paths.generated.ts'
import type { Route, StreamRoute } from '../../src/surfaces/http/route.ts'
import type { Operation } from '../../src/verbs/operation.ts'
import { CASES, type Case } from './contract-cases.ts'
import { type HttpWorld, httpWorld, requestOf } from './http-world.ts'

const ROUTES = Object.entries(CONTRACT) as [RouteName, Route | StreamRoute][]
const CHANGING = ROUTES.filter(([, { access }]) => access === 'write' || access === 'local')

let world: HttpWorld
beforeAll(async () => {
  // A brief holds what is ready in time: on a busy machine that might be nothing.
  world = await httpWorld({ before: ({ run }) => run('config', 'set', 'brief.deadlineMs', '120000') })
}, 180_000)
afterAll(() => world.end(), 180_000)

const anonymous = {}
const isChanging = (name: RouteName) => CHANGING.some(([changing]) => changing === name)

async function asked(one: Case): Promise<Record<string, unknown>> {
  return typeof one.asks === 'function' ? one.asks(world) : (one.asks ?? {})
}

it('has a path and a case for every route, and no other', () => {
  expect(ROUTES.length).toBeGreaterThan(75)
  expect(Object.keys(PATHS).sort()).toEqual(Object.keys(CONTRACT).sort())
  expect(Object.keys(CASES).sort()).toEqual(Object.keys(CONTRACT).sort())
  const places = Object.values(PATHS)
  expect(new Set(places).size).toBe(places.length)
  for (const place of places) expect(place).toMatch(/^(?:GET|POST|PUT|PATCH|DELETE) \/api\/[\w/:-]+$/)
})

describe('every route answers what its schema says, and nothing else', () => {
  for (const [name, route] of ROUTES) {
    if (route.kind !== 'answer') continue
    it(`${name}: ${PATHS[name]}`, async () => {
      const one = CASES[name]
      const fields = await asked(one)
      // Reading needs no token on this machine.
      const answer = await world.ask(name, fields, isChanging(name) ? undefined : anonymous)
      if (one.isOfHub) {
        // What they answer on a hub is in test/hub/link.test.ts.
        expect(answer).toMatchObject({ status: 403, body: { code: 'hub_refused' } })
        return
      }
      expect(answer.body).toMatchObject(one.answers)
      expect(answer.status).toBe(200)
      const { output } = (await route.load()) as Operation
      // An object schema drops what it does not know: what comes out of it is what went in.
      expect(v.parse(output, answer.body)).toEqual(answer.body)
    })
  }
})

describe('every route says what it does not take, with a code and what to do', () => {
  for (const [name, route] of ROUTES) {
    const { refuses } = CASES[name]
    it(`${name}`, async () => {
      const { input } = await route.load()
      if (refuses === undefined) return expect(Object.keys(input.entries)).toEqual([])
      const { status, body } = await world.ask(name, refuses.asks)
      expect(body).toEqual({
        code: refuses.code,
        message: expect.stringMatching(/\S/),
        hint: expect.stringMatching(/\S/),
        ...('details' in body && { details: expect.anything() }),
      })
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
    })
  }
})

describe('what changes something needs the token', () => {
  it('is every route that is no reading, and those that only read by another method', () => {
    const reading = ROUTES.filter(([name]) => !isChanging(name)).map(([name]) => PATHS[name])
    expect(reading.filter(place => !place.startsWith('GET '))).toEqual([
      'POST /api/brief',
      'POST /api/why',
      'POST /api/work/wait',
      'POST /api/sync/hello',
      'POST /api/sync/pull',
      'POST /api/sync/versions',
    ])
    expect(CHANGING.filter(([name]) => PATHS[name].startsWith('GET '))).toEqual([])
  })

  for (const [name] of CHANGING)
    it(name, async () => {
      const fields = await asked(CASES[name])
      const before = await world.ask('log', { limit: 1 })
      for (const headers of [anonymous, { authorization: 'Bearer nonsense' }]) {
        const { status, body } = await world.ask(name, fields, headers)
        expect([status, body.code]).toEqual([401, 'token_missing'])
      }
      expect(await world.ask('log', { limit: 1 })).toEqual(before)
    })

  it('and some are refused to whoever asks from elsewhere, whatever they know', async () => {
    const local = CHANGING.filter(([, { access }]) => access === 'local').map(([name]) => name)
    expect(local).toEqual(expect.arrayContaining(['compact', 'import', 'seedCompact', 'seedMigrate']))
    for (const name of local)
      for (const header of ['x-forwarded-for', 'x-real-ip', 'forwarded']) {
        const from = header === 'forwarded' ? 'for=203.0.113.9' : '203.0.113.9'
        const headers = { authorization: `Bearer ${world.token}`, [header]: from }
        const { status, body } = await world.ask(name, await asked(CASES[name]), headers)
        expect([name, status, body.code]).toEqual([name, 403, 'request_refused'])
      }
  })
})

it('refuses what it does not know, and says what was meant', async () => {
  const before = await world.ask('log', { limit: 1 })
  expect(await world.ask('list', { categry: 'decisions' })).toEqual({
    status: 400,
    body: {
      code: 'invalid_input',
      message: 'list has no parameter `categry`.',
      hint: 'Did you mean `category`? GET /api/openapi.json lists the fields of every route.',
    },
  })
  expect(await world.ask('remember', { content: 'With more than is known.', colour: 'red' })).toEqual({
    status: 400,
    body: {
      code: 'invalid_input',
      message: 'remember has no field `colour`.',
      hint: 'GET /api/openapi.json lists the fields of every route.',
    },
  })
  expect(await world.ask('log', { limit: 1 })).toEqual(before)
  // Other programs were written for the routes of the seed.
  const { status } = await world.ask('seedVaultAdd', {
    agentId: 'dev',
    category: 'decisions',
    content: 'With more than is known.',
    colour: 'red',
  })
  expect(status).toBe(200)
})

it('refuses an unknown parameter on every route', async () => {
  for (const [name] of ROUTES) {
    const { method, target } = requestOf(name, {})
    const response = await fetch(`${world.address}${target}?nonsense=1`, {
      method,
      headers: { authorization: `Bearer ${world.token}`, 'content-type': 'application/json' },
    })
    const { code, message } = (await response.json()) as { code: string; message: string }
    expect([name, response.status, code]).toEqual([name, 400, 'invalid_input'])
    expect(message).toMatch(/ has no parameter `nonsense`\.$/)
  }
})

it('tells what a stream could not do before it began, as any other answer', async () => {
  const { status, body } = await world.ask('agentCommand', {
    agentId: 'dev',
    command: 'Hello',
    host: 'codex',
    // The seed names this route: what another program sends besides is left aside.
    colour: 'red',
  })
  // It is off, or it is not there at all.
  expect([status, body.code]).toEqual(
    body.code === 'agent_host_off' ? [403, 'agent_host_off'] : [503, 'agent_host_failed'],
  )
})

it('listens by name as well: hello comes at once', async () => {
  const { target } = requestOf('live', {})
  const leaving = new AbortController()
  const response = await fetch(`${world.address}${target}`, { signal: leaving.signal })
  const reader = response.body?.getReader()
  const first = new TextDecoder().decode((await reader?.read())?.value)
  leaving.abort()
  const { events } = await CONTRACT.live.load()
  const data: unknown = JSON.parse(/^event: hello\ndata: (.+)\n\n/.exec(first)?.[1] ?? 'null')
  expect(v.parse(events.hello, data)).toEqual(data)
})
