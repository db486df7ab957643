import { spawn } from 'node:child_process'
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openMemory } from '../../src/api.ts'
import { inWorld, type World } from './world.ts'

const WRITER = fileURLToPath(new URL('../support/session-writer.mjs', import.meta.url))

interface Shown {
  readonly conversations: readonly {
    readonly agent: string
    readonly state: string
    readonly total: number
    readonly chat?: string
    readonly messages: readonly { readonly role: string; readonly text: string }[]
  }[]
  readonly problems: readonly { readonly code: string; readonly line?: number }[]
}

interface Appended {
  readonly added: number
  readonly count: number
  readonly seen: number
  readonly skipped: number
  readonly problems: readonly { readonly line: number; readonly code: string }[]
}

const show = (world: World, session: string) =>
  world.json<Shown>('session', 'show', session, '--limit', '100000')

const lines = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => JSON.stringify({ role: 'user', text: `${name}/${n}` })).join('\n')

async function append(world: World, session: string, input: string, ...flags: string[]): Promise<Appended> {
  const run = await world.cairn(['session', 'append', session, '--agent', 'dev', '--json', ...flags], {
    input,
  })
  expect(run).toMatchObject({ code: 0, stderr: '' })
  return JSON.parse(run.stdout)
}

/** What a writer had acknowledged when it ended or was killed. */
function write(world: World, session: string, name: string, killAfterMs?: number): Promise<string[]> {
  return new Promise(resolve => {
    const words = [WRITER, world.root, session, name, killAfterMs === undefined ? '40' : '100000']
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
    let stdout = ''
    child.stdout.on('data', chunk => {
      if (stdout === '' && killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs)
      stdout += chunk
    })
    child.on('close', () =>
      resolve(
        stdout
          .slice(0, stdout.lastIndexOf('\n') + 1)
          .split('\n')
          .filter(line => line.startsWith(`${name}/`)),
      ),
    )
  })
}

it(
  '`session append s9 -` reads messages as lines, or one text, from standard input',
  inWorld(async world => {
    expect(await append(world, 's9', lines('m', 3), '-')).toMatchObject({ added: 3, skipped: 0 })
    expect(await append(world, 's9', 'It is slow\nsince Monday.\n', '-')).toMatchObject({ added: 1 })
    const [conversation] = (await show(world, 's9')).conversations
    expect(conversation?.messages.map(({ text }) => text.trim())).toEqual([
      'm/0',
      'm/1',
      'm/2',
      'It is slow\nsince Monday.',
    ])
  }),
)

it(
  'a word belongs to what no flag has said: `session append --session s9 -`',
  inWorld(async world => {
    const run = await world.cairn(['session', 'append', '--session', 's9', '--agent', 'dev', '--json', '-'], {
      input: lines('m', 3),
    })
    expect(JSON.parse(run.stdout)).toMatchObject({ session: 's9', added: 3 })
    expect(await world.failure('list', '--agent', 'dev', 'dev')).toMatchObject({ code: 'invalid_input' })
  }),
)

describe('several processes', () => {
  it(
    'that append to one session lose nothing',
    inWorld(async world => {
      await Promise.all(['a', 'b', 'c'].map(name => append(world, 's1', lines(name, 120))))
      const { conversations, problems } = await show(world, 's1')
      const texts = conversations[0]?.messages.map(message => message.text) ?? []
      expect(texts).toHaveLength(360)
      expect(new Set(texts).size).toBe(360)
      for (const name of ['a', 'b', 'c']) {
        const own = texts.filter(text => text.startsWith(name))
        expect(own).toEqual(Array.from({ length: 120 }, (_, n) => `${name}/${n}`))
      }
      expect(problems).toEqual([])
    }),
  )

  it(
    'that append to many sessions of one agent do not overwrite each other',
    inWorld(async world => {
      const names = ['a', 'b', 'c', 'd']
      await Promise.all(names.map(name => write(world, `s-${name}`, name)))
      for (const name of names) {
        const { conversations } = await show(world, `s-${name}`)
        expect(conversations[0]?.total).toBe(40)
        expect(conversations[0]?.messages.every(message => message.text.startsWith(`${name}/`))).toBe(true)
      }
      expect(readdirSync(path.join(world.root, '.memory/.vault/checkpoints/dev'))).toHaveLength(4)
      const { total } = await world.json<{ total: number }>('sessions', '--agent', 'dev')
      expect(total).toBe(4)
    }),
  )

  it(
    'that hand over the same messages at once keep them once',
    inWorld(async world => {
      await Promise.all([1, 2, 3].map(() => append(world, 's1', lines('m', 50), '--at', '0')))
      const { conversations } = await show(world, 's1')
      expect(conversations[0]?.messages.map(message => message.text)).toEqual(
        Array.from({ length: 50 }, (_, n) => `m/${n}`),
      )
    }),
  )

  it(
    'that are killed in the middle leave a conversation that is read, with all that was acknowledged',
    inWorld(async world => {
      const acknowledged: string[] = []
      for (let round = 0; round < 6; round++) {
        const wave = [0, 1].map(n => write(world, 's1', `r${round}w${n}`, 20 + ((round * 37 + n * 53) % 200)))
        acknowledged.push(...(await Promise.all(wave)).flat())
      }
      expect(acknowledged.length).toBeGreaterThan(20)
      const { conversations } = await show(world, 's1')
      const kept = conversations[0]?.messages.map(message => message.text.split(' ')[0] ?? '') ?? []
      const known = new Set(kept)
      expect(known.size).toBe(kept.length)
      expect(acknowledged.filter(name => !known.has(name))).toEqual([])
      expect(await append(world, 's1', lines('after', 1))).toMatchObject({ added: 1, count: kept.length + 1 })
      const recovered = await world.json<{ checkpoint: { messages: unknown[] } }>('session', 'recover', 's1')
      expect(recovered.checkpoint.messages.length).toBeGreaterThan(0)
    }),
  )
})

describe('a transcript', () => {
  it(
    'with lines that cannot be taken is taken but for those, and again adds nothing',
    inWorld(async world => {
      const input = [
        '{"role":"user","text":"one","at":"2026-03-16T10:00:00Z"}',
        'not json',
        '',
        '{"role":"user"}',
        `{"role":"tool","text":"${'x'.repeat(20_000_000)}"}`,
        '{"role":"agent","text":"two","internal":true}',
        '{"role":"user","text":"three","at":"2999-01-01T00:00:00Z"}',
      ].join('\n')
      const first = await append(world, 's1', input, '--at', '0')
      expect(first).toMatchObject({ added: 3, count: 3, seen: 6, skipped: 3 })
      expect(first.problems).toMatchObject([
        { line: 2, code: 'line_damaged' },
        { line: 4, code: 'message_without_text' },
        { line: 5, code: 'line_too_long' },
      ])
      expect(await append(world, 's1', input, '--at', '0')).toMatchObject({ added: 0, count: 3, seen: 6 })
    }),
  )

  it(
    'of any length is ended at once',
    inWorld(async world => {
      await append(world, 's1', lines('m', 20))
      const file = path.join(world.root, '.memory/conversations/dev/s1.jsonl')
      const filler = `${JSON.stringify({ n: 20, seen: 20, headAt: 0, role: 'agent', text: 'word '.repeat(200) })}\n`
      for (let n = 0; n < 60; n++) appendFileSync(file, filler.repeat(1_000))
      const before = readFileSync(file).length
      const ended = await world.json<{ state: string }>('session', 'end', 's1')
      expect(ended.state).toBe('ending')
      expect(readFileSync(file).length - before).toBeLessThan(200)
      const { sessions } = await world.json<{ sessions: { state: string }[] }>('sessions')
      expect(sessions).toMatchObject([{ state: 'ending' }])
    }),
  )
})

describe('a session on the command line', () => {
  it(
    'is the one of the environment',
    inWorld(async world => {
      const env = { CAIRN_AGENT: 'dev', CAIRN_SESSION: 's7', CAIRN_HOST: 'codex' }
      const run = async (...words: string[]) =>
        JSON.parse((await world.cairn(['--json', ...words], { env })).stdout)
      expect(await run('session', 'start', '--chat', 'c1')).toMatchObject({
        session: 's7',
        agent: 'dev',
        host: 'codex',
      })
      expect(await run('session', 'append', '--text', 'Hello')).toMatchObject({ session: 's7', count: 1 })
      expect(await run('session', 'sleep')).toMatchObject({ handoff: { session: 's7', agent: 'dev' } })
      expect((await world.json<Shown>('session', 'show', 's7')).conversations).toMatchObject([
        { agent: 'dev', state: 'asleep', chat: 'c1' },
      ])
    }),
  )

  it(
    'that is not there is told with those that are near',
    inWorld(async world => {
      await world.ok('session', 'start', 'billing-retry', '--agent', 'dev')
      for (const verb of ['checkpoint', 'sleep', 'end', 'fork', 'resume', 'show']) {
        expect(await world.failure('session', verb, 'biling-retry'), verb).toMatchObject({
          exit: 3,
          code: 'session_not_found',
          hint: 'Did you mean billing-retry? `cairn sessions` lists them all.',
          details: { near: ['billing-retry'] },
        })
      }
      expect(await world.failure('session', 'show')).toMatchObject({ code: 'invalid_input' })
      expect(await world.failure('session', 'append', 's1')).toMatchObject({ code: 'invalid_input' })
      expect(await world.failure('session', 'append', 's1', '--text', ' ')).toMatchObject({
        code: 'content_empty',
      })
      expect(await world.failure('session', 'run', 's1')).toMatchObject({ code: 'invalid_input' })
      expect(await world.failure('session', 'start', 's1', '--agent', '../x')).toMatchObject({
        code: 'agent_id_invalid',
      })
    }),
  )

  it(
    'may be called anything, and stays inside the memory',
    inWorld(async world => {
      for (const id of ['../../evil', 'CON', 'S1', 's1', 'a b', 'é'.repeat(200)])
        await world.ok('session', 'append', id, '--text', `of ${id}`)
      const { sessions } = await world.json<{ sessions: { session: string }[] }>('sessions')
      expect(sessions.map(one => one.session).sort()).toEqual(
        ['../../evil', 'CON', 'S1', 's1', 'a b', 'é'.repeat(200)].sort(),
      )
      expect(readdirSync(path.dirname(world.root)).sort()).toEqual(['home', 'project', 'tmp'])
      expect(readdirSync(world.root)).toEqual(['.memory'])
    }),
  )

  it(
    'shows escape sequences instead of obeying them',
    inWorld(async world => {
      await world.ok('session', 'append', 's1', '--text', 'red \u001b[31m\u0007 text')
      for (const words of [['sessions'], ['session', 'show', 's1'], ['agents']]) {
        const screen = await world.ok(...words)
        expect(screen).toContain('red \ufffd[31m\ufffd text')
      }
    }),
  )
})

describe('the library', () => {
  it(
    'does what the command line does',
    inWorld(async world => {
      const memory = await openMemory({
        root: world.root,
        actor: { host: 'dashboard', agent: 'dev' },
        vectors: 'never',
      })
      const { head } = await memory.sessions.start({ chat: 'c1' })
      await memory.sessions.append(head.session, [{ role: 'user', text: 'Hello' }], { at: 0 })
      await memory.sessions.append({ session: head.session, agent: 'ana' }, [{ role: 'user', text: 'Hi' }])
      await memory.sessions.record(head.session, [{ tool: 'Bash', command: 'npm test', ok: true }])
      expect((await memory.sessions.checkpoint(head.session)).messages).toHaveLength(2)
      expect((await memory.sessions.recover()).checkpoint?.sessionId).toBe(head.session)
      expect((await memory.sessions.sleep(head.session)).handoff?.content).toBe(
        'Asked: Hello\nDone and verified: `npm test` passed after the last edit.',
      )
      const fork = await memory.sessions.fork(head.session, { as: 'copy' })
      expect(fork.agents.map(one => one.agent).sort()).toEqual(['ana', 'dev'])
      expect((await memory.sessions.resume(head.session)).conversations).toHaveLength(2)
      expect((await memory.sessions.get('copy'))?.messages).toHaveLength(2)
      expect(await memory.sessions.get('none')).toBeUndefined()
      expect((await memory.sessions.list({ state: 'open' })).total).toBe(2)
      expect(await memory.sessions.end('copy')).toEqual({ state: 'ending' })
      expect((await memory.agents('dev')).agents[0]?.doing.map(work => work.request)).toEqual(['Hello'])
      await memory.close()
    }),
  )
})
