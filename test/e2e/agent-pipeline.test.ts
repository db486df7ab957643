import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type AgentWorld, inAgentWorld } from './agent-world.ts'

const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`

interface Answer {
  readonly text: string
  readonly chatId: string
  readonly session: string
  readonly isStopped: boolean
}

async function enable(world: AgentWorld): Promise<void> {
  await world.ok('agent', 'enable', 'claude-code', '--yes')
}

async function run(world: AgentWorld, command: string, ...more: string[]): Promise<Answer> {
  return world.json<Answer>('agent', 'run', 'claude-code', command, '--agent', 'dev', ...more)
}

describe('a host', () => {
  it(
    'runs nothing until its user enabled it, for this project and this program',
    inAgentWorld(async world => {
      expect(await world.failure('agent', 'run', 'claude-code', 'hello')).toMatchObject({
        code: 'agent_host_off',
        hint: '`cairn agent enable claude-code` shows what would be run, and asks.',
      })
      expect(await world.failure('agent', 'enable', 'claude-code')).toMatchObject({ code: 'not_confirmed' })
      expect(await world.failure('agent', 'enable', 'codex', '--yes')).toMatchObject({
        code: 'agent_host_failed',
      })
      expect(world.calls()).toEqual([])
      await enable(world)
      const { hosts } = await world.json<{
        hosts: { host: string; isEnabled: boolean; command: string[] }[]
      }>('agent', 'hosts')
      expect(hosts[0]).toMatchObject({
        host: 'claude-code',
        isEnabled: true,
        version: '9.9.9',
        command: [
          path.join(world.bin, 'claude'),
          '-p',
          '--output-format',
          'stream-json',
          '--verbose',
          '--include-partial-messages',
        ],
      })
      expect(await run(world, 'hello')).toMatchObject({ text: 'You said: hello', isStopped: false })
      await world.ok('agent', 'disable', 'claude-code')
      expect(await world.failure('agent', 'run', 'claude-code', 'hello')).toMatchObject({
        code: 'agent_host_off',
      })
      expect(world.calls().length).toBe(1)
    }),
  )

  it(
    'is never a program of the project, whatever the PATH says',
    inAgentWorld(async world => {
      await enable(world)
      const evil = '#!/bin/sh\ntouch "$HOME/evil"\n'
      mkdirSync(path.join(world.root, 'node_modules/.bin'), { recursive: true })
      writeFileSync(path.join(world.root, 'node_modules/.bin/claude'), evil, { mode: 0o755 })
      const linked = path.join(world.home, 'linked')
      symlinkSync(path.join(world.root, 'node_modules/.bin'), linked)
      const outside = path.join(world.home, 'outside')
      mkdirSync(outside)
      symlinkSync(path.join(world.root, 'node_modules/.bin/claude'), path.join(outside, 'claude'))
      const folders = [path.join(world.root, 'node_modules/.bin'), './node_modules/.bin', linked, outside]
      for (const folder of folders) {
        const PATH = [folder, world.environment.PATH].join(path.delimiter)
        const { code, stdout } = await world.cairn(['agent', 'run', 'claude-code', 'hello', '--json'], {
          env: { PATH },
        })
        expect([folder, code, JSON.parse(stdout).text]).toEqual([folder, 0, 'You said: hello'])
      }
      expect(readdirSync(world.home)).not.toContain('evil')
      // Another program of that name, elsewhere, is not the one that was enabled.
      const other = path.join(world.home, 'other')
      mkdirSync(other)
      writeFileSync(path.join(other, 'claude'), evil, { mode: 0o755 })
      const PATH = [other, world.environment.PATH].join(path.delimiter)
      const refused = await world.cairn(['agent', 'run', 'claude-code', 'hello', '--json'], { env: { PATH } })
      expect(JSON.parse(refused.stdout).error).toMatchObject({ code: 'agent_host_off' })
      expect(readdirSync(world.home)).not.toContain('evil')
    }),
  )

  it(
    'is not run in a project that is not trusted, nor inside an agent that Cairn started',
    inAgentWorld(async world => {
      await enable(world)
      const inside = await world.cairn(['agent', 'run', 'claude-code', 'hello', '--json'], {
        env: { CAIRN_INTERNAL: '1' },
      })
      expect(JSON.parse(inside.stdout).error).toMatchObject({ code: 'agent_host_off' })
      await world.ok('untrust')
      expect(await world.failure('agent', 'run', 'claude-code', 'hello')).toMatchObject({
        code: 'not_trusted',
      })
      expect(world.calls()).toEqual([])
    }),
  )
})

describe('a chat', () => {
  it(
    'begins with the role, the memory and the command, and goes on with the command alone',
    inAgentWorld(async world => {
      await enable(world)
      world.write('.claude/agents/dev.md', '---\nname: dev\n---\nYou are the developer of this harbour.\n')
      const first = await run(world, 'What about websockets?')
      const second = await run(world, 'remember websockets?', '--chat', first.chatId)
      expect(second).toMatchObject({ text: 'Yes: websockets?', chatId: first.chatId, session: first.session })
      const third = await run(world, '--and now?', '--session', first.session)
      expect(third.session).toBe(first.session)

      const [began, wentOn, last] = world.calls()
      const prompt = began?.prompt ?? ''
      const parts = [
        'You are the developer',
        'We stream with SSE',
        '## PROJECT SCOPE: project',
        '## MEMORY:',
        'What about websockets?',
      ]
      expect(parts.filter(part => prompt.includes(part))).toEqual(parts)
      expect(prompt.endsWith('\n\nWhat about websockets?\n')).toBe(true)
      expect(began).toMatchObject({ cwd: world.root, internal: '1' })
      expect(wentOn).toMatchObject({ prompt: 'remember websockets?\n' })
      expect(wentOn?.words.slice(-2)).toEqual(['--resume', first.chatId])
      expect(last).toMatchObject({ prompt: '--and now?\n' })

      expect(await world.messages(first.session)).toEqual([
        'user: What about websockets?',
        'agent: You said: What about websockets?',
        'user: remember websockets?',
        'agent: Yes: websockets?',
        'user: --and now?',
        'agent: You said: --and now?',
      ])
      const { chats } = await world.json<{ chats: object[] }>('agent', 'chats', '--agent', 'dev')
      expect(chats).toMatchObject([
        { session: first.session, agent: 'dev', host: 'claude-code', chat: first.chatId, isRunning: false },
      ])
    }),
  )

  it(
    'keeps what tools did, as hooks would',
    inAgentWorld(async world => {
      await enable(world)
      const { session } = await run(world, 'test')
      expect(await world.messages(session)).toEqual([
        'user: test',
        'tool: npm test (failed)\n1 failing',
        'agent: The tests fail.',
      ])
      const { events } = await world.json<{ events: { summary: string }[] }>('events')
      expect(events.map(({ summary }) => summary).join('\n')).toContain('npm test')
    }),
  )

  it(
    'has the role of the vault before that of a host, and follows no link out of the project',
    inAgentWorld(async world => {
      await enable(world)
      writeFileSync(path.join(world.home, 'secret.md'), 'Nobody may read this.\n')
      mkdirSync(path.join(world.root, '.claude/agents'), { recursive: true })
      symlinkSync(path.join(world.home, 'secret.md'), path.join(world.root, '.claude/agents/dev.md'))
      await run(world, 'hello')
      const key = `${'AKIA'}Q7ZLM2X9RTW4KPB8`
      world.write('.memory/dev/_persona.md', `You keep the lighthouse. Its key is ${key}.\n`)
      await run(world, 'hello')
      await run(world, 'hello', '--persona', 'You row the boat.')
      const prompts = world.calls().map(({ prompt }) => prompt)
      const roles = ['Nobody may read', 'You keep the lighthouse.', 'You row the boat.']
      expect(prompts.map(prompt => roles.filter(role => prompt.includes(role)))).toEqual([
        [],
        ['You keep the lighthouse.'],
        ['You row the boat.'],
      ])
      expect(JSON.stringify(world.calls())).not.toContain(key)
      // A role is no entry, and no stranger in the vault.
      const listed = await world.json('list', '--agent', 'dev')
      expect(listed.entries.filter(({ content }) => content.includes('lighthouse'))).toEqual([])
      const checked = await world.cairn(['validate', '--json'])
      expect(checked.stdout).not.toContain('_persona.md')
    }),
  )

  it(
    'that the host does not know any more says what to do',
    inAgentWorld(async world => {
      await enable(world)
      expect(await world.failure('agent', 'run', 'claude-code', 'hello', '--chat', 'gone-1')).toMatchObject({
        code: 'agent_host_failed',
        message: 'Claude Code failed: No conversation found with session ID: gone-1.',
        hint: 'The host does not know this chat any more: begin a new one, without a chat id.',
      })
      expect(await world.failure('agent', 'run', 'claude-code', 'hello', '--chat', '--evil')).toMatchObject({
        code: 'invalid_input',
      })
      expect(world.calls().length).toBe(1)
    }),
  )
})

describe('what a host does wrong', () => {
  it(
    'it crashes: what was said is kept, and the reason told',
    inAgentWorld(async world => {
      await enable(world)
      expect(await world.failure('agent', 'run', 'claude-code', 'crash', '--agent', 'dev')).toMatchObject({
        code: 'agent_host_failed',
        message: 'Claude Code failed: it ended with 3: Error: out of luck.',
      })
      const { chats } = await world.json<{ chats: { session: string }[] }>('agent', 'chats')
      expect(await world.messages(chats[0]?.session ?? '')).toEqual([
        'user: crash',
        'agent: Half of it is done.',
        'agent: And then',
        'system: Claude Code failed: it ended with 3: Error: out of luck.',
      ])
    }),
  )

  it(
    'it prints secrets, controls and noise: none of it is kept or obeyed',
    inAgentWorld(async world => {
      await enable(world)
      writeFileSync(path.join(world.home, 'to-tell'), `The token is ${TOKEN}, use it.`)
      const { text, session } = await run(world, 'tell')
      expect(text).not.toContain(TOKEN)
      expect(await world.messages(session)).toEqual(['user: tell', expect.not.stringContaining(TOKEN)])
      const typed = await run(world, `You said ${TOKEN}`)
      expect(typed.text).not.toContain(TOKEN)
      // The host itself gets what was typed.
      expect(world.calls().at(-1)?.prompt).toContain(TOKEN)
      const files = readdirSync(path.join(world.root, '.memory'), { recursive: true, withFileTypes: true })
      const holding = files
        .filter(item => item.isFile() && readFileSync(path.join(item.parentPath, item.name)).includes(TOKEN))
        .map(({ name }) => name)
      expect(holding).toEqual([])

      const steered = await world.cairn(['agent', 'run', 'claude-code', 'steer'])
      expect(steered.stdout).toBe('\ufffd[2J\ufffd]0;title\ufffdLook \ufffdover\ufffd here.\n')
      const noisy = await world.cairn(['agent', 'run', 'claude-code', 'noise'])
      expect(noisy.stdout).toBe('In spite of the noise.\n')
      expect(noisy.stderr).toBe('')
    }),
  )

  it(
    'it says nothing for too long: it is ended, with what it had started',
    inAgentWorld(async world => {
      await enable(world)
      await world.ok('config', 'set', 'agents.silenceSeconds', '1')
      expect(await world.failure('agent', 'run', 'claude-code', 'hang', '--agent', 'dev')).toMatchObject({
        code: 'agent_host_failed',
        message: expect.stringContaining('it printed nothing for too long'),
      })
      await until(async () => left(world).length === 0)
    }),
  )

  it(
    'it never ends its answer: it is ended, and what it said is kept',
    inAgentWorld(async world => {
      await enable(world)
      expect(await world.failure('agent', 'run', 'claude-code', 'flood', '--agent', 'dev')).toMatchObject({
        message: 'Claude Code failed: it printed far too much, and was ended.',
      })
      const { chats } = await world.json<{ chats: { session: string }[] }>('agent', 'chats')
      expect((await world.messages(chats[0]?.session ?? '')).length).toBe(3)
    }),
  )
})

describe('over HTTP', () => {
  it(
    'however often its hosts are listed, none is started again for its version',
    inAgentWorld(async world => {
      const started = path.join(world.home, 'started')
      const program = `#!/bin/sh\necho "$@" >> '${started}'\nsleep 0.2\necho 1.2.3\n`
      writeFileSync(path.join(world.bin, 'codex'), program, { mode: 0o755 })
      await world.ok('agent', 'enable', 'codex', '--yes')
      writeFileSync(started, '')
      const server = await world.serve()
      const version = async () => {
        const { hosts } = (await (await server.ask('/api/agents/hosts')).json()) as {
          hosts: { host: string; version?: string }[]
        }
        return hosts.find(({ host }) => host === 'codex')?.version
      }
      expect(await Promise.all([version(), version(), version()])).toEqual(['1.2.3', '1.2.3', '1.2.3'])
      expect(await version()).toBe('1.2.3')
      expect(readFileSync(started, 'utf8')).toBe('--version\n')
    }),
  )

  it(
    'an answer is told as it comes, and a second command waits for the first',
    inAgentWorld(async world => {
      await enable(world)
      const server = await world.serve()
      const hosts = (await (await server.ask('/api/agents/hosts')).json()) as {
        hosts: { isEnabled: boolean }[]
      }
      expect(hosts.hosts.map(({ isEnabled }) => isEnabled)).toEqual([true, false, false, false, false])
      const body = { agentId: 'dev', command: 'test' }
      expect((await server.ask('/api/agents/command', body, { authorization: '' })).status).toBe(401)
      const told = await server.command(body)
      expect(told.map(({ event }) => event)).toEqual(['chat', 'brief', 'chat', 'tool', 'text', 'done'])
      const [began, brief, , tool, text, done] = told.map(({ data }) => data)
      expect(began).toMatchObject({ host: 'claude-code', agentId: 'dev', isResumed: false })
      expect(brief).toMatchObject({ tokens: expect.any(Number), persona: null })
      expect(tool).toEqual({ name: 'Bash', input: 'npm test' })
      expect(text).toEqual({ text: 'The tests fail.' })
      expect(done).toMatchObject({
        text: 'The tests fail.',
        session: began?.session,
        usage: { inputTokens: 12, outputTokens: 3, costUsd: 0.01 },
        isStopped: false,
      })
      const chatId = done?.chatId
      const slow = server.command({ agentId: 'dev', chatId, command: 'slow 1500' })
      await until(async () => world.calls().length === 2)
      expect(await server.command({ agentId: 'dev', chatId, command: 'hello' })).toMatchObject([
        { event: '409', data: { code: 'agent_busy' } },
      ])
      // The command line is another process, and waits as well.
      expect(
        await world.failure(
          'agent',
          'run',
          'claude-code',
          'hello',
          '--agent',
          'dev',
          '--chat',
          String(chatId),
        ),
      ).toMatchObject({ code: 'agent_busy' })
      expect((await slow).at(-1)).toMatchObject({
        event: 'done',
        data: { text: 'It takes a while.\nNow it is done.', session: began?.session },
      })
      await world.ok('config', 'set', 'agents.atOnce', '1')
      const other = server.command({ agentId: 'dev', command: 'slow 1500' })
      await until(async () => world.calls().length === 3)
      expect(await server.command({ agentId: 'ops', command: 'hello' })).toMatchObject([
        { event: '409', data: { code: 'agent_busy', message: '1 agents are at work in this project.' } },
      ])
      expect((await other).at(-1)).toMatchObject({ event: 'done' })
    }),
  )

  it(
    'a page that goes away stops nothing; somebody who asks does',
    inAgentWorld(async world => {
      await enable(world)
      const server = await world.serve()
      const [chat] = await server.command(
        { agentId: 'dev', command: 'slow 1000' },
        ({ event }) => event === 'chat',
      )
      const session = String(chat?.data.session)
      await until(async () => (await world.messages(session)).length === 2)
      expect(await world.messages(session)).toEqual([
        'user: slow 1000',
        'agent: It takes a while.\nNow it is done.',
      ])

      const hanging = server.command({ agentId: 'dev', session, command: 'hang' })
      await until(async () => readdirSync(world.home).includes('host-pids'))
      expect(await (await server.ask('/api/agents/stop', { session })).json()).toEqual({
        session,
        stopped: true,
      })
      expect((await hanging).at(-1)).toMatchObject({
        event: 'done',
        data: { text: 'I begin.\nAnd I think', isStopped: true },
      })
      await until(async () => left(world).length === 0)
      expect(await (await server.ask('/api/agents/stop', { session })).json()).toEqual({
        session,
        stopped: false,
      })
      expect((await world.messages(session)).slice(2)).toEqual([
        'user: hang',
        'agent: I begin.\nAnd I think',
        'system: The run was stopped.',
      ])
    }),
  )

  it(
    'a server that ends, or is killed, leaves no process, and nothing that was said is lost',
    inAgentWorld(async world => {
      await enable(world)
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        const server = await world.serve()
        let session = ''
        const heard = server
          .command({ agentId: 'dev', command: 'hang' }, ({ event, data }) => {
            session = String(data.session ?? session)
            return event === 'text'
          })
          .catch(() => [])
        await heard
        // Until the draft is on disk.
        await until(async () => drafts(world).some(text => text.includes('I begin.')))
        await server.kill(signal)
        await until(async () => left(world).length === 0)
        const again = await world.serve()
        const { chats } = (await (await again.ask('/api/agents/chats?agent=dev')).json()) as {
          chats: { session: string; isRunning: boolean }[]
        }
        expect([signal, chats.find(chat => chat.session === session)?.isRunning]).toEqual([signal, false])
        const [asked, said] = await world.messages(session)
        expect([asked, said?.startsWith('agent: I begin.\n')]).toEqual(['user: hang', true])
        expect(drafts(world)).toEqual([])
        // The session is free again.
        const next = await again.command({ agentId: 'dev', session, command: 'hello' })
        expect(next.at(-1)).toMatchObject({ event: 'done', data: { text: 'You said: hello' } })
        await again.kill('SIGTERM')
      }
    }),
  )
})

function drafts(world: AgentWorld): string[] {
  const folder = path.join(world.root, '.memory/.vault/agent-runs')
  try {
    return readdirSync(folder)
      .filter(name => name.endsWith('.json'))
      .map(name => readFileSync(path.join(folder, name), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Which of the host and its child are still there. */
function left(world: AgentWorld): number[] {
  const pids = readFileSync(path.join(world.home, 'host-pids'), 'utf8').trim().split(' ').map(Number)
  return pids.filter(isAlive)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 150; tries++) {
    if (await isSo()) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error('it never came to that')
}
