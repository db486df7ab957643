import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type HttpWorld, httpWorld } from './http-world.ts'

const user = (text: string) => ({ role: 'user', text })
const agent = (text: string) => ({ role: 'agent', text })

let world: HttpWorld
beforeAll(async () => {
  world = await httpWorld()
}, 180_000)
afterAll(() => world.end(), 180_000)

it('keeps a conversation once, however often a page saves it, and also when the page closes while it saves', async () => {
  const talk = [user('Why is the build slow?'), agent('The cache is cold.')]
  const first = await world.ask('seedSave', { agentId: 'dev', messages: talk })
  expect(first).toEqual({
    status: 200,
    body: {
      saved: [{ agentId: 'dev', session: expect.any(String), added: 2, total: 2 }],
      degraded: [],
    },
  })
  const { session } = (first.body.saved as { session: string }[])[0] ?? { session: '' }

  const again = await world.ask('seedSave', { agentId: 'dev', messages: talk })
  expect(again.body.saved).toEqual([{ agentId: 'dev', session, added: 0, total: 2 }])

  // The agent is still writing when it is saved.
  const half = [...talk, user('And now?'), agent('It is')]
  const whole = [...talk, user('And now?'), agent('It is warm.')]
  await world.ask('seedSave', { agentId: 'dev', messages: half })
  const both = await Promise.all([
    world.ask('seedSave', { agentId: 'dev', messages: whole }),
    world.ask('seedCheckpoint', { agentId: 'dev', messages: whole, chatId: 'chat_abc' }),
    world.ask('seedSave', { conversations: [{ agentId: 'dev', messages: whole }] }),
  ])
  expect(both.map(({ status }) => status)).toEqual([200, 200, 200])

  const { body } = await world.ask('seedConversations', { agentId: 'dev' })
  const [conversation] = body.conversations as {
    session: string
    messages: { role: string; text: string }[]
  }[]
  expect(conversation?.session).toBe(session)
  expect(conversation?.messages.map(({ role, text }) => `${role}: ${text}`)).toEqual([
    'user: Why is the build slow?',
    'agent: The cache is cold.',
    'user: And now?',
    'agent: It is warm.',
  ])
})

it('begins a new conversation where the messages are others, and finds each of them again', async () => {
  const one = [user('Plan the release.'), agent('First the changelog.')]
  const two = [user('Plan the party.'), agent('First the cake.')]
  const of = async (messages: object[]) => {
    const { body } = await world.ask('seedSave', { agentId: 'qa', messages })
    return (body.saved as { session: string; added: number }[])[0]
  }
  const [release, party] = [await of(one), await of(two)]
  expect(release?.session).not.toBe(party?.session)
  expect(await of([...one, user('Then?')])).toMatchObject({ session: release?.session, added: 1 })
  expect(await of([...two, user('Then?')])).toMatchObject({ session: party?.session, added: 1 })
})

it('saves the last fifty messages as a checkpoint, without internal ones, and gives them back', async () => {
  const messages = Array.from({ length: 70 }, (_, at) => ({
    ...(at % 2 === 0 ? user(`Question ${at}`) : agent(`Answer ${at}`)),
    ...(at === 68 && { internal: true }),
  }))
  const saved = await world.ask('seedCheckpoint', {
    agentId: 'ops',
    messages,
    chatId: 'chat_ops',
    modelId: 'model-1',
  })
  expect(saved.body).toMatchObject({ saved: true, messages: 50, added: 70 })
  const { body } = await world.ask('seedRecover', { agentId: 'ops' })
  const checkpoint = body.checkpoint as { messages: { text: string }[] }
  expect(body).toMatchObject({
    fresh: false,
    checkpoint: { agentId: 'ops', chatId: 'chat_ops', modelId: 'model-1', savedAt: expect.any(Number) },
  })
  expect([
    checkpoint.messages.length,
    checkpoint.messages[0]?.text,
    checkpoint.messages.at(-1)?.text,
  ]).toEqual([50, 'Answer 19', 'Answer 69'])
  // A page that knows only the end of it adds what is new.
  const end = [...messages.slice(-50), user('One more')]
  expect((await world.ask('seedCheckpoint', { agentId: 'ops', messages: end })).body).toMatchObject({
    added: 1,
  })
})

it('says why there is nothing to go on from', async () => {
  expect((await world.ask('seedRecover', { agentId: 'nobody' })).body).toEqual({
    checkpoint: null,
    fresh: true,
    reason: 'nobody has no checkpoint',
    problems: [],
    degraded: [],
  })
  const { body } = await world.ask('seedCheckpoint', { agentId: 'old', messages: [user('Long ago')] })
  const file = path.join(world.memory, '.vault', 'checkpoints', 'old', `${body.session}.json`)
  const stored = JSON.parse(readFileSync(file, 'utf8'))
  const eightDaysAgo = Date.now() - 8 * 86_400_000
  writeFileSync(file, JSON.stringify({ ...stored, savedAt: eightDaysAgo }))
  utimesSync(file, eightDaysAgo / 1_000, eightDaysAgo / 1_000)
  expect((await world.ask('seedRecover', { agentId: 'old' })).body).toMatchObject({
    checkpoint: null,
    fresh: true,
    reason: expect.stringContaining('is older than 7 days'),
  })
})

it('takes a checkpoint from a page that closes: no header, the token in the body', async () => {
  const response = await fetch(`${world.address}/api/memory/checkpoint`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain;charset=UTF-8' },
    body: JSON.stringify({ agentId: 'beacon', messages: [user('Bye')], token: world.token }),
  })
  expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ saved: true })])
})

it('creates, reads, finds, changes and deletes an entry by the names of the seed', async () => {
  const made = await world.ask('seedVaultAdd', {
    agentId: 'bmad-master',
    category: 'decisions',
    content: 'We decided to use SSE instead of WebSockets.',
    tags: ['sse', 'architecture'],
  })
  const entry = made.body.entry as { id: string }
  expect(made.body).toMatchObject({
    entry: {
      id: expect.any(String),
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/),
      content: 'We decided to use SSE instead of WebSockets.',
      tags: ['sse', 'architecture'],
      agentId: 'bmad-master',
      category: 'decisions',
    },
    duplicate: false,
  })
  expect((await world.ask('seedVault')).body.agents).toContain('bmad-master')
  expect((await world.ask('seedVault', { agentId: 'bmad-master' })).body.counts).toEqual({
    decisions: 1,
    lessons: 0,
    tasks: 0,
    projects: 0,
    handoffs: 0,
  })
  const which = { agentId: 'bmad-master', category: 'decisions' }
  expect((await world.ask('seedVault', which)).body.entries).toEqual([
    expect.objectContaining({ id: entry.id }),
  ])
  expect((await world.ask('seedSearch', { q: 'websockets', agentId: 'bmad-master' })).body.results).toEqual([
    {
      entry: expect.objectContaining({ id: entry.id }),
      score: expect.any(Number),
      snippet: expect.stringContaining('WebSockets'),
    },
  ])
  const content = 'We decided to use SSE.'
  expect((await world.ask('seedVaultEdit', { ...which, id: entry.id, content })).body.entry).toMatchObject({
    content,
  })
  // Whose it is must be right.
  expect(
    (await world.ask('seedVaultDelete', { agentId: 'dev', category: 'decisions', id: entry.id })).status,
  ).toBe(404)
  expect((await world.ask('seedVaultDelete', { ...which, id: entry.id })).body).toMatchObject({
    deleted: true,
  })
  expect((await world.ask('seedVault', which)).body.entries).toEqual([])
})

it('appends to a memory, and begins the project text where there is none', async () => {
  const { body } = await world.ask('seedSave', {
    agentId: 'writer',
    append: 'The build needs Node 20.',
    category: 'projects',
    project: 'A tool for builds.',
  })
  expect(body).toMatchObject({
    saved: [],
    entry: { agentId: 'writer', category: 'projects', content: 'The build needs Node 20.' },
    project: { created: true, words: 4 },
  })
  expect(readFileSync(path.join(world.memory, '_project.md'), 'utf8')).toBe('A tool for builds.')
  expect((await world.ask('seedSave', { project: 'Another.' })).body.project).toEqual({
    created: false,
    words: 4,
  })
})

it('migrates flat files and compacts, for this machine alone, and tells what the last compaction did', async () => {
  expect((await world.ask('seedCompaction')).body).toEqual({ lastCompaction: null })
  writeFileSync(path.join(world.memory, 'flat.md'), '# flat\n\n## Decisões\n\nUsamos SSE.\n')
  const elsewhere = { authorization: `Bearer ${world.token}`, 'x-forwarded-for': '203.0.113.9' }
  for (const name of ['seedMigrate', 'seedCompact'] as const)
    expect(await world.ask(name, {}, elsewhere)).toMatchObject({
      status: 403,
      body: { code: 'request_refused' },
    })
  expect((await world.ask('seedMigrate')).body).toEqual({ migrated: ['flat.md'], skipped: [] })
  expect(existsSync(path.join(world.memory, 'flat.md.bak'))).toBe(true)

  const { body } = await world.ask('seedCompact')
  expect(body).toEqual({
    lastCompaction: {
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      checkpointsCleaned: expect.any(Number),
      conversationsTrimmed: expect.any(Number),
      vaultEntriesMerged: 0,
      indexRebuilt: false,
      legacyFilesCleaned: expect.any(Number),
    },
  })
  expect((await world.ask('seedCompaction')).body).toEqual(body)
})
