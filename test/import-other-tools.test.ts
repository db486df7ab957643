import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import * as path from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it } from 'vitest'
import { importDiscoverOperation } from '../src/addons/import/verbs/import-discover.ts'
import { commit, importInto, inProject, told } from './support/imported-store.ts'
import { scratchProject, writeIn } from './support/scratch-project.ts'

const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`
const AT = new Date('2026-05-01T10:00:00Z')
const CANDIDATE = { status: 'candidate', origin: 'machine' }

function setTime(root: string, file: string): void {
  utimesSync(path.join(root, file), AT, AT)
}

describe("Claude Code's own memory", () => {
  const FACT =
    '---\nname: prefers-vitest\ndescription: Which test runner\nmetadata:\n  type: feedback\n---\nUse Vitest, not Jest.\n\n**Why:** Jest does not know ESM. See [[build-setup]].\n'

  it('is one candidate a fact, and the lines of its index that lead to one say nothing twice', async () => {
    const root = scratchProject()
    const memory = scratchProject({
      'MEMORY.md':
        '# Memory\n\n- [Vitest](prefers-vitest.md) — which test runner\n- The staging database is reset every night\n',
      'prefers-vitest.md': FACT,
      'empty.md': '---\nname: x\n---\n',
    })
    setTime(memory, 'MEMORY.md')
    setTime(memory, 'prefers-vitest.md')
    const { report, entries } = await importInto(root, { file: memory })
    expect(report).toMatchObject({ from: 'claude-code-memory', added: 2, failed: 0 })
    expect(entries.map(told)).toMatchObject([
      { ...CANDIDATE, content: 'The staging database is reset every night', date: '2026-05-01T10:00' },
      {
        ...CANDIDATE,
        kind: 'preference',
        tags: ['feedback'],
        content: 'Use Vitest, not Jest.\n\n**Why:** Jest does not know ESM. See [[build-setup]].',
      },
    ])
    expect(entries[1]?.extra).toMatchObject({
      imported: 'claude-code-memory',
      source: 'prefers-vitest.md',
      sourceId: 'prefers-vitest',
    })
    writeIn(memory, 'new.md', FACT.replace('prefers-vitest', 'new').replace('Vitest', 'Biome'))
    expect((await importInto(root, { file: memory })).report).toMatchObject({ added: 1, duplicates: 2 })
  })
})

describe('an Obsidian vault', () => {
  it('gives its notes with their properties, tags and links, and nothing that it leaves out itself', async () => {
    const root = scratchProject()
    const vault = scratchProject({
      '.obsidian/app.json': '{"userIgnoreFilters":["Archive/","/x+/"]}',
      '.obsidian/templates.json': '{"folder":"Templates"}',
      'Shop/Payments.md':
        '---\ntags: [decision, "#billing"]\ncreated: 2026-03-04\naliases: [Pay]\n---\n\nWe pay with [[Stripe|the provider]], because of its webhooks. #webhooks ^a1\n\n![[diagram.png]]\n%% nobody sees this %%\n',
      'Daily/2026-02-01.md': 'Talked to the partner: their API closes at midnight UTC.\n',
      'Shop/Empty.md': '![[only.pdf]]\n',
      'Archive/Old.md': 'An old note that is long enough to be an entry of its own.\n',
      'Templates/Day.md': 'A template that is long enough to be an entry of its own.\n',
      '.trash/Gone.md': 'A note that was thrown away, and is long enough as well.\n',
      'diagram.png': new Uint8Array([1, 0, 2]),
    })
    symlinkSync(vault, path.join(vault, 'Shop/loop'))
    symlinkSync('/etc/hosts', path.join(vault, 'Shop/hosts.md'))
    const { report, entries } = await importInto(root, { file: vault })
    expect(report).toMatchObject({ from: 'obsidian', added: 2, failed: 0 })
    expect(report.remarks.map(({ code }) => code)).toEqual(['pattern_left', 'notes_empty'])
    expect(entries.map(told)).toEqual([
      {
        kind: 'lesson',
        status: 'candidate',
        origin: 'person',
        date: '2026-02-01T00:00',
        content: '2026-02-01\n\nTalked to the partner: their API closes at midnight UTC.',
        tags: [],
        files: [],
      },
      {
        kind: 'decision',
        status: 'candidate',
        origin: 'person',
        date: '2026-03-04T00:00',
        content: 'Payments\n\nWe pay with [[Stripe|the provider]], because of its webhooks. #webhooks',
        tags: ['decision', 'billing', 'webhooks'],
        files: [],
      },
    ])
    expect(entries[1]?.extra).toMatchObject({
      imported: 'obsidian',
      source: 'Shop/Payments.md',
      sourceId: 'Payments',
    })
  })

  it('gives a long note by its headings', async () => {
    const long = `${'The queue keeps the order of the orders of one customer. '.repeat(40)}\n`
    const vault = scratchProject({
      '.obsidian/app.json': '{}',
      'Queue.md': `# Queue\n\n## Why\n\n${long}\n## How\n\nWith a lock on the customer, and no other lock.\n`,
    })
    const { entries } = await importInto(scratchProject(), { file: vault })
    expect(entries.map(({ content }) => content.split('\n')[0])).toEqual([
      'Queue: How',
      'Queue: Why',
      'Queue: Why',
    ])
    expect(Math.max(...entries.map(({ content }) => content.length))).toBeLessThan(1_900)
  })
})

describe('notes of basic-memory', () => {
  it('give their observations, their relations and their prose as candidates', async () => {
    const root = scratchProject()
    const notes = scratchProject({
      'design/search.md': [
        '---',
        'title: Search Design',
        'type: note',
        'permalink: design/search',
        'tags: [search]',
        'created: 2026-01-05',
        '---',
        '# Search Design',
        '',
        'The index is a cache of the files, and can be thrown away at any time without losing a thing.',
        '',
        '## Observations',
        '- [decision] Rank with BM25F #ranking (measured on three sets)',
        '- [ ] a task is no observation',
        '- [link](https://example.org)',
        '',
        '## Relations',
        '- implements [[Search Spec]]',
        '- relates_to [[Something]]',
        '',
      ].join('\n'),
    })
    const { report, entries } = await importInto(root, { file: notes })
    expect(report).toMatchObject({ from: 'basic-memory', added: 3, failed: 0 })
    expect(entries.map(told)).toMatchObject([
      { ...CANDIDATE, kind: 'discovery', date: '2026-01-05T00:00', tags: ['search'] },
      { ...CANDIDATE, kind: 'discovery', content: 'Search Design implements [[Search Spec]].' },
      {
        ...CANDIDATE,
        kind: 'decision',
        content: 'Search Design: Rank with BM25F #ranking (measured on three sets)',
        tags: ['search', 'decision', 'ranking'],
      },
    ])
    expect(entries[2]?.extra).toMatchObject({
      imported: 'basic-memory',
      source: 'design/search.md',
      sourceId: 'design/search',
    })
  })
})

describe('the graph of the reference memory server', () => {
  const GRAPH = [
    {
      type: 'entity',
      name: 'checkout',
      entityType: 'service',
      observations: ['Talks to Stripe over webhooks', 'x'],
    },
    {
      type: 'entity',
      name: 'Ana',
      entityType: 'person',
      observations: [`Ana prefers tabs; her token is ${TOKEN}`],
    },
    { type: 'relation', from: 'checkout', to: 'redis', relationType: 'depends_on' },
    { type: 'relation', from: 'checkout', to: 'Ana', relationType: 'relates_to' },
  ]

  it('gives observations and telling relations as candidates, without secrets, once', async () => {
    const root = scratchProject()
    const store = scratchProject({
      'memory.jsonl': `\ufeff${GRAPH.map(line => JSON.stringify(line)).join('\r\n')}\r\n{"type":"entity"\r\n`,
    })
    setTime(store, 'memory.jsonl')
    const file = path.join(store, 'memory.jsonl')
    const { report, entries } = await importInto(root, { file })
    expect(report).toMatchObject({ from: 'mcp-memory', added: 3, failed: 1, redacted: 1 })
    expect(report.failures).toMatchObject([{ file: 'memory.jsonl', line: 5, code: 'json_damaged' }])
    expect(entries.map(told)).toMatchObject([
      { ...CANDIDATE, kind: 'discovery', tags: ['person'] },
      { ...CANDIDATE, kind: 'discovery', content: 'checkout depends on redis.', date: '2026-05-01T10:00' },
      {
        ...CANDIDATE,
        kind: 'architecture',
        content: 'checkout: Talks to Stripe over webhooks',
        tags: ['service'],
      },
    ])
    expect((await importInto(root, { file: store })).report).toMatchObject({ added: 0, duplicates: 3 })
  })
})

const CLAUDE_MEM = `
  CREATE TABLE schema_versions (id INTEGER PRIMARY KEY, version INTEGER UNIQUE NOT NULL, applied_at TEXT NOT NULL);
  CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL, text TEXT,
    type TEXT NOT NULL, title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT, files_modified TEXT,
    prompt_number INTEGER, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL, merged_into_project TEXT);
  CREATE TABLE session_summaries (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL, request TEXT,
    learned TEXT, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
  INSERT INTO schema_versions (version, applied_at) VALUES (52, '2026-01-01');`

interface Observation {
  readonly project?: string
  readonly type: string
  readonly title: string
  readonly narrative?: string
  readonly facts?: readonly string[]
  readonly concepts?: readonly string[]
  readonly files?: readonly string[]
}

function claudeMem(
  folder: string,
  observations: readonly Observation[],
  more = '',
): InstanceType<typeof DatabaseSync> {
  const database = new DatabaseSync(path.join(folder, 'claude-mem.db'))
  database.exec(CLAUDE_MEM)
  for (const {
    project = 'shop',
    type,
    title,
    narrative,
    facts = [],
    concepts = [],
    files = [],
  } of observations)
    database
      .prepare(
        'INSERT INTO observations (memory_session_id, project, type, title, narrative, facts, concepts, files_modified, created_at, created_at_epoch) VALUES (?,?,?,?,?,?,?,?,?,?)',
      )
      .run(
        's1',
        project,
        type,
        title,
        narrative ?? null,
        JSON.stringify(facts),
        JSON.stringify(concepts),
        JSON.stringify(files),
        AT.toISOString(),
        AT.getTime(),
      )
  database.exec(
    `INSERT INTO session_summaries (memory_session_id, project, learned, created_at, created_at_epoch) VALUES ('s1', 'shop', 'The partner closes its API at midnight UTC, whatever its page says.', '', ${AT.getTime()});${more}`,
  )
  return database
}

/** A project called shop: that is what its observations are filed under. */
function shop(): string {
  const root = path.join(scratchProject(), 'shop')
  mkdirSync(root)
  return root
}

const OBSERVATIONS: readonly Observation[] = [
  {
    type: 'decision',
    title: 'Sessions live in Redis',
    narrative: 'Because two instances share them.',
    concepts: ['trade-off'],
    files: ['src/session.ts'],
  },
  {
    type: 'discovery',
    title: 'The cache is per process',
    facts: ['It is a Map', 'It is never emptied'],
    concepts: ['gotcha'],
  },
  { type: 'change', title: 'Renamed a file' },
  { type: 'sensitive', title: 'The password of somebody' },
  { type: 'decision', title: 'Another project', project: 'other' },
]

describe('a store of claude-mem', () => {
  it('gives what was found out in this project, as candidates, and leaves the rest where it is', async () => {
    const root = shop()
    const store = scratchProject()
    claudeMem(store, OBSERVATIONS).close()
    const before = readFileSync(path.join(store, 'claude-mem.db'))
    const { report, entries } = await importInto(root, { file: path.join(store, 'claude-mem.db') })
    expect(report).toMatchObject({ from: 'claude-mem', added: 3, failed: 0 })
    expect(report.remarks.map(({ code }) => code)).toEqual(['changes_left', 'sensitive_left'])
    expect(entries.map(told)).toEqual([
      {
        ...CANDIDATE,
        kind: 'decision',
        date: '2026-05-01T10:00',
        content: 'Sessions live in Redis\n\nBecause two instances share them.',
        tags: ['trade-off'],
        files: ['src/session.ts'],
      },
      {
        ...CANDIDATE,
        kind: 'warning',
        date: '2026-05-01T10:00',
        content: 'The cache is per process\n\n- It is a Map\n- It is never emptied',
        tags: ['gotcha'],
        files: [],
      },
      {
        ...CANDIDATE,
        kind: 'lesson',
        date: '2026-05-01T10:00',
        content: 'The partner closes its API at midnight UTC, whatever its page says.',
        tags: ['session'],
        files: [],
      },
    ])
    expect(entries[0]?.extra).toMatchObject({
      imported: 'claude-mem',
      source: 'claude-mem.db',
      sourceId: 'observation-1',
    })
    expect(readdirSync(store)).toEqual(['claude-mem.db'])
    expect(readFileSync(path.join(store, 'claude-mem.db')).equals(before)).toBe(true)
    expect((await importInto(root, { file: store })).report).toMatchObject({ added: 0, duplicates: 3 })
    expect((await importInto(root, { file: store, project: 'other' })).report).toMatchObject({ added: 1 })
  })

  it('in use, with a log beside it and locked, is read from a copy, and keeps its files', async () => {
    const store = scratchProject()
    const writer = claudeMem(store, OBSERVATIONS.slice(0, 1), 'PRAGMA journal_mode = WAL;')
    writer.exec(
      "INSERT INTO observations (memory_session_id, project, type, title, created_at, created_at_epoch) VALUES ('s1','shop','decision','Only in the log', '', 1);",
    )
    writer.exec('BEGIN EXCLUSIVE')
    try {
      const names = readdirSync(store)
      const { entries } = await importInto(shop(), { file: store })
      expect(entries.map(({ content }) => content)).toContain('Only in the log')
      expect(readdirSync(store)).toEqual(names)
    } finally {
      writer.close()
    }
  })

  it('of a newer version is read as far as it is known; one with other tables is refused', async () => {
    const newer = scratchProject()
    claudeMem(
      newer,
      OBSERVATIONS.slice(0, 1),
      "INSERT INTO schema_versions (version, applied_at) VALUES (900, ''); ALTER TABLE observations ADD COLUMN soul TEXT;",
    ).close()
    const { report } = await importInto(shop(), { file: newer })
    expect(report).toMatchObject({ added: 2, remarks: [{ code: 'schema_newer' }] })
    const other = scratchProject()
    const database = new DatabaseSync(path.join(other, 'x.db'))
    database.exec('CREATE TABLE observations (id INTEGER, body TEXT)')
    database.close()
    await expect(importInto(shop(), { file: path.join(other, 'x.db') })).rejects.toMatchObject({
      code: 'source_unreadable',
    })
  })

  it('that is damaged is refused, and one in a folder that cannot be written is read', async () => {
    const store = scratchProject()
    claudeMem(store, OBSERVATIONS).close()
    const file = path.join(store, 'claude-mem.db')
    const bytes = readFileSync(file)
    chmodSync(store, 0o500)
    try {
      expect((await importInto(shop(), { file, dryRun: true })).report).toMatchObject({ added: 3 })
    } finally {
      chmodSync(store, 0o700)
    }
    writeFileSync(file, Buffer.concat([bytes.subarray(0, 4_096), Buffer.alloc(bytes.length - 4_096, 0x5a)]))
    await expect(importInto(shop(), { file })).rejects.toMatchObject({ code: 'source_unreadable' })
    writeFileSync(file, 'not a database at all')
    await expect(importInto(shop(), { file, from: 'claude-mem' })).rejects.toMatchObject({
      code: 'source_unreadable',
    })
  })

  it('without a word of this project says which projects it has', async () => {
    const store = scratchProject()
    claudeMem(
      store,
      [{ type: 'decision', title: 'Of another', project: 'other' }],
      'DELETE FROM session_summaries;',
    ).close()
    expect((await importInto(shop(), { file: store })).report).toMatchObject({
      added: 0,
      remarks: [
        {
          code: 'project_absent',
          message: 'it does not contain the project shop; it contains other (1): name one with --project',
        },
      ],
    })
  })
})

describe('what can be imported', () => {
  it('is shown with the command for each, and nothing outside the project is opened', async () => {
    const root = scratchProject({
      'CLAUDE.md': '- Say it in plain words\n- Write it down at once\n',
      'docs/adr/0001-x.md': '# 1. X\n\n## Decision\n\nWe do X.\n',
      '.cursorrules': 'You write TypeScript with strict types.\n',
    })
    commit(root, 'First', '2026-01-02T10:00:00Z')
    const { found } = await inProject(root, engine => importDiscoverOperation.run(engine, {}, {}))
    const here = found.filter(({ outside }) => !outside)
    expect(here.map(({ format, count, command }) => ({ format, count, command }))).toEqual([
      { format: 'instructions', count: 2, command: 'cairn import --from instructions' },
      { format: 'cursor-rules', count: 1, command: 'cairn import --from cursor-rules' },
      { format: 'adr', count: 1, command: 'cairn import --from adr' },
      { format: 'git', count: 1, command: 'cairn import --from git' },
    ])
    expect(found.filter(({ outside, count }) => outside && count !== null)).toEqual([])
    expect(existsSync(path.join(root, '.memory'))).toBe(false)
  })
})
