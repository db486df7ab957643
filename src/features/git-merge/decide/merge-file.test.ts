import { describe, expect, it } from 'vitest'
import { fileKindOf, mergeFile } from './merge-file.ts'

const MARKERS = { size: 7, ours: 'main', theirs: 'feature' }

function merge(path: string, base: string, ours: string, theirs: string) {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const merged = mergeFile(path, {
    base: bytes(base),
    ours: bytes(ours),
    theirs: bytes(theirs),
    markers: MARKERS,
  })
  return merged && { ...merged, text: new TextDecoder().decode(merged.bytes) }
}

function json(path: string, base: unknown, ours: unknown, theirs: unknown) {
  const [b = '', o = '', t = ''] = [base, ours, theirs].map(value => JSON.stringify(value))
  return merge(path, b, o, t)
}

function parsed(merged: { readonly text: string } | undefined): unknown {
  return JSON.parse(merged?.text ?? '')
}

describe('what a file is', () => {
  it('follows from its path', () => {
    expect(fileKindOf('.memory/dev/decisions.md')).toEqual({
      kind: 'vault',
      owner: { agent: 'dev', category: 'decisions' },
    })
    expect(fileKindOf('packages/api/.memory/Dev/tasks/2026-02.2.md')).toEqual({
      kind: 'vault',
      owner: { agent: 'dev', category: 'tasks' },
    })
    expect(fileKindOf('.memory/shared/decisions/2026-11-18-never-touch-redis-k3f9.md')).toEqual({
      kind: 'vault',
      owner: { agent: 'shared', category: 'decisions' },
    })
    expect(fileKindOf('.memory/local/dev/decisions.md').kind).toBe('vault')
    expect(fileKindOf('.memory/curation.json').kind).toBe('document')
    expect(fileKindOf('.memory/state.json').kind).toBe('state')
    expect(fileKindOf('.memory/history/events.jsonl').kind).toBe('log')
    for (const other of [
      '.memory/_project.md',
      '.memory/dev/notes.md',
      '.memory/dev/README.md',
      'README.md',
      '.memory/a/b/c/tasks.md',
    ])
      expect(fileKindOf(other).kind).toBe('text')
    expect(merge('.memory/_project.md', '', 'a', 'b')).toBeUndefined()
  })
})

describe('merging config.json and curation.json', () => {
  it('takes keys of either side', () => {
    const merged = json(
      '.memory/config.json',
      { version: 1, search: { limit: 5 } },
      { version: 1, search: { limit: 7 }, vault: { keepEntries: 10 } },
      { version: 1, search: { limit: 5, words: true } },
    )
    expect(parsed(merged)).toEqual({
      version: 1,
      search: { limit: 7, words: true },
      vault: { keepEntries: 10 },
    })
    expect(merged?.conflicts).toEqual([])
  })

  it('keeps a null that one side set and the other took away', () => {
    expect(parsed(json('.memory/config.json', { a: 1 }, { a: null }, {}))).toEqual({ a: null })
    expect(parsed(json('.memory/config.json', { a: 1 }, {}, { a: null }))).toEqual({ a: null })
  })

  it('lets a key go that one side removed, and keeps one that the other changed', () => {
    const merged = json('.memory/config.json', { a: { x: 1, y: 1 } }, { a: {} }, { a: { x: 1, y: 2 } })
    expect(parsed(merged)).toEqual({ a: { y: 2 } })
  })

  it('shows a key that both set, and only that, as a conflict', () => {
    const merged = json(
      '.memory/config.json',
      { version: 1, search: { limit: 5 } },
      { version: 1, search: { limit: 7 } },
      { version: 1, search: { limit: 9, words: true } },
    )
    expect(merged?.conflicts).toEqual(['search.limit'])
    expect(merged?.text).toBe(`{
  "version": 1,
  "search": {
<<<<<<< main
    "limit": 7,
=======
    "limit": 9,
>>>>>>> feature
    "words": true
  }
}
`)
  })

  it('keeps the bytes of the side that has it all', () => {
    const ours = '{"version":1,\r\n\t"a":1}'
    expect(merge('.memory/config.json', '{"version":1}', ours, '{ "version": 1 }')?.text).toBe(ours)
    expect(merge('.memory/config.json', '{"version":1}', '{ "version": 1 }', ours)?.text).toBe(ours)
  })

  it('adds what both counted, takes the later of two records, and merges lists as sets', () => {
    const conflict = { entryA: 'a', entryB: 'b', resolution: 'kept', resolvedAt: 1777742000100 }
    const merged = json(
      '.memory/curation.json',
      {
        version: 1,
        aliases: { db: ['database', 'store'] },
        feedback: { e1: { useful: 1, wrong: 0 } },
        conflicts: [],
      },
      {
        version: 1,
        aliases: { db: ['database', 'store', 'postgres'] },
        feedback: { e1: { useful: 3, wrong: 0 } },
        confirmations: { e1: { at: '2026-03-16T10:00:00.000Z', by: 'cli' } },
        conflicts: [conflict],
      },
      {
        version: 1,
        aliases: { db: ['database', 'sqlite'] },
        feedback: { e1: { useful: 2, wrong: 1 }, e2: { useful: 1, wrong: 0 } },
        confirmations: { e1: { at: '2026-03-17T10:00:00.000Z', by: 'codex' } },
        conflicts: [{ ...conflict, resolution: 'both', resolvedAt: 1777742000999 }],
      },
    )
    expect(merged?.conflicts).toEqual([])
    expect(parsed(merged)).toEqual({
      version: 1,
      aliases: { db: ['database', 'postgres', 'sqlite'] },
      feedback: { e1: { useful: 4, wrong: 1 }, e2: { useful: 1, wrong: 0 } },
      confirmations: { e1: { at: '2026-03-17T10:00:00.000Z', by: 'codex' } },
      conflicts: [{ ...conflict, resolution: 'both', resolvedAt: 1777742000999 }],
    })
  })

  it('takes a key called __proto__ for any other', () => {
    const merged = merge('.memory/config.json', '{}', '{"a":1}', '{"__proto__":{"polluted":true}}')
    expect(merged?.text).toContain('"__proto__"')
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it('refuses what is no JSON object', () => {
    for (const damaged of ['{', '[]', 'null'])
      expect(() => merge('.memory/config.json', '{}', damaged, '{"b":1}')).toThrow('cannot be read as JSON')
    const deep = (end: number) => `${'{"a":'.repeat(60)}${end}${'}'.repeat(60)}`
    expect(() => merge('.memory/config.json', '{}', deep(1), deep(2))).toThrow('nested too deeply')
  })
})

describe('merging what Cairn alone writes', () => {
  it('takes sources by id, the later of two', () => {
    const merged = json(
      '.memory/sources.json',
      { schemaVersion: 1, sources: [{ id: 'a', updatedAt: '2026-01-01' }] },
      { schemaVersion: 1, sources: [{ id: 'a', updatedAt: '2026-01-02', n: 1 }] },
      {
        schemaVersion: 1,
        sources: [
          { id: 'a', updatedAt: '2026-01-03', n: 2 },
          { id: 'b', updatedAt: '2026-01-03' },
        ],
      },
    )
    expect(parsed(merged)).toEqual({
      schemaVersion: 1,
      sources: [
        { id: 'a', updatedAt: '2026-01-03', n: 2 },
        { id: 'b', updatedAt: '2026-01-03' },
      ],
    })
  })

  it('takes the later state whole, since it carries a hash of itself', () => {
    const [older, newer] = [
      { generatedAt: '2026-01-01', bundleHash: 'x' },
      { generatedAt: '2026-01-02', bundleHash: 'y' },
    ]
    expect(parsed(json('.memory/state.json', {}, older, newer))).toEqual(newer)
    expect(parsed(json('.memory/state.json', {}, newer, older))).toEqual(newer)
  })
})

describe('merging logs', () => {
  const event = (id: string, createdAt: string, contentHash = id) =>
    JSON.stringify({ id, createdAt, contentHash })
  const log = (...lines: string[]) => lines.map(line => `${line}\n`).join('')
  const [a, b, c, d] = [
    event('a', '2026-01-01'),
    event('b', '2026-01-02'),
    event('c', '2026-01-03'),
    event('d', '2026-01-04'),
  ]

  it('has every event once, in the order in which they happened', () => {
    const path = '.memory/history/events.jsonl'
    expect(merge(path, log(a), log(a, c), log(a, b, d))?.text).toBe(log(a, b, c, d))
    expect(merge(path, log(a), log(a, b, d), log(a, c))?.text).toBe(log(a, b, c, d))
    const again = event('c2', '2026-01-05', 'c')
    expect(merge(path, log(a), log(a, c), log(a, again))?.text).toBe(log(a, c))
  })

  it('lets go what one side moved to the archive, and keeps lines that are no event', () => {
    const path = '.memory/history/events.jsonl'
    expect(merge(path, log(a, b), log(b, 'half a li'), log(a, b, c))?.text).toBe(log(b, 'half a li', c))
  })

  it('has every record of the journal once', () => {
    const record = (id: string, at: string) => JSON.stringify({ id, at, action: 'add', changes: [] })
    const [one, two, three] = [
      record('1', '2026-01-01'),
      record('2', '2026-01-02'),
      record('3', '2026-01-03'),
    ]
    expect(merge('.memory/history/audit.jsonl', log(one), log(one, three), log(one, two))?.text).toBe(
      log(one, two, three),
    )
  })
})
