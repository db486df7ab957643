import * as path from 'node:path'
import { expect, test } from 'vitest'
import { packageFolder } from '../../kernel/system/package-facts.ts'
import { openBuiltInEmbedder } from './built-in-embedder.ts'
import { embedMany } from './embed-many.ts'

const modelFolder = path.join(packageFolder(), 'dist/model')

test('embeds on several threads what one embedder would, in the same order', async () => {
  const texts = Array.from({ length: 37 }, (_, i) => `entry ${i}: ${'some words '.repeat(i % 7)}`)
  const embedder = openBuiltInEmbedder(modelFolder)
  const expected = await embedder.embed(texts, { maxTokens: 12 })
  await embedder.close()
  const seen: number[] = []
  const vectors = await embedMany(texts, {
    modelFolder,
    workers: 2,
    maxTokens: 12,
    onProgress: (done, total) => {
      expect(total).toBe(37)
      seen.push(done)
    },
  })
  expect(vectors).toEqual(expected)
  expect(seen).toEqual([...seen].sort((a, b) => a - b))
  expect(seen.at(-1)).toBe(37)
})

test('has nothing to do for no texts', async () => {
  expect(await embedMany([], { modelFolder })).toEqual([])
})

test('ends when it is told to, with the reason', async () => {
  const controller = new AbortController()
  const texts = Array.from({ length: 500 }, (_, i) => `entry ${i}`)
  const running = embedMany(texts, {
    modelFolder,
    workers: 2,
    signal: controller.signal,
    onProgress: () => controller.abort(new Error('enough')),
  })
  await expect(running).rejects.toThrow('enough')
  await expect(embedMany(texts, { modelFolder, signal: controller.signal })).rejects.toThrow('enough')
})

test('says that there is no model', async () => {
  await expect(embedMany(['text'], { modelFolder: '/nowhere' })).rejects.toMatchObject({
    code: 'embedder_unavailable',
    message: expect.stringMatching(
      /^The built-in embedding model cannot be used: \S+minilm\.bin is not there\.$/,
    ),
  })
})
