import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest'
import { cosine, openReferenceEncoder } from '../../../test/support/reference-encoder.ts'
import type { Embedder } from '../../features/search/decide/ports.ts'
import { packageFolder } from '../../kernel/system/package-facts.ts'
import { pieceIds } from '../../kernel/text/wordpiece.ts'
import { openBuiltInEmbedder } from './built-in-embedder.ts'
import { openModelFile } from './model-file.ts'

const MODEL_FOLDER = path.join(packageFolder(), 'dist/model')
const MODEL_FILE = path.join(MODEL_FOLDER, 'minilm.bin')

let embedder: Embedder
beforeAll(() => {
  embedder = openBuiltInEmbedder(MODEL_FOLDER)
})
afterAll(() => embedder.close())

async function vectorOf(text: string, maxTokens?: number): Promise<Float32Array> {
  const [vector] = await embedder.embed([text], maxTokens === undefined ? {} : { maxTokens })
  if (vector === undefined) throw new Error('one text in, one vector out')
  return vector
}

test('says what it is', () => {
  expect({ model: embedder.model, dimensions: embedder.dimensions }).toEqual({
    model: 'minilm-l6-v2-int8.1',
    dimensions: 384,
  })
})

describe('agrees with the model in full precision on', () => {
  const file = openModelFile(MODEL_FILE)
  const reference = openReferenceEncoder()
  afterAll(() => file.close())

  it.each([
    ['nothing', ''],
    ['one word', 'raft'],
    ['English', 'How long does a paying hiker without signal keep the premium features?'],
    ['Portuguese', 'Decisão: não usamos float para dinheiro; centavos em bigint, arredondamento bancário.'],
    ['code', 'export async function retry<T>(run: () => Promise<T>, attempts = 3): Promise<T> {'],
    ['names', 'src/db/pool.ts PgBouncer max_client_conn ECONNRESET `useAuthCallback`'],
    ['emoji', 'ship it 🎉🚀 ☕'],
    ['Japanese', '設定ファイルを読み込む'],
    ['a lone surrogate', 'broken \ud800 text'],
    ['a page', 'The nightly job compacts segments and writes a manifest before it swaps them. '.repeat(14)],
  ])('%s', async (_name, text) => {
    const ids = pieceIds(text, file.pieces, file.maxTokens)
    expect(cosine(await vectorOf(text), reference(ids))).toBeGreaterThan(0.999)
  })
})

test('gives unit vectors, the same ones whatever was embedded before', async () => {
  const alone = await vectorOf('retry with backoff')
  await vectorOf('something longer that leaves other numbers behind in every work area of the program')
  expect(await vectorOf('retry with backoff')).toEqual(alone)
  expect(Math.hypot(...alone)).toBeCloseTo(1, 5)
})

test('finds what is meant behind other words', async () => {
  const query = await vectorOf('the app stops recording when the phone is locked')
  const right = await vectorOf(
    'Doze kills the location service; keep a foreground service with a notification.',
  )
  const wrong = await vectorOf('Invoices are numbered per tenant and never reused.')
  expect(cosine(query, right)).toBeGreaterThan(cosine(query, wrong) + 0.2)
})

test('keeps the order of the texts', async () => {
  const texts = ['alpha', 'beta', 'gamma']
  const together = await embedder.embed(texts)
  expect(together).toEqual([await vectorOf('alpha'), await vectorOf('beta'), await vectorOf('gamma')])
})

test('reads a text up to the tokens that are wanted', async () => {
  const text = 'one two three four five six seven eight nine ten'
  expect(await vectorOf(text, 6)).toEqual(await vectorOf('one two three four'))
  expect(await vectorOf(text, 100_000)).toEqual(await vectorOf(text))
  expect(await vectorOf(text, 0)).toEqual(await vectorOf(''))
})

test('takes a megabyte, whatever it is made of', async () => {
  for (const text of [
    ' '.repeat(1e6),
    'x'.repeat(1e6),
    'word '.repeat(2e5),
    'é'.repeat(1e6),
    '\0'.repeat(1e6),
  ]) {
    expect(Math.hypot(...(await vectorOf(text, 64)))).toBeCloseTo(1, 5)
  }
})

test('refuses to embed after it was closed', async () => {
  const closed = openBuiltInEmbedder(MODEL_FOLDER)
  await closed.close()
  await closed.close()
  await expect(closed.embed(['text'])).rejects.toMatchObject({ code: 'embedder_unavailable' })
})

describe('says that it is unavailable when the file', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'cairn-model-'))
  afterEach(() => rmSync(path.join(folder, 'minilm.bin'), { force: true }))
  afterAll(() => rmSync(folder, { recursive: true }))

  const whole = () => readFileSync(MODEL_FILE)
  it.each<[string, () => Uint8Array, RegExp]>([
    ['is empty', () => new Uint8Array(), /is cut off/],
    ['ends early', () => whole().subarray(0, -1000), /is cut off/],
    ['ends in its header', () => whole().subarray(0, 100), /is cut off/],
    ['is something else', () => Buffer.from('x'.repeat(5000)), /is no model file/],
    [
      'is of another version',
      () => changed(whole(), 8, 9),
      /has format 9, and this version of Cairn reads 1/,
    ],
    ['has a damaged header', () => changed(whole(), 20, 1), /is damaged/],
    ['has a damaged program', () => changed(whole(), 128 + 4, 0xff), /its program does not run here/],
  ])('%s', (_name, bytes, message) => {
    writeFileSync(path.join(folder, 'minilm.bin'), bytes())
    expect(errorOf(() => openBuiltInEmbedder(folder))).toMatchObject({
      code: 'embedder_unavailable',
      message: expect.stringMatching(message),
      hint: expect.stringContaining('Install cairn-memory again'),
    })
  })

  it('is not there', () => {
    expect(errorOf(() => openBuiltInEmbedder(folder))).toMatchObject({
      code: 'embedder_unavailable',
      message: expect.stringMatching(/minilm.bin is not there/),
    })
  })
})

function changed(bytes: Buffer, at: number, value: number): Buffer {
  bytes[at] = value
  return bytes
}

function errorOf(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}
