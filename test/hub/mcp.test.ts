import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HubWorld, hubWorld } from '../support/hub-world.ts'

let world: HubWorld
beforeAll(async () => {
  world = await hubWorld({ projects: ['shop', 'bank'] })
}, 180_000)
afterAll(() => world.end(), 60_000)

async function asAgent<T>(token: string, project: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${world.address}/p/${project}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  )
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}
const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text ?? ''

test('an agent that may write has the tools that change something, and what it keeps carries its name', async () => {
  const token = await world.token('write', 'shop', { name: 'will' })
  await asAgent(token, 'shop', async client => {
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['search', 'get', 'remember', 'forget']))
    const kept = await client.callTool({
      name: 'remember',
      arguments: { content: 'Queues are drained first. #queue' },
    })
    expect(kept.isError).not.toBe(true)
  })
  const log = await world.ask('log', { project: 'shop', token, fields: { limit: 1 } })
  expect(log.body).toMatchObject({ records: [{ by: { host: 'mcp', principal: 'will' } }] })
})

test('an agent that may only read is offered no other tools, and calling one is refused', async () => {
  const token = await world.token('read', 'shop', { name: 'rita' })
  await asAgent(token, 'shop', async client => {
    const { tools } = await client.listTools()
    expect(tools.length).toBeGreaterThan(2)
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([])
    expect(textOf(await client.callTool({ name: 'search', arguments: { query: 'queues' } }))).toContain(
      'drained',
    )
    const refused = await client.callTool({ name: 'remember', arguments: { content: 'Rita was here.' } })
    expect(refused.isError).toBe(true)
    expect(textOf(refused)).toContain('may only read')
  })
  await world.hub.trail.flush()
  const records = await world.desk.audit({ principal: 'rita', limit: 10 })
  expect(records.map(({ action, outcome }) => `${action} ${outcome}`)).toContain('mcp remember scope_missing')
})

test('a verb of a checkout is refused by name', async () => {
  const token = await world.token('write', 'shop', { name: 'wim' })
  await asAgent(token, 'shop', async client => {
    const refused = await client.callTool({ name: 'skills', arguments: { action: 'list' } })
    expect(refused.isError).toBe(true)
    expect(textOf(refused)).toContain('`skill list`: not on a hub')
  })
  expect(await world.ask('hot', { project: 'shop', token })).toMatchObject({
    body: { code: 'not_on_hub', message: '`hot`: not on a hub, which has no files of the project.' },
  })
})

test('a list of messages is many calls, and taken for none', async () => {
  const token = await world.token('write', 'shop', { name: 'liz' })
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'remember', arguments: {} } }
  const answer = await world.send('/p/shop/mcp', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify([call, { ...call, id: 2 }]),
  })
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([400, 'invalid_input'])
})

test('another project is not there for an agent, whatever it knows', async () => {
  const token = await world.token('write', 'bank', { name: 'otto' })
  await expect(asAgent(token, 'shop', client => client.listTools())).rejects.toThrow(/404|project_not_found/)
  await expect(asAgent('nonsense', 'shop', client => client.listTools())).rejects.toThrow()
  await asAgent(token, 'bank', async client => {
    expect(
      textOf(await client.callTool({ name: 'search', arguments: { query: 'queues drained' } })),
    ).not.toContain('Queues are drained')
  })
  expect(world.faults).toEqual([])
  const told = await world.send('/metrics', { headers: { authorization: `Bearer ${world.admin}` } })
  const figures = await told.text()
  // Refused ones are not counted.
  expect(figures).toContain('\ncairn_searches_total 2\n')
  expect(figures).toContain('\ncairn_writes_total 1\n')
})
