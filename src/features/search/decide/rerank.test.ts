import { expect, it } from 'vitest'
import type { Scored } from './fuse.ts'
import { diversityReranker, noReranker } from './rerank.ts'

const scored = (id: string, score: number): Scored => ({ id, score, words: score, meaning: 0 })
const BEST = [scored('a', 0.5), scored('twin of a', 0.49), scored('b', 0.45)]
const similarity = async (x: string, y: string) => (x.includes('a') && y.includes('a') ? 0.95 : 0.1)

it('no reranker changes nothing', async () => {
  expect(await noReranker.rerank(BEST, { prompt: '', similarity })).toEqual(BEST)
})

it('diversity lets another subject pass before a repetition, and loses none', async () => {
  const ranked = await diversityReranker.rerank(BEST, { prompt: '', similarity })
  expect(ranked.map(({ id }) => id)).toEqual(['a', 'b', 'twin of a'])
})

it('diversity leaves the order as it is where no vector tells', async () => {
  const ranked = await diversityReranker.rerank(BEST, { prompt: '', similarity: async () => undefined })
  expect(ranked).toEqual(BEST)
})
