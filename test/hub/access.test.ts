import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HubWorld, hubWorld } from '../support/hub-world.ts'

let world: HubWorld
let reader: string
let writer: string
let other: string
beforeAll(async () => {
  world = await hubWorld({ projects: ['shop', 'bank'] })
  reader = await world.token('read', 'shop', { name: 'rita' })
  writer = await world.token('write', 'shop', { name: 'will' })
  other = await world.token('write', 'bank', { name: 'otto' })
}, 180_000)
afterAll(() => world.end(), 60_000)

const remember = (token: string, content: string, project = 'shop') =>
  world.ask('remember', { project, token, fields: { content } })
const codeOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => [status, body.code]

test('what one writes, others of the project find, and who wrote it stands in the journal', async () => {
  const kept = await remember(writer, 'We stream by SSE, since proxies cut websockets. #sse')
  expect(kept.status).toBe(200)
  const found = await world.ask('search', { project: 'shop', token: reader, fields: { query: 'websockets' } })
  expect(found.body).toMatchObject({ hits: [{ entry: { content: expect.stringContaining('SSE') } }] })
  const log = await world.ask('log', { project: 'shop', token: reader, fields: { limit: 1 } })
  expect(log.body).toMatchObject({ records: [{ by: { host: 'web', principal: 'will' } }] })
})

test('nothing is answered without a token, from this machine neither', async () => {
  expect(codeOf(await world.ask('list', { project: 'shop' }))).toEqual([401, 'token_missing'])
  expect(codeOf(await world.ask('server', { project: 'shop' }))).toEqual([401, 'token_missing'])
  expect(codeOf(await world.askHub('hubMe', {}))).toEqual([401, 'token_missing'])
  const inQuery = await world.send(`/p/shop/api/entries?token=${reader}`)
  expect(inQuery.status).toBe(401)
  expect(inQuery.headers.get('www-authenticate')).toBe('Bearer')
})

test('a project that one may not read answers as one that is not there', async () => {
  const forbidden = await world.ask('list', { project: 'shop', token: other })
  const absent = await world.ask('list', { project: 'shap', token: other })
  expect(codeOf(forbidden)).toEqual([404, 'project_not_found'])
  expect({ ...forbidden.body, message: '' }).toEqual({ ...absent.body, message: '' })
  expect(String(forbidden.body.message).replace('shop', 'shap')).toBe(absent.body.message)
  expect(codeOf(await remember(other, 'Into the shop.'))).toEqual([404, 'project_not_found'])
})

test('a name that no project can have answers alike, whatever is in it', async () => {
  for (const name of ['a\0b', 'a..b', 'SHOP', 'shop ', 'x'.repeat(300), "'; DROP TABLE token; --"]) {
    const answer = await world.ask('list', { project: name, token: world.admin })
    expect(codeOf(answer)).toEqual([404, 'project_not_found'])
  }
  const nul = await world.askHub('hubArchive', { token: world.admin, fields: { project: 'a\0b' } })
  expect(codeOf(nul)).toEqual([400, 'invalid_input'])
})

test('a scope that is missing is said, and nothing is changed', async () => {
  const refused = await remember(reader, 'Rita may not.')
  expect(codeOf(refused)).toEqual([403, 'scope_missing'])
  expect(refused.body.details).toEqual({ needs: 'write' })
  expect(
    codeOf(await world.ask('budget', { project: 'shop', token: writer, fields: { tokens: 900 } })),
  ).toEqual([403, 'scope_missing'])
  const found = await world.ask('search', {
    project: 'shop',
    token: reader,
    fields: { query: 'Rita may not' },
  })
  expect(JSON.stringify(found.body)).not.toContain('Rita may not')
})

test('a change of the settings is taken back by whoever may make it', async () => {
  const boss = await world.token('admin', 'shop', { name: 'boss' })
  await remember(writer, 'The last thing that Will did.')
  const set = await world.ask('budget', { project: 'shop', token: boss, fields: { tokens: '900' } })
  const undo = (token: string, fields = {}) => world.ask('undo', { project: 'shop', token, fields })
  const refused = await undo(writer, { record: set.body.record })
  expect([...codeOf(refused), refused.body.details]).toEqual([403, 'scope_missing', { needs: 'admin' }])
  expect((await undo(writer)).body).toMatchObject({ undone: { by: { principal: 'will' } } })
  expect((await undo(boss, { record: set.body.record })).status).toBe(200)
})

test('one answer has so many rows on a hub, and tells nothing of what others ask', async () => {
  const list = (limit: number) => world.ask('list', { project: 'shop', token: reader, fields: { limit } })
  expect((await list(2_000)).status).toBe(200)
  expect(codeOf(await list(2_001))).toEqual([400, 'invalid_input'])
  const { body } = await world.ask('health', { project: 'bank', token: other })
  expect((body.times as { what: string }[]).map(({ what }) => what).filter(what => what === 'list')).toEqual(
    [],
  )
})

test('what is about the machine of the server is not on a hub', async () => {
  const boss = await world.token('admin', 'shop', { name: 'boss' })
  for (const name of [
    'agentCommand',
    'agentStop',
    'import',
    'projects',
    'agentHosts',
    'importDiscover',
  ] as const)
    expect([name, ...codeOf(await world.ask(name, { project: 'shop', token: boss }))]).toEqual([
      name,
      403,
      'not_on_hub',
    ])
  expect(codeOf(await world.ask('projects', { project: 'shop', token: other }))).toEqual([
    404,
    'project_not_found',
  ])
})

test('wrong, expired, revoked and disabled tokens are refused alike', async () => {
  const expected = await world.ask('list', {
    project: 'shop',
    token: `cairn_${'0'.repeat(16)}_${'0'.repeat(64)}`,
  })
  expect(codeOf(expected)).toEqual([401, 'token_refused'])
  const refusedAlike = async (token: string) =>
    expect(await world.ask('list', { project: 'shop', token })).toMatchObject({
      status: 401,
      body: expected.body,
    })
  await refusedAlike('nonsense')
  await refusedAlike(`${writer.slice(0, -1)}${writer.endsWith('0') ? '1' : '0'}`)

  const short = await world.token('read', 'shop', { name: 'short', validMs: 60_000 })
  expect((await world.ask('list', { project: 'shop', token: short })).status).toBe(200)
  world.passMs(60_001)
  await refusedAlike(short)

  const gone = await world.token('read', 'shop', { name: 'gone' })
  await world.desk.revokeToken(gone.split('_')[1] ?? '')
  await refusedAlike(gone)

  const off = await world.token('read', 'shop', { name: 'off' })
  await world.desk.disablePrincipal('off')
  await refusedAlike(off)
  await world.desk.enablePrincipal('off')
  expect((await world.ask('list', { project: 'shop', token: off })).status).toBe(200)
})

test('a downgrade holds at the next request', async () => {
  const token = await world.token('write', 'shop', { name: 'dora' })
  expect((await remember(token, 'Dora writes once. #dora')).status).toBe(200)
  await world.desk.setGrants(token.split('_')[1] ?? '', [{ project: 'shop', scope: 'read' }])
  expect(codeOf(await remember(token, 'Dora writes twice.'))).toEqual([403, 'scope_missing'])
  await world.desk.setGrants(token.split('_')[1] ?? '', [{ project: 'bank', scope: 'read' }])
  expect(codeOf(await world.ask('list', { project: 'shop', token }))).toEqual([404, 'project_not_found'])
})

test('an archived project is not there, and comes back as it was', async () => {
  const token = await world.token('write', 'attic', { name: 'arno' })
  await remember(token, 'Kept in the attic. #attic', 'attic')
  await world.desk.archiveProject('attic')
  expect(codeOf(await world.ask('list', { project: 'attic', token }))).toEqual([404, 'project_not_found'])
  expect(codeOf(await world.ask('list', { project: 'attic', token: world.admin }))).toEqual([
    404,
    'project_not_found',
  ])
  await world.desk.restoreProject('attic')
  expect((await world.ask('list', { project: 'attic', token })).body).toMatchObject({ total: 1 })
})

test('a token that asks too often waits', async () => {
  const token = await world.token('read', 'shop', { name: 'hasty', perSecond: 1 })
  expect((await world.ask('list', { project: 'shop', token })).status).toBe(200)
  const refused = await world.ask('list', { project: 'shop', token })
  expect(codeOf(refused)).toEqual([429, 'too_many_requests'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await world.ask('list', { project: 'shop', token: reader })).status).toBe(200)
})

test('a live stream of a revoked token ends within seconds', async () => {
  const token = await world.token('read', 'shop', { name: 'lisa' })
  const stream = await world.send('/p/shop/api/live', { headers: { authorization: `Bearer ${token}` } })
  expect(stream.status).toBe(200)
  const heard = stream.text()
  await world.desk.revokeToken(token.split('_')[1] ?? '')
  expect(await heard).toMatch(/^event: hello[\s\S]*event: bye/)
}, 20_000)

test('a character that no database keeps is refused as what was given, not as a failure of the store', async () => {
  const found = await world.send(`/p/shop/api/search?query=a&kind=${encodeURIComponent('x\u0000')}`, {
    headers: { authorization: `Bearer ${reader}` },
  })
  expect([found.status, await found.json()]).toMatchObject([400, { code: 'invalid_input' }])
  const sync = (route: string, fields: object) =>
    world.send(`/p/shop/api/sync/${route}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${writer}`, 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    })
  const { identity } = (await (await sync('hello', {})).json()) as { identity: string }
  const entry = {
    id: 'half',
    agent: 'shared',
    category: 'lessons',
    kind: 'lesson',
    status: 'confirmed',
    origin: 'person',
    date: '2026-03-16T16:51',
    content: 'Half of a pair: \ud800.',
    tags: [],
    files: [],
    importance: 0.5,
  }
  const pushed = await sync('push', {
    id: 'push-of-half-a-pair',
    identity,
    batch: '1-half',
    entries: [{ id: 'half', expected: null, entry }],
    documents: [],
  })
  expect(await pushed.json()).toMatchObject({ entries: [{ outcome: 'refused', reason: 'unsound' }] })
})

test('the audit says who did what with which token, and what was refused', async () => {
  await world.hub.trail.flush()
  const { body } = await world.askHub('hubAudit', {
    token: world.admin,
    fields: { project: 'shop', limit: 500 },
  })
  const records = (
    body.records as { principal: string; action: string; outcome: string; token: string }[]
  ).map(({ principal, action, outcome }) => `${principal} ${action} ${outcome}`)
  expect(records).toContain('will remember done')
  expect(records).toContain('rita remember scope_missing')
  expect(records).toContain('otto list project_not_found')
  expect(records).toContain('boss import not_on_hub')
  expect(records).not.toContain('rita search done')
  const text = JSON.stringify(body)
  expect(text).toContain(`"token":"${writer.split('_')[1]}"`)
  expect(text).not.toContain(writer.split('_')[2])
  expect(world.faults).toEqual([])
})
