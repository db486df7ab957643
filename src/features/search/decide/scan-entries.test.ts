import { expect, it } from 'vitest'
import type { Entry } from '../../../kernel/model/entry.ts'
import { scanEntries } from './scan-entries.ts'

const entry = (id: string, content: string, more: Partial<Entry> = {}): Entry => ({
  id,
  agent: 'dev',
  category: 'lessons',
  kind: 'lesson',
  status: 'confirmed',
  origin: 'machine',
  date: '2026-02-03T10:00',
  content,
  tags: [],
  files: [],
  importance: 0.5,
  ...more,
})

const ENTRIES = [
  entry('1', 'The queue retries webhooks with a back-off.'),
  entry('2', 'Webhooks are signed.'),
  entry('3', 'As sessões ficam no Redis.', { tags: ['cache'] }),
  entry('4', 'The build takes four minutes.', { files: ['src/build.ts'] }),
]

function scan(query: string, limit = 10) {
  const scanning = scanEntries<{ entry: Entry }>({
    query,
    aliases: { ws: ['webhook'] },
    now: '2026-11-15T12:00',
  })
  for (const one of ENTRIES) scanning.take({ entry: one })
  return scanning.finish(limit)
}

it('finds by stems, tags, files and aliases, the rarer word first', () => {
  const ids = (query: string) => scan(query).map(hit => hit.entry.id)
  expect(ids('retrying webhook')).toEqual(['1', '2'])
  expect(ids('sessão cache')).toEqual(['3'])
  expect(ids('src/build.ts')).toEqual(['4'])
  expect(ids('ws')).toEqual(['2', '1'])
  expect(ids('zeppelin')).toEqual([])
})

it('scores from 0 to 1 and shows where the words stand', () => {
  const [best] = scan('webhooks signed')
  expect(best?.score).toBeGreaterThan(0.5)
  expect(best?.score).toBeLessThanOrEqual(1)
  expect(best?.snippet).toEqual({
    text: 'Webhooks are signed.',
    matches: [
      { start: 0, end: 8 },
      { start: 13, end: 19 },
    ],
  })
})

it('holds only the best while it goes on', () => {
  const scanning = scanEntries<{ entry: Entry }>({
    query: 'rare webhook',
    aliases: {},
    now: '2026-11-15T12:00',
  })
  for (let n = 0; n < 5_000; n++) scanning.take({ entry: entry(`x${n}`, `A webhook ${n}.`) })
  scanning.take({ entry: entry('rare', 'A rare webhook.') })
  for (let n = 0; n < 5_000; n++) scanning.take({ entry: entry(`y${n}`, `A webhook ${n}.`) })
  expect(scanning.finish(1)[0]?.entry.id).toBe('rare')
})
