import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SqlPool } from '../../src/stores/postgres/sql-pool.ts'
import { Tenant } from '../../src/stores/postgres/tenant.ts'
import { CONTRACT, HUB_CONTRACT } from '../../src/surfaces/http/contract.ts'
import {
  HUB_PATHS,
  type HubRouteName,
  PATHS,
  type RouteName,
} from '../../src/surfaces/http/paths.generated.ts'
import { type HubWorld, hubWorld } from '../support/hub-world.ts'
import { judgedPool, tablesOf } from '../support/judged-pool.ts'
import { freshDatabase } from '../support/test-postgres.ts'
import { type Fields, fieldsFor, type Held, holdings, NO_SESSION } from './holdings.ts'

/** In everything that is kept for the bank, and in nothing else. */
const MARK = 'zqbankxv'

const ROUTES = Object.keys(PATHS) as RouteName[]
const HUB_ROUTES = Object.keys(HUB_PATHS) as HubRouteName[]

let pool: SqlPool
let world: HubWorld
let bank: Held
let before: string
const statements = new Set<string>()
const tokens: Record<string, string> = {}

/** Whoever should find the bank shut, and what they are told: a wrong token is no token, and a project one may not read is none. */
const STRANGERS: Readonly<Record<string, { readonly status: number; readonly code: string }>> = {
  'no token': { status: 401, code: 'token_missing' },
  'something that is no token': { status: 401, code: 'token_refused' },
  'an unknown token': { status: 401, code: 'token_refused' },
  'the bank’s token with another secret': { status: 401, code: 'token_refused' },
  'an expired token': { status: 401, code: 'token_refused' },
  'a revoked token': { status: 401, code: 'token_refused' },
  'a token of somebody disabled': { status: 401, code: 'token_refused' },
  'a token that was taken the bank away': { status: 404, code: 'project_not_found' },
  'an administrator’s token of the shop': { status: 404, code: 'project_not_found' },
}

beforeAll(async () => {
  pool = judgedPool(await freshDatabase(), sql => statements.add(sql))
  // The same database twice: nothing of the first hub goes on in the background when the bank's rows are compared.
  const kept = { ...pool, close: async () => undefined }
  const first = await hubWorld({ pool: kept, projects: ['bank', 'shop'] })
  try {
    bank = await holdings(first, 'bank', MARK)
    await holdings(first, 'shop', 'zqshopxv')
  } finally {
    await first.end()
  }
  world = await hubWorld({ pool: kept })
  const { desk } = world
  tokens.bankRead = await world.token('read', 'bank', { name: 'reader' })
  tokens.bankWrite = await world.token('write', 'bank', { name: 'writer' })
  tokens.shop = await world.token('admin', 'shop', { name: 'shopkeeper' })
  const wishes = (name: string, validMs?: number) => ({
    name,
    kind: 'agent' as const,
    grants: [{ project: 'bank', scope: 'admin' as const }],
    ...(validMs !== undefined && { validMs }),
  })
  const expired = await desk.addToken(wishes('late', 60_000))
  const revoked = await desk.addToken(wishes('gone'))
  const disabled = await desk.addToken(wishes('ill'))
  const lessened = await desk.addToken(wishes('former'))
  const real = await desk.addToken(wishes('owner'))
  await desk.revokeToken(revoked.listed.id)
  await desk.disablePrincipal('ill')
  await desk.setGrants(lessened.listed.id, [{ project: 'shop', scope: 'admin' }])
  world.passMs(61_000)
  Object.assign(tokens, {
    'something that is no token': `${'x'.repeat(40)}`,
    'an unknown token': `cairn_${'0'.repeat(real.listed.id.length)}_${real.token.split('_')[2]}`,
    'the bank’s token with another secret': `${real.token.slice(0, -4)}0000`,
    'an expired token': expired.token,
    'a revoked token': revoked.token,
    'a token of somebody disabled': disabled.token,
    'a token that was taken the bank away': lessened.token,
    'an administrator’s token of the shop': tokens.shop,
  })
  before = await rowsOf('bank')
}, 180_000)
afterAll(async () => {
  await world?.end()
  await pool.close()
})

/** Every row of a project, in every table, as text. */
async function rowsOf(name: string): Promise<string> {
  const { number } = (await world.hub.directory.findProject(name)) ?? { number: -1 }
  return pool.transaction(async connection => {
    const { distributed } = await tablesOf(connection)
    const texts: string[] = []
    // Whose turn it is at background work is nothing that is kept: the hub before gives its turns back as it ends.
    for (const table of [...distributed].filter(name => name !== 'turn').sort()) {
      const rows = await connection.query<{ row: string }>(
        `SELECT t::text AS row FROM ${table} t WHERE t.project = $1 ORDER BY 1`,
        [number],
      )
      texts.push(`${table} ${rows.length}`, ...rows.map(({ row }) => row))
    }
    return texts.join('\n')
  })
}

interface Told {
  readonly status: number
  readonly text: string
}

/** Whatever comes back, headers too; of a stream what it tells at once. */
async function tell(
  target: string,
  init: RequestInit & { readonly token?: string | undefined },
): Promise<Told> {
  const { token, ...rest } = init
  const ending = new AbortController()
  const response = await world.send(target, {
    ...rest,
    signal: ending.signal,
    headers: {
      ...(rest.headers as Record<string, string>),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
  })
  const headers = JSON.stringify([...response.headers])
  if (!response.headers.get('content-type')?.includes('event-stream'))
    return { status: response.status, text: `${headers}\n${await response.text()}` }
  const reader = response.body?.getReader()
  let text = `${headers}\n`
  for (;;) {
    const piece = await Promise.race([
      reader?.read(),
      new Promise<undefined>(resolve => {
        setTimeout(() => resolve(undefined), 200)
      }),
    ])
    if (piece?.value === undefined) break
    text += new TextDecoder().decode(piece.value)
  }
  ending.abort()
  return { status: response.status, text }
}

function requestFor(base: string, place: string, fields: Fields): [string, RequestInit] {
  const [method = '', pattern = ''] = place.split(' ')
  const rest = { ...fields }
  const path = pattern.replace(/:(\w+)/g, (_, field: string) => {
    const value = String(rest[field] ?? 'x')
    delete rest[field]
    return encodeURIComponent(value)
  })
  if (method === 'GET' || method === 'DELETE') {
    const query = new URLSearchParams(
      Object.entries(rest).flatMap(([field, value]) =>
        (Array.isArray(value) ? value : [value]).map((each): [string, string] => [field, String(each)]),
      ),
    )
    return [`${base}${path}${query.size === 0 ? '' : `?${query}`}`, { method }]
  }
  return [
    `${base}${path}`,
    { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(rest) },
  ]
}

async function askRoute(name: RouteName, project: string, token?: string): Promise<Told> {
  const fields = await fieldsFor(name, await CONTRACT[name as keyof typeof CONTRACT].load(), bank)
  const [target, init] = requestFor(`/p/${project}`, PATHS[name], fields)
  return tell(target, { ...init, token })
}

async function askHubRoute(name: HubRouteName, token?: string): Promise<Told> {
  const fields = await fieldsFor(name, await HUB_CONTRACT[name].load(), bank)
  const [target, init] = requestFor('', HUB_PATHS[name], fields)
  return tell(target, { ...init, token })
}

const codeOf = ({ text }: Told) => /"code":"(\w+)"/.exec(text)?.[1]

describe('the requests of this suite', () => {
  it('would find the bank, if it were open: to the bank’s own token they answer, and tell of it', async () => {
    const told = new Map<RouteName, Told>()
    for (const name of ROUTES) told.set(name, await askRoute(name, 'bank', tokens.bankRead))
    const refused = [...told].filter(([, each]) => codeOf(each) === 'invalid_input').map(([name]) => name)
    expect(refused).toEqual([])
    const telling = [...told].filter(([, each]) => each.text.includes(MARK)).map(([name]) => name)
    expect(telling).toEqual(
      expect.arrayContaining([
        'list',
        'show',
        'search',
        'graph',
        'taskList',
        'projectText',
        'log',
        ...(bank.session === NO_SESSION ? [] : ['sessionShow']),
        'briefPreview',
        'seedVault',
        'seedSearch',
      ]),
    )
    // Fetching counts as a sign of life: from here on nothing may change.
    before = await rowsOf('bank')
  })
})

describe('the bank is shut', () => {
  for (const [who, wanted] of Object.entries(STRANGERS)) {
    it(`to ${who}, on every route`, async () => {
      for (const name of ROUTES) {
        const told = await askRoute(name, 'bank', tokens[who])
        expect({ name, status: told.status, code: codeOf(told) }).toEqual({ name, ...wanted })
        expect(told.text, name).not.toContain(MARK)
      }
      expect(await rowsOf('bank')).toBe(before)
    })
  }

  it('to whoever may only read, on every route that changes something', async () => {
    const changing = ROUTES.filter(name => CONTRACT[name as keyof typeof CONTRACT].access === 'write')
    expect(changing.length).toBeGreaterThan(20)
    for (const name of changing) {
      const told = await askRoute(name, 'bank', tokens.bankRead)
      expect({ name, code: codeOf(told) }).toEqual({
        name,
        code: expect.toBeOneOf(['scope_missing', 'not_on_hub']),
      })
      expect(told.text, name).not.toContain(MARK)
    }
    expect(await rowsOf('bank')).toBe(before)
  })

  it('tells somebody of the shop nothing that it does not tell of a project that is not there', async () => {
    for (const name of ROUTES) {
      const [ofBank, ofNone] = [
        await askRoute(name, 'bank', tokens.shop),
        await askRoute(name, 'none', tokens.shop),
      ]
      const bare = ({ text }: Told) => (text.split('\n')[1] ?? '').replaceAll('bank', 'none')
      expect({ name, told: bare(ofBank) }).toEqual({ name, told: bare(ofNone) })
    }
  })

  it('to the shop’s own memory, whatever of the bank is named there', async () => {
    for (const name of ROUTES) {
      const told = await askRoute(name, 'shop', tokens.shop)
      expect(told.text, name).not.toContain(MARK)
      expect({ name, status: told.status, faults: world.faults }).toEqual({
        name,
        status: expect.toSatisfy(status => status < 500),
        faults: [],
      })
    }
    expect(await rowsOf('bank')).toBe(before)
  })

  it('on the routes of the hub, to all who do not administer the whole of it', async () => {
    const directory = async () =>
      JSON.stringify([
        await world.desk.tokens(),
        await world.desk.projects(),
        await world.desk.principals(),
      ]).replace(/"usedMs":\d+,?/g, '')
    const known = await directory()
    for (const who of [...Object.keys(STRANGERS), 'bankRead', 'bankWrite'])
      for (const name of HUB_ROUTES) {
        const told = await askHubRoute(name, tokens[who])
        const isOfBank = who.startsWith('bank')
        // What every token may ask is answered from what that token may read.
        const { scope, isOfAnyProject } = HUB_CONTRACT[name]
        // And who administers another project is told of tokens for that one alone.
        const isForThem = scope === 'read' || (isOfAnyProject && codeOf(told) !== 'scope_missing')
        if (isForThem && !['token_missing', 'token_refused'].includes(codeOf(told) ?? '')) {
          expect(told.status, name).toBeLessThan(500)
          if (!isOfBank) expect(told.text, `${who} ${name}`).not.toContain('"bank"')
        } else
          expect({ who, name, code: codeOf(told) }).toEqual({
            who,
            name,
            code: expect.toBeOneOf(['token_missing', 'token_refused', 'scope_missing']),
          })
        if (isOfBank) continue
        expect(told.text).not.toContain(MARK)
      }
    expect(await directory()).toBe(known)
    expect(await rowsOf('bank')).toBe(before)
  })

  it('under every other spelling of its name', async () => {
    const names = [
      'BANK',
      'Bank',
      'ｂank',
      'bаnk',
      'bank%00',
      'bank%20',
      '%20bank',
      'bank.',
      '%62ank',
      'b%61nk',
      'bank;shop',
      'bank%2fapi',
      'ba%E2%80%8Bnk',
      '*',
      '%2A',
    ]
    const paths = [
      ...names.map(name => `/p/${encodeURI(decodeURI(name)) === name ? name : encodeURI(name)}/api/vault`),
      '/p/shop/../bank/api/vault',
      '/p/shop/%2e%2e/bank/api/vault',
      '/p/shop%2f..%2fbank/api/vault',
      '/p/shop/api/../../bank/api/vault',
      '//p/bank/api/vault',
      '/p//bank/api/vault',
      '/p/shop/p/bank/api/vault',
      '/p/bank\\api\\vault',
      '/p/shop/api/entries/..%2f..%2f..%2fbank%2fapi%2fvault',
      'http://bank/p/bank/api/vault',
      '/p/shop/api/vault?project=bank',
    ]
    for (const path of paths) {
      const told = await raw(path, { authorization: `Bearer ${tokens.shop}` })
      expect(told, path).not.toContain(MARK)
    }
    // In the bank's own name, however it is written, stands what its own token finds.
    expect(await raw('/p/%62ank/api/entries', { authorization: `Bearer ${tokens.bankRead}` })).toContain(MARK)
    before = await rowsOf('bank')
  })

  it('whatever headers say where the request was meant to go', async () => {
    const headers = [
      'x-forwarded-host: bank',
      'x-forwarded-prefix: /p/bank',
      'x-forwarded-uri: /p/bank/api/entries',
      'x-original-url: /p/bank/api/entries',
      'x-rewrite-url: /p/bank/api/entries',
      'x-http-method-override: DELETE',
      'x-project: bank',
      'forwarded: for=127.0.0.1;host=bank',
      'x-forwarded-for: 127.0.0.1',
      'cairn-project: 1',
      'referer: http://127.0.0.1/p/bank/',
      `x-authorization: Bearer ${tokens.bankRead}`,
      `cookie: token=${tokens.bankRead}`,
    ]
    for (const header of headers) {
      const [name = '', value = ''] = header.split(': ')
      const told = await raw('/p/shop/api/entries', { authorization: `Bearer ${tokens.shop}`, [name]: value })
      expect(told, header).not.toContain(MARK)
    }
    for (const query of [`token=${tokens.bankRead}`, `access_token=${tokens.bankRead}`])
      expect(await raw(`/p/bank/api/entries?${query}`, {})).not.toContain(MARK)
    expect(await rowsOf('bank')).toBe(before)
  })

  it('in what everybody may read: health, readiness, the page', async () => {
    for (const path of [
      '/healthz',
      '/readyz',
      '/metrics',
      '/',
      '/p/bank/',
      '/p/bank',
      '/p/bank/api/openapi.json',
    ])
      expect(await raw(path, {}), path).not.toContain(MARK)
  })
})

describe('the bank is shut to agents', () => {
  const call = async (project: string, token: string | undefined, method: string, params: object) =>
    tell(`/p/${project}/mcp`, {
      method: 'POST',
      token,
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
  interface Listed {
    readonly name: string
    readonly inputSchema: {
      readonly properties?: Record<string, { readonly type?: string; readonly enum?: string[] }>
    }
  }
  const toolsOf = async (project: string, token: string | undefined): Promise<Listed[]> => {
    const { text } = await call(project, token, 'tools/list', {})
    const [, json = ''] = /(\{"result".*\}|\{"jsonrpc".*\})/.exec(text) ?? []
    return (JSON.parse(json) as { result: { tools: Listed[] } }).result.tools
  }

  it('by every tool, with whatever of the bank is named', async () => {
    const tools = await toolsOf('shop', tokens.shop)
    expect(tools.length).toBeGreaterThan(5)
    for (const { name, inputSchema } of tools) {
      const properties = Object.entries(inputSchema.properties ?? {})
      for (const value of [bank.entry, bank.session, bank.record, bank.asked, ...bank.others]) {
        const given = Object.fromEntries(
          properties.flatMap(([field, { type, enum: values }]): [string, unknown][] => {
            if (values !== undefined) return [[field, values[0]]]
            if (type === 'string') return [[field, value]]
            if (type === 'array') return [[field, [value]]]
            return []
          }),
        )
        const told = await call('shop', tokens.shop, 'tools/call', { name, arguments: given })
        expect(told.text, name).not.toContain(MARK)
      }
    }
    expect(await rowsOf('bank')).toBe(before)
  })

  it('by resources, prompts and completions', async () => {
    const questions: [string, object][] = [
      ['resources/list', {}],
      ['resources/read', { uri: `cairn://entry/${bank.entry}` }],
      ['resources/read', { uri: 'cairn://project' }],
      ['resources/read', { uri: 'cairn://state' }],
      ['prompts/get', { name: 'recall', arguments: { topic: bank.asked } }],
      [
        'completion/complete',
        { ref: { type: 'ref/resource', uri: 'cairn://entry/{id}' }, argument: { name: 'id', value: '' } },
      ],
      [
        'completion/complete',
        { ref: { type: 'ref/prompt', name: 'recall' }, argument: { name: 'topic', value: 'z' } },
      ],
    ]
    for (const [method, params] of questions) {
      const told = await call('shop', tokens.shop, method, params)
      expect(told.text, method).not.toContain(MARK)
      const ofBank = await call('bank', tokens.bankRead, method, params)
      expect(ofBank.status, method).toBe(200)
    }
    before = await rowsOf('bank')
  })

  it('to every stranger, and every tool that changes something to whoever may only read', async () => {
    for (const [who, { status, code }] of Object.entries(STRANGERS)) {
      const told = await call('bank', tokens[who], 'tools/call', {
        name: 'search',
        arguments: { query: MARK },
      })
      expect({ who, status: told.status, code: codeOf(told) }).toEqual({ who, status, code })
      expect(told.text).not.toContain(MARK)
    }
    const listed = (await toolsOf('bank', tokens.bankRead)).map(({ name }) => name)
    const all = (await toolsOf('bank', tokens.bankWrite)).map(({ name }) => name)
    const changing = all.filter(name => !listed.includes(name))
    expect(changing).toEqual(expect.arrayContaining(['remember', 'forget', 'pin']))
    for (const name of changing) {
      const told = await call('bank', tokens.bankRead, 'tools/call', {
        name,
        arguments: { target: bank.entry, content: 'Mine now.', text: 'Mine now.' },
      })
      expect(told.text, name).toContain('scope')
    }
    expect(await rowsOf('bank')).toBe(before)
  })
})

describe('the bank is shut beneath', () => {
  it('in the database, to a transaction of the shop that asks by the bank’s number', async () => {
    const [shop, own] = await Promise.all([
      world.hub.directory.findProject('shop'),
      world.hub.directory.findProject('bank'),
    ])
    const tenant = new Tenant({ ...pool, transaction: work => pool.transaction(work) }, shop?.number ?? -1)
    // The judge lets a statement through only with its own number, so that the other stands in it as a value.
    const seen = await tenant.query(
      'SELECT e.id FROM entry e WHERE e.project = $1 AND (e.project = $2 OR e.id = $3)',
      own?.number,
      bank.entry,
    )
    expect(seen).toEqual([])
  })

  it('to live events of the shop, while the bank writes', async () => {
    const ending = new AbortController()
    const response = await world.send('/p/shop/api/live', {
      headers: { authorization: `Bearer ${tokens.shop}` },
      signal: ending.signal,
    })
    let heard = ''
    const listening = (async () => {
      for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>)
        heard += new TextDecoder().decode(piece)
    })().catch(() => undefined)
    const told = async (project: string, token: string | undefined) =>
      tell(`/p/${project}/api/entries`, {
        method: 'POST',
        token,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          content: `Written to ${project}, ${project === 'bank' ? MARK : 'here'}.`,
          agent: `clerk-of-${project}`,
        }),
      })
    expect((await told('bank', tokens.bankWrite)).status).toBe(200)
    await new Promise(resolve => setTimeout(resolve, 700))
    const beforeOwn = heard
    expect((await told('shop', tokens.shop)).status).toBe(200)
    await expect.poll(() => heard.length, { timeout: 10_000 }).toBeGreaterThan(beforeOwn.length)
    ending.abort()
    await listening
    expect(beforeOwn).not.toContain('event: change')
    expect(heard).not.toContain(MARK)
    expect(heard).not.toContain('clerk-of-bank')
  })

  it('and no text of a request was ever part of a statement', () => {
    expect(statements.size).toBeGreaterThan(100)
    const texts = [MARK, bank.entry, bank.session, bank.record, bank.asked, 'zqshopxv']
    expect([...statements].filter(sql => texts.some(text => sql.includes(text)))).toEqual([])
  })
})

/** Sent as it is written: `fetch` would tidy the path. */
function raw(path: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const { port } = new URL(world.address)
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, headers }, response => {
      let text = `${response.statusCode} ${JSON.stringify(response.rawHeaders)}\n`
      response.on('data', piece => {
        text += piece
      })
      response.on('end', () => resolve(text))
      response.on('error', reject)
    })
    request.on('error', error => resolve(`${error}`))
    request.end()
  })
}
