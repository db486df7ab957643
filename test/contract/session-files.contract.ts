import { describe, expect, it } from 'vitest'
import type { SessionFiles } from '../../src/features/sessions/decide/session-files.ts'
import type { Message } from '../../src/kernel/model/message.ts'
import type { Checkpoint, SessionHead, SessionMemory } from '../../src/kernel/model/session.ts'

/** Opens the same memory again: a second process, as far as the files can tell. */
export interface SessionFilesUnderTest {
  readonly open: () => Promise<{ readonly sessions: SessionFiles; close(): Promise<void> }>
}

export const HOSTILE_IDS = [
  '../../outside',
  '..',
  'a/b\\c',
  'nul\0byte',
  'CON',
  'con',
  'aux.txt',
  'S1',
  's1',
  'ends.',
  ' ',
  'É',
  'é',
  '\ud800',
  '\udfff',
  'x'.repeat(4096),
  `${'x'.repeat(4095)}y`,
  '.hidden',
  'a~b',
  '-rf',
  'new\nline',
]

const head = (session: string, more: Partial<SessionHead> = {}): SessionHead => ({
  session,
  agent: 'dev',
  host: 'test',
  startedAt: '2026-03-16T10:00:00.000Z',
  ...more,
})
const said = (text: string, more: Partial<Message> = {}): Message => ({
  role: 'user',
  text,
  at: '2026-03-16T10:01:00.000Z',
  ...more,
})
const saying = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => said(`message ${from + n}`))

/** What every keeper of sessions must do. `make` gives a memory that is empty. */
export function describeSessionFiles(name: string, make: () => Promise<SessionFilesUnderTest>): void {
  const withFiles =
    (work: (files: SessionFiles, again: () => Promise<SessionFiles>) => Promise<void>) => async () => {
      const memory = await make()
      const opened = [await memory.open()]
      try {
        await work((opened[0] as { sessions: SessionFiles }).sessions, async () => {
          const other = await memory.open()
          opened.push(other)
          return other.sessions
        })
      } finally {
        for (const one of opened) await one.close()
      }
    }
  const key = (session: string, agent = 'dev') => ({ session, agent })
  const texts = async (files: SessionFiles, session: string, agent = 'dev') =>
    (await files.read(key(session, agent)))?.messages.map(message => message.text)

  describe(`${name}: conversations`, () => {
    it(
      'have one message for one that grew after it was stored',
      withFiles(async (files, again) => {
        await files.start(head('s1'))
        await files.append(key('s1'), [said('Why is it slow?'), { role: 'agent', text: 'partial ans' }])
        const whole = { role: 'agent', text: 'partial answer complete' }
        expect(await files.growLast(key('s1'), whole)).toBe(true)
        expect(await files.growLast(key('s1'), { role: 'agent', text: 'something else' })).toBe(false)
        expect(await files.growLast(key('s1'), { ...whole, role: 'user' })).toBe(false)
        expect(await files.append(key('s1'), [said('Thanks.')])).toMatchObject({ count: 3, first: 2 })
        const other = await again()
        const texts = ['Why is it slow?', 'partial answer complete', 'Thanks.']
        expect((await other.read(key('s1')))?.messages.map(({ text }) => text)).toEqual(texts)
        expect((await other.readEnd(key('s1'), 2))?.messages.map(({ text }) => text)).toEqual(texts.slice(1))
        const { messages = [] } = (await other.read(key('s1'))) ?? {}
        expect(await other.settle(key('s1'), { messages, trimmed: 0, expected: 3 })).toBe(true)
        expect(await other.growLast(key('s1'), said('Thanks. And now?'))).toBe(false)
        expect((await files.read(key('s1')))?.messages.map(({ text }) => text)).toEqual(texts)
      }),
    )

    it(
      'are read as they were written, by another process too',
      withFiles(async (files, again) => {
        const begun = head('s1', { chat: 'chat_1', model: 'm1', parent: 's0' })
        expect(await files.start(begun)).toEqual({ head: begun, isNew: true })
        const run = {
          tool: 'Bash',
          command: 'npm test',
          ok: false,
          exitCode: 1,
          output: 'boom',
          files: ['a.ts'],
        }
        const messages = [
          said('Why is it slow?'),
          { role: 'agent', text: 'Line one\nline two   \u2028', internal: true } as const,
          { role: 'tool', text: 'npm test', run, at: '2026-03-16T10:02:00.000Z' } as const,
        ]
        expect(await files.append(key('s1'), messages)).toEqual({ count: 3, added: 3, first: 0, seen: 3 })
        expect(await (await again()).read(key('s1'))).toEqual({
          head: begun,
          state: 'open',
          activeAt: '2026-03-16T10:02:00.000Z',
          messages,
          trimmed: 0,
          problems: [],
        })
      }),
    )

    it(
      'that are not there are not found',
      withFiles(async files => {
        expect(await files.read(key('none'))).toBeUndefined()
        expect(await files.readEnd(key('none'), 5)).toBeUndefined()
        expect(await files.conversationsOf('none')).toEqual([])
        await expect(files.append(key('none'), [said('x')])).rejects.toMatchObject({
          code: 'session_not_found',
        })
        await expect(
          files.settle(key('none'), { messages: [], trimmed: 0, expected: 0 }),
        ).rejects.toMatchObject({ code: 'session_not_found' })
        await expect(files.fork(key('none'), head('copy'))).rejects.toMatchObject({
          code: 'session_not_found',
        })
      }),
    )

    it(
      'that are started again are found, and take over a chat and a model that are named anew',
      withFiles(async files => {
        await files.start(head('s1', { chat: 'one', model: 'm1' }))
        const again = await files.start(head('s1', { chat: 'two', startedAt: '2026-03-17T10:00:00.000Z' }))
        expect(again).toEqual({ head: head('s1', { chat: 'two', model: 'm1' }), isNew: false })
        await files.append(key('s1'), saying(0, 3))
        expect((await files.read(key('s1')))?.head.chat).toBe('two')
        expect((await files.list({ limit: 1 })).sessions[0]?.chats).toEqual({ dev: 'two' })
      }),
    )

    it(
      'know what the host has handed over already',
      withFiles(async files => {
        await files.start(head('s1'))
        const numbered = (from: number, to: number) =>
          files.append(key('s1'), saying(from, to), {
            kind: 'numbered',
            numbers: Array.from({ length: to - from }, (_, n) => from + n),
          })
        await numbered(0, 4)
        await files.append(key('s1'), [{ role: 'tool', text: 'aside' }], { kind: 'aside' })
        expect(await numbered(2, 6)).toMatchObject({ added: 2, seen: 6, count: 7 })
        expect(await numbered(0, 6)).toMatchObject({ added: 0, seen: 6, count: 7 })
        expect(await texts(files, 's1')).toEqual([
          'message 0',
          'message 1',
          'message 2',
          'message 3',
          'aside',
          'message 4',
          'message 5',
        ])
      }),
    )

    it(
      'of one agent, and of one session, do not mix',
      withFiles(async files => {
        for (const [session, agent] of [
          ['s1', 'dev'],
          ['s2', 'dev'],
          ['s1', 'ana'],
        ] as const) {
          await files.start(head(session, { agent }))
          await files.append(key(session, agent), [said(`${session} ${agent}`)])
        }
        expect(await texts(files, 's1')).toEqual(['s1 dev'])
        expect(await texts(files, 's2')).toEqual(['s2 dev'])
        expect(await texts(files, 's1', 'ana')).toEqual(['s1 ana'])
        expect((await files.conversationsOf('s1')).map(one => one.agent).sort()).toEqual(['ana', 'dev'])
      }),
    )

    it(
      'lose nothing when many write at once',
      withFiles(async (files, again) => {
        await files.start(head('s1'))
        const others = [files, await again(), await again()]
        await Promise.all(
          others.flatMap((each, who) =>
            Array.from({ length: 10 }, (_, n) => each.append(key('s1'), [said(`${who}/${n}`)])),
          ),
        )
        const kept = await texts(files, 's1')
        expect(kept).toHaveLength(30)
        expect(new Set(kept).size).toBe(30)
        expect((await files.readEnd(key('s1'), 1))?.count).toBe(30)
      }),
    )

    it(
      'may be called anything',
      withFiles(async files => {
        const ids = HOSTILE_IDS.filter(id => id.trim() !== '')
        for (const id of ids) {
          await files.start(head(id))
          await files.append(key(id), [said(`of ${id.length} ${JSON.stringify(id).slice(0, 20)}`)])
          await files.saveCheckpoint({ version: 1, agentId: 'dev', sessionId: id, savedAt: 1, messages: [] })
          await files.saveMemory({ ...MEMORY, sessionId: id })
        }
        for (const id of ids) {
          expect((await files.read(key(id)))?.head.session).toBe(id)
          expect(await texts(files, id)).toEqual([`of ${id.length} ${JSON.stringify(id).slice(0, 20)}`])
          expect((await files.conversationsOf(id)).map(one => one.session)).toEqual([id])
          expect((await files.findCheckpoint('dev', id)).checkpoint?.sessionId).toBe(id)
          expect((await files.findMemory(id))?.sessionId).toBe(id)
        }
        const { sessions } = await files.list({ limit: 100 })
        expect(sessions.map(one => one.session).sort()).toEqual([...ids].sort())
        expect((await files.memoryStamps()).map(one => one.session).sort()).toEqual([...ids].sort())
        for (const bad of [' ', '', 'x'.repeat(5000)])
          await expect(files.start(head(bad))).rejects.toMatchObject({ code: 'session_id_invalid' })
      }),
    )

    it(
      'give their end without their beginning',
      withFiles(async files => {
        await files.start(head('s1', { chat: 'c' }))
        await files.append(key('s1'), saying(0, 40))
        const end = await files.readEnd(key('s1'), 3)
        expect(end?.messages.map(message => message.text)).toEqual(['message 37', 'message 38', 'message 39'])
        expect(end).toMatchObject({ count: 40, state: 'open', head: { chat: 'c' } })
        await files.settle(key('s1'), { messages: saying(20, 40), trimmed: 20, expected: 40 })
        await files.append(key('s1'), saying(40, 41))
        const joined = await files.readEnd(key('s1'), 3)
        expect(joined?.messages.map(message => message.text)).toEqual([
          'message 38',
          'message 39',
          'message 40',
        ])
        expect(joined?.count).toBe(41)
      }),
    )
  })

  describe(`${name}: states`, () => {
    it(
      'go from open to asleep to ending, and back with the next message',
      withFiles(async files => {
        const state = async () => (await files.read(key('s1')))?.state
        await files.start(head('s1'))
        expect(await state()).toBe('open')
        await files.setState(key('s1'), 'asleep', '2026-03-16T11:00:00.000Z')
        expect(await state()).toBe('asleep')
        expect((await files.read(key('s1')))?.activeAt).toBe('2026-03-16T11:00:00.000Z')
        await files.append(key('s1'), [said('again')])
        expect(await state()).toBe('open')
        await files.setState(key('s1'), 'ending', '2026-03-16T12:00:00.000Z')
        expect(await state()).toBe('ending')
        await files.start(head('s1'))
        expect(await state()).toBe('open')
      }),
    )

    it(
      'closed keeps the messages; the next message opens it again, and all are there',
      withFiles(async files => {
        await files.start(head('s1', { chat: 'c1' }))
        await files.append(key('s1'), saying(0, 5))
        const closed = { messages: saying(0, 5), trimmed: 0, expected: 5 }
        expect(await files.settle(key('s1'), closed)).toBe(true)
        expect(await files.read(key('s1'))).toMatchObject({
          state: 'closed',
          trimmed: 0,
          head: { chat: 'c1' },
        })
        expect(await files.unclosed()).toEqual([])
        await files.append(key('s1'), saying(5, 6))
        expect((await files.read(key('s1')))?.state).toBe('open')
        expect(await texts(files, 's1')).toEqual(saying(0, 6).map(message => message.text))
        expect(await files.settle(key('s1'), { messages: saying(2, 6), trimmed: 2, expected: 6 })).toBe(true)
        const first = await files.read(key('s1'))
        expect(first).toMatchObject({ state: 'closed', trimmed: 2 })
        await files.settle(key('s1'), { messages: saying(2, 6), trimmed: 2, expected: 4 })
        expect((await files.read(key('s1')))?.activeAt).toBe(first?.activeAt)
        expect(await texts(files, 's1')).toEqual(saying(2, 6).map(message => message.text))
        expect(await files.append(key('s1'), [said('more')])).toMatchObject({ count: 7, first: 6, seen: 7 })
      }),
    )

    it(
      'is not closed when somebody has added a message meanwhile',
      withFiles(async files => {
        await files.start(head('s1'))
        await files.append(key('s1'), saying(0, 5))
        expect(await files.settle(key('s1'), { messages: saying(0, 4), trimmed: 0, expected: 4 })).toBe(false)
        expect(await files.read(key('s1'))).toMatchObject({ state: 'open' })
        expect(await texts(files, 's1')).toHaveLength(5)
      }),
    )

    it(
      'tells which are not closed',
      withFiles(async files => {
        for (const session of ['a', 'b', 'c', 'd']) {
          await files.start(head(session))
          await files.append(key(session), [said('x')])
        }
        await files.setState(key('b'), 'asleep', '2026-03-16T11:00:00.000Z')
        await files.setState(key('c'), 'ending', '2026-03-16T12:00:00.000Z')
        await files.settle(key('d'), { messages: [said('x')], trimmed: 0, expected: 1 })
        expect([...(await files.unclosed())].sort((a, b) => (a.session < b.session ? -1 : 1))).toEqual([
          { session: 'a', agent: 'dev', state: 'open', activeAt: '2026-03-16T10:01:00.000Z' },
          { session: 'b', agent: 'dev', state: 'asleep', activeAt: '2026-03-16T11:00:00.000Z' },
          { session: 'c', agent: 'dev', state: 'ending', activeAt: '2026-03-16T12:00:00.000Z' },
        ])
      }),
    )
  })

  describe(`${name}: forks`, () => {
    it(
      'are copies that go their own way',
      withFiles(async files => {
        await files.start(head('s1'))
        await files.append(key('s1'), saying(0, 3))
        expect(await files.fork(key('s1'), head('s2', { parent: 's1' }))).toEqual({ count: 3 })
        await files.append(key('s1'), [said('left')])
        await files.append(key('s2'), [said('right')])
        expect(await texts(files, 's1')).toEqual(['message 0', 'message 1', 'message 2', 'left'])
        expect(await texts(files, 's2')).toEqual(['message 0', 'message 1', 'message 2', 'right'])
        expect((await files.read(key('s2')))?.head.parent).toBe('s1')
        await expect(files.fork(key('s1'), head('s2'))).rejects.toMatchObject({ code: 'session_exists' })
      }),
    )

    it(
      'of a closed conversation are open, and know what the host has handed over',
      withFiles(async files => {
        await files.start(head('s1'))
        await files.append(key('s1'), saying(0, 3))
        await files.settle(key('s1'), { messages: saying(0, 3), trimmed: 0, expected: 3 })
        await files.fork(key('s1'), head('s2', { parent: 's1' }))
        expect((await files.read(key('s2')))?.state).toBe('open')
        expect((await files.read(key('s1')))?.state).toBe('closed')
        const again = await files.append(key('s2'), saying(2, 4), { kind: 'numbered', numbers: [2, 3] })
        expect(again).toMatchObject({ added: 1, seen: 4 })
      }),
    )
  })

  describe(`${name}: lists`, () => {
    it(
      'show what a person wants to know of a session',
      withFiles(async files => {
        await files.start(head('s1', { chat: 'c1', parent: 's0' }))
        await files.start(head('s1', { agent: 'ana', chat: 'c2', startedAt: '2026-03-16T09:00:00.000Z' }))
        await files.append(key('s1'), [said('Make it fast', { at: '2026-03-16T10:05:00.000Z' })])
        await files.append(key('s1', 'ana'), [said('Look'), said('Looking', { role: 'agent' })])
        await files.saveMemory(MEMORY)
        expect(await files.list({ limit: 10 })).toEqual({
          sessions: [
            {
              session: 's1',
              state: 'open',
              host: 'test',
              agents: ['ana', 'dev'],
              startedAt: '2026-03-16T09:00:00.000Z',
              activeAt: '2026-03-16T10:05:00.000Z',
              parent: 's0',
              chats: { ana: 'c2', dev: 'c1' },
              messages: 3,
              doing: 'Make it fast',
              summary: 'Asked for speed.',
              findings: 1,
              promoted: 1,
            },
          ],
          total: 1,
          problems: [],
        })
      }),
    )

    it(
      'are cut to what is asked for, and to one agent',
      withFiles(async files => {
        for (let n = 0; n < 7; n++) await files.start(head(`s${n}`, { agent: n % 2 === 0 ? 'dev' : 'ana' }))
        const page = await files.list({ limit: 2, offset: 2 })
        expect(page.total).toBe(7)
        expect(page.sessions).toHaveLength(2)
        const own = await files.list({ limit: 10, agent: 'ana' })
        expect(own.total).toBe(3)
        expect(own.sessions.map(one => one.session).sort()).toEqual(['s1', 's3', 's5'])
      }),
    )

    it(
      'never tell what was internal',
      withFiles(async files => {
        await files.start(head('s1'))
        await files.append(key('s1'), [said('asked'), said('between agents', { internal: true })])
        expect((await files.list({ limit: 1 })).sessions[0]?.doing).toBe('asked')
      }),
    )
  })

  describe(`${name}: checkpoints and memories`, () => {
    it(
      'are found by session, or the newest of an agent, and can be removed',
      withFiles(async files => {
        const checkpoint: Checkpoint = {
          version: 1,
          agentId: 'dev',
          sessionId: 's1',
          savedAt: 1_773_679_871_839,
          messages: [said('x')],
          chatId: 'c1',
          modelId: 'm1',
        }
        expect(await files.findCheckpoint('dev')).toEqual({ checkpoint: undefined, problems: [] })
        await files.saveCheckpoint(checkpoint)
        expect(await files.findCheckpoint('dev', 's1')).toEqual({ checkpoint, problems: [] })
        expect(await files.findCheckpoint('dev')).toEqual({ checkpoint, problems: [] })
        expect((await files.findCheckpoint('dev', 's2')).checkpoint).toBeUndefined()
        expect((await files.findCheckpoint('ana')).checkpoint).toBeUndefined()
        const { checkpoints, damaged } = await files.listCheckpoints()
        expect(damaged).toEqual([])
        expect(checkpoints).toMatchObject([{ key: key('s1'), savedAt: 1_773_679_871_839 }])
        await files.removeCheckpoint(key('s1'))
        expect((await files.findCheckpoint('dev', 's1')).checkpoint).toBeUndefined()
      }),
    )

    it(
      'of sessions are kept, and their stamp tells when they changed',
      withFiles(async files => {
        expect(await files.findMemory('s1')).toBeUndefined()
        await files.saveMemory(MEMORY)
        expect(await files.findMemory('s1')).toEqual(MEMORY)
        const before = await files.memoryStamps()
        await files.saveMemory({ ...MEMORY, summary: 'Another one.' })
        const after = await files.memoryStamps()
        expect(before.map(one => one.session)).toEqual(['s1'])
        expect(after[0]?.stamp).not.toBe(before[0]?.stamp)
      }),
    )
  })
}

const MEMORY: SessionMemory = {
  version: 1,
  sessionId: 's1',
  agentId: 'dev',
  findings: [
    {
      id: 'f1',
      fingerprint: 'abcd',
      content: 'The cache is keyed by tenant.',
      category: 'decision',
      importance: 0.7,
      confidence: 0.8,
      promotedToProjectMemory: true,
      promotedEntryId: '1',
    },
  ],
  summary: 'Asked for speed.',
  createdAt: 1_773_679_871_839,
  finalizedAt: 1_773_679_971_839,
}
