import { expect, it } from 'vitest'
import type { SearchIndex } from './ports.ts'
import { retrieve } from './retrieve.ts'
import { textIndex } from './text-index.ts'

/** A vault in which `redis` is everywhere and `quota` in one entry. */
const VAULT: SearchIndex = {
  statistics: async () => ({
    documentCount: 100,
    totalLength: { body: 1_000, tags: 0, files: 0, kind: 100, date: 500 },
    documentsByLanguage: { en: 100 },
  }),
  documentFrequencies: async tokens =>
    new Map(tokens.flatMap(token => (token === 'redi' || token === 'redis' ? [[token, 90]] : []))),
  vocabulary: async () => [],
  findCandidates: async () => {
    throw new Error('entries are ranked elsewhere')
  },
  findNeighbourhoods: async () => [],
  listEntries: async () => ({ entries: [], total: 0 }),
  loadEntries: async () => new Map(),
}

const text = (id: string, content: string) => ({
  id,
  content,
  files: [],
  kind: 'gotchas',
  date: '2026-03-16T10:00',
})

const ask = async (query: string, contents: readonly string[]) => {
  const index = textIndex(
    contents.map((content, at) => text(`t${at}`, content)),
    VAULT,
  )
  const { ranked } = await retrieve(index, {
    query,
    filter: {},
    wanted: 5,
    aliases: {},
    now: '2026-03-16T10:00',
  })
  return ranked.map(({ id }) => id)
}

it('ranks texts as entries are ranked: a word that the vault is full of says little', async () => {
  expect(await ask('redis quota', ['Redis is slow', 'The quota is low', 'nothing of it'])).toEqual([
    't1',
    't0',
  ])
})

it('finds other forms of a word, and a slip of the pen', async () => {
  expect(await ask('quotas', ['The quota is low'])).toEqual(['t0'])
  expect(await ask('middlewre', ['Extend the middleware'])).toEqual(['t0'])
})

it('knows of texts that were counted and not analysed', async () => {
  const { documentCount } = await textIndex([text('a', 'one')], VAULT, 9).statistics()
  expect(documentCount).toBe(110)
})
