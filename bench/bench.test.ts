import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as library from '../src/api.ts'
import { findBeirFolders, readBeirFolder } from './beir-folder.ts'
import { runFolder, summarise } from './retrieval.ts'

let data: string

async function writeFolder(name: string, files: Record<string, readonly unknown[]>): Promise<void> {
  const folder = path.join(data, name)
  await mkdir(folder, { recursive: true })
  for (const [file, lines] of Object.entries(files)) {
    const text = lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
    await writeFile(path.join(folder, file), `${text}\n`)
  }
}

beforeAll(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'cairn-bench-test-'))
  await writeFolder('orchard/pears', {
    'corpus.jsonl': [
      {
        _id: 'd1',
        text: 'The pear press leaks unless the valve is closed first.',
        metadata: { kind: 'warning', tags: ['press'] },
      },
      {
        _id: 'd2',
        text: 'Close the valve before pressing, or juice is lost.',
        metadata: { category: 'lessons' },
      },
      { _id: 'd3', text: 'Crates are counted every Friday by the night shift.' },
      { _id: 'd4', text: 'Crates are counted every Friday by the night shift.' },
      { _id: 'd5', text: 'x'.repeat(20_000) },
    ],
    'queries.jsonl': [
      { _id: 'q1', text: 'who is counting crates?', metadata: { type: 'keyword' } },
      { _id: 'q2', text: 'does the press leak?', metadata: { type: 'keyword' } },
      { _id: 'q3', text: 'volcano weather', metadata: { type: 'negative' } },
      { _id: 'q4', text: 'night shift crates', metadata: { category: 'adversarial' } },
      { _id: 'q5', text: 'zebra', metadata: { type: 'lost' } },
    ],
    'qrels.tsv': [
      'query-id\tcorpus-id\tscore',
      'q1\td3\t2',
      'q1\td4\t2',
      'q2\td2\t2',
      'q2\td3\t1',
      'q4\td3\t2',
      'q5\td5\t2',
    ],
    'duplicates.tsv': ['corpus-id\tduplicate-id', 'd1\td2'],
  })
  await writeFolder('harbour', {
    'corpus.jsonl': [{ _id: 'a', text: 'Ferries leave from pier nine at dawn.' }],
    'queries.jsonl': [{ _id: 'q', text: 'which pier have the ferries?' }],
    'qrels.tsv': ['query-id\tcorpus-id\tscore', 'q\ta\t1'],
  })
  await writeFolder('notes-without-questions', { 'readme.txt': ['nothing to measure'] })
})

afterAll(() => rm(data, { recursive: true, force: true }))

it('finds folders directly below, in sets, or the folder itself', () => {
  const names = (root: string) => findBeirFolders(root).map(({ set, name }) => `${set}: ${name}`)
  expect(names(data)).toEqual(['harbour: harbour', 'orchard: orchard/pears'])
  expect(names(path.join(data, 'orchard'))).toEqual(['pears: pears'])
  expect(names(path.join(data, 'harbour'))).toEqual(['harbour: harbour'])
})

it('measures retrieval through the library, one project a folder', async () => {
  const runs = []
  for (const place of findBeirFolders(data)) runs.push(await runFolder(library, readBeirFolder(place)))
  const { overall, sets, adversarial, failedImports } = summarise(runs)

  const perfect = { 'recall@5': 1, 'recall@10': 1, 'recall@20': 1, mrr: 1, 'ndcg@10': 1, 'hit@5': 1 }
  const none = { 'recall@5': 0, 'recall@10': 0, 'recall@20': 0, mrr: 0, 'ndcg@10': 0, 'hit@5': 0 }
  const threeOfFour = {
    'recall@5': 0.75,
    'recall@10': 0.75,
    'recall@20': 0.75,
    mrr: 0.75,
    'ndcg@10': 0.75,
    'hit@5': 0.75,
  }
  expect(overall).toEqual({ queries: 4, ...threeOfFour })
  expect(sets.harbour).toMatchObject({ queries: 1, ...perfect })
  expect(sets.orchard?.categories).toEqual({
    keyword: { queries: 2, ...perfect },
    lost: { queries: 1, ...none },
  })
  expect(sets.orchard?.folders['orchard/pears']).toMatchObject({
    queries: 3,
    documents: 5,
    merged: 1,
    failed: 1,
    negatives: 1,
  })
  expect(adversarial).toEqual({ queries: 1, ...perfect })
  expect(failedImports).toBe(1)
})
