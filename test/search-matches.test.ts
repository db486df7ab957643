import { expect, it, onTestFinished } from 'vitest'
import { openMemory } from '../src/api.ts'
import { composeEngine } from '../src/compose/compose.ts'
import type { Composed } from '../src/compose/composed.ts'
import { aliasAddOperation, aliasRemoveOperation } from '../src/features/entries/verbs/alias.ts'
import { confirmOperation } from '../src/features/entries/verbs/confirm.ts'
import { editOperation } from '../src/features/entries/verbs/edit.ts'
import { parseFilter } from '../src/features/entries/verbs/entry-filter.ts'
import { forgetOperation } from '../src/features/entries/verbs/forget.ts'
import { pinOperation } from '../src/features/entries/verbs/pin.ts'
import { showOperation } from '../src/features/entries/verbs/show.ts'
import { remember } from '../src/features/entries/write-entries.ts'
import { embedWaiting } from '../src/features/search/meaning.ts'
import { search } from '../src/features/search/search-memory.ts'
import { graphOperation } from '../src/features/search/verbs/graph.ts'
import { statusOperation } from '../src/features/status/verbs/status.ts'
import { scratchProject } from './support/scratch-project.ts'
import { wordEmbedder } from './support/word-embedder.ts'

function open(embedder = wordEmbedder()): Composed {
  const engine = composeEngine({ root: scratchProject(), embedder })
  onTestFinished(() => engine.close())
  return engine
}

async function found(engine: Composed, query: string) {
  const { hits, degraded } = await search(engine, query, { filter: {}, limit: 10 })
  return { texts: hits.map(({ entry }) => entry.content), codes: degraded.map(({ code }) => code), hits }
}

it('brings no neighbour of the same session that has no word of the question', async () => {
  const engine = open()
  await remember(engine, [
    { content: 'The kettle is in the second drawer.', session: 's1' },
    { content: 'Deploys happen on Tuesdays.', session: 's1' },
    { content: 'ok', session: 's1' },
  ])
  expect((await found(engine, 'kettle')).texts).toEqual(['The kettle is in the second drawer.'])
  await embedWaiting(engine)
  expect((await found(engine, 'kettle')).texts).toEqual(['The kettle is in the second drawer.'])
})

it('brings no entry for the filler words of a question whose other words no entry has', async () => {
  const engine = open()
  await remember(engine, [{ content: 'The kettle is in the second drawer.' }])
  const texts = async (query: string) => {
    const { hits } = await search(engine, query, { filter: {}, limit: 5, wordsOnly: true })
    return hits.map(({ entry }) => entry.content)
  }
  expect(await texts('what is the quarterly forecast in the north?')).toEqual([])
  expect(await texts('the')).toEqual(['The kettle is in the second drawer.'])
})

it('marks what stands beside a match in its session and may answer a question', async () => {
  const engine = open()
  await remember(engine, [
    { content: 'Which queue renders the invoices?', session: 's1' },
    { content: 'The one named paper.', session: 's1' },
  ])
  const { hits } = await search(engine, 'what is the queue of the invoices?', { filter: {}, limit: 5 })
  expect(hits.map(({ entry, marks }) => [entry.content, marks])).toEqual([
    ['Which queue renders the invoices?', undefined],
    ['The one named paper.', { besideMatch: true }],
  ])
  const { entry } = await forgetOperation.run(engine, { target: 'the queue of the invoices' }, {})
  expect(entry.content).toBe('Which queue renders the invoices?')
})

it('takes the entry that says exactly the words, though others have them too', async () => {
  const engine = open()
  await remember(engine, [
    { content: 'ok', session: 's1' },
    { content: 'Looks ok to me, ok?', session: 's1' },
  ])
  const { entry } = await forgetOperation.run(engine, { target: 'ok' }, {})
  expect(entry.content).toBe('ok')
})

it.each([
  ['pinned', (engine: Composed, target: string) => pinOperation.run(engine, { target }, {})],
  ['confirmed', (engine: Composed, target: string) => confirmOperation.run(engine, { target }, {})],
  [
    'given another importance',
    (engine: Composed, target: string) => editOperation.run(engine, { target, importance: 0.9 }, {}),
  ],
])('finds an entry by its meaning right after it was %s', async (_, change) => {
  const engine = open(wordEmbedder({ credentials: 'passwords' }))
  const [kept] = await remember(engine, [
    { content: 'Passwords are hashed with argon2id.', origin: 'agent', status: 'candidate', agent: 'dev' },
    { content: 'Deploys happen on Tuesdays.' },
  ])
  await embedWaiting(engine)
  const before = await found(engine, 'credentials')
  expect(before.texts).toEqual(['Passwords are hashed with argon2id.'])
  await change(engine, kept?.entry.id ?? '')
  const after = await found(engine, 'credentials')
  expect(after.texts).toEqual(before.texts)
  expect(after.codes).toEqual([])
})

it('puts an entry that waits for its vector before what is only near in meaning, and says that it waits', async () => {
  const engine = open(wordEmbedder({ espresso: 'coffee', machine: 'coffee', grinder: 'coffee' }))
  await remember(engine, [{ content: 'The coffee comes from the corner shop.' }])
  await embedWaiting(engine)
  const fresh =
    'A long note about the office, its rooms, its plants, its doors and its windows, and the espresso in the kitchen.'
  await remember(engine, [{ content: fresh }])
  const { texts, codes } = await found(engine, 'espresso machine grinder')
  expect(texts[0]).toBe(fresh)
  expect(codes).toEqual(['vectors_waiting'])
  await embedWaiting(engine)
  expect((await found(engine, 'espresso machine grinder')).codes).toEqual([])
})

it.each(['kubernetes,cluster', 'kubernetes; cluster', 'kubernetes | cluster'])(
  'takes %s for two meanings',
  async meanings => {
    const engine = open()
    const { alias } = await aliasAddOperation.run(engine, { word: 'k8s', meanings: [meanings] }, {})
    expect(alias.meanings).toEqual(['kubernetes', 'cluster'])
    const { left } = await aliasRemoveOperation.run(
      engine,
      { word: 'k8s', meanings: ['cluster,nothing'] },
      {},
    )
    expect(left).not.toContain('cluster')
  },
)

it('finds an entity by every name of it, and takes the host of a redacted URL for no person', async () => {
  const engine = open()
  await remember(engine, [
    { content: 'Postgres keeps the ledger.' },
    { content: 'The queue is at redis://[redacted:connection_string]@cache:6379 and fast.' },
  ])
  for (const entity of ['postgres', 'Postgres', 'postgresql', 'service:postgres']) {
    const graph = await graphOperation.run(engine, { entity }, {})
    expect(graph.entity?.name).toBe('postgresql')
  }
  await expect(graphOperation.run(engine, { entity: 'person:cache' }, {})).rejects.toMatchObject({
    code: 'entity_not_found',
  })
})

it('shows how often an entry was fetched, when, and what its importance has faded to', async () => {
  const engine = open()
  const [kept] = await remember(engine, [{ content: 'The kettle is in the second drawer.', importance: 0.8 }])
  const target = kept?.entry.id ?? ''
  expect((await showOperation.run(engine, { target }, {})).use).toEqual({
    accessCount: 0,
    lastAccessedAt: null,
    importance: 0.4,
  })
  expect((await showOperation.run(engine, { target }, {})).use).toEqual({
    accessCount: 1,
    lastAccessedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    importance: 0.44,
  })
  expect((await statusOperation.run(engine, {}, {})).accesses).toBe(2)
})

it('asks the reranker that a program brings', async () => {
  const asked: string[] = []
  const memory = await openMemory({
    root: scratchProject(),
    vectors: 'never',
    reranker: {
      name: 'reversed',
      async rerank(best, { prompt }) {
        asked.push(prompt)
        return [...best].reverse()
      },
    },
  })
  onTestFinished(() => memory.close())
  await memory.remember('The kettle is in the second drawer.')
  await memory.brief({ prompt: 'where is the kettle?' })
  expect(asked).toEqual(['where is the kettle?'])
})

it('refuses dates that no calendar has, in an entry and in a filter', async () => {
  const engine = composeEngine({ root: scratchProject() })
  const noDate = { code: 'invalid_input', message: expect.stringContaining('is not a date') }
  for (const date of ['2026-02-31', '2026-13-01', '2026-04-31T10:00'])
    await expect(remember(engine, [{ content: 'Dates are checked.', date }])).rejects.toMatchObject(noDate)
  for (const since of ['2026-13', '2026-00', '2026-02-30', '2026-13-99'])
    await expect(parseFilter({ since })).rejects.toThrow('is not a date')
  expect(await parseFilter({ since: '2024-02-29', until: '2026' })).toEqual({
    since: '2024-02-29',
    until: '2026',
  })
  await engine.close()
})
