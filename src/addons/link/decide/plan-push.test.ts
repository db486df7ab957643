import { expect, test } from 'vitest'
import type { Entry } from '../../../kernel/model/entry.ts'
import { planPush, refuseUnfit } from './plan-push.ts'

const ENTRY: Entry = {
  id: 'e1',
  agent: 'shared',
  category: 'decisions',
  kind: 'decision',
  status: 'confirmed',
  origin: 'person',
  date: '2026-03-16T16:51',
  content: 'Sessions live in Redis.',
  tags: [],
  files: [],
  importance: 0.5,
}

test('an entry that is none, is private, too large or holds a secret is refused, and the others are taken', () => {
  const pushed = [
    ENTRY,
    { ...ENTRY, id: 'e2', category: 'elsewhere' } as unknown as Entry,
    { ...ENTRY, id: 'e3', agent: 'private' },
    // As JSON: every one of these characters has three bytes, and fewer than 400,000 are no other fault.
    { ...ENTRY, id: 'e4', content: '漢'.repeat(200_000) },
    { ...ENTRY, id: 'e5', content: 'the secret' },
  ].map(entry => ({ id: entry.id, expected: null, entry }))
  const refused = refuseUnfit(pushed, ({ content }) => content === 'the secret')
  const { outcomes, changes } = planPush(pushed, () => undefined, { print: text => text, refused })
  expect(outcomes).toEqual([
    { id: 'e1', outcome: 'accepted' },
    { id: 'e2', outcome: 'refused', reason: 'unsound' },
    { id: 'e3', outcome: 'refused', reason: 'not_shared' },
    { id: 'e4', outcome: 'refused', reason: 'too_large' },
    { id: 'e5', outcome: 'refused', reason: 'secret' },
  ])
  expect(changes).toEqual([{ type: 'entry', before: null, after: ENTRY }])
})
