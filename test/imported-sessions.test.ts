import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { importOperation } from '../src/addons/import/verbs/import.ts'
import { importDiscoverOperation } from '../src/addons/import/verbs/import-discover.ts'
import { undoOperation } from '../src/features/entries/verbs/undo.ts'
import { closeSession } from '../src/features/learning/closing.ts'
import { reviewQueue } from '../src/features/learning/review-queue.ts'
import { listSessions, startSession } from '../src/features/sessions/sessions.ts'
import { sessionShowOperation } from '../src/features/sessions/verbs/sessions.ts'
import { nodeDisk } from '../src/kernel/system/disk.ts'
import { NOW_MS, openAt } from './support/aged-vault.ts'
import { scratchProject, writeIn } from './support/scratch-project.ts'

const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`
const RULE =
  'Never send an invoice without the export queue, because the partner drops connections after a minute.'

/** Files of the memory that hold a text, or are called by it. */
function holding(root: string, text: string): string[] {
  const memory = path.join(root, '.memory')
  if (!existsSync(memory)) return []
  return readdirSync(memory, { recursive: true, withFileTypes: true })
    .filter(item => item.isFile())
    .map(item => path.join(item.parentPath, item.name))
    .filter(file => file.includes(text) || readFileSync(file).includes(text))
    .map(file => path.relative(memory, file))
}

function talk(more: Record<string, unknown>): string {
  const messages = [
    { role: 'user', content: `#remember ${RULE}` },
    { role: 'agent', content: 'Done.' },
  ]
  return JSON.stringify({ agentId: 'dev', savedAt: '2026-01-01T10:00:00Z', ...more, messages })
}

async function importing(root: string, file: string) {
  const engine = openAt(root)
  return { engine, report: await importOperation.run(engine, { file }, {}) }
}

describe('a project of seed A', () => {
  const messages = [
    { role: 'user', text: 'How do we stream?' },
    { role: 'agent', text: 'We will use SSE for all streaming endpoints.' },
  ]
  const seed = () =>
    scratchProject({
      '.memory/conversations/bmad-master.json': JSON.stringify({
        agentId: 'bmad-master',
        savedAt: '2026-03-15T23:04:23.463Z',
        messages,
      }),
      'docs/chat-sessions.json': '{ "bmad-master": "chat_abc123", "dev": "chat_def456", "bad": "a b" }',
    })

  it('has the ids of its chats listed where they lie', async () => {
    const engine = openAt(seed())
    const { sessions } = await listSessions(engine, { limit: 5 })
    expect(sessions.map(({ session, chats }) => [session, chats]).sort()).toEqual([
      ['seed-bmad-master', { 'bmad-master': 'chat_abc123' }],
      ['seed-dev', { dev: 'chat_def456' }],
    ])
    const { chats } = await engine.agents.chats({ agent: undefined, limit: 5 })
    expect(chats.map(({ agent, chat }) => [agent, chat]).sort()).toEqual([
      ['bmad-master', 'chat_abc123'],
      ['dev', 'chat_def456'],
    ])
    const shown = await sessionShowOperation.run(engine, { session: 'seed-dev' }, {})
    expect(shown.conversations).toMatchObject([{ agent: 'dev', chat: 'chat_def456', messages: [] }])
    await engine.close()
  })

  it('is found by itself, suggested, and imported with its chats, once', async () => {
    const root = seed()
    const engine = openAt(root)
    const { found } = await importDiscoverOperation.run(engine, {}, {})
    expect(found).toMatchObject([
      { format: 'conversations', count: 1, command: `cairn import ${path.join('.memory', 'conversations')}` },
    ])
    const report = await importOperation.run(engine, { from: 'conversations' }, {})
    // The conversation is in its place already: it is distilled, and only the chat of dev is new.
    expect(report).toMatchObject({ from: 'conversations', added: 1, duplicates: 1, failed: 0 })
    const { proposals } = await reviewQueue(engine, { limit: 10 })
    expect(proposals).toMatchObject([
      { content: 'We will use SSE for all streaming endpoints.', kind: 'decision' },
    ])
    rmSync(path.join(root, 'docs'), { recursive: true })
    const { sessions } = await listSessions(engine, { limit: 5 })
    expect(sessions.flatMap(({ chats }) => Object.values(chats)).sort()).toEqual([
      'chat_abc123',
      'chat_def456',
    ])
    const again = await importOperation.run(engine, { from: 'conversations' }, {})
    expect(again).toMatchObject({ added: 0, failed: 0 })
    await engine.close()
  })

  it('may have chats alone', async () => {
    const root = scratchProject({ 'docs/chat-sessions.json': '{"dev":"chat_def456"}' })
    const engine = openAt(root)
    const { found } = await importDiscoverOperation.run(engine, {}, {})
    expect(found).toMatchObject([{ format: 'conversations', count: 1 }])
    const file = path.join(root, 'docs/chat-sessions.json')
    expect(await importOperation.run(engine, { file }, {})).toMatchObject({ from: 'conversations', added: 1 })
    await engine.close()
  })
})

describe('an imported conversation', () => {
  it('keeps no secret in what its host called it, or the model', async () => {
    const root = scratchProject()
    const source = scratchProject({ 'conversations/dev.json': talk({ chatId: TOKEN, modelId: TOKEN }) })
    const { engine, report } = await importing(root, path.join(source, 'conversations/dev.json'))
    expect(report).toMatchObject({ added: 1, failed: 0 })
    const { sessions } = await listSessions(engine, { limit: 5 })
    expect(sessions).toMatchObject([{ chats: { dev: '[redacted:github_token]' } }])
    await engine.close()
    expect(holding(root, TOKEN)).toEqual([])
  })

  it('is taken back with what it taught by the record that the import names', async () => {
    const root = scratchProject()
    const source = scratchProject({ 'conversations/dev.json': talk({}) })
    const { engine, report } = await importing(root, path.join(source, 'conversations/dev.json'))
    const entries = async () =>
      (await engine.store.listEntries({ filter: {}, limit: 10, offset: 0 })).entries.length
    expect(await entries()).toBeGreaterThan(0)
    await undoOperation.run(engine, { record: report.record ?? '' }, {})
    expect(await entries()).toBe(0)
    await engine.close()
  })

  it('is refused when its session id looks like a secret, and told, in a dry run too', async () => {
    const root = scratchProject()
    const source = scratchProject({ 'conversations/dev.json': talk({ sessionId: TOKEN }) })
    const file = path.join(source, 'conversations/dev.json')
    const { engine, report } = await importing(root, file)
    expect(report).toMatchObject({ added: 0, failed: 1, failures: [{ code: 'session_id_invalid' }] })
    expect(await importOperation.run(engine, { file, dryRun: true }, {})).toMatchObject({
      added: 0,
      failures: [{ code: 'session_id_invalid' }],
    })
    await engine.close()
    expect(holding(root, TOKEN)).toEqual([])
  })

  it('goes to the default agent when the one it names looks like a secret', async () => {
    const root = scratchProject()
    const source = scratchProject({ 'conversations/talk.json': talk({ agentId: TOKEN }) })
    const { engine, report } = await importing(root, path.join(source, 'conversations/talk.json'))
    expect(report).toMatchObject({ added: 1, failed: 0 })
    await engine.close()
    expect(holding(root, TOKEN)).toEqual([])
    expect(holding(root, TOKEN.slice(4).toLowerCase())).toEqual([])
  })

  it('goes through the second net, like one that is had here', async () => {
    const root = scratchProject()
    const source = scratchProject({ 'conversations/dev.json': talk({}) })
    const engine = openAt(root)
    const netted = {
      ...engine,
      secondNet: async (text: string) => ({
        text: text.replaceAll('partner', '[redacted:second_net]'),
        redacted: text.includes('partner') ? [{ type: 'second_net', line: 1, column: 1, length: 7 }] : [],
      }),
    }
    const file = path.join(source, 'conversations/dev.json')
    expect(await importOperation.run(netted, { file }, {})).toMatchObject({ added: 1, redacted: 1 })
    await engine.close()
    expect(holding(root, 'partner')).toEqual([])
  })
})

it('a session is not begun for an agent whose name looks like a secret', async () => {
  const engine = openAt(scratchProject())
  await expect(startSession(engine, { session: 's1', agent: TOKEN })).rejects.toMatchObject({
    code: 'invalid_input',
  })
  await engine.close()
})

describe('an imported memory of a session', () => {
  const PROJECT = JSON.stringify({
    version: 1,
    entries: [{ id: 'e1', content: 'We use pnpm in this project.' }],
  })
  const imported = async (memories: Record<string, unknown>) => {
    const root = scratchProject()
    const source = scratchProject({ 'project.json': PROJECT })
    for (const [name, memory] of Object.entries(memories))
      writeIn(source, `sessions/${name}.memory.json`, JSON.stringify(memory))
    return { root, ...(await importing(root, path.join(source, 'project.json'))) }
  }
  const memory = (more: Record<string, unknown>) => ({
    version: 1,
    sessionId: 'x1',
    agentId: 'dev',
    findings: [],
    summary: 's',
    createdAt: 1e12,
    finalizedAt: 1e12,
    ...more,
  })

  it('whose findings have no id, and whose date cannot be, harms nothing that comes after', async () => {
    const finding = { content: 'The worker ignores the header.', category: 'discovery' }
    const { engine, report } = await imported({
      x1: memory({ findings: [finding, null, { content: 7 }], finalizedAt: 1e20 }),
    })
    expect(report.failed).toBe(0)
    expect(report.remarks).toMatchObject([
      { file: 'sessions/x1.memory.json', message: expect.stringContaining('2 of its findings') },
    ])
    const kept = await engine.sessions.findMemory('x1')
    expect(kept).toMatchObject({ createdAt: 1e12, finalizedAt: 1e12 })
    expect(kept?.findings).toMatchObject([{ id: expect.stringMatching(/^import-\w{16}$/), importance: 0.5 }])
    expect((await listSessions(engine, { limit: 5 })).sessions).toMatchObject([{ session: 'x1' }])
    expect((await reviewQueue(engine, { limit: 5 })).total).toBe(1)
    await startSession(engine, { session: 's1', agent: 'dev' })
    await closeSession(engine, 's1')
    await engine.close()
  })

  it('keeps no secret in ids, tags and paths', async () => {
    const finding = {
      id: TOKEN,
      content: 'x is set.',
      category: 'discovery',
      tags: [TOKEN],
      filePaths: [TOKEN],
    }
    const { root, engine, report } = await imported({
      x1: memory({ findings: [finding], agentId: TOKEN, summary: `uses ${TOKEN}` }),
      x2: memory({ sessionId: TOKEN }),
      x3: memory({ sessionId: 'x3', parentSessionId: TOKEN }),
    })
    expect(report.failures).toMatchObject([{ code: 'session_id_invalid' }, { code: 'session_id_invalid' }])
    expect(await engine.sessions.findMemory('x1')).toMatchObject({
      agentId: 'shared',
      findings: [
        {
          id: expect.stringMatching(/^import-/),
          tags: ['[redacted:github_token]'],
          filePaths: ['[redacted:github_token]'],
        },
      ],
    })
    await engine.close()
    expect(holding(root, TOKEN)).toEqual([])
  })
})

describe('a memory of a session on disk', () => {
  const FINDING = {
    id: 'f1',
    fingerprint: 'a',
    content: 'x',
    category: 'lesson',
    importance: 0.5,
    confidence: 0.5,
    promotedToProjectMemory: false,
  }
  const GOOD = {
    version: 1,
    sessionId: 'x',
    agentId: 'dev',
    findings: [FINDING],
    summary: '',
    createdAt: 1,
    finalizedAt: 1,
  }

  it.each([
    ['[]', 'it is not a JSON object'],
    ['{"version": 1, "sess', 'it is not a JSON object'],
    [JSON.stringify({ ...GOOD, findings: 'none' }), '`findings` cannot be read'],
    [JSON.stringify({ ...GOOD, findings: [null] }), 'finding 1: it is not a JSON object'],
    [
      JSON.stringify({ ...GOOD, findings: [FINDING, { ...FINDING, id: undefined }] }),
      'finding 2: `id` is missing',
    ],
    [JSON.stringify({ ...GOOD, findings: [{ ...FINDING, tags: 'a' }] }), 'finding 1: `tags` cannot be read'],
    [JSON.stringify({ ...GOOD, finalizedAt: '2026' }), '`finalizedAt` cannot be read'],
    [JSON.stringify({ ...GOOD, createdAt: 1e20 }), '`createdAt` cannot be read'],
    [JSON.stringify({ ...GOOD, distilled: { dev: 'all' } }), '`distilled` cannot be read'],
  ])('that cannot be one is named: %s', async (text, why) => {
    const root = scratchProject({ '.memory/sessions/x.memory.json': text })
    const engine = openAt(root)
    const message = `.memory/sessions/x.memory.json is not the memory of a session: ${why}.`
    await expect(engine.sessions.findMemory('x')).rejects.toMatchObject({ code: 'document_damaged', message })
    const { problems } = await listSessions(engine, { limit: 5 })
    expect(problems).toMatchObject([{ code: 'document_damaged', path: 'sessions/x.memory.json' }])
    await engine.close()
  })

  it('is read no further than its id, and that once, to tell which session it is of', async () => {
    const root = scratchProject()
    let read = 0
    const counting = {
      ...nodeDisk,
      readFile: (file: string) => {
        if (file.includes('sessions')) read += 1_000
        return nodeDisk.readFile(file)
      },
      readRange: (file: string, from: number, bytes: number) => {
        if (file.includes('sessions')) read++
        return nodeDisk.readRange(file, from, bytes)
      },
    }
    const engine = openAt(root, NOW_MS, { disk: counting })
    const ids = ['plain', 'Not plain', 'weird "id"\n\u{1f600}']
    for (const sessionId of ids)
      await engine.sessions.saveMemory({ ...GOOD, version: 1, sessionId, findings: [] })
    read = 0
    const named = async () => (await engine.sessions.memoryStamps()).map(({ session }) => session).sort()
    expect(await named()).toEqual([...ids].sort())
    expect(read).toBe(2)
    expect(await named()).toEqual([...ids].sort())
    expect(read).toBe(2)
    await engine.close()
  })
})
