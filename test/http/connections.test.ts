import * as net from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { rawRequest, type ServerWorld, withServer } from './server-world.ts'

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])

/** Connects, sends the text, and reads what comes unless told otherwise. Left half open when the other side ends. */
async function open(world: ServerWorld, text = '', { reads = true } = {}): Promise<net.Socket> {
  const socket = net.connect({ port: world.server.port, host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => {
    socket.destroy()
  })
  socket.on('error', () => socket.destroy())
  await new Promise(resolve => socket.once('connect', resolve))
  if (reads) socket.resume()
  if (text !== '') socket.write(text)
  return socket
}

const many = (count: number, make: () => Promise<net.Socket>) =>
  Promise.all(Array.from({ length: count }, make))
/** On a connection of its own: one that is kept may have made room. */
const isWell = async (world: ServerWorld) =>
  statusOf(await world.send(rawRequest(world.server.port, ['GET /api/server HTTP/1.1'])))
const get = (world: ServerWorld, target: string) =>
  `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${world.server.port}\r\n\r\n`

describe('With every connection taken, others are answered', () => {
  it('by half-open sockets that say nothing', async () => {
    await withServer(async world => {
      await many(300, () => open(world))
      expect(await isWell(world)).toBe(200)
    })
  })

  it('by requests that never end', async () => {
    await withServer(
      async world => {
        const { port } = world.server
        await many(150, () => open(world, `GET /api/status HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-A: `))
        const body = `POST /api/entries HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 500\r\n\r\n{`
        await many(150, () => open(world, body))
        expect(await isWell(world)).toBe(200)
      },
      { limits: { endMs: 200 } },
    )
  })

  it('by connections that are kept after an answer', async () => {
    await withServer(
      async world => {
        const sockets = await many(20, () => open(world, get(world, '/healthz')))
        // While an answer is owed on all connections, others are turned away.
        await expect.poll(() => isWell(world), { timeout: 20_000 }).toBe(200)
        const openOnes = () => sockets.filter(socket => !socket.readableEnded && !socket.destroyed).length
        await expect.poll(openOnes, { timeout: 20_000 }).toBeLessThanOrEqual(16)
      },
      { limits: { mostConnections: 16 } },
    )
  }, 60_000)

  it('by clients that do not read their answers', async () => {
    await withServer(
      async world => {
        for (let at = 0; at < 10; at++)
          await world.ask('/api/entries', {
            method: 'POST',
            body: JSON.stringify({ content: `Note ${at}: ${'walrus and zebra '.repeat(900)}` }),
          })
        const wanted = get(world, '/api/entries?limit=50').repeat(40)
        await many(20, () => open(world, wanted, { reads: false }))
        // While the server still works on all of them it turns others away.
        await expect.poll(() => isWell(world), { timeout: 20_000 }).toBe(200)
      },
      { limits: { mostConnections: 16, readsPerSecond: 10_000, endMs: 200 } },
    )
  }, 30_000)

  it('by streams without a token: those with the token have slots of their own', async () => {
    await withServer(async world => {
      const sockets = await many(256, () => open(world, get(world, '/api/live')))
      const streamStatus = async () => {
        const answer = await fetch(`${world.address}/api/live`)
        await answer.body?.cancel()
        return answer.status
      }
      await expect.poll(() => isWell(world), { timeout: 20_000 }).toBe(200)
      await expect.poll(streamStatus, { timeout: 20_000 }).toBe(429)
      const refused = await fetch(`${world.address}/api/live`)
      expect([refused.status, await refused.json()]).toMatchObject([429, { code: 'too_many_requests' }])
      expect(refused.headers.get('retry-after')).toBe('5')
      const own = await world.ask('/api/live')
      expect(own.status).toBe(200)
      await own.body?.cancel()
      for (const socket of sockets) socket.destroy()
      await expect.poll(streamStatus, { timeout: 20_000 }).toBe(200)
    })
  }, 90_000)
})

it.runIf(process.platform === 'linux')(
  'One address takes no connection from another that has fewer',
  async () => {
    await withServer(
      async world => {
        const quiet = net.connect({ port: world.server.port, host: '127.0.0.1', localAddress: '127.0.0.2' })
        onTestFinished(() => {
          quiet.destroy()
        })
        await new Promise(resolve => quiet.once('connect', resolve))
        let heard = ''
        quiet.on('data', piece => {
          heard += piece
        })
        await many(60, () => open(world))
        await pause(100)
        quiet.write(get(world, '/healthz'))
        await expect.poll(() => statusOf(heard), { timeout: 3_000 }).toBe(200)
      },
      { limits: { mostConnections: 16 } },
    )
  },
)

it('A flood of questions without the token leaves the rate of those with it', async () => {
  await withServer(
    async world => {
      const plain = () => fetch(`${world.address}/api/server`)
      const answers = await Promise.all(Array.from({ length: 40 }, plain))
      expect(answers.some(({ status }) => status === 429)).toBe(true)
      expect((await world.ask('/api/server')).status).toBe(200)
      const authorization = `Bearer ${'0'.repeat(64)}`
      const wrong = () => fetch(`${world.address}/api/server`, { headers: { authorization } })
      const refused = await Promise.all(Array.from({ length: 40 }, wrong))
      expect(refused.some(({ status }) => status === 429)).toBe(true)
    },
    { limits: { readsPerSecond: 5 } },
  )
})

describe('A half-open socket', () => {
  it('is closed on our side after the timeout, though its client never closes', async () => {
    await withServer(
      async world => {
        const socket = await open(world, 'GET /api/status HTTP/1.1\r\nX-A: ')
        let heard = ''
        socket.on('data', piece => {
          heard += piece
        })
        await new Promise(resolve => socket.once('end', resolve))
        expect(statusOf(heard)).toBe(408)
        // Its half is still open here: only a reset tells that the other side is gone.
        await pause(1_500)
        socket.write('b\r\n')
        await pause(100)
        socket.write('b\r\n')
        await pause(200)
        expect(socket.destroyed).toBe(true)
      },
      { limits: { headersMs: 300 } },
    )
  })
})

describe('A stream', () => {
  const events = async (response: Response): Promise<string> => {
    let text = ''
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const step = await reader?.read()
      if (step === undefined || step.done) return text
      text += step.value
    }
  }

  it('ends when `cairn token --new` makes its token invalid; others stay', async () => {
    await withServer(async world => {
      const old = await world.ask('/api/live')
      const address = await fetch(`${world.address}/api/live?token=${world.token.read()}`)
      const anonymous = await fetch(`${world.address}/api/live`)
      world.token.renew()
      const renewed = await world.ask('/api/live')
      const ended = await Promise.race([Promise.all([events(old), events(address)]), pause(5_000, 'open')])
      expect(ended).toEqual([expect.stringContaining('event: bye'), expect.stringContaining('event: bye')])
      for (const open of [anonymous, renewed]) {
        const state = await Promise.race([events(open).catch(() => 'closed'), pause(300, 'open')])
        expect(state).toBe('open')
      }
    })
  })

  it('of MCP ends with its token too', async () => {
    await withServer(async world => {
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
      const headers = { authorization: `Bearer ${world.token.read()}` }
      const url = new URL(`${world.address}/mcp`)
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
      const { closed } = await client.listen({ toolsListChanged: true })
      expect(await Promise.race([closed, pause(1_500, 'open')])).toBe('open')
      world.token.renew()
      expect(await Promise.race([closed, pause(5_000, 'open')])).not.toBe('open')
      await client.close()
    })
  })

  it('needs the token where reading does', async () => {
    await withServer(
      async ({ address, ask }) => {
        expect((await fetch(`${address}/api/live`)).status).toBe(401)
        expect((await fetch(`${address}/api/live?token=${'0'.repeat(64)}`)).status).toBe(401)
        const open = await ask('/api/live')
        expect(open.status).toBe(200)
        await open.body?.cancel()
      },
      { needsTokenToRead: true },
    )
  })
})

describe('A token in the address', () => {
  it('opens a stream and nothing else', async () => {
    await withServer(
      async ({ address, token }) => {
        const plain = async (target: string, init?: RequestInit) =>
          (await fetch(`${address}${target}`, init)).status
        const own = token.read()
        expect(await plain(`/api/status?token=${own}`)).toBe(401)
        expect(await plain(`/api/entries?token=${own}`)).toBe(401)
        expect(await plain(`/api/openapi.json?token=${own}`)).toBe(401)
        expect(await plain(`/metrics?token=${own}`)).toBe(401)
        const body = JSON.stringify({ content: 'We stream by SSE.' })
        expect(await plain(`/api/entries?token=${own}`, { method: 'POST', body })).toBe(401)
        const live = await fetch(`${address}/api/live?token=${own}`)
        expect(live.status).toBe(200)
        await live.body?.cancel()
      },
      { needsTokenToRead: true },
    )
    await withServer(async ({ address, token }) => {
      const given = await fetch(`${address}/api/status?token=${token.read()}`)
      expect(given.status).toBe(400)
      expect(await given.text()).not.toContain(token.read())
    })
  })
})
