import { rmSync } from 'node:fs'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { type ServerWorld, withServer } from './server-world.ts'

type Headers_ = Readonly<Record<string, string>>

async function withAgent(
  { address }: ServerWorld,
  headers: Headers_,
  work: (agent: Client) => Promise<void>,
): Promise<void> {
  const agent = new Client({ name: 'test', version: '1' })
  await agent.connect(
    new StreamableHTTPClientTransport(new URL(`${address}/mcp`), { requestInit: { headers } }),
  )
  try {
    await work(agent)
  } finally {
    await agent.close()
  }
}

const bearer = ({ token }: ServerWorld) => ({ authorization: `Bearer ${token.read()}` })
const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text ?? ''

describe('MCP over HTTP', () => {
  it('serves the tools of the memory to an agent with the token', async () => {
    await withServer(async world => {
      await withAgent(world, bearer(world), async agent => {
        const { tools } = await agent.listTools()
        expect(tools.map(({ name }) => name)).toEqual(
          expect.arrayContaining(['search', 'get', 'brief', 'remember', 'forget', 'pin', 'tasks']),
        )
        const kept = await agent.callTool({
          name: 'remember',
          arguments: { content: 'We stream by SSE, not WebSockets.', kind: 'decision' },
        })
        expect(textOf(kept)).toMatch(/^Stored, unconfirmed: \[\S+\] We stream by SSE/)
        const found = await agent.callTool({ name: 'search', arguments: { query: 'why no websockets?' } })
        expect(textOf(found)).toContain('We stream by SSE, not WebSockets.')
        const { resources } = await agent.listResources()
        expect(resources.length).toBeGreaterThan(0)
      })
      // What an agent kept is there for the page, as the agent's.
      const { entries } = (await (await world.ask('/api/entries')).json()) as {
        entries: { content: string }[]
      }
      expect(entries.map(({ content }) => content)).toEqual(['We stream by SSE, not WebSockets.'])
      const { records } = (await (await world.ask('/api/log')).json()) as {
        records: { by: { host: string } }[]
      }
      expect(records.map(({ by }) => by.host)).toEqual(['mcp'])
    })
  })

  it('answers nobody without the token, or from another page', async () => {
    await withServer(async world => {
      const hello = (headers: Headers_) =>
        fetch(`${world.address}/mcp`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            ...headers,
          },
          body: JSON.stringify({
            jsonrpc: '2.0',
            id: 1,
            method: 'initialize',
            params: {
              protocolVersion: '2025-06-18',
              capabilities: {},
              clientInfo: { name: 'x', version: '1' },
            },
          }),
        })
      expect((await hello({})).status).toBe(401)
      expect((await hello({ authorization: `Bearer ${'0'.repeat(64)}` })).status).toBe(401)
      expect((await hello({ ...bearer(world), origin: 'http://evil.example' })).status).toBe(403)
      expect((await hello({ ...bearer(world), origin: 'null' })).status).toBe(403)
      expect((await hello(bearer(world))).status).toBe(200)
      await expect(withAgent(world, {}, async () => undefined)).rejects.toThrow()
      const long = await fetch(`${world.address}/mcp`, {
        method: 'POST',
        headers: {
          ...bearer(world),
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x', params: { x: 'x'.repeat(2_000_000) } }),
      })
      expect(long.status).toBe(413)
    })
  })

  it('needs no token with --trust-local', async () => {
    await withServer(
      async world => {
        await withAgent(world, {}, async agent => {
          expect((await agent.listTools()).tools.length).toBeGreaterThan(5)
        })
      },
      { trustsLocal: true },
    )
  })

  it('tells nothing of a memory that this user has not trusted', async () => {
    await withServer(async world => {
      await world.ask('/api/entries', { method: 'POST', body: JSON.stringify({ content: 'A word.' }) })
      // As after a clone: the memory is there, and this user knows nothing of it.
      rmSync(`${world.user}/projects.json`)
      await withAgent(world, bearer(world), async agent => {
        const told = await agent.callTool({ name: 'search', arguments: { query: 'word' } })
        expect(told.isError).toBe(true)
        expect(textOf(told)).toMatch(/this user has not trusted it/)
        expect(textOf(told)).not.toContain('A word.')
      })
    })
  })
})
