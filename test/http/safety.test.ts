import { describe, expect, it } from 'vitest'
import { rawRequest, type ServerWorld, withServer } from './server-world.ts'

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code
const asked = (world: ServerWorld, lines: readonly string[], body?: string) =>
  world.send(rawRequest(world.server.port, lines, body))

describe('A request', () => {
  it('must name this machine as its host, with our port', async () => {
    await withServer(async world => {
      const { port } = world.server
      const statusFor = async (host: string) =>
        statusOf(await asked(world, ['GET /api/status HTTP/1.1', `Host: ${host}`]))
      expect(await statusFor(`127.0.0.1:${port}`)).toBe(200)
      expect(await statusFor(`localhost:${port}`)).toBe(200)
      expect(await statusFor(`LOCALHOST:${port}`)).toBe(200)
      expect(await statusFor(`[::1]:${port}`)).toBe(200)
      const attacks = [
        `evil.example:${port}`,
        `127.0.0.1.evil.example:${port}`,
        `localhost.evil.example:${port}`,
        `evil.example#127.0.0.1:${port}`,
        `evil.example@127.0.0.1:${port}`,
        `127.0.0.1:${port}@evil.example`,
        '127.0.0.1',
        `127.0.0.1:${port === 1 ? 2 : 1}`,
        `0.0.0.0:${port}`,
        `2130706433:${port}`,
        '',
      ]
      for (const host of attacks) expect([host, await statusFor(host)]).toEqual([host, 403])
      const body = await asked(world, ['GET / HTTP/1.1', `Host: evil.example:${port}`])
      expect(body).toContain('"code":"request_refused"')
      expect(body).not.toContain('<title>')
    })
  })

  it('must have one host, and name no other server', async () => {
    await withServer(async world => {
      const own = `Host: 127.0.0.1:${world.server.port}`
      expect(statusOf(await asked(world, ['GET /api/status HTTP/1.1', own, own]))).toBe(403)
      expect(statusOf(await asked(world, ['GET /api/status HTTP/1.1', own, 'Host: evil.example']))).toBe(403)
      expect(statusOf(await world.send('GET /api/status HTTP/1.0\r\n\r\n'))).toBe(403)
      expect(statusOf(await world.send('GET /api/status HTTP/1.1\r\nConnection: close\r\n\r\n'))).toBe(400)
      const target = `http://127.0.0.1:${world.server.port}/api/status`
      expect(statusOf(await asked(world, [`GET ${target} HTTP/1.1`]))).toBe(403)
      expect(statusOf(await asked(world, ['GET http://evil.example/api/status HTTP/1.1']))).toBe(403)
    })
  })

  it('of a page is answered when the page is ours', async () => {
    await withServer(async world => {
      const { port } = world.server
      const status = async (target: string, ...headers: string[]) =>
        statusOf(await asked(world, [`GET ${target} HTTP/1.1`, ...headers]))
      expect(await status('/api/status', `Origin: http://127.0.0.1:${port}`)).toBe(200)
      expect(await status('/api/status', 'Sec-Fetch-Site: same-origin')).toBe(200)
      expect(await status('/api/status', 'Sec-Fetch-Site: none')).toBe(200)
      for (const origin of [
        'null',
        'http://evil.example',
        'http://127.0.0.1',
        `https://127.0.0.1:${port}`,
        `http://localhost:${port}`,
        `http://127.0.0.1:${port}.evil.example`,
      ])
        expect([origin, await status('/api/status', `Origin: ${origin}`)]).toEqual([origin, 403])
      expect(await status('/api/status', 'Sec-Fetch-Site: cross-site')).toBe(403)
      expect(await status('/api/status', 'Sec-Fetch-Site: same-site')).toBe(403)
      const opened = ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document']
      expect(await status('/', ...opened)).toBe(200)
      expect(await status('/api/status', ...opened)).toBe(403)
      const framed = ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: iframe']
      expect(await status('/', ...framed)).toBe(403)
    })
  })

  it('gets no header that would let another origin read, and those that keep the page closed', async () => {
    await withServer(async ({ ask, address }) => {
      const answers = [
        await ask('/'),
        await ask('/api/status'),
        await ask('/api/nothing'),
        await ask('/nothing'),
        await fetch(`${address}/api/undo`, { method: 'OPTIONS', headers: { origin: address } }),
      ]
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 404, 405])
      for (const { headers } of answers) {
        expect([...headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([])
        expect(headers.get('content-security-policy')).toBe(
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        )
        expect(headers.get('x-content-type-options')).toBe('nosniff')
        expect(headers.get('referrer-policy')).toBe('no-referrer')
        expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
        expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
        expect(headers.get('x-powered-by')).toBe(null)
      }
    })
  })
})

describe('What changes something', () => {
  it('needs the token, and a wrong one of the same length is none', async () => {
    await withServer(async ({ ask, token }) => {
      const body = JSON.stringify({ content: 'We stream by SSE.' })
      const remember = (authorization: string) =>
        ask('/api/entries', { method: 'POST', body, headers: { authorization } })
      const right = token.read()
      const wrong = right.replace(/^./, first => (first === 'a' ? 'b' : 'a'))
      for (const header of ['', 'Bearer', `Bearer ${wrong}`, `Basic ${right}`, right, `Bearer ${right}x`]) {
        const refused = await remember(header)
        expect([header, refused.status, await codeOf(refused)]).toEqual([header, 401, 'token_missing'])
        expect(refused.headers.get('www-authenticate')).toBe('Bearer')
      }
      expect((await remember(`Bearer ${right}`)).status).toBe(200)
      const { total } = (await (await ask('/api/entries')).json()) as { total: number }
      expect(total).toBe(1)
    })
  })

  it('takes a new token at once, and the old one no longer', async () => {
    await withServer(async ({ ask, token }) => {
      const old = token.read()
      expect((await ask('/api/recall', { method: 'POST', body: '{}' })).status).toBe(200)
      token.renew()
      const late = await ask('/api/recall', {
        method: 'POST',
        body: '{}',
        headers: { authorization: `Bearer ${old}` },
      })
      expect(late.status).toBe(401)
      expect((await ask('/api/recall', { method: 'POST', body: '{}' })).status).toBe(200)
    })
  })

  it('may have it in the body of a beacon', async () => {
    await withServer(async ({ address, token }) => {
      const beacon = (content: string, given: string) =>
        fetch(`${address}/api/entries`, {
          method: 'POST',
          headers: { 'content-type': 'text/plain;charset=UTF-8' },
          body: JSON.stringify({ content, token: given }),
        })
      expect((await beacon('Kept on the way out.', token.read())).status).toBe(200)
      expect((await beacon('Of somebody else.', 'x'.repeat(64))).status).toBe(401)
    })
  })

  it('is open to this machine with --trust-local, but not to the form of another site', async () => {
    await withServer(
      async ({ address }) => {
        const remember = (content: string, headers: Record<string, string>) =>
          fetch(`${address}/api/entries`, {
            method: 'POST',
            headers,
            body: JSON.stringify({ content }),
          })
        expect((await remember('One.', { 'content-type': 'application/json' })).status).toBe(200)
        for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
          expect((await remember('Two.', { 'content-type': type })).status).toBe(403)
        const elsewhere = { 'content-type': 'application/json', origin: 'http://evil.example' }
        expect((await remember('Three.', elsewhere)).status).toBe(403)
        const forwarded = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' }
        expect((await remember('Four.', forwarded)).status).toBe(401)
      },
      { trustsLocal: true },
    )
  })

  it('and is for this machine alone, is refused to whoever was forwarded, whatever the token', async () => {
    await withServer(async ({ ask }) => {
      const compact = (headers: Record<string, string>) =>
        ask('/api/compact', { method: 'POST', body: '{"dryRun":true}', headers })
      const refused: Record<string, string>[] = [
        { 'x-forwarded-for': '203.0.113.9' },
        { 'x-forwarded-for': '127.0.0.1, 203.0.113.9' },
        { 'x-forwarded-for': 'unknown' },
        { 'x-real-ip': '10.0.0.7' },
        { forwarded: 'for=203.0.113.9;proto=http' },
        { forwarded: 'proto=https' },
        { forwarded: 'for="[2001:db8::1]:4711"' },
        { via: '1.1 proxy.example' },
        { 'x-forwarded-host': 'memory.example' },
      ]
      for (const headers of refused) {
        const answer = await compact(headers)
        expect([headers, answer.status, await codeOf(answer)]).toEqual([headers, 403, 'request_refused'])
      }
      for (const headers of [{}, { 'x-forwarded-for': '127.0.0.1' }, { forwarded: 'for="[::1]:4711"' }])
        expect((await compact(headers)).status).toBe(200)
    })
  })
})

describe('What only tells something', () => {
  it('is told to this machine without a token, and to whoever was forwarded with it', async () => {
    await withServer(async ({ address, ask }) => {
      const forwarded = { 'x-forwarded-for': '203.0.113.9' }
      for (const target of ['/api/status', '/api/openapi.json']) {
        expect((await fetch(`${address}${target}`)).status).toBe(200)
        const refused = await fetch(`${address}${target}`, { headers: forwarded })
        expect([target, refused.status, await codeOf(refused)]).toEqual([target, 401, 'token_missing'])
        expect((await ask(target, { headers: forwarded })).status).toBe(200)
      }
    })
  })
})

describe('With --require-token', () => {
  it('reading needs it too, but not the page or who answers', async () => {
    await withServer(
      async ({ address, ask, token }) => {
        const plain = async (target: string) => (await fetch(`${address}${target}`)).status
        expect(await plain('/')).toBe(200)
        expect(await plain('/api/server')).toBe(200)
        expect(await plain('/api/status')).toBe(401)
        expect(await plain('/api/openapi.json')).toBe(401)
        expect(await plain('/mcp')).toBe(401)
        expect((await ask('/api/status')).status).toBe(200)
        // A page can give a stream no header.
        const live = await fetch(`${address}/api/live?token=${token.read()}`)
        expect(live.status).toBe(200)
        await live.body?.cancel()
      },
      { needsTokenToRead: true },
    )
  })
})

describe('Listening elsewhere', () => {
  it('needs the token for everything but the page', async () => {
    await withServer(
      async ({ address, ask, server, send }) => {
        expect((await fetch(`${address}/api/status`)).status).toBe(401)
        expect((await fetch(`${address}/`)).status).toBe(200)
        expect((await ask('/api/status')).status).toBe(200)
        const rebound = await send(
          `GET /api/status HTTP/1.1\r\nHost: evil.example:${server.port}\r\nConnection: close\r\n\r\n`,
        )
        expect(statusOf(rebound)).toBe(403)
      },
      { host: '0.0.0.0' },
    )
  })
})
