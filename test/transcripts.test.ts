import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import * as path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { syncSources } from '../src/addons/import/sync-sources.ts'
import { importSyncOperation } from '../src/addons/import/verbs/import-sync.ts'
import type { ComposedCheckout } from '../src/compose/composed.ts'
import { appendMessages, startSession } from '../src/features/sessions/sessions.ts'
import { writerOf } from '../src/kernel/model/provenance.ts'
import { loadSqlite } from '../src/stores/sqlite/driver.ts'
import { NOW_MS, openAt } from './support/aged-vault.ts'
import { writeIn } from './support/scratch-project.ts'
import { claudeLines, type TranscriptWorld, transcriptWorld } from './support/transcript-world.ts'

const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`
const RULE = 'Never send an invoice without the export queue, because the partner drops connections.'

async function inEngine<T>(
  { root }: TranscriptWorld,
  work: (engine: ComposedCheckout) => Promise<T>,
): Promise<T> {
  const engine = openAt(root)
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}

const sync = (world: TranscriptWorld, input: Parameters<typeof importSyncOperation.run>[1] = {}) =>
  inEngine(world, async engine => (await importSyncOperation.run(engine, input, {})).synced)

const textsOf = (world: TranscriptWorld, session: string) =>
  inEngine(world, async engine => {
    const [head] = await engine.sessions.conversationsOf(session)
    if (head === undefined) return undefined
    return (await engine.sessions.read(head))?.messages.map(({ role, text }) => `${role}: ${text}`)
  })

const sessionsOf = (world: TranscriptWorld) =>
  inEngine(world, async engine =>
    (await engine.sessions.list({ limit: 100 })).sessions.map(({ session }) => session).sort(),
  )

function talk(world: TranscriptWorld, session: string, options: { ageDays?: number; cwd?: string } = {}) {
  const lines = claudeLines(session, options.cwd ?? world.root)
  return world.claude(session, [lines.user(RULE), lines.agent(`Done in ${session}.`)], options)
}

describe('cairn import sync', () => {
  it('takes in what hosts keep of this project, once, and what the person asked for in it', async () => {
    const world = transcriptWorld()
    const { user, agent, run } = claudeLines('s1', world.root)
    const asked = `#remember ${RULE}`
    world.claude('s1', [user(asked), ...run('npm test', 'ok'), agent('Done.')])
    expect(await sync(world)).toMatchObject([
      { id: 'claude-code', status: 'succeeded', files: { seen: 1, read: 1 }, added: 1, failed: 0 },
    ])
    expect(await textsOf(world, 's1')).toEqual([`user: ${asked}`, 'tool: npm test\nok', 'agent: Done.'])
    await inEngine(world, async engine => {
      const [head] = await engine.sessions.conversationsOf('s1')
      expect(head).toMatchObject({ host: 'claude-code', source: 'claude-code', chat: 's1', model: 'm' })
      const { entries } = await engine.store.listEntries({ filter: {}, limit: 9, offset: 0 })
      const rules = entries.filter(({ category }) => category !== 'handoffs')
      expect(
        rules.map(entry => [entry.content, entry.status, entry.origin, writerOf(entry), entry.session]),
      ).toEqual([[RULE, 'confirmed', 'person', 'person', 's1']])
    })
    expect(await sync(world)).toMatchObject([{ files: { seen: 1, read: 0 }, added: 0, duplicates: 0 }])
  })

  it('takes nothing of another project, and what was had in a folder below or in another worktree', async () => {
    const world = transcriptWorld()
    const other = path.join(path.dirname(world.root), 'other')
    const worktree = path.join(path.dirname(world.root), 'worktree')
    const own = path.join(world.root, 'packages/own')
    writeIn(world.root, '.git/HEAD', 'ref: refs/heads/main\n')
    writeIn(world.root, '.memory/config.json', '{}')
    writeIn(world.root, 'packages/a/a.ts', '')
    writeIn(own, '.memory/config.json', '{}')
    writeIn(worktree, '.git', `gitdir: ${world.root}/.git/worktrees/worktree\n`)
    mkdirSync(other)
    talk(world, 'root')
    talk(world, 'below', { cwd: path.join(world.root, 'packages/a') })
    talk(world, 'gone', { cwd: path.join(world.root, '.worktrees/x') })
    talk(world, 'tree', { cwd: worktree })
    talk(world, 'other', { cwd: other })
    talk(world, 'own', { cwd: own })
    talk(world, 'relative', { cwd: 'project' })
    await sync(world)
    expect(await sessionsOf(world)).toEqual(['below', 'gone', 'root', 'tree'])
  })

  it('adds to a session that has grown what is new, and nothing twice', async () => {
    const world = transcriptWorld()
    const { user, agent } = claudeLines('s1', world.root)
    const file = world.claude('s1', [user(RULE), agent('Done.')])
    await sync(world)
    appendFileSync(file, `${user('And the tests?')}\n${agent('Green.')}\n`)
    expect(await sync(world)).toMatchObject([{ files: { read: 1 }, added: 1 }])
    expect(await textsOf(world, 's1')).toEqual([
      `user: ${RULE}`,
      'agent: Done.',
      'user: And the tests?',
      'agent: Green.',
    ])
  })

  it('takes what can be read around damaged lines and tells of them, with Windows line ends too', async () => {
    const world = transcriptWorld()
    const { user, agent } = claudeLines('s1', world.root)
    world.keep(
      `.claude/projects/x/s1.jsonl`,
      `\ufeff${user(RULE)}\r\n{"type":"user","mess\r\n\r\nnull\r\n${agent('Done.')}\r\n`,
    )
    expect(await sync(world)).toMatchObject([
      {
        status: 'partial',
        added: 1,
        failed: 1,
        failures: [{ file: 'x/s1.jsonl', line: 2, message: 'it is not JSON' }],
      },
    ])
    expect(await textsOf(world, 's1')).toEqual([`user: ${RULE}`, 'agent: Done.'])
    expect(await sync(world)).toMatchObject([
      { status: 'partial', error: 'x/s1.jsonl:2: it is not JSON', files: { read: 0 } },
    ])
  })

  it('leaves what is old where it is, now and later, until somebody says since when', async () => {
    const world = transcriptWorld()
    talk(world, 'new', { ageDays: 2 })
    talk(world, 'old', { ageDays: 40 })
    expect(await sync(world)).toMatchObject([{ files: { seen: 2, read: 1 }, transcripts: { cold: 1 } }])
    expect(await sync(world)).toMatchObject([{ files: { read: 0 }, transcripts: { cold: 1 } }])
    expect(await sessionsOf(world)).toEqual(['new'])
    expect(await sync(world, { since: '2026-09' })).toMatchObject([{ added: 1, transcripts: { cold: 0 } }])
    expect(await sessionsOf(world)).toEqual(['new', 'old'])
  })

  it('takes the newest so many', async () => {
    const world = transcriptWorld()
    for (const ageDays of [3, 4, 5]) talk(world, `s${ageDays}`, { ageDays })
    expect(await sync(world, { most: 2 })).toMatchObject([{ added: 2, transcripts: { cold: 1 } }])
    expect(await sessionsOf(world)).toEqual(['s3', 's4'])
  })

  it('does not take what hooks captured, nor what they went on with', async () => {
    const world = transcriptWorld()
    talk(world, 'captured')
    const grown = talk(world, 'resumed')
    await inEngine(world, async engine => {
      await startSession(engine, { session: 'captured', agent: 'dev', host: 'claude-code' })
      await appendMessages(engine, { session: 'captured', agent: 'dev' }, [{ role: 'user', text: 'Mine.' }])
    })
    expect(await sync(world)).toMatchObject([{ added: 1, transcripts: { captured: 1 } }])
    expect(await textsOf(world, 'captured')).toEqual(['user: Mine.'])
    await inEngine(world, async engine => {
      const [head] = await engine.sessions.conversationsOf('resumed')
      if (head !== undefined) await appendMessages(engine, head, [{ role: 'user', text: 'Go on.' }])
    })
    appendFileSync(grown, `${claudeLines('resumed', world.root, 5).user('Go on.')}\n`)
    expect(await sync(world)).toMatchObject([{ added: 0, transcripts: { captured: 2 } }])
    expect((await textsOf(world, 'resumed'))?.filter(text => text === 'user: Go on.')).toHaveLength(1)
  })

  it('keeps no secret, and distils no word of a sub-agent', async () => {
    const world = transcriptWorld()
    const { user } = claudeLines('s1', world.root)
    world.claude('s1', [user(`The token is ${TOKEN}. ${RULE}`)])
    world.keep(
      `.claude/projects/${world.root.replace(/[^a-zA-Z0-9]/g, '-')}/s1/subagents/agent-a.jsonl`,
      `${JSON.stringify({ ...JSON.parse(user('Always deploy on Fridays.')), isSidechain: true })}\n`,
    )
    await sync(world)
    const files = readdirSync(path.join(world.root, '.memory'), { recursive: true, withFileTypes: true })
      .filter(item => item.isFile())
      .map(item => readFileSync(path.join(item.parentPath, item.name)))
    expect(files.some(bytes => bytes.includes(TOKEN))).toBe(false)
    expect(files.some(bytes => bytes.includes('Fridays'))).toBe(false)
  })

  it('writes nothing in a dry run', async () => {
    const world = transcriptWorld()
    talk(world, 's1')
    expect(await sync(world, { dryRun: true })).toMatchObject([{ added: 1 }])
    expect(existsSync(path.join(world.root, '.memory/sources.json'))).toBe(false)
    expect(await sessionsOf(world)).toEqual([])
  })

  it('reads where hosts keep them and not where a registry from a clone says, and later without being asked', async () => {
    const world = transcriptWorld()
    const decoy = world.keep('decoy/s9.jsonl', `${claudeLines('s9', world.root).user(RULE)}\n`)
    writeIn(
      world.root,
      '.memory/sources.json',
      JSON.stringify({
        version: 1,
        sources: [
          { id: 'claude-code', type: 'transcripts:claude-code', path: path.dirname(decoy), agent: 'evil' },
        ],
      }),
    )
    talk(world, 's1')
    const before = await inEngine(world, engine => syncSources(engine))
    expect(before.synced).toMatchObject([{ status: 'not_allowed' }])
    await sync(world)
    expect(await sessionsOf(world)).toEqual(['s1'])
    await inEngine(world, async engine => {
      const { sources } = await engine.sourceRegistry.list()
      expect(sources).toMatchObject([{ path: path.join(world.home, '.claude/projects') }])
      expect(sources[0]?.agent).toBeUndefined()
    })
    talk(world, 's2')
    await inEngine(world, engine => syncSources(engine))
    expect(await sessionsOf(world)).toEqual(['s1', 's2'])
  })

  it('gives the same conversation wherever the transcript was cut when it was read before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 900 }), { maxLength: 3 }), async cuts => {
        const world = transcriptWorld()
        const { user, agent, run } = claudeLines('s1', world.root)
        const whole = Buffer.from(
          [user('Olá, está?'), ...run('npm test', 'ok'), agent('Sim.'), user('E agora?')]
            .map(line => `${line}\n`)
            .join(''),
        )
        const file = world.claude('s1', [])
        for (const cut of [...cuts.sort((a, b) => a - b), whole.length]) {
          writeFileSync(file, whole.subarray(0, cut))
          await sync(world)
        }
        expect(await textsOf(world, 's1')).toEqual([
          'user: Olá, está?',
          'tool: npm test\nok',
          'agent: Sim.',
          'user: E agora?',
        ])
      }),
      { numRuns: 8 },
    )
  })
})

describe('other hosts', () => {
  it('Codex, Gemini, Copilot, Cursor, Cline and the project itself are found by themselves', async () => {
    const world = transcriptWorld()
    const { root } = world
    const id = '01a1de30-6ecf-7f20-913b-437cf978d094'
    const at = '2026-11-14T10:00:00.000Z'
    const said = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] })
    const lines = (...values: unknown[]) => values.map(value => `${JSON.stringify(value)}\n`).join('')
    world.keep(
      `.codex/sessions/2026/11/14/rollout-2026-11-14T10-00-00-${id}.jsonl`,
      lines(
        { timestamp: at, type: 'session_meta', payload: { id, cwd: root } },
        {
          timestamp: at,
          type: 'response_item',
          payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'codex' }] },
        },
      ),
    )
    world.keep('.gemini/projects.json', JSON.stringify({ projects: { [root]: 'shop' } }))
    world.keep(
      '.gemini/tmp/shop/chats/session-1.jsonl',
      lines(
        { sessionId: 'gemini-session', projectHash: 'h' },
        { id: '1', timestamp: at, type: 'user', content: 'gemini' },
      ),
    )
    world.keep(
      '.gemini/tmp/elsewhere/chats/session-2.jsonl',
      lines({ sessionId: 'of-others', projectHash: 'h' }, { id: '1', type: 'user', content: 'others' }),
    )
    world.keep('.copilot/session-state/cop/workspace.yaml', `id: cop\ncwd: '${root}'\n`)
    world.keep(
      '.copilot/session-state/cop/events.jsonl',
      lines({ type: 'user.message', timestamp: at, data: { content: 'copilot' } }),
    )
    world.keep(
      `.cursor/projects/${root.replace(/[^a-zA-Z0-9]+/g, '-').replace(/^-/, '')}/agent-transcripts/cur/cur.jsonl`,
      lines({ role: 'user', message: said('<user_query>cursor</user_query>') }),
    )
    world.keep('.cline/data/sessions/cli/cli.json', JSON.stringify({ cwd: root }))
    world.keep(
      '.cline/data/sessions/cli/cli.messages.json',
      JSON.stringify({ version: 1, messages: [{ ...said('cline'), ts: Date.parse(at) }] }),
    )
    writeIn(root, 'agent-transcripts/2026/talk.jsonl', lines({ role: 'user', content: 'own', timestamp: at }))
    const synced = await sync(world)
    expect(synced.map(({ id, added, error }) => [id, added, error])).toEqual(
      ['codex', 'gemini', 'copilot', 'cursor', 'cline', 'agent-transcripts'].map(host => [host, 1, null]),
    )
    for (const [session, text] of [
      [id, 'codex'],
      ['gemini-session', 'gemini'],
      ['cop', 'copilot'],
      ['cur', 'cursor'],
      ['cli', 'cline'],
      ['agent-transcripts-2026-talk', 'own'],
    ] as const)
      expect(await textsOf(world, session)).toEqual([`user: ${text}`])
  })

  it('OpenCode is read from its database, which is not written to', async () => {
    const world = transcriptWorld()
    const file = world.keep('.local/share/opencode/opencode.db', '')
    const { DatabaseSync } = loadSqlite()
    const database = new DatabaseSync(file)
    database.exec(`CREATE TABLE session (id TEXT, project_id TEXT, parent_id TEXT, directory TEXT, time_updated INTEGER);
      CREATE TABLE message (id TEXT, session_id TEXT, data TEXT); CREATE TABLE part (id TEXT, message_id TEXT, data TEXT);
      CREATE TABLE credential (id TEXT, secret TEXT); INSERT INTO credential VALUES ('c', '${TOKEN}');`)
    const add = (table: string, ...values: (string | number | null)[]) =>
      database.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`).run(...values)
    const created = NOW_MS - 86_400_000
    add('session', 'ses_1', 'p', null, world.root, created)
    add('session', 'ses_2', 'p', 'ses_1', world.root, created)
    add('session', 'ses_3', 'p', null, '/elsewhere', created)
    add('message', 'msg_1', 'ses_1', JSON.stringify({ role: 'user', time: { created } }))
    add('part', 'prt_1', 'msg_1', JSON.stringify({ type: 'text', text: '"Say \\"hi\\"."' }))
    add('part', 'prt_2', 'msg_1', JSON.stringify({ type: 'text', text: 'our brief', synthetic: true }))
    add('message', 'msg_2', 'ses_1', JSON.stringify({ role: 'assistant', time: { created } }))
    add('part', 'prt_3', 'msg_2', 'not json')
    add(
      'part',
      'prt_4',
      'msg_2',
      JSON.stringify({
        type: 'tool',
        tool: 'bash',
        state: {
          status: 'completed',
          input: { command: 'make' },
          output: 'no',
          metadata: { exit: 2 },
        },
      }),
    )
    database.close()
    const before = readFileSync(file)
    expect(await sync(world)).toMatchObject([{ id: 'opencode', added: 1, files: { seen: 2 } }])
    expect(await textsOf(world, 'ses_1')).toEqual(['user: Say "hi".', 'tool: make (failed)\nno'])
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('a database that is none is told and harms no other', async () => {
    const world = transcriptWorld()
    talk(world, 's1')
    world.keep('.local/share/opencode/opencode.db', 'this is no database at all, but a text of some length')
    await inEngine(world, async engine => {
      const { transcripts, problems } = await engine.transcripts.list()
      expect(transcripts.map(({ session }) => session)).toEqual(['s1'])
      expect(problems).toMatchObject([{ code: 'transcripts_unreadable' }])
    })
    rmSync(path.join(world.home, '.local'), { recursive: true })
  })
})
