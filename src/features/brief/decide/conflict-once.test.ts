import { expect, it } from 'vitest'
import type { MarkedEntry } from '../../../kernel/model/selection.ts'
import { conflictOnce } from './conflict-once.ts'

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
