import { expect, test } from 'vitest'
import type { Entry } from '../../../kernel/model/entry.ts'
import { feedFollower } from './follow-feed.ts'
import type { FeedPage } from './protocol.ts'

const page = (cursor: string, isLast = false): FeedPage => ({
  identity: 'hub',
  revision: 999_999,
  cursor,
  isLast,
  entries: [{ id: '1', entry: null, revision: 1 }],
  documents: [],
})

test('a feed goes on, page by page, to its last', () => {
  const follow = feedFollower()
  follow(null, page('1:a'))
  follow('1:a', page('1:b'))
  follow('1:b', page('7', true))
  follow('7', page('7', true))
})

test('one that stands still, goes back, runs ahead of itself or never ends is left', () => {
  expect(() => feedFollower()('7', page('7'))).toThrow('repeats itself')
  expect(() => feedFollower()('7', page('6'))).toThrow('repeats itself')
  expect(() => feedFollower()('7', page('1000000'))).toThrow('repeats itself')
  const follow = feedFollower()
  const forEver = () => {
    for (let at = 1; at < 10_000; at++) follow(String(at - 1), page(String(at)))
  }
  expect(forEver).toThrow('does not end')
})

test('what is no text in it is counted as none, whatever it claims to be', () => {
  const content = { toString: 1, valueOf: 1 } as unknown as string
  const entry = { content } as Entry
  feedFollower()(null, { ...page('1:a'), entries: [{ id: '1', entry, revision: 1 }] })
})
