import { describe, expect, it } from 'vitest'
import { composeEngine } from '../../src/compose/compose.ts'
import type { Composed } from '../../src/compose/composed.ts'
import {
  appendMessages,
  checkpointSession,
  endSession,
  forkSession,
  startSession,
} from '../../src/features/sessions/sessions.ts'
import type { Message } from '../../src/kernel/model/message.ts'
import { failEveryStep, WAYS_TO_FAIL } from '../support/fail-every-step.ts'
import { failingDisk } from '../support/failing-disk.ts'
import { scratchProject } from '../support/scratch-project.ts'

const KEY = { session: 's1', agent: 'dev' }
const said = (n: number): Message => ({ role: 'user', text: `message ${n}`, at: '2026-03-16T10:00:00.000Z' })
const talk = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => said(from + n))

/** What the files say of the sessions, apart from the moments in it. */
async function stateOf(root: string): Promise<string> {
  const { sessions, close } = composeEngine({ root })
  const found: unknown[] = []
  for (const session of ['s1', 's2']) {
    const key = { ...KEY, session }
    const conversation = await sessions.read(key)
    const { checkpoint } = await sessions.findCheckpoint('dev', session)
    const memory = await sessions.findMemory(session)
    found.push([
      conversation && [
        conversation.state,
        conversation.trimmed,
        conversation.messages.map(({ text }) => text),
      ],
      checkpoint?.messages.map(({ text }) => text),
      memory?.summary,
    ])
  }
  await close()
  return JSON.stringify(found)
}

/** It must still be possible to write, whatever broke. */
async function goesOn(root: string): Promise<void> {
  const engine = composeEngine({ root, actor: { host: 'test', agent: 'dev' } })
  const before = (await engine.sessions.read(KEY))?.messages.length ?? 0
  await appendMessages(engine, KEY, [said(99)])
  const after = await engine.sessions.read(KEY)
  await engine.close()
  expect(after?.messages).toHaveLength(before + 1)
  expect(after?.messages.at(-1)?.text).toBe('message 99')
}

const memory = (summary: string) => ({
  version: 1 as const,
  sessionId: 's1',
  agentId: 'dev',
  findings: [],
  summary,
  createdAt: 1,
  finalizedAt: 2,
})

interface Case {
  readonly name: string
  readonly messages: number
  readonly before?: (engine: Composed) => Promise<unknown>
  readonly act: (engine: Composed) => Promise<unknown>
}

const close = (engine: Composed, keep: number) =>
  engine.sessions.settle(KEY, { messages: talk(5 - keep, 5), trimmed: 5 - keep, expected: 5 })

const CASES: readonly Case[] = [
  { name: 'beginning a session', messages: 0, act: engine => startSession(engine, KEY) },
  { name: 'adding a message', messages: 3, act: engine => engine.sessions.append(KEY, [said(3)]) },
  {
    name: 'adding to a session that was closed',
    messages: 5,
    before: engine => close(engine, 5),
    act: engine => engine.sessions.append(KEY, [said(5)]),
  },
  {
    name: 'saving the first checkpoint',
    messages: 3,
    act: engine => checkpointSession(engine, KEY),
  },
  {
    name: 'saving another checkpoint',
    messages: 3,
    before: async engine => {
      await checkpointSession(engine, KEY)
      await engine.sessions.append(KEY, [said(3)])
    },
    act: engine => checkpointSession(engine, KEY),
  },
  { name: 'closing', messages: 5, act: engine => close(engine, 5) },
  { name: 'closing with fewer messages', messages: 5, act: engine => close(engine, 2) },
  {
    name: 'closing again',
    messages: 5,
    before: async engine => {
      await close(engine, 5)
      await engine.sessions.append(KEY, [said(5)])
    },
    act: engine => engine.sessions.settle(KEY, { messages: talk(2, 6), trimmed: 2, expected: 6 }),
  },
  {
    name: 'putting it to sleep',
    messages: 3,
    act: engine => engine.sessions.setState(KEY, 'asleep', '2026-03-16T11:00:00.000Z'),
  },
  {
    name: 'saving what became of it',
    messages: 3,
    before: engine => engine.sessions.saveMemory(memory('before')),
    act: engine => engine.sessions.saveMemory(memory('after')),
  },
  {
    name: 'copying it',
    messages: 3,
    act: engine =>
      engine.sessions.fork(KEY, {
        ...KEY,
        session: 's2',
        parent: 's1',
        host: 'test',
        startedAt: '2026-03-16T10:00:00.000Z',
      }),
  },
]

describe.each(CASES)('when a disk step fails while $name', ({ messages, before, act }) => {
  it.each(WAYS_TO_FAIL)('%s, the next process finds the old state or the new one', async (_name, forGood) => {
    const original = scratchProject()
    const maker = composeEngine({ root: original, actor: { host: 'test', agent: 'dev' } })
    if (messages > 0) {
      await startSession(maker, KEY)
      await maker.sessions.append(KEY, talk(0, messages))
    }
    await before?.(maker)
    await maker.close()
    await failEveryStep({ original, act, stateOf, forGood, afterEach: goesOn })
  })
})

describe('when several messages are handed over and the disk fails', () => {
  it('each is there whole or not at all, and handing them over again makes it right', async () => {
    const whole = failingDisk(Number.POSITIVE_INFINITY, { forGood: true })
    const trial = composeEngine({
      root: scratchProject(),
      disk: whole.disk,
      actor: { host: 'test', agent: 'dev' },
    })
    await appendMessages(trial, KEY, talk(0, 25), { at: 0 })
    await trial.close()
    for (let failAt = 1; failAt <= whole.steps(); failAt++) {
      const root = scratchProject()
      const failing = composeEngine({
        root,
        disk: failingDisk(failAt, { forGood: true }).disk,
        actor: { host: 'test', agent: 'dev' },
      })
      await expect(appendMessages(failing, KEY, talk(0, 25), { at: 0 })).rejects.toThrow()
      await failing.close()
      const engine = composeEngine({ root, actor: { host: 'test', agent: 'dev' } })
      const first = (await engine.sessions.read(KEY))?.messages ?? []
      expect(first.map(({ text }) => text)).toEqual(talk(0, first.length).map(({ text }) => text))
      await appendMessages(engine, KEY, talk(0, 25), { at: 0 })
      const all = (await engine.sessions.read(KEY))?.messages.map(({ text }) => text)
      expect(all, `step ${failAt}`).toEqual(talk(0, 25).map(({ text }) => text))
      await engine.close()
    }
  })
})

describe('when a dying process cannot write', () => {
  it('the session is as it was, and can be ended again', async () => {
    const root = scratchProject()
    const engine = composeEngine({ root, actor: { host: 'test', agent: 'dev' } })
    await appendMessages(engine, KEY, talk(0, 3))
    for (let failAt = 1; failAt <= 4; failAt++) {
      const failing = composeEngine({ root, disk: failingDisk(failAt, { forGood: true }).disk })
      await expect(endSession(failing, KEY)).rejects.toThrow()
      await failing.close()
      expect((await engine.sessions.read(KEY))?.messages).toHaveLength(3)
    }
    expect(await endSession(engine, KEY)).toEqual({ state: 'ending' })
    expect((await forkSession(engine, KEY)).agents).toEqual([{ agent: 'dev', messages: 3 }])
    await engine.close()
  })
})
