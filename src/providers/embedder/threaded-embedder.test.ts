import { execFileSync } from 'node:child_process'
import * as path from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { packageFolder } from '../../kernel/system/package-facts.ts'
import { openBuiltInEmbedder } from './built-in-embedder.ts'
import { openThreadedEmbedder } from './threaded-embedder.ts'

const modelFolder = path.join(packageFolder(), 'dist/model')
const workerFile = path.join(packageFolder(), 'dist/embed-worker.js')

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

test('a question that waits behind one that takes longer than was reckoned is refused before that one is answered', async () => {
  const program = `
    const { parentPort } = require('node:worker_threads')
    parentPort.on('message', ({ texts: [text] }) => {
      const answer = () => parentPort.postMessage({ kind: 'vectors', numbers: new Float32Array(384) })
      setTimeout(answer, text === 'slow' ? 1_000 : 0)
    })`
  const embedder = openThreadedEmbedder(modelFolder, () => new Worker(program, { eval: true }))
  const ask = (text: string) => embedder.embed([text], { maxTokens: 64 })
  for (let i = 0; i < 3; i++) await ask('quick')
  const order: string[] = []
  const slow = ask('slow').then(() => order.push('slow is answered'))
  const late = ask('late').catch((error: { code: string }) => order.push(error.code))
  await Promise.all([slow, late])
  expect(order).toEqual(['embedder_busy', 'slow is answered'])
  expect(await ask('quick')).toHaveLength(1)
  await embedder.close()
})

test('one who asks for many texts at once is answered, and keeps no question of others from its answer', async () => {
  const embedder = openThreadedEmbedder(modelFolder)
  const ask = (text: string) => embedder.embed([text], { maxTokens: 64 })
  for (let i = 0; i < 3; i++) await ask(`question ${i}`)
  const texts = Array.from({ length: 64 }, (_, i) => `what was said in part ${i}`)
  // Twice: how long a text takes is known the second time.
  for (let i = 0; i < 2; i++) {
    const many = embedder.embed(texts, { maxTokens: 64 })
    expect(await ask('what did we decide?')).toHaveLength(1)
    expect(await many).toHaveLength(64)
  }
  const all = await Promise.allSettled(
    Array.from({ length: 4 }, () => embedder.embed(texts, { maxTokens: 64 })),
  )
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected'])
  await embedder.close()
})

test('tries again after a thread that could not be started, and after one that ended', async () => {
  const started: string[] = []
  const embedder = openThreadedEmbedder(modelFolder, workerData => {
    started.push('')
    if (started.length === 1) throw new Error('no thread is left')
    const program = started.length === 2 ? 'process.exit(3)' : `import(${JSON.stringify(workerFile)})`
    return new Worker(program, { eval: true, workerData, execArgv: [] })
  })
  await expect(embedder.embed(['one'])).rejects.toMatchObject({ code: 'embedder_unavailable' })
  await expect(embedder.embed(['one', 'two'])).rejects.toMatchObject({ code: 'embedder_unavailable' })
  expect(await embedder.embed(['one'])).toHaveLength(1)
  await embedder.close()
})

test.runIf(process.platform === 'linux')('a thread of a process that stands back further stays there', () => {
  const program = `
    const { readdirSync, readFileSync } = require('node:fs')
    const { Worker } = require('node:worker_threads')
    const workerData = { modelFolder: ${JSON.stringify(modelFolder)}, nice: 10 }
    const worker = new Worker(${JSON.stringify(workerFile)}, { workerData })
    worker.postMessage({ texts: ['one'] })
    worker.on('message', () => {
      const nice = readdirSync('/proc/self/task').map(id => Number(readFileSync('/proc/self/task/' + id + '/stat', 'utf8').split(') ')[1].split(' ')[16]))
      process.stdout.write(String(Math.min(...nice)), () => process.exit(0))
    })`
  expect(execFileSync('nice', ['-n', '15', process.execPath, '-e', program], { encoding: 'utf8' })).toBe('15')
})
