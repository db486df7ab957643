import * as path from 'node:path'
import { expect, test } from 'vitest'
import { packageFolder } from '../../system/package-folder.ts'
import { openBuiltInEmbedder } from './built-in-embedder.ts'
import { openThreadedEmbedder } from './threaded-embedder.ts'

const modelFolder = path.join(packageFolder(), 'dist/model')

test('gives the vectors that the built-in embedder gives, also to many who ask at once', async () => {
  const texts = Array.from({ length: 9 }, (_, i) => `entry ${i}: ${'some words '.repeat(i % 4)}`)
  const plain = openBuiltInEmbedder(modelFolder)
  const threaded = openThreadedEmbedder(modelFolder)
  expect(threaded).toMatchObject({ model: plain.model, dimensions: 384 })
  const expected = await plain.embed(texts, { maxTokens: 12 })
  expect(await threaded.embed(texts, { maxTokens: 12 })).toEqual(expected)
  const alone = await Promise.all(texts.map(async text => (await threaded.embed([text]))[0]))
  expect(alone).toEqual(await plain.embed(texts))
  await plain.close()
  await threaded.close()
})

test('refuses when it is closed, and what still waited with it', async () => {
  const embedder = openThreadedEmbedder(modelFolder)
  const waiting = embedder.embed(['one text', 'another text'])
  const refused = expect(waiting).rejects.toMatchObject({ code: 'embedder_unavailable' })
  await embedder.close()
  await refused
  await expect(embedder.embed(['late'])).rejects.toMatchObject({ code: 'embedder_unavailable' })
})

test('a question that many others stand before is refused at once, and the next one later is not', async () => {
  const embedder = openThreadedEmbedder(modelFolder)
  const ask = (i: number) => embedder.embed([`what did we decide about part ${i}?`], { maxTokens: 64 })
  for (let i = 0; i < 3; i++) await ask(i)
  const asked = await Promise.allSettled(Array.from({ length: 200 }, (_, i) => ask(i)))
  const answered = asked.filter(({ status }) => status === 'fulfilled').length
  expect(asked[0]?.status).toBe('fulfilled')
  expect(asked.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'embedder_busy' } })
  expect(answered).toBeLessThan(100)
  expect(await ask(0)).toHaveLength(1)
  await embedder.close()
})
