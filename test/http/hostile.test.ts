import { execFileSync } from 'node:child_process'
import * as net from 'node:net'
import * as path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { failureOf } from '../../src/surfaces/http/failure.ts'
import { rawRequest, type ServerWorld, withServer } from './server-world.ts'

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
const asked = (world: ServerWorld, lines: readonly string[], body?: string) =>
  world.send(rawRequest(world.server.port, lines, body))
const isWell = async (world: ServerWorld) => (await world.ask('/api/server')).status === 200

describe('A hostile request', () => {
  it('cannot have a device or a pipe imported, which would never end', async () => {
    await withServer(async world => {
      const pipe = path.join(world.root, 'notes.jsonl')
      execFileSync('mkfifo', [pipe])
      for (const file of ['/dev/null', 'notes.jsonl']) {
        const body = JSON.stringify({ file, from: 'jsonl', dryRun: true })
        const answer = await world.ask('/api/import', { method: 'POST', body })
        const { code } = (await answer.json()) as { code?: string }
        expect([file, answer.status, code]).toEqual([file, 400, 'invalid_input'])
      }
      expect(await isWell(world)).toBe(true)
    })
  })

  it('cannot end the server with a file that is not there, or no path at all', async () => {
    await withServer(async world => {
      for (const [file, from, status] of [
        ['missing.jsonl', 'jsonl', 404],
        ['../missing.jsonl', 'jsonl', 404],
        ['.', 'jsonl', 400],
        ['a\0b', 'jsonl', 400],
        ['a\0b', undefined, 400],
        ['x'.repeat(5_000), 'jsonl', 400],
      ] as const) {
        const answer = await world.ask('/api/import', {
          method: 'POST',
          body: JSON.stringify({ file, ...(from && { from }) }),
        })
        expect([file.slice(0, 20), answer.status]).toEqual([file.slice(0, 20), status])
      }
      expect((await world.ask('/api/status')).status).toBe(200)
    })
  })

  it('reaches no file by its path', async () => {
    await withServer(async world => {
      const targets = [
        '/../../etc/passwd',
        '/..%2f..%2fetc%2fpasswd',
        '/%2e%2e/%2e%2e/etc/passwd',
        '/%252e%252e%252fetc%252fpasswd',
        '/assets/../../package.json',
        '/assets/..%2f..%2f..%2fpackage.json',
        '/..%5c..%5cpackage.json',
        '/%00/etc/passwd',
        '/index.html%00.js',
        '//etc/passwd',
        '/.memory/config.json',
        '/api/../../package.json',
        '/%',
        '/%ff%fe',
      ]
      for (const target of targets) {
        const answer = await asked(world, [`GET ${target} HTTP/1.1`])
        expect([target, statusOf(answer)]).toEqual([target, 404])
        expect(answer).not.toMatch(/root:|cairn-memory|"version"/)
      }
      for (const target of ['/..\\..\\package.json', '/a\0b', '/ü'])
        expect(statusOf(await asked(world, [`GET ${target} HTTP/1.1`]))).toBeGreaterThanOrEqual(400)
      const entry = await asked(world, ['GET /api/entries/..%2f..%2f..%2fetc%2fpasswd HTTP/1.1'])
      expect(entry).toContain('"code":"entry_not_found"')
      expect(world.faults).toEqual([])
    })
  })

  it('of a hundred megabytes is not read', async () => {
    await withServer(async world => {
      const { port } = world.server
      const told = rawRequest(port, [
        'POST /api/entries HTTP/1.1',
        `Authorization: Bearer ${world.token.read()}`,
        'Content-Length: 104857600',
      ])
      expect(statusOf(await world.send(told))).toBe(413)
      // One that does not say how long it is: it is cut off when it is too long.
      const before = process.memoryUsage().rss
      const head = rawRequest(port, [
        'POST /api/entries HTTP/1.1',
        `Authorization: Bearer ${world.token.read()}`,
        'Transfer-Encoding: chunked',
      ])
      const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
      const answer = await world.send([head, ...Array<string>(1_600).fill(chunk)], { pauseMs: 0 })
      expect(answer === '' || statusOf(answer) === 413).toBe(true)
      expect((process.memoryUsage().rss - before) / 1024 / 1024).toBeLessThan(400)
      expect(await isWell(world)).toBe(true)
      expect(world.faults).toEqual([])
    })
  })

  it('that comes slowly, or not at all, is cut off', async () => {
    const limits = { headersMs: 300, requestMs: 600 }
    await withServer(
      async world => {
        const { port } = world.server
        const slowBody = [
          `POST /api/entries HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${world.token.read()}\r\nContent-Length: 1000\r\n\r\n`,
          ...Array<string>(100).fill('x'),
        ]
        expect(statusOf(await world.send(slowBody, { pauseMs: 50 }))).toBe(408)
        const slowHeaders = ['GET /api/status HTTP/1.1\r\n', ...Array<string>(100).fill('X-A: b\r\n')]
        expect(statusOf(await world.send(slowHeaders, { pauseMs: 50 }))).toBe(408)
        const nothing = await world.send('')
        expect(nothing === '' || statusOf(nothing) === 408).toBe(true)
        expect(await isWell(world)).toBe(true)
        expect(world.faults).toEqual([])
      },
      { limits },
    )
  })

  it('with more or longer headers than any program sends is turned away', async () => {
    await withServer(async world => {
      const long = await asked(world, ['GET /api/status HTTP/1.1', `X-Long: ${'x'.repeat(40_000)}`])
      expect(statusOf(long)).toBe(431)
      const many = Array.from({ length: 5_000 }, (_, at) => `X-${at}: 1`)
      expect(statusOf(await asked(world, ['GET /api/status HTTP/1.1', ...many]))).toBe(431)
      // Nothing that matters can hide behind the hundredth.
      const hidden = Array.from({ length: 150 }, (_, at) => `X-${at}: 1`)
      const own = `Host: 127.0.0.1:${world.server.port}`
      const answer = await asked(world, ['GET /api/status HTTP/1.1', own, ...hidden, 'Origin: http://evil'])
      expect(statusOf(answer)).toBe(403)
    })
  })

  it('that is none, or two in one, gets no further', async () => {
    await withServer(async world => {
      const { port } = world.server
      const host = `Host: 127.0.0.1:${port}`
      expect(statusOf(await world.send('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'))).toBe(400)
      expect(statusOf(await world.send('GARBAGE\r\n\r\n'))).toBe(400)
      const pipelined = await world.send(
        `GET /api/server HTTP/1.1\r\n${host}\r\n\r\nGARBAGE\r\n\r\nGET /api/status HTTP/1.1\r\n${host}\r\n\r\n`,
      )
      expect(pipelined).toContain('400 Bad Request')
      expect(pipelined).not.toContain('"root"')
      const smuggled = await world.send(
        `POST /api/entries HTTP/1.1\r\n${host}\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/status HTTP/1.1\r\n${host}\r\n\r\n`,
      )
      expect(statusOf(smuggled)).toBe(400)
      expect(smuggled).not.toContain('"root"')
      const twoLengths = await world.send(
        `POST /api/entries HTTP/1.1\r\n${host}\r\nContent-Length: 2\r\nContent-Length: 40\r\n\r\n{}`,
      )
      expect(statusOf(twoLengths)).toBe(400)
      const folded = await world.send(`GET /api/status HTTP/1.1\r\n${host}\r\nX-A: b\r\n c\r\n\r\n`)
      expect(statusOf(folded)).toBe(400)
      const split = await asked(world, ['GET /api/search?query=a%0d%0aX-Injected:%201 HTTP/1.1'])
      expect(split).not.toMatch(/^X-Injected/im)
      expect(await isWell(world)).toBe(true)
      expect(world.faults).toEqual([])
    })
  })

  it('of another protocol, or in nonsense chunks, ends with an answer of HTTP or none', async () => {
    await withServer(async world => {
      const { port } = world.server
      const host = `Host: 127.0.0.1:${port}`
      const token = `Authorization: Bearer ${world.token.read()}`
      const upgrade = ['Connection: Upgrade, close', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
      const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
      const asked = await world.send(
        ['GET /api/live HTTP/1.1', 'Host: evil.example', ...upgrade, key, '', ''].join('\r\n'),
      )
      expect(statusOf(asked)).toBe(403)
      const foreign = [
        'GET /api/status HTTP/1.1',
        host,
        'Origin: http://evil.example',
        ...upgrade,
        key,
        '',
        '',
      ]
      expect(statusOf(await world.send(foreign.join('\r\n')))).toBe(403)
      const own = await world.send(['GET /api/status HTTP/1.1', host, ...upgrade, key, '', ''].join('\r\n'))
      expect(own).not.toContain('101 Switching')
      const tunnel = await world.send(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n${host}\r\n\r\n`)
      expect(tunnel === '' || statusOf(tunnel) >= 400).toBe(true)
      const head = `POST /api/entries HTTP/1.1\r\n${host}\r\n${token}\r\nTransfer-Encoding: chunked\r\n\r\n`
      for (const chunk of [
        'zz\r\n{}\r\n',
        '-1\r\n{}\r\n',
        `${'f'.repeat(40)}\r\n{}`,
        '2\r\n{}X',
        `2;${'x'.repeat(20_000)}\r\n`,
      ]) {
        const answer = await world.send(`${head}${chunk}`)
        expect([chunk.slice(0, 10), statusOf(answer)]).toEqual([
          chunk.slice(0, 10),
          expect.toBeOneOf([400, 413, 431]),
        ])
      }
      const trailers = `2\r\n{}\r\n0\r\nHost: evil.example\r\nAuthorization: Bearer x\r\n\r\n`
      expect(
        statusOf(
          await world.send(`${head.replace('HTTP/1.1\r\n', 'HTTP/1.1\r\nConnection: close\r\n')}${trailers}`),
        ),
      ).toBe(400)
      expect(await isWell(world)).toBe(true)
      expect(world.faults).toEqual([])
    })
  })

  it('is one of a thousand in one packet, and nobody else waits for them', async () => {
    await withServer(
      async world => {
        const { port } = world.server
        const one = `GET /api/entries HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`
        const last = `${one}Connection: close\r\n\r\n`
        const answers = world.send(`${`${one}\r\n`.repeat(1_000)}${last}`)
        expect(await isWell(world)).toBe(true)
        const statuses = (await answers).match(/HTTP\/1\.1 \d+/g) ?? []
        expect(new Set(statuses)).toEqual(new Set(['HTTP/1.1 200', 'HTTP/1.1 429']))
        expect(statuses).toHaveLength(1_001)
        expect(world.faults).toEqual([])
      },
      { limits: { readsPerSecond: 300 } },
    )
  })

  it('changes no prototype, and nests no deeper than anything we take', async () => {
    await withServer(async ({ ask, faults }) => {
      const post = async (body: string | Uint8Array<ArrayBuffer>) => {
        const answer = await ask('/api/entries', { method: 'POST', body })
        return [answer.status, ((await answer.json()) as { code?: string }).code]
      }
      expect(
        await post('{"__proto__":{"content":"x","isAdmin":true},"constructor":{"prototype":{"y":1}}}'),
      ).toEqual([400, 'invalid_input'])
      expect((await ask('/api/entries?__proto__=1&constructor=2&__proto__[x]=3')).status).toBe(400)
      expect(({} as { isAdmin?: boolean }).isAdmin).toBe(undefined)
      expect(Object.keys(Object.prototype)).toEqual([])
      expect(await post(`{"content":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).toEqual([
        400,
        'invalid_input',
      ])
      expect(await post(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)).toEqual([400, 'invalid_input'])
      for (const body of ['[]', 'null', '"x"', '1', '{', '{"content":1}', '{"content":["x"]}', '\ufeff{}x'])
        expect([body, ...(await post(body))]).toEqual([body, 400, 'invalid_input'])
      expect(await post(new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]))).toEqual([
        400,
        'invalid_input',
      ])
      for (const more of [
        { tags: Array.from({ length: 2_500 }, (_, at) => `t${at}`) },
        { files: Array.from({ length: 2_500 }, (_, at) => `f${at}.ts`) },
        { tags: ['a'.repeat(100_000)] },
        { files: ['a'.repeat(100_000)] },
      ])
        expect(await post(JSON.stringify({ content: 'A list that no entry holds.', ...more }))).toEqual([
          400,
          'invalid_input',
        ])
      expect((await ask('/api/entries?limit=1&limit=2')).status).toBe(400)
      expect((await ask('/api/entries?limit=NaN')).status).toBe(400)
      expect((await ask('/api/entries?limit=')).status).toBe(400)
      expect((await ask('/api/entries?limit=1e99')).status).toBe(400)
      expect((await ask('/api/entries?tags=a&tags=b')).status).toBe(200)
      expect(faults).toEqual([])
    })
  })

  it('nests no deeper for an agent than for the page', async () => {
    await withServer(async world => {
      const call = async (nested: string) => {
        const answer = await world.ask('/mcp', {
          method: 'POST',
          headers: { accept: 'application/json, text/event-stream' },
          body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"x","a":${nested}}}}`,
        })
        return { status: answer.status, text: await answer.text() }
      }
      for (const deep of [
        `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
        `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
        '['.repeat(65),
      ]) {
        const { status, text } = await call(deep)
        expect([status, JSON.parse(text)]).toMatchObject([
          400,
          { code: 'invalid_input', message: 'The body is nested deeper than 64 levels.' },
        ])
      }
      // Brackets in a text are no depth; what is no JSON is for the protocol to say.
      expect((await call(JSON.stringify('['.repeat(1_000)))).status).toBe(200)
      expect((await call('{')).text).toContain('-32700')
      const unread = await world.ask('/mcp', {
        method: 'POST',
        headers: { authorization: 'Bearer no' },
        body: '['.repeat(100_000),
      })
      expect(unread.status).toBe(401)
      expect(await isWell(world)).toBe(true)
      expect(world.faults).toEqual([])
    })
  })

  it('is one of many: so many a second are answered, and the rest told when to come again', async () => {
    await withServer(
      async ({ ask }) => {
        const answers = await Promise.all(Array.from({ length: 60 }, () => ask('/api/server')))
        const statuses = new Set(answers.map(({ status }) => status))
        expect(statuses).toEqual(new Set([200, 429]))
        const late = answers.find(({ status }) => status === 429)
        expect(Number(late?.headers.get('retry-after'))).toBeGreaterThan(0)
        expect(await late?.json()).toMatchObject({ code: 'too_many_requests' })
      },
      { limits: { readsPerSecond: 5 } },
    )
  })

  it('of more connections than the limit waits in no queue of ours', async () => {
    await withServer(
      async world => {
        const sockets = await Promise.all(
          Array.from({ length: 12 }, async () => {
            const socket = net.connect(world.server.port, '127.0.0.1')
            socket.on('error', () => socket.destroy())
            await new Promise(resolve => socket.once('connect', resolve))
            return socket
          }),
        )
        await pause(100)
        const open = sockets.filter(socket => !socket.destroyed && socket.readable)
        expect(open.length).toBeLessThanOrEqual(4)
        for (const socket of sockets) socket.destroy()
        await pause(50)
        expect(await isWell(world)).toBe(true)
      },
      { limits: { mostConnections: 4 } },
    )
  })
})

describe('A route', () => {
  it('that is not there is told as JSON under /api, and as a page elsewhere', async () => {
    await withServer(async ({ ask }) => {
      const route = await ask('/api/nothing')
      expect([route.status, await route.json()]).toEqual([
        404,
        {
          code: 'route_not_found',
          message: 'Route not found: /api/nothing.',
          hint: 'GET /api/openapi.json lists the routes.',
        },
      ])
      const page = await ask('/nothing')
      expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=UTF-8'])
    })
  })

  it('says which methods it takes', async () => {
    await withServer(async ({ ask }) => {
      const put = await ask('/api/entries', { method: 'PUT', body: '{}' })
      expect([put.status, put.headers.get('allow'), await put.json()]).toEqual([
        405,
        'GET, POST, HEAD',
        {
          code: 'method_unknown',
          message: '/api/entries does not take PUT.',
          hint: 'It takes GET, POST, HEAD.',
        },
      ])
      const head = await ask('/api/status', { method: 'HEAD' })
      expect([head.status, await head.text()]).toEqual([200, ''])
      expect((await ask('/api/live', { method: 'HEAD' })).status).toBe(405)
    })
  })

  it('that fails in a way we do not know tells nothing of how', () => {
    const { status, body } = failureOf(new Error('boom in /home/ana/code/api.ts'))
    expect([status, body]).toEqual([
      500,
      {
        code: 'internal',
        message: 'Cairn failed in a way that it does not know.',
        hint: 'What happened is on the terminal of `cairn up`.',
      },
    ])
  })
})

describe('The files of the page', () => {
  it('come compressed, and not again while they are known', async () => {
    await withServer(async ({ address }) => {
      const html = await (await fetch(`${address}/`)).text()
      const script = /\/assets\/[^"]+\.js/.exec(html)?.[0] ?? ''
      const plain = await fetch(`${address}${script}`, { headers: { 'accept-encoding': 'identity' } })
      const packed = await fetch(`${address}${script}`, { headers: { 'accept-encoding': 'gzip, br' } })
      expect([plain.headers.get('content-encoding'), packed.headers.get('content-encoding')]).toEqual([
        null,
        'br',
      ])
      expect(await packed.text()).toBe(await plain.text())
      const etag = packed.headers.get('etag') ?? ''
      const again = await fetch(`${address}${script}`, {
        headers: { 'accept-encoding': 'br', 'if-none-match': etag },
      })
      expect([again.status, await again.text()]).toEqual([304, ''])
      expect(plain.headers.get('etag')).not.toBe(etag)
      expect((await fetch(`${address}${script}.br`)).status).toBe(404)
    })
  })
})
