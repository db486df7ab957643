import { expect, it, onTestFinished } from 'vitest'
import { packVector } from '../../features/search/decide/vectors.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { analyseEntry } from '../../kernel/text/analyse.ts'
import { connectionsOf } from '../../kernel/text/connections.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import { openSqliteIndex } from './open-sqlite-index.ts'
import type { SqliteIndex } from './sqlite-index.ts'
import { BitBlocks, putTotals } from './vector-queue.ts'

const WORDS = ['queue', 'Redis', 'replaces', 'memcached', 'src/api.ts', 'retries', 'proxy', 'São', 'npm test']

function entryAt(n: number): Entry {
  const word = (at: number) => WORDS[(n * 7 + at * 3) % WORDS.length] ?? ''
  return {
    id: `${1_773_679_871_839 + n}-abcd`,
    agent: n % 3 === 0 ? 'dev' : 'shared',
    category: 'lessons',
    kind: 'lesson',
    status: 'candidate',
    origin: 'machine',
    date: '2026-03-16T16:51',
    content: `Title ${n % 40}\n\n${word(1)} ${word(2)} ${word(3)} number${n} [[Title ${(n + 1) % 40}]]`,
    tags: [word(4).toLowerCase()],
    files: n % 5 === 0 ? ['src/api.ts'] : [],
    importance: 0.5,
  }
}

function filled(count: number): SqliteIndex {
  const index = openSqliteIndex({ location: ':memory:', busyTimeoutMs: 100 }) as SqliteIndex
  onTestFinished(() => index.close())
  const upserts = Array.from({ length: count }, (_, n) => {
    const entry = entryAt(n)
    return {
      entry,
      path: 'shared/lessons.md',
      text: analyseEntry(entry),
      fingerprint: fingerprint(entry.content),
      connections: connectionsOf(entry),
    }
  })
  index.apply({ upserts, nowMs: 1 })
  const blocks = new BitBlocks(index)
  const sum = new Float32Array([0, 0])
  for (let key = 1; key <= 50; key++) {
    const code = packVector(new Float32Array([0.6, 0.8]))
    index.statement('INSERT INTO vector (key, code) VALUES (?, ?)').run(key, code)
    blocks.put(key, new Uint8Array([key]))
    index
      .statement("INSERT INTO conflict VALUES (?, ?, 'x', 1, ?, 1)")
      .run(key, key + 2, JSON.stringify({ code: 'value', words: [] }))
  }
  blocks.write()
  putTotals(index, { model: 'm', count: 50, sum })
  return index
}

/** Everything the index holds, but for how the full-text engine keeps it. */
function dump(index: SqliteIndex): Record<string, unknown> {
  const tables = index
    .statement("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'fulltext%'")
    .all() as { name: string }[]
  const rows = Object.fromEntries(
    tables.map(({ name }) => {
      const all = index.statement(`SELECT * FROM "${name}"`).all()
      return [name, all.map(row => JSON.stringify(row)).sort()]
    }),
  )
  const found = ['queue', 'redi', 'retri', 'number3', 'number350'].map(word =>
    index.statement('SELECT rowid FROM fulltext WHERE fulltext MATCH ? ORDER BY rowid').all(`"${word}"`),
  )
  return { ...rows, found, statistics: statisticsOf(index) }
}

function statisticsOf(index: SqliteIndex): unknown {
  const row = index.statement("SELECT value FROM meta WHERE key = 'statistics'").get() as { value: string }
  const { languages, ...rest } = JSON.parse(row.value) as { languages: Record<string, number> }
  return { ...rest, languages: Object.entries(languages).filter(([, n]) => n !== 0) }
}

it.each([
  ['most of them', 400, 300],
  ['a part of them', 1_000, 300],
])('many entries at once leave as they would one by one: %s', (_, count, removed) => {
  const ids = Array.from({ length: removed }, (__, n) => entryAt((n * 13) % count).id)
  const [atOnce, oneByOne] = [filled(count), filled(count)]
  atOnce.apply({ removes: ids })
  for (const id of ids) oneByOne.apply({ removes: [id] })
  const { meta: _meta, ...now } = dump(atOnce)
  const { meta: __meta, ...expected } = dump(oneByOne)
  expect(now).toEqual(expected)
  expect(() => atOnce.check()).not.toThrow()
  expect(atOnce.counts().total).toBe(count - removed)
})
