import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { openHttpEmbedder } from './http-embedder.ts'

interface Seen {
  readonly url: string | undefined
  readonly key: string | undefined
  readonly body: { model: string; input: string[] }
}

type Answer = { status?: number; body: unknown; headers?: Record<string, string> } | 'never'

let server: Server
let origin: string
let seen: Seen[]
let answer: (request: Seen) => Answer

beforeEach(async () => {
  seen = []
  server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request)) as Seen['body']
    const one = { url: request.url, key: request.headers.authorization, body }
    seen.push(one)
    const reply = answer(one)
    if (reply === 'never') return
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  delete process.env.CAIRN_TEST_KEY
  server.closeAllConnections()
  server.close()
})

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

const ollama = () => openHttpEmbedder({ url: `${origin}/api/embed`, model: 'nomic', timeoutMs: 5000 })
const openAi = () => openHttpEmbedder({ url: `${origin}/v1/embeddings`, model: 'small', timeoutMs: 5000 })

test('asks an OpenAI-compatible server, and takes its vectors in any order', async () => {
  answer = () => ({
    body: {
      data: [
        { index: 1, embedding: [0, 2, 0] },
        { index: 0, embedding: [3, 0, 4] },
      ],
    },
  })
  const embedder = openAi()
  expect(embedder.dimensions).toBe(0)
  expect(await embedder.embed(['a', 'b'])).toEqual([Float32Array.of(0.6, 0, 0.8), Float32Array.of(0, 1, 0)])
  expect(embedder.dimensions).toBe(3)
  expect(embedder.model).toBe(`${origin}/v1/embeddings#small`)
  expect(seen).toEqual([
    { url: '/v1/embeddings', key: undefined, body: { model: 'small', input: ['a', 'b'] } },
  ])
  await embedder.close()
})

test('asks Ollama, 64 texts at a time', async () => {
  answer = ({ body }) => ({ body: { embeddings: body.input.map(text => [Number(text), 1]) } })
  const vectors = await ollama().embed(Array.from({ length: 100 }, (_, i) => String(i)))
  expect(seen.map(({ url, body }) => [url, body.input.length])).toEqual([
    ['/api/embed', 64],
    ['/api/embed', 36],
  ])
  expect(vectors.map(([x = 0, y = 1]) => Math.round(x / y))).toEqual(Array.from({ length: 100 }, (_, i) => i))
})

test('sends the key that a variable holds, and shows it to nobody', async () => {
  process.env.CAIRN_TEST_KEY = 'not-a-real-key'
  answer = () => ({ status: 401, body: { error: { message: 'bad key not-a-real-key' } } })
  const embedder = openHttpEmbedder({
    url: `${origin}/v1/embeddings?version=2`,
    model: 'small',
    keyVariable: 'CAIRN_TEST_KEY',
  })
  const error = await embedder.embed(['a']).catch((reason: unknown) => reason)
  expect(seen[0]?.key).toBe('Bearer not-a-real-key')
  expect(error).toMatchObject({ code: 'embedder_failed', message: expect.stringContaining('bad key [key]') })
  expect(embedder.model).toBe(`${origin}/v1/embeddings#small`)
})

test('asks without a key where the variable is not set', async () => {
  const embedder = openHttpEmbedder({
    url: `${origin}/v1/embeddings`,
    model: 'm',
    keyVariable: 'CAIRN_TEST_KEY',
  })
  // Whatever this server answers, it was asked, and without a key.
  await embedder.embed(['a']).catch(() => undefined)
  expect(seen).toHaveLength(1)
  expect(JSON.stringify(seen)).not.toContain('Bearer')
})

describe('fails with its name when the server', () => {
  it.each<[string, Answer, RegExp]>([
    ['fails', { status: 500, body: 'oops' }, /status 500\./],
    ['tells why', { status: 404, body: { error: 'model "nomic" not found' } }, /status 404: model/],
    ['gives no JSON', { body: '<html>' }, /no JSON/],
    ['gives something else', { body: { ok: true } }, /0 vectors for 1 texts/],
    ['gives nothing', { body: 'null' }, /0 vectors for 1 texts/],
    ['gives too many', { body: { embeddings: [[1], [1]] } }, /2 vectors for 1 texts/],
    ['gives no numbers', { body: { embeddings: [['1', '2']] } }, /not made of numbers/],
    ['gives a hole', { body: { embeddings: [[1, null]] } }, /not made of numbers/],
    ['gives numbers too large', { body: '{"embeddings":[[1e999,1]]}' }, /not made of numbers/],
    ['gives zeros', { body: { embeddings: [[0, 0]] } }, /not made of numbers/],
    ['gives an empty vector', { body: { embeddings: [[]] } }, /a vector is missing/],
    ['gives no vector', { body: { data: [null] } }, /a vector is missing/],
    ['sends elsewhere', { status: 307, body: '', headers: { location: 'http://127.0.0.1:9/' } }, /redirect/],
  ])('%s', async (_name, reply, message) => {
    answer = () => reply
    await expect(ollama().embed(['a'])).rejects.toMatchObject({
      code: 'embedder_failed',
      message: expect.stringMatching(message),
    })
  })

  it('does not answer', async () => {
    answer = () => 'never'
    const embedder = openHttpEmbedder({ url: `${origin}/api/embed`, model: 'nomic', timeoutMs: 50 })
    await expect(embedder.embed(['a'])).rejects.toMatchObject({
      code: 'embedder_failed',
      message: expect.stringContaining('no answer in time'),
    })
  })

  it('is not there', async () => {
    server.close()
    await expect(ollama().embed(['a'])).rejects.toMatchObject({
      code: 'embedder_failed',
      message: expect.stringContaining('ECONNREFUSED'),
    })
  })

  it('changes its mind about the dimensions', async () => {
    answer = ({ body }) => ({ body: { embeddings: [body.input[0] === 'a' ? [1] : [1, 2]] } })
    const embedder = ollama()
    await embedder.embed(['a'])
    await expect(embedder.embed(['b'])).rejects.toMatchObject({
      code: 'embedder_failed',
      message: expect.stringContaining('2 dimensions after 1'),
    })
  })
})

test.each([
  ['file:///etc/passwd', 'http:// or https://'],
  ['localhost', 'http:// or https://'],
  ['http://user:secret@localhost/api/embed', 'must not hold a password'],
])('refuses the url %s', (url, message) => {
  expect(() => openHttpEmbedder({ url, model: 'm' })).toThrow(message)
})
