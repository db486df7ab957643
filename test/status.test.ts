import { expect, it } from 'vitest'
import type { Composed } from '../src/compose/composed.ts'
import { compareEntries } from '../src/features/conflicts/find-conflicts.ts'
import { doctorOperation } from '../src/features/doctor/verbs/doctor.ts'
import { remember } from '../src/features/entries/write-entries.ts'
import { closeSession } from '../src/features/learning/closing.ts'
import { reviewQueue } from '../src/features/learning/review-queue.ts'
import {
  appendMessages,
  checkpointSession,
  endSession,
  startSession,
} from '../src/features/sessions/sessions.ts'
import { statusOperation } from '../src/features/status/verbs/status.ts'
import { nodeDisk } from '../src/kernel/system/disk.ts'
import * as aged from './support/aged-vault.ts'
import { DAY_MS, NOW_MS, openAt } from './support/aged-vault.ts'
import { scratchProject, writeIn } from './support/scratch-project.ts'
import * as sound from './support/sound-memory.ts'

const QUEUE = 'Never export without the queue, because the partner drops connections after a minute.'

async function say(engine: Composed, session: string, texts: readonly string[], agent = 'dev') {
  await startSession(engine, { session, agent })
  const messages = texts.map((text, n) => ({ role: n % 2 === 0 ? 'user' : 'agent', text }))
  await appendMessages(engine, { session, agent }, messages)
}

const status = (engine: Composed) => statusOperation.run(engine, {}, {})
const doctor = (engine: Composed) => doctorOperation.run(engine, {}, {})

it('counts what waits for somebody, as the verbs that settle it do', async () => {
  const root = scratchProject()
  const before = openAt(root, NOW_MS - 2 * DAY_MS)
  await say(before, 'idle', ['Please look at the export.'])
  await say(before, 'ended', ['Please look at the export.'])
  await endSession(before, { session: 'ended', agent: 'dev' })
  await before.close()
  const engine = openAt(root)
  expect((await doctor(engine)).checks.find(({ name }) => name === 'waiting')).toEqual({
    name: 'waiting',
    result: 'ok',
    message: '0 to review, 0 open conflicts, 2 sessions left open',
    hint: 'See `cairn session pick-up`.',
  })
  await say(engine, 'open', ['hello there'])
  await say(engine, 'closed', [QUEUE, 'We decided to use Redis for the export queue.'])
  await closeSession(engine, 'closed')
  await remember(engine, [
    { content: 'The gateway port is 8080.', kind: 'decision' },
    { content: 'The gateway port is 9090.', kind: 'decision' },
  ])
  await compareEntries(engine, () => false)
  const { sessions, waiting, problems } = await status(engine)
  const { total } = await reviewQueue(engine, { limit: 1 })
  expect(total).toBeGreaterThan(1)
  expect([sessions, waiting, problems]).toEqual([
    4,
    { review: total, conflicts: 1, sessionsLeft: 2, upgrade: 0 },
    [],
  ])
  expect((await doctor(engine)).healthy).toBe(true)
  await engine.close()
})

it('tells of damaged conversations, memories and checkpoints: status of the newest, doctor of all', async () => {
  const root = scratchProject()
  for (let n = 0; n < 6; n++)
    await aged.closeSession(root, { session: `fine-${n}`, atMs: NOW_MS - DAY_MS, messages: 3 })
  const engine = openAt(root)
  await say(engine, 'new', [QUEUE, 'Done.'])
  await checkpointSession(engine, { session: 'new', agent: 'dev' })
  expect((await doctor(engine)).checks.find(({ name }) => name === 'sessions')).toMatchObject({
    result: 'ok',
    message: '7 readable, checkpoints: 1',
  })
  writeIn(root, '.memory/sessions/new.memory.json', '{"version": 1, "sess')
  writeIn(root, '.memory/.vault/checkpoints/dev/torn.json', '{"version": 1, "mess')
  const told = async () => (await status(engine)).problems.map(({ code, path }) => `${code} ${path}`).sort()
  expect(await told()).toEqual([
    'checkpoint_damaged .vault/checkpoints/dev/torn.json',
    'document_damaged sessions/new.memory.json',
  ])
  writeIn(root, '.memory/conversations/dev/torn.json', '{"agentId": "dev", "mess')
  expect(await told()).toContain('conversation_damaged conversations/dev/torn.json')
  const line = '{"role":"user","text":"one more"}\n{"role": "us\n{"role":"user","text":"and more"}\n'
  writeIn(root, '.memory/conversations/dev/half.jsonl', line)
  const { healthy, checks } = await doctor(engine)
  expect(healthy).toBe(false)
  expect(
    checks
      .filter(({ result }) => result === 'warning')
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['checkpoint_damaged', 'conversation_damaged', 'conversation_line_damaged', 'document_damaged'])
  await engine.close()
})

it('opens no more files of sessions however many there are', async () => {
  const root = scratchProject()
  const opened = async () => {
    let reads = 0
    const disk = new Proxy(nodeDisk, {
      get(all, name: keyof typeof nodeDisk) {
        if (/^(?:readFile|readTail|readHead|open)/.test(name)) reads += 1
        return all[name]
      },
    })
    const engine = openAt(root, NOW_MS, { disk })
    await status(engine)
    await engine.close()
    return reads
  }
  for (let n = 0; n < 10; n++)
    await aged.closeSession(root, { session: `s${n}`, atMs: NOW_MS - DAY_MS, messages: 3 })
  await opened()
  const few = await opened()
  for (let n = 10; n < 40; n++)
    await aged.closeSession(root, { session: `s${n}`, atMs: NOW_MS - DAY_MS, messages: 3 })
  expect(await opened()).toBe(few)
})

it('says where the state stands: drift since the checkpoint, backlog by source, growth', async () => {
  const fresh = scratchProject()
  const none = openAt(fresh, sound.NOW_MS)
  expect((await status(none)).state).toMatchObject({
    kind: 'none',
    drift: null,
    backlog: { events: 0, isOver: false },
    checkpoints: { count: 0, latest: null },
  })
  expect((await status(none)).health).toEqual({ state: 'well', reasons: [], causes: [] })
  await none.close()

  const later = { createdAt: '2026-03-20T08:00:00.000Z' }
  const root = scratchProject({
    ...sound.soundMemory(),
    '.memory/state.json': sound.json({
      ...sound.STATE,
      bundle: {
        ...sound.STATE.bundle,
        gotchas: [{ text: 'The mock clock is in UTC.', since: later.createdAt, sources: [] }],
      },
    }),
    '.memory/history/events.jsonl': [
      sound.event('1773900000000-e001'),
      sound.event('1773900000001-e002', later),
      sound.event('1773900000002-e003', { ...later, sourceId: 'notes' }),
      sound.event('1773900000003-e004', { ...later, sourceId: 'notes' }),
      '',
    ].join('\n'),
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.git/logs/HEAD': [
      'a b T <t@example.com> 1773800000 +0100\tcommit: before the checkpoint',
      'b c T <t@example.com> 1774000000 +0100\tcommit: after it',
      'c d T <t@example.com> 1774000001 +0100\tcheckout: moving from main to topic',
      '',
    ].join('\n'),
  })
  const engine = openAt(root, sound.NOW_MS)
  const { state, health, sources, projectWords, problems } = await status(engine)
  expect(state).toEqual({
    kind: 'read',
    generatedAt: '2026-03-19T10:00:00.000Z',
    provider: 'rules',
    handEdited: true,
    recall: { lastAt: '2026-03-19T10:00:00.000Z', auto: true, due: true },
    checkpoints: { count: 1, latest: { id: sound.CHECKPOINT, at: '2026-03-19T10:00:00.000Z' } },
    drift: {
      sections: [{ section: 'gotchas', added: 1, removed: 0 }],
      events: 3,
      entries: 0,
      commits: 1,
      files: 1,
    },
    backlog: {
      events: 3,
      isWhole: true,
      sources: [
        { source: 'notes', events: 2 },
        { source: 'session:s1', events: 1 },
      ],
      threshold: 50,
      isOver: false,
    },
    events: 4,
    growth: { entriesWeek: 4, entriesMonth: 4, eventsWeek: 4 },
  })
  expect(sources).toEqual([
    { id: 'notes', type: 'flat', lastSyncedAt: null, lastSyncStatus: null, lastImportedCount: null },
  ])
  expect([projectWords, problems]).toEqual([6, []])
  expect(health).toEqual({
    state: 'attention',
    reasons: ['the bundle was edited by hand', '1 session left open'],
    causes: [{ code: 'bundle_edited' }, { code: 'sessions_left', count: 1 }],
  })
  await engine.close()
})

it('warns of a backlog over the threshold, a long project text and a state that cannot be read', async () => {
  const root = scratchProject({
    ...sound.soundMemory(),
    '.memory/config.json': '{ "version": 1, "recall": { "backlogWarnThreshold": 1 } }',
    '.memory/_project.md': 'word '.repeat(501),
    '.memory/state.json': '{',
  })
  const engine = openAt(root, sound.NOW_MS)
  const { state, health, problems } = await status(engine)
  expect(state.backlog).toMatchObject({ events: 2, isOver: true })
  expect(problems.map(({ code, path }) => `${code} ${path}`)).toEqual([
    'state_damaged state.json',
    'project_text_long _project.md',
  ])
  expect(health).toEqual({
    state: 'trouble',
    reasons: ['1 problem', '2 events not recalled', '1 session left open', '_project.md is long'],
    causes: [
      { code: 'problems', count: 1 },
      { code: 'not_recalled', count: 2 },
      { code: 'sessions_left', count: 1 },
      { code: 'project_text_long' },
    ],
  })
  await engine.close()
})
