import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readIn, scratchProject, writeIn } from '../../../test/support/scratch-project.ts'
import { composeEngine } from '../../compose/compose.ts'
import type { Message } from '../../kernel/model/message.ts'
import type { SessionHead } from '../../kernel/model/session.ts'
import { sessionFileName } from '../../kernel/system/session-names.ts'

const KEY = { session: 's1', agent: 'dev' }
const HEAD: SessionHead = { ...KEY, host: 'test', startedAt: '2026-03-16T10:00:00.000Z' }
const LINES = '.memory/conversations/dev/s1.jsonl'
const DOCUMENT = '.memory/conversations/dev/s1.json'
const AT = '2026-03-16T10:01:00.000Z'
const user = (text: string): Message => ({ role: 'user', text, at: AT })

function open(root = scratchProject()) {
  const engine = composeEngine({ root, actor: { host: 'test' } })
  onTestFinished(() => engine.close())
  return { root, files: engine.sessions }
}

async function begun(...texts: string[]) {
  const { root, files } = open()
  await files.start(HEAD)
  await files.append(KEY, texts.map(user))
  return { root, files }
}

const digest = (root: string, name: string) => createHash('sha256').update(readIn(root, name)).digest('hex')

describe('a damaged conversation', () => {
  it('is told line by line, and the rest of it is given', async () => {
    const { root, files } = await begun('one')
    const bad = [
      'not json at all',
      '[1,2]',
      '{"role":"user"}',
      '{"role":"user","text":"   "}',
      '{"role":"\\u0000","text":"who?"}',
      '{"text":"nobody"}',
      '{"role":"user","text":"from the future","at":"2999-01-01T00:00:00.000Z"}',
      '{"role":"bmad-master","text":"an agent by its name"}',
      '{"role":"user","text":"never finish',
    ]
    writeFileSync(path.join(root, LINES), `${readIn(root, LINES)}${bad.join('\n')}`)
    const before = digest(root, LINES)
    const conversation = await files.read(KEY)
    expect(conversation?.messages.map(message => message.text)).toEqual([
      'one',
      'from the future',
      'an agent by its name',
    ])
    expect(conversation?.messages[1]?.at).toBeUndefined()
    expect(conversation?.activeAt).toBe(AT)
    expect(conversation?.problems.map(({ code, path: file, line }) => `${code} ${file}:${line}`)).toEqual([
      'conversation_line_damaged conversations/dev/s1.jsonl:3',
      'message_damaged conversations/dev/s1.jsonl:4',
      'message_without_text conversations/dev/s1.jsonl:5',
      'message_without_text conversations/dev/s1.jsonl:6',
      'message_role_unknown conversations/dev/s1.jsonl:7',
      'message_role_unknown conversations/dev/s1.jsonl:8',
      'message_in_future conversations/dev/s1.jsonl:9',
      'conversation_line_damaged conversations/dev/s1.jsonl:11',
    ])
    expect(conversation?.problems.at(-1)?.message).toContain('was never finished')
    expect(digest(root, LINES)).toBe(before)
  })

  it('grows on after a line that was never finished', async () => {
    const { root, files } = await begun('one')
    writeFileSync(path.join(root, LINES), `${readIn(root, LINES)}{"n":1,"seen":2,"role":"user","te`)
    expect(await files.append(KEY, [user('two')])).toMatchObject({ count: 2, added: 1 })
    const conversation = await files.read(KEY)
    expect(conversation?.messages.map(message => message.text)).toEqual(['one', 'two'])
    expect(conversation?.problems).toHaveLength(1)
  })

  it('is kept beside when it is closed: nothing is thrown away', async () => {
    const { root, files } = await begun('one')
    writeFileSync(path.join(root, LINES), `${readIn(root, LINES)}what is this?\n`)
    expect(await files.settle(KEY, { messages: [user('one')], trimmed: 0, expected: 1 })).toBe(true)
    const names = readdirSync(path.join(root, '.memory/conversations/dev')).sort()
    expect(names).toHaveLength(2)
    expect(names[0]).toBe('s1.json')
    expect(names[1]).toMatch(/^s1\.jsonl\.damaged-\d+$/)
    expect(readIn(root, `.memory/conversations/dev/${names[1]}`)).toContain('what is this?')
    expect((await files.list({ limit: 9 })).total).toBe(1)
    expect((await files.read(KEY))?.problems).toEqual([])
  })

  it('in a document is told, not overwritten, and what came after it is given', async () => {
    const { root, files } = await begun('one')
    await files.settle(KEY, { messages: [user('one')], trimmed: 0, expected: 1 })
    writeIn(root, DOCUMENT, readIn(root, DOCUMENT).slice(0, 80))
    expect(await files.read(KEY)).toMatchObject({
      messages: [],
      problems: [{ code: 'conversation_damaged' }],
    })
    expect((await files.list({ limit: 9 })).problems).toMatchObject([{ path: 'conversations/dev/s1.json' }])
    await files.start(HEAD)
    await files.append(KEY, [user('two')])
    await files.settle(KEY, { messages: [user('two')], trimmed: 0, expected: 1 })
    const names = readdirSync(path.join(root, '.memory/conversations/dev'))
    expect(names.filter(name => name.startsWith('s1.json.damaged-'))).toHaveLength(1)
    expect((await files.read(KEY))?.messages.map(message => message.text)).toEqual(['two'])
  })

  it('is only a beginning when its first line was never finished', async () => {
    const { root, files } = open()
    writeIn(root, LINES, '{"head":{"session":"s1","agent":"de')
    expect(await files.read(KEY)).toBeUndefined()
    await expect(files.append(KEY, [user('x')])).rejects.toMatchObject({ code: 'session_not_found' })
    expect(await files.start(HEAD)).toMatchObject({ isNew: true })
    await files.append(KEY, [user('x')])
    expect(await files.read(KEY)).toMatchObject({ head: HEAD, messages: [user('x')] })
    expect((await files.list({ limit: 1 })).sessions[0]).toMatchObject({ session: 's1', host: 'test' })
  })
})

describe('a conversation of any size', () => {
  it('with one line of 20 MB is given without that line', async () => {
    const { root, files } = await begun('one')
    const huge = JSON.stringify({ role: 'user', text: 'x'.repeat(20_000_000) })
    writeFileSync(path.join(root, LINES), `${readIn(root, LINES)}${huge}\n`)
    expect(await files.append(KEY, [user('two')])).toMatchObject({ count: 2 })
    const conversation = await files.read(KEY)
    expect(conversation?.messages.map(message => message.text)).toEqual(['one', 'two'])
    expect(conversation?.problems).toMatchObject([{ code: 'conversation_line_too_long', line: 3 }])
    expect(await files.readEnd(KEY, 5)).toMatchObject({ count: 2, messages: [user('two')] })
  })

  it('beyond what fits in memory is given shortened, every message of it, and kept whole when it is closed', async () => {
    const { root, files } = await begun('one')
    const line = (n: number) =>
      JSON.stringify({ n, seen: n, headAt: 0, role: 'agent', text: `${n} ${'word '.repeat(9_000)}` })
    const lines = Array.from({ length: 1_000 }, (_, n) => line(n + 1))
    writeFileSync(path.join(root, LINES), `${readIn(root, LINES)}${lines.join('\n')}\n`)
    const conversation = await files.read(KEY)
    const texts = conversation?.messages.map(message => message.text) ?? []
    expect(texts).toHaveLength(1_001)
    expect(texts.reduce((sum, text) => sum + text.length, 0)).toBeLessThan(34_000_000)
    expect(texts.at(-1)).toMatch(/^1000 word .* … .* word $/)
    expect(conversation?.problems).toMatchObject([{ code: 'conversation_shortened' }])
    const messages = conversation?.messages.slice(-20) ?? []
    await files.settle(KEY, { messages, trimmed: 981, expected: 1_001 })
    const names = readdirSync(path.join(root, '.memory/conversations/dev'))
    expect(names.some(name => name.startsWith('s1.jsonl.damaged-'))).toBe(true)
  })
})

describe('closing', () => {
  it('writes the document of the seed', async () => {
    const { root, files } = await begun('one', 'two')
    await files.settle(KEY, { messages: [user('one'), user('two')], trimmed: 0, expected: 2 })
    const document = JSON.parse(readIn(root, DOCUMENT))
    expect(document).toMatchObject({
      agentId: 'dev',
      savedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      messages: [
        { role: 'user', text: 'one' },
        { role: 'user', text: 'two' },
      ],
      sessionId: 's1',
      host: 'test',
      startedAt: HEAD.startedAt,
      trimmed: 0,
    })
    expect(existsSync(path.join(root, LINES))).toBe(false)
  })

  it('that died between its two steps is read once, not twice', async () => {
    const { root, files } = await begun('one', 'two')
    const lines = readIn(root, LINES)
    await files.settle(KEY, { messages: [user('one'), user('two')], trimmed: 0, expected: 2 })
    writeIn(root, LINES, lines)
    expect((await files.read(KEY))?.messages).toHaveLength(2)
    expect((await files.read(KEY))?.state).toBe('closed')
    expect(await files.unclosed()).toEqual([])
    expect((await files.readEnd(KEY, 9))?.messages).toHaveLength(2)
    await files.append(KEY, [user('three')])
    expect((await files.read(KEY))?.messages.map(message => message.text)).toEqual(['one', 'two', 'three'])
  })
})

describe('what seed A left', () => {
  it('is found as a session of its own', async () => {
    const { root, files } = open()
    const messages = [
      { role: 'user', text: 'Olá' },
      { role: 'agent', text: 'Oi' },
    ]
    const savedAt = '2026-03-15T23:04:23.463Z'
    writeIn(
      root,
      '.memory/conversations/bmad-master.json',
      JSON.stringify({ agentId: 'bmad-master', savedAt, messages }, null, 2),
    )
    writeIn(
      root,
      '.memory/.vault/checkpoints/bmad-master.json',
      JSON.stringify({
        agentId: 'bmad-master',
        savedAt: 1773679871839,
        messages,
        chatId: 'chat_abc123',
        modelId: 'm',
      }),
    )
    const key = { session: 'seed-bmad-master', agent: 'bmad-master' }
    expect(await files.read(key)).toMatchObject({ head: key, state: 'closed', activeAt: savedAt, messages })
    expect((await files.list({ limit: 5 })).sessions).toMatchObject([
      { ...{ session: key.session }, messages: 2, state: 'closed' },
    ])
    expect((await files.conversationsOf(key.session)).map(head => head.agent)).toEqual(['bmad-master'])
    expect((await files.readEnd(key, 1))?.messages).toEqual([messages[1]])
    expect((await files.findCheckpoint('bmad-master')).checkpoint).toEqual({
      version: 1,
      agentId: 'bmad-master',
      sessionId: 'seed-bmad-master',
      savedAt: 1773679871839,
      messages,
      chatId: 'chat_abc123',
      modelId: 'm',
    })
    const seed = readIn(root, '.memory/conversations/bmad-master.json')
    await files.append(key, [user('again')])
    expect((await files.read(key))?.messages).toHaveLength(3)
    expect((await files.list({ limit: 5 })).sessions).toMatchObject([{ messages: 3, state: 'open' }])
    expect(readIn(root, '.memory/conversations/bmad-master.json')).toBe(seed)
  })
})

describe('checkpoints', () => {
  it('that are damaged, half-written or from the future are told, and none is deleted', async () => {
    const { root, files } = open()
    const folder = '.memory/.vault/checkpoints'
    writeIn(root, `${folder}/dev/half.json`, '{"agentId":"dev","savedAt":17')
    writeIn(root, `${folder}/dev/list.json`, '[]')
    writeIn(
      root,
      `${folder}/dev/future.json`,
      JSON.stringify({ agentId: 'dev', savedAt: 9e12, messages: [{ role: 'user' }, user('x')] }),
    )
    writeIn(root, `${folder}/dev/old.json.1x.cairn-tmp`, 'half')
    const dayAgo = new Date(Date.now() - 86_400_000)
    utimesSync(path.join(root, `${folder}/dev/old.json.1x.cairn-tmp`), dayAgo, dayAgo)
    utimesSync(path.join(root, `${folder}/dev/future.json`), dayAgo, dayAgo)
    const { checkpoints, damaged } = await files.listCheckpoints()
    expect(damaged.map(({ code, path: file }) => `${code} ${file}`).sort()).toEqual([
      'checkpoint_damaged .vault/checkpoints/dev/half.json',
      'checkpoint_damaged .vault/checkpoints/dev/list.json',
      'checkpoint_leftover .vault/checkpoints/dev/old.json.1x.cairn-tmp',
    ])
    expect(checkpoints).toMatchObject([{ path: '.vault/checkpoints/dev/future.json' }])
    expect(Math.abs((checkpoints[0]?.savedAt ?? 0) - dayAgo.getTime())).toBeLessThan(1_000)
    const { checkpoint, problems } = await files.findCheckpoint('dev', 'future')
    expect(checkpoint?.messages).toEqual([user('x')])
    expect(problems.map(problem => problem.code)).toEqual(['message_without_text', 'checkpoint_in_future'])
    expect(readdirSync(path.join(root, `${folder}/dev`))).toHaveLength(4)
  })
})

describe('links', () => {
  it.skipIf(process.platform === 'win32')(
    'that lead out of the memory are neither read nor written',
    async () => {
      const outside = scratchProject({ 'dev/s1.jsonl': '{"head":', 'keep.json': '{}' })
      const { root, files } = await begun('one')
      symlinkSync(outside, path.join(root, '.memory/conversations/ana'))
      symlinkSync(path.join(outside, 'keep.json'), path.join(root, '.memory/conversations/dev/s9.json'))
      const refused = { code: 'memory_outside_project' }
      await expect(files.start({ ...HEAD, agent: 'ana' })).rejects.toMatchObject(refused)
      await expect(files.read({ session: 's9', agent: 'dev' })).rejects.toMatchObject(refused)
      const { sessions, problems } = await files.list({ limit: 9 })
      expect(sessions.map(session => session.session)).toEqual(['s1'])
      expect(problems.map(problem => problem.path).sort()).toEqual([
        'conversations/ana',
        'conversations/dev/s9.json',
      ])
      symlinkSync(outside, path.join(root, '.memory/sessions'))
      expect(() => composeEngine({ root })).toThrow(/outside the memory/)
      expect(readdirSync(outside).sort()).toEqual(['dev', 'keep.json'])
      expect(readFileSync(path.join(outside, 'dev/s1.jsonl'), 'utf8')).toBe('{"head":')
    },
  )
})

describe('a file name', () => {
  it('is the id where that is plain, and never the same for two ids', () => {
    expect(sessionFileName('9f3c-a1.b_2')).toBe('9f3c-a1.b_2')
    expect(sessionFileName('../../etc/passwd')).toMatch(/^etc-passwd~[0-9a-f]{24}$/)
    expect(sessionFileName('nul')).toMatch(/^id~/)
    const ids = ['S1', 's1', 'con', 'a/b', 'a\\b', '..', 'a.', 'x'.repeat(90), '\ud800', '\ud801', 'É']
    expect(new Set(ids.map(id => sessionFileName(id).toLowerCase())).size).toBe(ids.length)
    for (const id of ids) expect(sessionFileName(id)).toMatch(/^[a-z0-9][a-z0-9._~-]{0,90}$/)
  })
})
