import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ComposeOptions, composeEngine } from '../src/compose/compose.ts'
import type { ComposedCheckout } from '../src/compose/composed.ts'
import { remember } from '../src/features/entries/write-entries.ts'
import { agentActivity } from '../src/features/sessions/agent-activity.ts'
import {
  appendMessages,
  checkpointSession,
  endSession,
  forkSession,
  listSessions,
  recordRuns,
  recoverSession,
  resumeSession,
  sleepSession,
  startSession,
} from '../src/features/sessions/sessions.ts'
import type { Message } from '../src/kernel/model/message.ts'
import { systemClock } from '../src/kernel/system/clock.ts'
import { type Disk, nodeDisk } from '../src/kernel/system/disk.ts'
import { readIn, scratchProject, writeIn } from './support/scratch-project.ts'

const MONDAY = Date.parse('2026-03-16T10:00:00.000Z')
const HOUR = 3_600_000
const DAY = 24 * HOUR
const TOKEN = `${'ghp'}_abcdefghijklmnopqrstuvwxyz0123456789`
const KEY = { session: 's1', agent: 'dev' }

/** A memory whose clock stands still until it is moved. */
function open(options: Partial<ComposeOptions> = {}): { engine: ComposedCheckout; time: { now: number } } {
  const time = { now: MONDAY }
  const engine = composeEngine({
    root: scratchProject(),
    actor: { host: 'test', agent: 'dev' },
    clock: { ...systemClock, nowMs: () => time.now },
    ...options,
  })
  onTestFinished(() => engine.close())
  return { engine, time }
}

const user = (text: string, more: Partial<Message> = {}): Message => ({ role: 'user', text, ...more })
const talk = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => user(`message ${from + n}`))

describe('a session', () => {
  it('gets an id of its own, and many of one agent are open at once', async () => {
    const { engine } = open()
    const [a, b] = await Promise.all([startSession(engine), startSession(engine)])
    expect(a.head.session).toMatch(/^s-[0-9a-z]+-[0-9a-z]{6}$/)
    expect(a.head.session).not.toBe(b.head.session)
    expect(a.head).toMatchObject({ agent: 'dev', host: 'test', startedAt: '2026-03-16T10:00:00.000Z' })
    expect((await engine.sessions.unclosed()).length).toBe(2)
  })

  it('is begun by its first message', async () => {
    const { engine } = open()
    expect(await appendMessages(engine, KEY, [user('Hello')])).toEqual({
      count: 1,
      added: 1,
      first: 0,
      seen: 1,
      redacted: 0,
      cut: 0,
      skipped: [],
      checkpoint: false,
    })
    expect(await engine.sessions.read(KEY)).toMatchObject({
      head: { ...KEY, host: 'test' },
      messages: [{ role: 'user', text: 'Hello', at: '2026-03-16T10:00:00.000Z' }],
    })
  })

  it('takes the same messages once, and counts those it cannot keep', async () => {
    const { engine } = open()
    const handed = [user('one'), user('   '), { role: '', text: 'nobody' }, user('two')]
    const first = await appendMessages(engine, KEY, handed, { at: 0 })
    expect(first).toMatchObject({ added: 2, seen: 4 })
    expect(first.skipped).toEqual([
      { index: 1, code: 'message_without_text', message: 'It has no text.' },
      { index: 2, code: 'message_role_unknown', message: 'It says not who speaks: its role is no name.' },
    ])
    const again = await appendMessages(engine, KEY, [...handed, user('three')], { at: 0 })
    expect(again).toMatchObject({ added: 1, count: 3, seen: 5 })
  })

  it('leaves no secret and nothing private in any file', async () => {
    const { engine } = open()
    await startSession(engine, { ...KEY, chat: TOKEN, model: 'm' })
    await appendMessages(engine, KEY, [
      user(`use ${TOKEN} <private>the plan of the board</private>`),
      { role: 'tool', text: TOKEN },
    ])
    await recordRuns(engine, KEY, [
      { tool: 'Bash', command: `login ${TOKEN}`, output: `Error: ${TOKEN}`, ok: false, exitCode: 1 },
    ])
    await checkpointSession(engine, KEY)
    await sleepSession(engine, KEY)
    const folder = path.join(engine.root, '.memory')
    const bytes = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(item => item.isFile())
      .map(item => readFileSync(path.join(item.parentPath, item.name), 'latin1'))
    expect(bytes.length).toBeGreaterThan(5)
    expect(bytes.filter(text => text.includes(TOKEN) || text.includes('the board'))).toEqual([])
    await expect(startSession(engine, { session: TOKEN })).rejects.toMatchObject({
      code: 'session_id_invalid',
    })
  })

  it('refuses an agent that cannot have a folder', async () => {
    const { engine } = open()
    await expect(startSession(engine, { agent: '../x' })).rejects.toMatchObject({ code: 'agent_id_invalid' })
  })
})

describe('a checkpoint', () => {
  it('is saved whenever ten more messages have come, and holds the last fifty', async () => {
    const { engine } = open()
    await startSession(engine, { ...KEY, chat: 'chat_1', model: 'm1' })
    expect((await appendMessages(engine, KEY, talk(0, 9))).checkpoint).toBe(false)
    expect((await appendMessages(engine, KEY, talk(9, 10))).checkpoint).toBe(true)
    await appendMessages(engine, KEY, talk(10, 75))
    const saved = JSON.parse(readIn(engine.root, '.memory/.vault/checkpoints/dev/s1.json'))
    expect(saved).toMatchObject({
      agentId: 'dev',
      sessionId: 's1',
      savedAt: MONDAY,
      chatId: 'chat_1',
      modelId: 'm1',
    })
    expect(saved.messages.map((message: Message) => message.text)).toEqual(
      talk(25, 75).map(message => message.text),
    )
  })

  it('never holds what is internal, nor does a handoff or a list', async () => {
    const { engine } = open()
    await appendMessages(engine, KEY, [user('asked'), user('between agents', { internal: true })])
    expect((await checkpointSession(engine, KEY)).messages.map(message => message.text)).toEqual(['asked'])
    const { handoff } = await sleepSession(engine, KEY)
    expect(handoff?.content).toBe('Asked: asked')
    expect((await listSessions(engine, { limit: 1 })).sessions[0]?.doing).toBe('asked')
    expect((await agentActivity(engine, 'dev')).agents[0]?.done.lastHandoff?.content).toBe('Asked: asked')
    const seed = { agentId: 'ana', savedAt: MONDAY, messages: [user('x'), user('y', { internal: true })] }
    writeIn(engine.root, '.memory/.vault/checkpoints/ana.json', JSON.stringify(seed))
    expect((await recoverSession(engine, 'ana')).checkpoint?.messages).toEqual([user('x')])
  })

  it('is recovered for seven days', async () => {
    const { engine, time } = open()
    await appendMessages(engine, KEY, [user('asked')])
    await checkpointSession(engine, KEY)
    time.now += 7 * DAY
    expect((await recoverSession(engine, 'dev', 's1')).checkpoint?.messages).toHaveLength(1)
    expect((await recoverSession(engine, 'dev')).checkpoint?.sessionId).toBe('s1')
    time.now += 1
    expect(await recoverSession(engine, 'dev', 's1')).toEqual({
      checkpoint: undefined,
      reason: 'the checkpoint of 2026-03-16T10:00 is older than 7 days',
      problems: [],
    })
    expect(await recoverSession(engine, 'ana')).toMatchObject({ reason: 'ana has no checkpoint' })
  })

  it('that is damaged is told, and the one before it is taken', async () => {
    const { engine } = open()
    await appendMessages(engine, KEY, [user('asked')])
    await checkpointSession(engine, KEY)
    writeIn(engine.root, '.memory/.vault/checkpoints/dev/s2.json', '{"agentId":"dev","savedAt":17736')
    const { checkpoint, problems } = await recoverSession(engine, 'dev')
    expect(checkpoint?.sessionId).toBe('s1')
    expect(problems).toMatchObject([{ code: 'checkpoint_damaged', path: '.vault/checkpoints/dev/s2.json' }])
    expect((await recoverSession(engine, 'dev', 's2')).reason).toBe(
      'no checkpoint of session s2 of dev can be read',
    )
    expect(readIn(engine.root, '.memory/.vault/checkpoints/dev/s2.json')).toContain('17736')
  })
})

describe('sleeping', () => {
  it('leaves a handoff, a checkpoint and the state, once', async () => {
    const { engine } = open()
    await appendMessages(engine, KEY, [user('Make it fast'), { role: 'agent', text: 'It now takes 20 ms.' }])
    const { handoff, checkpoint } = await sleepSession(engine, KEY)
    expect(handoff).toMatchObject({
      agent: 'dev',
      category: 'handoffs',
      kind: 'handoff',
      origin: 'machine',
      status: 'confirmed',
      session: 's1',
      content: 'Asked: Make it fast\nClaimed, not verified: It now takes 20 ms.',
      tags: ['auto-handoff', 'session-sleep'],
    })
    expect(checkpoint.messages).toHaveLength(2)
    expect((await engine.sessions.read(KEY))?.state).toBe('asleep')
    expect((await sleepSession(engine, KEY)).handoff).toBeUndefined()
    expect((await engine.store.findEntry(handoff?.id ?? ''))?.importance).toBe(0.5)
  })

  it('takes a summary in the words of the agent', async () => {
    const { engine } = open()
    await appendMessages(engine, KEY, [user('x')])
    const { handoff } = await sleepSession(engine, KEY, { summary: 'Half of the tests are green.' })
    expect(handoff?.content).toBe('Half of the tests are green.')
  })

  it('of a session that is not there names those that are near', async () => {
    const { engine } = open()
    await startSession(engine, { session: 'billing-retry' })
    await expect(sleepSession(engine, { session: 'biling-retry', agent: 'dev' })).rejects.toMatchObject({
      code: 'session_not_found',
      hint: 'Did you mean billing-retry? `cairn sessions` lists them all.',
      details: { near: ['billing-retry'] },
    })
    await expect(sleepSession(engine, { session: 'billing-retry', agent: 'ana' })).rejects.toMatchObject({
      hint: 'It has a conversation of dev: name one with --agent.',
    })
  })
})

describe('a process about to die', () => {
  /** Counts what is read and written, and fails on any lock. */
  function countingDisk(): {
    disk: Disk
    reset(): void
    counts: { calls: number; read: number; written: number }
  } {
    const counts = { calls: 0, read: 0, written: 0 }
    const disk = Object.fromEntries(
      Object.entries(nodeDisk).map(([name, call]) => [
        name,
        (...values: unknown[]) => {
          counts.calls++
          const result = (call as (...given: unknown[]) => unknown)(...values)
          if (result instanceof Uint8Array) counts.read += result.length
          if (name === 'readTail')
            counts.read += (result as { tail: Uint8Array } | undefined)?.tail.length ?? 0
          if (values[1] instanceof Uint8Array) counts.written += values[1].length
          return result
        },
      ]),
    ) as unknown as Disk
    const reset = () => Object.assign(counts, { calls: 0, read: 0, written: 0 })
    return { disk, reset, counts }
  }

  it('reads and writes the same whatever the size of the conversation, and waits for no lock', async () => {
    const { disk, reset, counts } = countingDisk()
    const { engine } = open({ disk })
    await appendMessages(engine, KEY, talk(0, 60))
    reset()
    expect(await endSession(engine, KEY)).toEqual({ state: 'ending' })
    const small = { ...counts }
    const file = path.join(engine.root, '.memory/conversations/dev/s1.jsonl')
    const line = JSON.stringify({ n: 1, seen: 1, headAt: 0, ...user('long ago '.repeat(100)) })
    const lines = readFileSync(file, 'utf8').split('\n')
    writeFileSync(file, [lines[0], ...Array<string>(30_000).fill(line), ...lines.slice(1)].join('\n'))
    // Somebody else is writing, and does not stop.
    let release: (() => void) | undefined
    let held: Promise<void> | undefined
    await new Promise<void>(begun => {
      held = engine.store.exclusively(() => {
        begun()
        return new Promise<void>(resolve => {
          release = resolve
        })
      })
    })
    reset()
    expect(await endSession(engine, KEY)).toEqual({ state: 'ending' })
    release?.()
    await held
    expect(counts.calls).toBe(small.calls)
    expect(counts.calls).toBeLessThan(40)
    expect(counts.read).toBeLessThan(4 * 1_048_576)
    expect(counts.written).toBeLessThan(100_000)
    expect((await engine.sessions.read(KEY))?.state).toBe('ending')
    const { checkpoint } = await recoverSession(engine, 'dev', 's1')
    expect(checkpoint?.messages.at(-1)?.text).toBe('message 59')
    expect(checkpoint?.messages).toHaveLength(50)
  })

  it('that goes on after all is open again', async () => {
    const { engine } = open()
    await appendMessages(engine, KEY, [user('x')])
    await endSession(engine, KEY)
    expect(await engine.sessions.unclosed()).toMatchObject([{ session: 's1', state: 'ending' }])
    await appendMessages(engine, KEY, [user('y')])
    expect((await engine.sessions.read(KEY))?.state).toBe('open')
  })
})

describe('a fork', () => {
  it('is a copy of every conversation, with its lineage, and both go on', async () => {
    const { engine } = open()
    await startSession(engine, { ...KEY, chat: 'chat_1' })
    await appendMessages(engine, KEY, talk(0, 3))
    await appendMessages(engine, { session: 's1', agent: 'ana' }, talk(0, 2))
    const fork = await forkSession(engine, KEY, { as: 's2' })
    expect(fork).toEqual({
      session: 's2',
      parent: 's1',
      agents: [
        { agent: 'ana', messages: 2 },
        { agent: 'dev', messages: 3 },
      ],
    })
    await appendMessages(engine, { session: 's2', agent: 'dev' }, [user('only here')])
    expect((await engine.sessions.read(KEY))?.messages).toHaveLength(3)
    const copy = await engine.sessions.read({ session: 's2', agent: 'dev' })
    expect(copy?.messages).toHaveLength(4)
    expect(copy?.head).toMatchObject({ parent: 's1', session: 's2' })
    expect(copy?.head.chat).toBeUndefined()
    expect((await recoverSession(engine, 'dev', 's2')).checkpoint?.messages).toHaveLength(3)
    await expect(forkSession(engine, KEY, { as: 's2' })).rejects.toMatchObject({ code: 'session_exists' })
    await expect(forkSession(engine, { session: 'none' })).rejects.toMatchObject({
      code: 'session_not_found',
    })
  })
})

describe('resuming', () => {
  it('opens it again with what the host needs', async () => {
    const { engine } = open()
    await startSession(engine, { ...KEY, host: 'codex', chat: 'chat_1', model: 'm1' })
    await appendMessages(engine, KEY, [user('x')])
    await sleepSession(engine, KEY)
    const { conversations } = await resumeSession(engine, KEY)
    expect(conversations).toMatchObject([
      { agent: 'dev', host: 'codex', chat: 'chat_1', model: 'm1', was: 'asleep' },
    ])
    expect(conversations[0]?.recovery.checkpoint?.messages).toHaveLength(1)
    expect((await engine.sessions.read(KEY))?.state).toBe('open')
    await engine.sessions.settle(KEY, { messages: [user('x')], trimmed: 0, expected: 1 })
    expect((await resumeSession(engine, KEY)).conversations[0]?.was).toBe('closed')
    expect((await engine.sessions.read(KEY))?.state).toBe('open')
    expect((await engine.sessions.read(KEY))?.messages).toHaveLength(1)
  })
})

describe('lists', () => {
  it('tell what was asked for, without what was injected, and go by state', async () => {
    const { engine } = open()
    await appendMessages(engine, KEY, [user('<project_memory>\nold\n</project_memory>\nMake it   fast')])
    await appendMessages(engine, { session: 's2', agent: 'dev' }, [user('x')])
    await sleepSession(engine, { session: 's2', agent: 'dev' })
    const { sessions } = await listSessions(engine, { limit: 10, state: 'open' })
    expect(sessions).toMatchObject([{ session: 's1', doing: 'Make it fast' }])
    expect((await listSessions(engine, { limit: 10, state: 'asleep' })).total).toBe(1)
    expect((await listSessions(engine, { limit: 10, state: 'closed' })).total).toBe(0)
  })

  it('open only the files they show, however many there are', async () => {
    let opened = 0
    const disk: Disk = {
      ...nodeDisk,
      readTail: (file, bytes) => {
        opened++
        return nodeDisk.readTail(file, bytes)
      },
    }
    const { engine } = open({ disk })
    await startSession(engine, { session: 'seed' })
    const head = readIn(engine.root, '.memory/conversations/dev/seed.jsonl')
    for (let n = 0; n < 5_000; n++)
      writeIn(engine.root, `.memory/conversations/dev/n${n}.jsonl`, head.replace('"seed"', `"n${n}"`))
    opened = 0
    const started = performance.now()
    const { sessions, total } = await listSessions(engine, { limit: 20 })
    expect(performance.now() - started).toBeLessThan(20_000)
    expect(total).toBe(5_001)
    expect(sessions).toHaveLength(20)
    expect(opened).toBeLessThan(60)
  })
})

describe('tool runs', () => {
  it('become messages and events, beside the count of the host', async () => {
    const { engine } = open()
    await appendMessages(engine, KEY, [user('Run the tests')], { at: 0 })
    const file = path.join(engine.root, 'src/a.ts')
    const report = await recordRuns(engine, KEY, [
      { tool: 'Bash', command: 'npm test', ok: false, exitCode: 1, output: 'Error: boom at src/a.ts' },
      { tool: 'Edit', files: [file], isEdit: true, ok: true },
      { tool: 'Bash', command: 'npm test', ok: true, output: 'ok' },
    ])
    expect(report).toMatchObject({ count: 4, added: 3, first: 1, seen: 1 })
    expect(report.events.map(event => event.signals.validationObservations[0]?.outcome)).toEqual([
      'failed',
      undefined,
      'passed',
    ])
    expect(report.events[1]?.sourceRef).toBe('conversations/dev/s1#2')
    expect(
      (await appendMessages(engine, KEY, [user('Run the tests'), user('Thanks')], { at: 0 })).added,
    ).toBe(1)
    const messages = (await engine.sessions.read(KEY))?.messages
    expect(messages?.map(message => message.text)).toEqual([
      'Run the tests',
      'npm test (failed)\nError: boom at src/a.ts',
      'Edit src/a.ts',
      'npm test\nok',
      'Thanks',
    ])
  })
})

describe('what agents do', () => {
  it('is what they have open, and what they left', async () => {
    const { engine, time } = open()
    await remember(engine, [{ content: 'A decision.', agent: 'dev', kind: 'decision' }])
    await appendMessages(engine, { session: 'old', agent: 'dev' }, [user('Long ago')])
    time.now += 13 * HOUR
    await startSession(engine, { ...KEY, host: 'codex' })
    await appendMessages(engine, KEY, [user('Make it fast')])
    await recordRuns(engine, KEY, [
      { tool: 'Edit', files: ['src/a.ts'], isEdit: true, ok: true },
      { tool: 'Bash', command: 'npm test', ok: true },
    ])
    await appendMessages(engine, { session: 's1', agent: 'ana' }, [user('Look at it')])
    await sleepSession(engine, { session: 's1', agent: 'ana' })
    const { agents, problems } = await agentActivity(engine)
    expect(problems).toEqual([])
    expect(agents).toMatchObject([
      {
        agent: 'ana',
        doing: [],
        done: { sessions: 1, entries: 1, lastHandoff: { content: 'Asked: Look at it' }, files: [] },
      },
      {
        agent: 'dev',
        doing: [
          {
            session: 's1',
            host: 'codex',
            request: 'Make it fast',
            lastRun: { tool: 'Bash', command: 'npm test', ok: true },
            messages: 3,
          },
        ],
        done: { sessions: 2, entries: 1, files: ['src/a.ts'] },
      },
    ])
    expect((await agentActivity(engine, 'nobody')).agents).toEqual([])
  })

  it('shows a worker by the task it holds, and what became of its tasks', async () => {
    const { engine } = open()
    await engine.work.add('build', [
      { name: 'lint', title: 'Lint it' },
      { name: 'test', title: 'Test it' },
    ])
    const first = await engine.work.claim({ worker: 'dev', leaseMs: 60_000, waitMs: 0 })
    await engine.work.finish(first?.lease ?? '', { text: 'No warning is left.', entries: [], files: [] })
    await engine.work.claim({ worker: 'dev', leaseMs: 60_000, waitMs: 0 })
    const { agents } = await agentActivity(engine, 'dev')
    expect(agents).toMatchObject([
      {
        agent: 'dev',
        tasks: {
          running: [{ id: 'build.test', title: 'Test it' }],
          ended: [{ id: 'build.lint', outcome: 'done', report: 'No warning is left.' }],
        },
      },
    ])
  })

  it('shows the task that a worker holds beside more that wait than are looked at', async () => {
    const { engine } = open()
    const plan = Array.from({ length: 501 }, (_, n) => ({ name: `t${n}`, title: `Task ${n}`, priority: n }))
    await engine.work.add('long', plan)
    await engine.work.claim({ worker: 'dev', leaseMs: 60_000, waitMs: 0 })
    const { agents } = await agentActivity(engine, 'dev')
    expect(agents).toMatchObject([{ agent: 'dev', tasks: { running: [{ id: 'long.t500' }], ended: [] } }])
  })

  it('is counted by their own messages, and of many open sessions the newest are told', async () => {
    const { engine, time } = open()
    await appendMessages(engine, { session: 'both', agent: 'dev' }, [user('one'), user('two'), user('three')])
    await appendMessages(engine, { session: 'both', agent: 'ana' }, [user('only one')])
    for (const session of ['a', 'b', 'c', 'd']) {
      time.now += 1_000
      await appendMessages(engine, { session, agent: 'dev' }, [user(`in ${session}`)])
    }
    const { agents } = await agentActivity(engine, undefined, { limit: 2 })
    expect(agents).toMatchObject([
      { agent: 'ana', open: 1, done: { sessions: 1, messages: 1 } },
      {
        agent: 'dev',
        open: 5,
        doing: [{ session: 'd' }, { session: 'c' }],
        done: { sessions: 5, messages: 7 },
      },
    ])
  })
})
