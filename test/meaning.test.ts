import { rmSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { openMemory } from '../src/api.ts'
import { composeEngine } from '../src/compose/compose.ts'
import type { Composed } from '../src/compose/composed.ts'
import { promptBrief } from '../src/features/brief/brief.ts'
import { changeEntry, remember } from '../src/features/entries/write-entries.ts'
import type { Embedder } from '../src/features/search/decide/ports.ts'
import { embedWaiting } from '../src/features/search/meaning.ts'
import { search } from '../src/features/search/search-memory.ts'
import { CairnError } from '../src/kernel/model/errors.ts'
import { scratchProject } from './support/scratch-project.ts'
import { wordEmbedder } from './support/word-embedder.ts'

const MEANINGS = { automobile: 'car', vehicle: 'car', login: 'session', cookie: 'session' }
const CAR = 'The rental desk keeps every vehicle key in the blue cabinet by the door.'
const QUEUE = 'Deliveries are retried by the queue worker with a growing pause between tries.'

function open(root: string, embedder: Embedder = wordEmbedder(MEANINGS)): Composed {
  return composeEngine({ root, embedder })
}
async function found(engine: Composed, query: string) {
  const { hits, degraded } = await search(engine, query, { filter: {}, limit: 10 })
  return { contents: hits.map(hit => hit.entry.content), degraded: degraded.map(({ code }) => code) }
}

describe('meaning', () => {
  it('finds an entry that shares no word with the question', async () => {
    const engine = open(scratchProject())
    await remember(engine, [{ content: CAR }, { content: QUEUE }])
    expect((await found(engine, 'automobile')).contents).toEqual([])
    expect(await embedWaiting(engine)).toEqual({ embedded: 2, waiting: 0 })
    expect((await found(engine, 'automobile')).contents[0]).toBe(CAR)
    expect((await found(engine, 'retried deliveries')).contents[0]).toBe(QUEUE)
    await engine.close()
  })

  it('does not decide about a brief where the model cannot read the prompt; a search still uses it', async () => {
    const engine = open(scratchProject(), { ...wordEmbedder(MEANINGS), reads: () => false })
    await remember(engine, [{ content: CAR }, { content: QUEUE }])
    await embedWaiting(engine)
    const { considered } = await promptBrief(engine, { prompt: 'the automobile by the door' })
    expect(considered.map(({ scored }) => scored.meaning)).toEqual([0])
    expect((await found(engine, 'automobile')).contents[0]).toBe(CAR)
    await engine.close()
  })

  it('is missing until the vectors are made, and that is said as long as one is missing', async () => {
    const engine = open(scratchProject())
    await remember(engine, [{ content: CAR }])
    expect(await found(engine, 'vehicle key')).toEqual({ contents: [CAR], degraded: ['vectors_waiting'] })
    await embedWaiting(engine)
    await remember(engine, [{ content: `${QUEUE} Twice.` }])
    expect((await found(engine, 'vehicle key')).degraded).toEqual(['vectors_waiting'])
    await remember(
      engine,
      Array.from({ length: 40 }, (_, n) => ({ content: `Fact ${n} about ${QUEUE}` })),
    )
    expect((await found(engine, 'vehicle key')).degraded).toEqual(['vectors_waiting'])
    await embedWaiting(engine)
    expect((await found(engine, 'vehicle key')).degraded).toEqual([])
    await engine.close()
  })

  it('follows an entry that changes or goes', async () => {
    const engine = open(scratchProject())
    const [car, queue] = await remember(engine, [{ content: CAR }, { content: QUEUE }])
    await embedWaiting(engine)
    await changeEntry(engine, car?.entry.id ?? '', 'update', entry => ({
      ...entry,
      content: QUEUE.replace('queue', 'mail'),
    }))
    expect(await engine.semantics.vectors.state()).toMatchObject({ count: 1, waiting: 1 })
    await embedWaiting(engine)
    expect((await found(engine, 'automobile')).contents).not.toContain(CAR)
    await changeEntry(engine, queue?.entry.id ?? '', 'remove', () => null)
    expect(await engine.semantics.vectors.state()).toMatchObject({ count: 1, waiting: 0 })
    await engine.close()
  })

  it('skips a vector whose entry changed while it was made', async () => {
    const engine = open(scratchProject())
    const [car] = await remember(engine, [{ content: CAR }])
    const [waiting] = await engine.semantics.vectors.waiting(10)
    await engine.semantics.vectors.startModel('words.1')
    await changeEntry(engine, car?.entry.id ?? '', 'update', entry => ({ ...entry, content: QUEUE }))
    const [vector = new Float32Array()] = await wordEmbedder().embed([CAR])
    await engine.semantics.vectors.put([{ id: car?.entry.id ?? '', version: waiting?.version ?? '', vector }])
    expect(await engine.semantics.vectors.state()).toMatchObject({ count: 0, waiting: 1 })
    await engine.close()
  })

  it('starts over with another model, and never mixes the two', async () => {
    const root = scratchProject()
    const first = open(root)
    await remember(first, [{ content: CAR }, { content: QUEUE }])
    await embedWaiting(first)
    await first.close()
    const second = open(root, wordEmbedder({}, { model: 'words.2' }))
    expect((await found(second, 'vehicle')).degraded).toEqual(['vectors_waiting'])
    await embedWaiting(second, { limit: 1 })
    expect(await second.semantics.vectors.state()).toEqual({ model: 'words.2', count: 1, waiting: 1 })
    await second.close()
  })

  it('comes back after the index was deleted', async () => {
    const root = scratchProject()
    const first = open(root)
    await remember(first, [{ content: CAR }])
    await embedWaiting(first)
    await first.close()
    rmSync(path.join(root, '.memory', '.vault'), { recursive: true })
    const second = open(root)
    expect((await found(second, 'vehicle')).contents).toEqual([CAR])
    expect(await embedWaiting(second)).toEqual({ embedded: 1, waiting: 0 })
    await second.close()
  })

  it('that fails leaves the answer to the words, and says so', async () => {
    const root = scratchProject()
    const first = open(root)
    await remember(first, [{ content: CAR }])
    await embedWaiting(first)
    await first.close()
    const broken: Embedder = {
      ...wordEmbedder(MEANINGS),
      embed: async () => {
        throw new CairnError({ code: 'embedder_failed', message: 'No answer.', hint: 'Try again.' })
      },
    }
    const second = open(root, broken)
    expect(await found(second, 'vehicle key')).toEqual({ contents: [CAR], degraded: ['embedder_failed'] })
    await second.close()
  })

  it('stops at its limit and at its deadline, and goes on later', async () => {
    const engine = open(scratchProject())
    await remember(
      engine,
      Array.from({ length: 130 }, (_, n) => ({ content: `Fact ${n}: ${CAR}` })),
    )
    expect(await embedWaiting(engine, { limit: 10 })).toEqual({ embedded: 10, waiting: 120 })
    expect(await embedWaiting(engine, { deadlineMs: 0 })).toEqual({ embedded: 0, waiting: 120 })
    const progress: number[] = []
    await embedWaiting(engine, { onProgress: done => progress.push(done) })
    expect(progress).toEqual([64, 120])
    await engine.close()
  })
})

describe('an entry that replaces an older one', () => {
  const OLD = { content: 'Sessions live in Redis for one hour.', kind: 'decision', date: '2026-01-05T10:00' }
  const NEW = { content: 'Sessions live in Postgres.', kind: 'decision', date: '2026-03-05T10:00' }

  it('comes before it where it names it, whichever the words favour', async () => {
    const engine = open(scratchProject())
    const [old] = await remember(engine, [OLD])
    await remember(engine, [
      { ...NEW, lineage: { supersedes: old?.entry.id ?? '' } },
      { content: QUEUE, kind: 'decision' },
    ])
    await embedWaiting(engine)
    expect((await found(engine, 'redis for one hour')).contents.slice(0, 2)).toEqual([
      NEW.content,
      OLD.content,
    ])
    await engine.close()
  })

  it('is not guessed from its words or its vector', async () => {
    const engine = open(scratchProject())
    await remember(engine, [
      OLD,
      { ...NEW, content: 'Moved off Redis: sessions live in Postgres now instead.' },
      { content: QUEUE, kind: 'decision' },
    ])
    await embedWaiting(engine)
    expect((await found(engine, 'redis for one hour')).contents[0]).toBe(OLD.content)
    await engine.close()
  })
})

describe('the library', () => {
  it('makes the vectors of what it keeps by itself, and finishes when it is closed', async () => {
    const root = scratchProject()
    const memory = await openMemory({ root })
    await memory.remember(CAR)
    await expect
      .poll(async () => (await memory.status()).vectors, { timeout: 20_000 })
      .toMatchObject({ count: 1, waiting: 0 })
    await memory.remember(QUEUE)
    await memory.close()
    const idle = await openMemory({ root, vectors: 'never' })
    await idle.remember('One that nobody embeds.')
    await new Promise(resolve => setTimeout(resolve, 400))
    expect((await idle.status()).vectors.waiting).toBeGreaterThan(0)
    await idle.close()
  })
})
