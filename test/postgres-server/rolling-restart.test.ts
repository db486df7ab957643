import { setTimeout as pause } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, it } from 'vitest'
import { type HubProcess, hubProcesses } from './hub-processes.ts'

/** What a service manager gives by our guide, before it kills. */
const GRACE_MS = 30_000

it('two hubs are restarted one after the other under load: each exits with 0, and nothing that was answered is lost', async () => {
  const { start, run, sql } = await hubProcesses()
  const first = await start('--drain', '1')
  expect(run('hub', 'add-project', 'shop').status).toBe(0)
  const hubs = [first, await start('--drain', '1')]
  const authorization = `Bearer ${first.firstToken}`
  const headers = { authorization, 'content-type': 'application/json' }
  const address = ({ port }: HubProcess) => `http://127.0.0.1:${port}/p/shop`
  let isOver = false

  /** As a client behind a balancer: refused, cut off or told 503, it asks the other one. */
  const ask = async (at: number, path: string, init: RequestInit = {}): Promise<Response> => {
    for (let turn = at; ; turn++) {
      try {
        const answer = await fetch(`${address(hubs[turn % hubs.length] as HubProcess)}${path}`, {
          ...init,
          headers,
        })
        if (answer.status !== 503) return answer
      } catch (error) {
        // fetch says so of whatever happened to the connection.
        if (!(error instanceof TypeError)) throw error
      }
      await pause(20)
    }
  }
  const acknowledged: string[] = []
  const write = async (who: number) => {
    for (let n = 0; !isOver; n++) {
      const content = `Writer ${who} learned fact ${n} about queue ${who * 1_000 + n}.`
      const answer = await ask(n, '/api/entries', { method: 'POST', body: JSON.stringify({ content }) })
      expect([answer.status, await answer.text()]).toEqual([200, expect.anything()])
      acknowledged.push(content)
    }
  }
  const search = async () => {
    for (let n = 0; !isOver; n++) {
      const answer = await ask(n, `/api/search?query=queue+${n}`)
      expect([answer.status, await answer.text()]).toEqual([200, expect.anything()])
    }
  }
  const working = [write(0), write(1), write(2), search(), search()]

  for (const at of [0, 1]) {
    const hub = hubs[at] as HubProcess
    const stream = await fetch(`${address(hub)}/api/live`, { headers })
    const heard = stream.text()
    const agent = new Client({ name: 'agent', version: '1' })
    const connection = new StreamableHTTPClientTransport(new URL(`${address(hub)}/mcp`), {
      requestInit: { headers: { authorization } },
    })
    await agent.connect(connection)
    expect((await agent.listTools()).tools.length).toBeGreaterThan(0)
    // A client that never ends what it began to send.
    const stuck = fetch(`${address(hub)}/api/entries`, {
      method: 'POST',
      headers,
      body: new ReadableStream({ start: body => body.enqueue(new TextEncoder().encode('{"content')) }),
      duplex: 'half',
    } as RequestInit).then(
      ({ status }) => status,
      (error: unknown) => (error instanceof TypeError ? 'cut off' : error),
    )
    const before = acknowledged.length
    await expect.poll(() => acknowledged.length - before, { timeout: 30_000 }).toBeGreaterThan(20)
    hub.child.kill('SIGTERM')
    expect(await Promise.race([hub.ended, pause(GRACE_MS, 'still there', { ref: false })])).toBe(0)
    expect(await heard).toContain('event: bye')
    expect(await stuck).toBe('cut off')
    await agent.close()
    hubs[at] = await start('--drain', '1')
  }
  isOver = true
  await Promise.all(working)
  const kept = (await sql('SELECT content FROM entry')).map(({ content }) => String(content))
  expect(acknowledged.filter(content => !kept.includes(content))).toEqual([])
  expect(kept.length).toBe(new Set(kept).size)
}, 180_000)
