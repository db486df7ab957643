import { expect, it } from 'vitest'
import type { MarkedEntry } from '../../../kernel/model/selection.ts'
import { estimateTokens } from '../../../kernel/text/token-estimate.ts'
import { conflictOnce, documentExcerpt } from './compose-brief.ts'

const against = (id: string, other: string, changedFiles: string[] = []): MarkedEntry => ({
  entry: {
    id,
    agent: 'shared',
    category: 'decisions',
    kind: 'decision',
    status: 'confirmed',
    origin: 'person',
    date: '2026-03-16T16:51',
    content: `Says ${id}.`,
    tags: [],
    files: [],
    importance: 0.5,
  },
  marks: { changedFiles, conflictsWith: { id: other, content: `Says ${other}.` } },
})

it('marks a pair once and keeps the other marks', () => {
  const once = conflictOnce()
  expect(once(against('a', 'b')).marks?.conflictsWith?.id).toBe('b')
  expect(once(against('b', 'a', ['src/x.ts'])).marks).toEqual({ changedFiles: ['src/x.ts'] })
  expect(once(against('b', 'c')).marks?.conflictsWith?.id).toBe('c')
})

const FILLER = 'The numbers are looked at again each week. '.repeat(40)

it('tells a short text whole', () => {
  expect(documentExcerpt('Keys\n\nRotate them.', () => 'unasked')).toBe('Keys\n\nRotate them.')
})

it('tells of a long text its beginning, and the place that is asked for where that is further on', () => {
  const late = documentExcerpt(`Quarter\n\n${FILLER}`, () => '…the zebra gateway…')
  expect(late.startsWith('Quarter')).toBe(true)
  expect(late.endsWith('…the zebra gateway…')).toBe(true)
  const early = documentExcerpt(`Quarter\n\n${FILLER}`, () => 'Quarter The numbers are looked at…')
  expect(early.endsWith('[…]')).toBe(true)
  for (const text of [late, early]) expect(estimateTokens(text)).toBeLessThan(135)
})
