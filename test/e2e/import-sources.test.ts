import { execFile } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, writeSync } from 'node:fs'
import * as path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { BINARY, contentsOf, inWorld, type World } from './world.ts'

interface Report {
  readonly from: string
  readonly read: number
  readonly added: number
  readonly duplicates: number
  readonly redacted: number
  readonly failed: number
  readonly failures: readonly Trouble[]
  readonly remarks: readonly Trouble[]
  readonly went: readonly { readonly what: string; readonly to: string; readonly count: number }[]
}
interface Trouble {
  readonly file: string
  readonly line?: number
  readonly code: string
}
interface EventAnswer {
  readonly id: string
  readonly kind: string
  readonly summary: string
}

const TOKEN = `${'ghp'}_x7Kq2mN9pL4vR8sT1wY6zB3cD5fG0hJaBcDe`
const imported = (world: World, ...words: string[]) => world.json<Report>('import', ...words)
const went = ({ went: rows }: Report) =>
  rows.map(({ what, to, count }) => `${count} ${what} → ${to.replace(/import-[\dTZ-]+/, 'import-STAMP')}`)
const troubles = (list: readonly Trouble[]) =>
  list.map(({ file, line, code }) => `${file}${line === undefined ? '' : `:${line}`} ${code}`)

/** Whether a text stands in any file below the memory, the index included. */
function holds(world: World, text: string): boolean {
  return readdirSync(path.join(world.root, '.memory'), { recursive: true, encoding: 'utf8' }).some(name => {
    const file = path.join('.memory', name)
    return (
      !readdirSync(path.join(world.root, path.dirname(file)), { withFileTypes: true }).some(
        item => item.name === path.basename(file) && item.isDirectory(),
      ) && world.read(file).includes(text)
    )
  })
}

const FLAT = `# Dev

## Decisões Técnicas
- SSE em vez de WebSockets

## Tarefas
- [ ] Rotate the signing key
- [x] Write the changelog

## Aprendizados 2026-02-03
The token ${TOKEN} expires.
`

const WEB_LEFT = 'there is a web.md.bak already; rename one of the two, as no entry has what the backup says'

describe.concurrent('migrate', () => {
  it(
    'turns flat files into vaults, keeps them as .bak, and tells what it left',
    inWorld(
      async world => {
        const plan = await world.json<{ files: unknown }>('migrate', '--dry-run')
        expect(plan).toMatchObject({ migrated: ['Dev.md', 'ops.md'], skipped: ['web.md'] })
        expect(existsSync(path.join(world.root, '.memory/dev'))).toBe(false)

        const answer = await world.json('migrate')
        expect(answer).toMatchObject({
          migrated: ['Dev.md', 'ops.md'],
          skipped: ['web.md'],
          files: [
            { file: 'Dev.md', agent: 'dev', entries: 4 },
            { file: 'ops.md', agent: 'ops', entries: 1 },
            { file: 'web.md', reason: WEB_LEFT },
          ],
        })
        const { entries } = await world.json('list', '--agent', 'dev')
        expect(entries.map(({ category, content }) => [category, content]).sort()).toEqual([
          ['decisions', '- SSE em vez de WebSockets'],
          ['lessons', 'Aprendizados 2026-02-03\n\nThe token [redacted:github_token] expires.'],
          ['tasks', '- [ ] Rotate the signing key'],
          ['tasks', '- [x] Write the changelog'],
        ])
        expect(entries.find(({ category }) => category === 'lessons')?.date).toBe('2026-02-03T00:00')
        expect(world.read('.memory/Dev.md.bak')).toContain('## Decisões Técnicas\n- SSE')
        expect(world.read('.memory/_project.md')).toBe('# Shop')
        expect(holds(world, TOKEN)).toBe(false)
        expect(await world.json('task', 'list')).toMatchObject({
          tasks: [{ text: 'Rotate the signing key' }],
        })

        const before = world.bytes()
        expect(await world.json('migrate')).toMatchObject({ migrated: [], skipped: ['web.md'] })
        expect(world.bytes()).toEqual(before)
        expect(await world.ok('migrate')).toBe(`web.md left as it is: ${WEB_LEFT}\n`)
      },
      {
        '.memory/Dev.md': FLAT,
        '.memory/ops.md': '## Notes\nx',
        '.memory/ops/lessons.md': '',
        '.memory/web.md': '## Notes\ny',
        '.memory/web.md.bak': 'older',
        '.memory/_project.md': '# Shop',
      },
    ),
  )
})

const PROJECT = {
  version: 1,
  entries: [
    {
      id: 'u1',
      content: 'Always use SSE for streaming.',
      category: 'decision',
      importance: 0.8,
      status: 'pinned',
      confidence: 0.9,
      source: { type: 'user' },
      filePaths: ['src/sse.ts'],
      tags: ['sse'],
      accessCount: 7,
      lastAccessedAt: 1_772_000_000_000,
      createdAt: 1_770_000_000_000,
    },
    {
      id: 'u2',
      content: `Never use SSE; the key is ${TOKEN}.`,
      category: 'warning',
      importance: 0.3,
      status: 'candidate',
      confidence: 0.5,
      source: { type: 'auto', sessionId: 's9' },
      accessCount: 0,
      createdAt: 1_771_000_000_000,
    },
    { id: 'u3' },
  ],
  aliases: { ledger: ['accounting'] },
  conflicts: [
    { entryA: 'u1', entryB: 'u2', conflictType: 'superseded', detectedAt: 5, resolvedAt: 9 },
    { entryA: 'u1', entryB: 'gone', conflictType: 'ambiguous', detectedAt: 6 },
  ],
  metadata: { configPreset: 'balanced', totalAccesses: 12 },
}
const MEMORY = {
  version: 1,
  sessionId: 's9',
  agentId: 'dev',
  findings: [
    {
      id: 'f1',
      fingerprint: 'x',
      content: 'Never use SSE',
      category: 'warning',
      importance: 0.3,
      confidence: 0.5,
      promotedToProjectMemory: true,
      promotedEntryId: 'u2',
    },
  ],
  summary: 'About SSE',
  createdAt: 1,
  finalizedAt: 2,
}

describe.concurrent('a project.json', () => {
  it(
    'that is not there is said as it is',
    inWorld(async world => {
      world.write('c/other.txt', 'x')
      expect(await world.failure('import', 'c', '--from', 'project')).toMatchObject({
        code: 'file_not_found',
      })
    }),
  )

  it(
    'may call the category kind or type',
    inWorld(async world => {
      const entries = [
        { id: 'a', content: 'Never edit the generated client.', kind: 'warning' },
        { id: 'b', content: 'We ship on Tuesdays.', type: 'decision' },
      ]
      world.write('c/project.json', JSON.stringify({ entries }))
      await world.ok('import', 'c', '--from', 'project')
      const kinds = (await world.json('list')).entries.map(({ kind }) => kind)
      expect(kinds.sort()).toEqual(['decision', 'warning'])
    }),
  )

  it(
    'gives entries with all they had, aliases, conflicts by their new ids, sessions; the rest is in the archive',
    inWorld(
      async world => {
        const report = await imported(world, 'c')
        expect(report).toMatchObject({ from: 'project', read: 10, added: 8, duplicates: 0, failed: 2 })
        expect(went(report)).toEqual([
          '1 entries → shared/decisions',
          '1 entries → shared/lessons',
          '1 aliases → curation.json',
          '1 conflicts → curation.json',
          '1 memories of sessions → sessions/',
          '1 files → archive/import-STAMP/project.json',
          '1 files → archive/import-STAMP/audit.json',
          '1 files → archive/import-STAMP/sessions/s8.memory.json',
        ])
        expect(troubles(report.failures)).toEqual([
          'project.json:38 json_damaged',
          'project.json:47 entry_not_found',
        ])
        expect(troubles(report.remarks)).toEqual(['sessions/s8.memory.json json_damaged'])
        const { entries } = await world.json('list')
        const [newer, older] = entries
        expect(older).toMatchObject({
          kind: 'decision',
          status: 'pinned',
          origin: 'person',
          importance: 0.8,
          files: ['src/sse.ts'],
          tags: ['sse'],
          date: '2026-02-02T02:40',
        })
        expect(newer).toMatchObject({
          kind: 'warning',
          status: 'candidate',
          origin: 'machine',
          session: 's9',
        })
        const curation = JSON.parse(world.read('.memory/curation.json'))
        expect(curation.aliases).toEqual({ ledger: ['accounting'] })
        expect(curation.conflicts).toMatchObject([
          {
            entryA: older?.id,
            entryB: newer?.id,
            conflictType: 'superseded',
            detectedAt: 5,
            resolvedAt: 9,
            resolution: 'superseded',
            holds: newer?.id,
          },
        ])
        expect(JSON.parse(world.read('.memory/sessions/s9.memory.json'))).toMatchObject({
          sessionId: 's9',
          findings: [{ content: 'Never use SSE', promotedEntryId: newer?.id }],
        })
        expect(holds(world, TOKEN)).toBe(false)
        const kept = readdirSync(path.join(world.root, '.memory/archive'))[0]
        expect(JSON.parse(world.read(`.memory/archive/${kept}/project.json`)).metadata).toEqual(
          PROJECT.metadata,
        )

        const before = world.read('.memory/curation.json')
        expect(await imported(world, 'c/project.json')).toMatchObject({
          added: 0,
          duplicates: 8,
          failed: 2,
          went: [],
        })
        expect(world.read('.memory/curation.json')).toBe(before)
        expect(readdirSync(path.join(world.root, '.memory/archive'))).toHaveLength(1)
      },
      {
        'c/project.json': JSON.stringify(PROJECT, null, 1),
        'c/audit.json': '[]',
        'c/sessions/s9.memory.json': JSON.stringify(MEMORY),
        'c/sessions/s8.memory.json': '{ half',
      },
    ),
  )

  it(
    'that ends in the middle is read as far as it goes, and its backup as well',
    inWorld(
      async world => {
        const report = await imported(world, 'c')
        expect(report).toMatchObject({ added: 4, duplicates: 1 })
        expect(troubles(report.remarks)).toEqual(['project.json json_damaged'])
        expect((await world.json('list')).total).toBe(2)
      },
      {
        'c/project.json': JSON.stringify(PROJECT).slice(0, 420),
        'c/project.json.bak': JSON.stringify({
          ...PROJECT,
          conflicts: [],
          entries: PROJECT.entries.slice(0, 2),
        }),
      },
    ),
  )
})

const STATE = {
  schemaVersion: 3,
  generatedAt: '2026-02-01T10:00:00Z',
  bundle: {
    project: 'A shop.',
    projectMap: ['src/api: routes', 'src/db: storage'],
    currentFocus: 'Payments',
    gotchas: ['The proxy drops idle sockets.', { title: 'Redis', detail: 'needs a password' }],
    nextSteps: ['Rotate keys'],
    validationCommands: ['npm test'],
  },
  maintenance: { historyEventCount: 2 },
}
const event = (n: number, more = {}) => ({
  id: `e${n}`,
  kind: 'tool_run',
  sourceId: 's',
  createdAt: `2026-01-2${n}T10:00:00Z`,
  contentHash: `h${n}`,
  summary: `Number ${n}`,
  signals: { decisions: [], validationObservations: ['npm test'] },
  sourceRef: 'x',
  ...more,
})
const AGENT_MEMORY = {
  'old/.agent-memory/state.json': JSON.stringify(STATE),
  'old/.agent-memory/history/events.jsonl': `${JSON.stringify(event(0))}\nbroken\n${JSON.stringify(event(1, { kind: 'imported_session' }))}\n`,
  'old/.agent-memory/history/checkpoints/c1.json': '{"id":"c1"}',
  'old/.agent-memory/archive/prune-2026-01-05T10-00-00-000Z/manifest.json': '{}',
  'old/.agent-memory/archive/prune-2026-01-05T10-00-00-000Z/events.jsonl': `${JSON.stringify(event(2))}\n`,
  'old/.agent-memory/archive/prune-2026-01-05T10-00-00-000Z/checkpoints/c0.json': '{"id":"c0"}',
  'old/.agent-memory/sources.json': '{"sources":[]}',
  'old/.agent-memory/config.json': JSON.stringify({
    version: 7,
    recall: { policy: 'auto' },
    retention: { history: { maxAgeDays: 90 }, archive: { expireAfterDays: 1 } },
    redaction: { allow: ['.*'], secondNet: false },
    embedder: { use: 'http', url: 'http://127.0.0.1:9/take' },
  }),
  'old/.agent-memory/notes.txt': `My token is ${TOKEN}`,
}

describe.concurrent('an .agent-memory', () => {
  it(
    'goes to its places, the bundle to entries, and what has no place to the archive',
    inWorld(async world => {
      const dry = await imported(world, 'old', '--dry-run')
      expect(existsSync(path.join(world.root, '.memory'))).toBe(false)
      const report = await imported(world, 'old')
      expect(report).toMatchObject({ from: 'agent-memory', added: 16, duplicates: 0, failed: 1, redacted: 1 })
      expect(dry).toMatchObject({ added: 16, failed: 1 })
      expect(troubles(report.failures)).toEqual(['history/events.jsonl:2 event_line_damaged'])
      expect(went(report)).toEqual([
        '1 batches → archive/prune-2026-01-05T10-00-00-000Z',
        '2 events → history/events.jsonl',
        '2 entries → shared/projects',
        '1 entries → shared/decisions',
        '3 entries → shared/lessons',
        '1 entries → shared/tasks',
        '1 settings → config.json',
        '1 files → archive/import-STAMP/config.json',
        '1 files → archive/import-STAMP/history/checkpoints/c1.json',
        '1 files → archive/import-STAMP/history/events.jsonl',
        '1 files → archive/import-STAMP/notes.txt',
        '1 files → sources.json',
        '1 files → archive/import-STAMP/state.json',
      ])
      expect(contentsOf((await world.json('list')).entries)).toEqual([
        '- [ ] Rotate keys',
        'A shop.',
        'Current focus: Payments',
        'Redis: needs a password',
        'The proxy drops idle sockets.',
        'Validation command: `npm test`',
        'src/api: routes\nsrc/db: storage',
      ])
      const { events } = await world.json<{ events: EventAnswer[] }>('events')
      expect(events.map(({ id, kind }) => [id, kind])).toEqual([
        ['e1', 'imported_session'],
        ['e0', 'tool_run'],
      ])
      expect(await world.json('events', '--kind', 'tool_run')).toMatchObject({ events: [{ id: 'e0' }] })
      expect(JSON.parse(world.read('.memory/config.json'))).toEqual({
        version: 2,
        retention: { history: { maxAgeDays: 90 } },
      })
      expect(report.remarks).toMatchObject([
        {
          file: 'config.json',
          code: 'settings_left',
          message:
            'not taken over: recall.policy, retention.archive.expireAfterDays, redaction.allow, redaction.secondNet, embedder.use, embedder.url; the file is in the archive, `cairn config set` sets what you want of it',
        },
      ])
      // Of another form than ours: recall makes its own, from the entries above.
      expect(existsSync(path.join(world.root, '.memory/state.json'))).toBe(false)
      expect(holds(world, TOKEN)).toBe(false)

      expect(await imported(world, 'old/.agent-memory')).toMatchObject({
        added: 0,
        duplicates: 16,
        failed: 1,
        went: [],
      })
      expect(await imported(world, 'old', '--dry-run')).toMatchObject({ failed: 1 })
    }, AGENT_MEMORY),
  )

  it(
    'a place that is taken keeps what it has, and the import goes beside it',
    inWorld(
      async world => {
        const report = await imported(world, 'old')
        expect(went(report)).toContain('1 files → archive/import-STAMP/state.json')
        expect(went(report)).toContain('1 files → archive/import-STAMP/config.json')
        expect(world.read('.memory/state.json')).toBe('mine')
        expect(JSON.parse(world.read('.memory/config.json'))).toEqual({
          version: 1,
          retention: { history: { maxAgeDays: 90 } },
          search: { limit: 3 },
        })
      },
      {
        ...AGENT_MEMORY,
        '.memory/state.json': 'mine',
        '.memory/config.json': '{"version":1,"search":{"limit":3}}',
      },
    ),
  )
})

const TALK = {
  agentId: 'Dev',
  savedAt: '2026-03-15T23:04:23.463Z',
  messages: [
    { role: 'user', text: '#remember Never open a socket to the browser without asking.' },
    { role: 'agent', text: `We use SSE. ${TOKEN}` },
    { role: 'agent', text: '' },
    { role: 'wizard', text: 'hm' },
    { role: 'agent', text: 'secret plan', internal: true },
  ],
}

/** The messages that the memory keeps of an agent's only conversation, once it is closed. */
function messagesOf(world: World, agent: string): { role: string; text: string; at: string }[] {
  const folder = path.join('.memory/conversations', agent)
  const [file = ''] = readdirSync(path.join(world.root, folder)).filter(name => name.endsWith('.json'))
  return JSON.parse(world.read(path.join(folder, file))).messages
}

describe.concurrent('conversations', () => {
  it(
    'become sessions of their agents, in full, once',
    inWorld(
      async world => {
        const report = await imported(world, 'a')
        expect(report).toMatchObject({ from: 'conversations', added: 3, failed: 2, redacted: 1 })
        expect(went(report)).toEqual([
          '1 sessions → conversations/dev',
          '4 messages → conversations/dev',
          '1 findings → sessions/',
          '1 entries from sessions → dev/',
          '1 files → archive/import-STAMP/broken.json',
          '1 files → _project.md',
        ])
        expect(troubles(report.failures)).toEqual([
          'broken.json conversation_empty',
          'dev.json:13 message_without_text',
        ])
        expect(troubles(report.remarks)).toEqual([
          'dev.json:17 message_role_unknown',
          'ops.md not_taken',
          'web/ not_taken',
        ])
        expect(messagesOf(world, 'dev').map(({ role, text }) => [role, text])).toEqual([
          ['user', '#remember Never open a socket to the browser without asking.'],
          ['agent', 'We use SSE. [redacted:github_token]'],
          ['wizard', 'hm'],
          ['agent', 'secret plan'],
        ])
        expect(messagesOf(world, 'dev')[0]?.at).toBe('2026-03-15T23:04:23.463Z')
        const before = world.bytes()
        expect(await imported(world, 'a/conversations')).toMatchObject({ added: 0, duplicates: 3 })
        expect(world.bytes()).toEqual(before)

        // It went on there: what is new is added.
        const more = {
          ...TALK,
          messages: [
            ...TALK.messages,
            { role: 'user', text: '#remember Always close the stream on errors.' },
          ],
        }
        world.write('a/conversations/dev.json', JSON.stringify(more))
        const again = await imported(world, 'a/conversations/dev.json')
        expect(went(again)).toEqual([
          '1 sessions → conversations/dev',
          '1 messages → conversations/dev',
          '2 findings → sessions/',
          '1 entries from sessions → dev/',
        ])
        expect(messagesOf(world, 'dev')).toHaveLength(5)
      },
      {
        'a/conversations/dev.json': JSON.stringify(TALK, null, 2),
        'a/conversations/broken.json': 'not json',
        'a/_project.md': '# Shop',
        'a/ops.md': '## Notes\nx',
        'a/web/lessons.md': '',
      },
    ),
  )

  it(
    'those that lie in the memory already are closed under their own names',
    inWorld(
      async world => {
        expect(await imported(world, '.memory')).toMatchObject({ added: 0, duplicates: 1, failed: 0 })
        expect(world.read('.memory/sessions/seed-dev.memory.json')).toContain('"sessionId": "seed-dev"')
        const before = world.bytes()
        expect(await imported(world, '.memory')).toMatchObject({ added: 0, duplicates: 1 })
        expect(world.bytes()).toEqual(before)
      },
      { '.memory/conversations/dev.json': JSON.stringify({ ...TALK, messages: TALK.messages.slice(0, 1) }) },
    ),
  )

  it(
    'a transcript is a line a message, whatever wrote it; bad lines and dates are told',
    inWorld(async world => {
      world.write(
        't.jsonl',
        [
          '{"type":"summary","summary":"about"}',
          '{"role":"user","content":"Hello","timestamp":"2026-03-01T10:00:00Z"}',
          '{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"Redis."}]},"timestamp":"1970-01-01"}',
          '{broken',
          '[]',
          '{"role":"user","content":"In the future","timestamp":"2199-01-01T00:00:00Z"}',
        ].join('\n'),
      )
      const report = await imported(world, 't.jsonl', '--agent', 'dev')
      expect(report).toMatchObject({ from: 'transcript', added: 1, failed: 2 })
      expect(troubles(report.failures)).toEqual(['t.jsonl:4 json_damaged', 't.jsonl:5 message_damaged'])
      expect(troubles(report.remarks)).toEqual([
        't.jsonl:3 message_date_skewed',
        't.jsonl:6 message_date_skewed',
      ])
      expect(messagesOf(world, 'dev').map(({ text, at }) => [text, at])).toEqual([
        ['Hello', '2026-03-01T10:00:00.000Z'],
        ['Redis.', '2026-03-01T10:00:00.000Z'],
        ['In the future', '2026-03-01T10:00:00.000Z'],
      ])
      expect(await imported(world, 't.jsonl', '--agent', 'dev')).toMatchObject({ added: 0, duplicates: 1 })
    }),
  )

  it(
    'what a person wanted is in the vault; a fix that was hard to find is no entry, and its check is in the handoff',
    inWorld(async world => {
      const run = (command: string, ok: boolean, output = '') => ({
        role: 'tool',
        text: command,
        run: { tool: 'Bash', command, ok, output },
      })
      const refused = 'Error: connect ECONNREFUSED 127.0.0.1:6379'
      const talk = [
        { role: 'user', text: '#remember We stream by SSE, because the proxy drops idle sockets.' },
        { role: 'user', text: 'Please find out why the tests of the cache fail.' },
        run('npm test', false, refused),
        {
          role: 'tool',
          text: 'edit',
          run: { tool: 'Edit', files: ['src/redis.ts'], isEdit: true, ok: true },
        },
        run('npm test 2>&1', false, refused),
        run('docker compose up -d redis', true),
        run('npm test', true, 'Tests  12 passed'),
      ]
      world.write(
        't.jsonl',
        talk.map(line => JSON.stringify({ ...line, at: '2026-03-01T10:00:00Z' })).join('\n'),
      )
      await imported(world, 't.jsonl', '--agent', 'dev')
      const { entries } = await world.json('list', '--agent', 'dev')
      const [handoffs, others] = [true, false].map(isHandoff =>
        contentsOf(entries.filter(({ kind }) => (kind === 'handoff') === isHandoff)),
      )
      expect(others).toEqual(['We stream by SSE, because the proxy drops idle sockets.'])
      expect(handoffs).toEqual([
        [
          'Asked: Please find out why the tests of the cache fail.',
          'Done and verified: `npm test` passed after the last edit. Changed src/redis.ts. Ran `docker compose up -d redis`.',
        ].join('\n'),
      ])
      expect((await world.json<{ total: number }>('review', 'list')).total).toBe(0)
      const { events } = await world.json<{ events: EventAnswer[] }>('events')
      expect(events.map(({ kind }) => kind)).toContain('imported_session')
    }),
  )

  it(
    'one of 60 MB with a line of 20 MB takes little memory',
    inWorld(async world => {
      const file = openSync(path.join(world.root, 'big.jsonl'), 'w')
      const text = 'the proxy drops idle sockets after a minute, so we keep them alive. '.repeat(30)
      for (let n = 0; n < 20_000; n++) {
        const at = new Date(1_770_000_000_000 + n * 1000).toISOString()
        writeSync(
          file,
          `${JSON.stringify({ role: n % 2 === 0 ? 'user' : 'assistant', content: `${n} ${text}`, at })}\n`,
        )
        if (n === 9_999) writeSync(file, `{"role":"tool","content":"${'x'.repeat(20_000_000)}"}\n`)
      }
      closeSync(file)
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--max-old-space-size=128', BINARY, 'import', 'big.jsonl', '--json'],
        { cwd: world.root, env: { ...world.environment } },
      )
      const report = JSON.parse(stdout) as Report
      expect(went(report)).toEqual([
        '1 sessions → conversations/shared',
        '20000 messages → conversations/shared',
      ])
      expect(troubles(report.failures)).toEqual(['big.jsonl:10001 message_too_long'])
      expect(troubles(report.remarks)).toEqual(['big.jsonl session_left_open'])
    }),
  )
})

describe.concurrent('what is no source', () => {
  it(
    'is refused with what to do',
    inWorld(
      async world => {
        expect(await world.failure('import', 'folder')).toMatchObject({
          code: 'source_unreadable',
          hint: expect.stringContaining('--from'),
        })
        expect(await world.failure('import', 'nowhere')).toMatchObject({ code: 'file_not_found' })
        expect(await world.failure('import', 'folder/a.txt', '--from', 'magic')).toMatchObject({
          code: 'invalid_input',
        })
      },
      { 'folder/a.txt': 'x' },
    ),
  )
})
