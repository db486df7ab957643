import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { HOSTS } from '../../src/hosts/hosts.ts'
import { HOST_IDS, type HostId } from '../../src/kernel/model/host.ts'
import { BINARY, inWorld, makeWorld, type World } from './world.ts'

const SSE = 'We stream by SSE, not WebSockets: the proxy drops idle sockets.'
const PINNED = 'Releases are tagged from the main branch.'
const SESSION = { session_id: 's1', sessionId: 's1', sessionID: 's1', conversation_id: 's1' }

/** A memory that this user trusts. */
async function trusted(world: World): Promise<void> {
  await world.ok('remember', SSE, '--kind', 'decision')
  // How soon is for the bench to say; a test machine may be busy.
  await world.ok('config', 'set', 'hooks.promptDeadlineMs', '5000')
  const at = '2026-01-01T00:00:00.000Z'
  const root = realpathSync(world.root)
  const project = { id: 'p', name: 'p', root, trustedAt: at, firstSeenAt: at, lastSeenAt: at }
  mkdirSync(path.join(world.home, '.cairn'), { recursive: true })
  writeFileSync(
    path.join(world.home, '.cairn', 'projects.json'),
    JSON.stringify({ version: 1, projects: [project] }),
  )
}

async function hook(world: World, host: string, event: string, payload: unknown, env = {}): Promise<string> {
  const input =
    typeof payload === 'string' || payload instanceof Uint8Array ? payload : JSON.stringify(payload)
  const run = await world.cairn(['hook', host, event], { input, env })
  expect(run, `${host} ${event}`).toMatchObject({ code: 0, stderr: '' })
  return run.stdout
}

const failures = (world: World): { code: string; message: string }[] => {
  const file = path.join(world.home, '.cairn', 'hook-failures.jsonl')
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
}

/** The worker is a process that nobody waits for: until the spool is empty and it has gone. */
async function quiet(world: World): Promise<void> {
  const spool = path.join(world.root, '.memory', '.vault', 'spool')
  for (let n = 0; n < 400; n++) {
    const names = existsSync(spool) ? readdirSync(spool) : []
    const waits = names.some(name => /\.(jsonl|taken)$/.test(name) || name === 'worker')
    if (!waits && processesOf(world).length === 0) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error(`still at work: ${readdirSync(spool).join(', ')}; ${processesOf(world).join(', ')}`)
}

/** Every process of ours that works on this project. */
function processesOf(world: World): string[] {
  if (!existsSync('/proc')) return []
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap(name => {
      try {
        const line = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
        return line.includes('hook') && line.includes(world.root) ? [`${name} ${line}`] : []
      } catch {
        return []
      }
    })
}

describe('what a host is told', () => {
  it(
    'is the brief, in its own shape, at every moment that it reads',
    inWorld(async world => {
      await trusted(world)
      const { entry } = await world.json('remember', PINNED)
      await world.ok('pin', entry.id)
      const cases: readonly (readonly [HostId, string, object, string[]])[] = [
        ['claude-code', 'SessionStart', { source: 'startup' }, ['hookSpecificOutput', 'additionalContext']],
        [
          'codex',
          'UserPromptSubmit',
          { prompt: 'why no web sockets?' },
          ['hookSpecificOutput', 'additionalContext'],
        ],
        [
          'gemini',
          'BeforeAgent',
          { prompt: 'why no web sockets?' },
          ['hookSpecificOutput', 'additionalContext'],
        ],
        ['opencode', 'chat.message', { prompt: 'why no web sockets?', directory: world.root }, ['context']],
        ['copilot', 'userPromptSubmitted', { prompt: 'why no web sockets?' }, ['additionalContext']],
        ['cursor', 'sessionStart', { workspace_roots: [world.root] }, ['additional_context']],
      ]
      for (const [host, event, payload, keys] of cases) {
        const session = { session_id: host, sessionId: host, sessionID: host, conversation_id: host }
        const out = await hook(world, host, event, { ...session, cwd: world.root, ...payload })
        const told = keys.reduce(
          (value: unknown, key) => (value as Record<string, unknown>)[key],
          JSON.parse(out),
        )
        expect(told, host).toContain(PINNED)
        // A start without a task tells no decisions: nobody knows yet which of them matter.
        if (/start$/i.test(event)) expect(told, host).not.toContain(SSE)
        else expect(told, host).toContain(SSE)
      }
      await quiet(world)
      expect(failures(world)).toEqual([])
    }),
  )

  it(
    'is nothing for whoever is not meant, and nothing is written then',
    inWorld(async world => {
      await world.ok('remember', SSE)
      const before = world.bytes()
      const payload = { ...SESSION, cwd: world.root, prompt: 'why no web sockets?', source: 'startup' }
      await world.ok('untrust')
      expect(await hook(world, 'claude-code', 'UserPromptSubmit', payload)).toBe('')
      await trusted(world)
      const known = world.bytes()
      for (const [host, event, env] of [
        ['claude-code', 'NoSuchEvent', {}],
        ['emacs', 'UserPromptSubmit', {}],
        ['__proto__', 'constructor', {}],
        ['claude-code', 'UserPromptSubmit', { CAIRN_INTERNAL: '1' }],
      ] as const)
        expect(await hook(world, host, event, payload, env)).toBe('')
      expect(world.bytes()).toEqual(known)
      expect(Object.keys(before).length).toBeGreaterThan(0)
      const empty = makeWorld()
      try {
        for (const host of HOST_IDS)
          for (const { event } of HOSTS[host].hooks.events.slice(0, 2))
            expect(await hook(empty, host, event, { ...payload, cwd: empty.root })).toBe('')
        expect(empty.bytes()).toEqual({})
        expect(existsSync(path.join(empty.home, '.cairn'))).toBe(false)
      } finally {
        empty.remove()
      }
    }),
  )

  it(
    'is nothing where another host runs our hooks and has its own',
    inWorld(async world => {
      await trusted(world)
      const payload = { ...SESSION, cwd: world.root, prompt: 'why no web sockets?' }
      expect(
        await hook(world, 'claude-code', 'UserPromptSubmit', payload, { CURSOR_VERSION: '2' }),
      ).toContain(SSE)
      const installs = path.join(world.home, '.cairn', 'installs')
      mkdirSync(installs)
      writeFileSync(
        path.join(installs, '0123456789abcdef.json'),
        JSON.stringify({ version: 1, owners: [{ host: 'cursor', level: 'user' }] }),
      )
      const other = { ...payload, session_id: 's2' }
      expect(await hook(world, 'claude-code', 'UserPromptSubmit', other, { CURSOR_VERSION: '2' })).toBe('')
      expect(await hook(world, 'claude-code', 'UserPromptSubmit', other, { CLAUDECODE: '1' })).toContain(SSE)
    }),
  )
})

it(
  'takes any payload: none, half a one, another kind, broken letters, ten megabytes',
  inWorld(async world => {
    await trusted(world)
    for (const payload of [
      '',
      '{"session_id":"s1","prom',
      '[]',
      'null',
      '"text"',
      '\ufeff{}',
      Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d),
      { session_id: 7, cwd: 8, prompt: { a: 1 } },
      { ...SESSION, cwd: `${world.root}/gone/away`, prompt: 'x' },
      { ...SESSION, cwd: '\u0000', prompt: 'x' },
    ])
      for (const event of ['UserPromptSubmit', 'PostToolUse', 'Stop'])
        await hook(world, 'claude-code', event, payload)
    const large = {
      ...SESSION,
      cwd: world.root,
      prompt: `${'ten megabytes '.repeat(750_000)} why no web sockets?`,
    }
    await hook(world, 'claude-code', 'UserPromptSubmit', large)
    await hook(world, 'claude-code', 'PostToolUse', {
      ...SESSION,
      cwd: world.root,
      tool_name: 'Bash',
      tool_input: { command: 'cat big' },
      tool_response: { stdout: 'x '.repeat(5_000_000) },
    })
    await hook(world, 'claude-code', 'Stop', { ...SESSION, cwd: world.root, last_assistant_message: 'Done.' })
    await quiet(world)
    const told = new Set(failures(world).map(({ code }) => code))
    expect([...told].filter(code => code !== 'deadline').sort()).toEqual([
      'payload_missing',
      'payload_unreadable',
    ])
    expect(JSON.stringify(failures(world))).not.toContain('session_id')
    expect(await world.ok('status')).toMatch(/hook failed .* claude-code/)
  }),
)

it(
  'does not wait for an input that is never closed, nor for an index that another has locked',
  inWorld(async world => {
    await trusted(world)
    const child = spawn(process.execPath, [BINARY, 'hook', 'claude-code', 'UserPromptSubmit'], {
      cwd: world.root,
      env: world.environment,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    child.stdin.write('{"session_id":"s1"')
    const code = await new Promise(resolve => child.on('close', resolve))
    expect(code).toBe(0)
    expect(failures(world)).toMatchObject([{ code: 'payload_unreadable' }])
    const lock = path.join(world.root, '.memory', '.vault', 'index.db')
    const { loadSqlite } = await import('../../src/stores/sqlite/driver.ts')
    const database = new (loadSqlite().DatabaseSync)(lock)
    database.exec('BEGIN EXCLUSIVE')
    const payload = { ...SESSION, cwd: world.root, prompt: 'why no web sockets?' }
    await hook(world, 'claude-code', 'UserPromptSubmit', payload)
    database.exec('ROLLBACK')
    database.close()
    await hook(world, 'claude-code', 'Stop', {
      ...SESSION,
      cwd: world.root,
      last_assistant_message: 'By SSE.',
    })
    await quiet(world)
    const { conversation } = await sessionOf(world)
    expect(conversation).toEqual(['why no web sockets?', 'By SSE.'])
  }),
)

it(
  'answers without memory while there is no index, says so in status, and has it built behind the answer',
  inWorld(async world => {
    await trusted(world)
    await world.ok('config', 'set', 'hooks.promptDeadlineMs', '300')
    const many = Array.from(
      { length: 20_000 },
      (_, n) => `## 2026-03-16\n\nShelf ${n} is for label ${n * 7}.\n`,
    )
    world.write('.memory/shared/decisions/by-hand.md', many.join('\n'))
    const data = path.join(world.root, '.memory', '.vault')
    const payload = { ...SESSION, cwd: world.root, prompt: 'why no web sockets?' }
    for (const event of ['UserPromptSubmit', 'SessionStart']) {
      // What the hook before started may have built the index by now.
      await quiet(world)
      for (const name of readdirSync(data)) if (name.startsWith('index.db')) rmSync(path.join(data, name))
      expect(await hook(world, 'claude-code', event, payload)).not.toContain(SSE)
    }
    // Had a hook waited for the index, it would have found the entry and reported no failure.
    expect(failures(world).map(({ code }) => code)).toContain('index_behind')
    await quiet(world)
    expect(await world.ok('status')).toMatch(/hook failed .*not built yet/)
    await world.ok('config', 'set', 'hooks.promptDeadlineMs', '5000')
    expect(await hook(world, 'claude-code', 'UserPromptSubmit', payload)).toContain(SSE)
  }),
)

async function sessionOf(world: World): Promise<{ conversation: string[] }> {
  const folder = path.join(world.root, '.memory', 'conversations', 'shared')
  const [file = ''] = readdirSync(folder)
  const text = readFileSync(path.join(folder, file), 'utf8')
  const messages = file.endsWith('.json')
    ? (JSON.parse(text) as { messages: { text: string }[] }).messages
    : text
        .split('\n')
        .filter(line => line.includes('"role"'))
        .map(line => JSON.parse(line) as { text: string })
  return { conversation: messages.map(message => message.text) }
}

it(
  'a second session begins with how the first ended, and no process is left',
  inWorld(async world => {
    await trusted(world)
    const call = (event: string, more: object) =>
      hook(world, 'claude-code', event, { ...SESSION, cwd: world.root, ...more })
    await call('SessionStart', { source: 'startup' })
    await call('UserPromptSubmit', { prompt: 'Make the deploy job skip Fridays: support is away.' })
    await call('PostToolUse', {
      tool_name: 'Edit',
      tool_input: { file_path: path.join(world.root, 'deploy.yml'), old_string: 'a', new_string: 'b' },
      tool_response: { filePath: path.join(world.root, 'deploy.yml') },
    })
    await call('Stop', { last_assistant_message: 'The deploy job skips Fridays now.' })
    await call('SessionEnd', { reason: 'other' })
    await quiet(world)
    const next = await call('SessionStart', { source: 'startup', session_id: 's2' })
    expect(next).toContain('Asked: Make the deploy job skip Fridays: support is away.')
    expect(next).toContain('Claimed, not verified: The deploy job skips Fridays now. Changed deploy.yml')
    await quiet(world)
    expect(processesOf(world)).toEqual([])
    const { hooks } = await world.json<{ hooks: { calls: { host: string }[]; failures: unknown[] } }>(
      'status',
    )
    expect(hooks).toMatchObject({ calls: [{ host: 'claude-code', event: 'SessionStart' }], failures: [] })
    expect(await world.ok('status')).toMatch(/Hooks last called: claude-code/)
  }),
)

describe('a disk that fails', () => {
  it(
    'or a memory that cannot be written breaks no hook, and is told by status',
    inWorld(async world => {
      await trusted(world)
      const spool = path.join(world.root, '.memory', '.vault', 'spool')
      writeFileSync(spool, 'a file in its place')
      const payload = { ...SESSION, cwd: world.root, prompt: 'why no web sockets?' }
      expect(await hook(world, 'claude-code', 'UserPromptSubmit', payload)).toContain(SSE)
      expect(failures(world)).toMatchObject([{ code: 'store_io' }])
      expect(JSON.stringify(failures(world))).not.toContain('sockets')
      expect(await world.ok('status')).toMatch(/hook failed .* claude-code UserPromptSubmit/)
    }),
  )

  it(
    'or a damaged index: nothing is told, and the next command mends it',
    inWorld(async world => {
      await trusted(world)
      writeFileSync(path.join(world.root, '.memory', '.vault', 'index.db'), 'no database at all'.repeat(300))
      const payload = { ...SESSION, cwd: world.root, prompt: 'why no web sockets?' }
      expect(await hook(world, 'claude-code', 'UserPromptSubmit', payload)).toBe('')
      expect(failures(world)).toMatchObject([{ code: 'store_io' }])
      await world.ok('status')
      expect(await hook(world, 'claude-code', 'UserPromptSubmit', payload)).toContain(SSE)
    }),
  )
})

it(
  'a worker that is killed loses nothing, and what it took in is not taken in twice',
  inWorld(async world => {
    await trusted(world)
    const asked: string[] = []
    for (let n = 0; n < 6; n++) {
      const prompt = `Question number ${n} about the queue.`
      asked.push(prompt)
      await hook(world, 'codex', 'UserPromptSubmit', { ...SESSION, cwd: world.root, prompt })
      const worker = spawn(process.execPath, [BINARY, 'hook', '--worker', world.root], {
        cwd: world.root,
        env: world.environment,
        stdio: 'ignore',
      })
      const isOver = new Promise(resolve => worker.on('close', resolve))
      setTimeout(() => worker.kill('SIGKILL'), 60 + 45 * n)
      await isOver
    }
    const last = await world.cairn(['hook', '--worker', world.root])
    expect(last).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect((await sessionOf(world)).conversation).toEqual(asked)
  }),
)

const RECORDED = fileURLToPath(new URL('../../../shared/hosts/hook-payloads/', import.meta.url))
const FILES: Readonly<Record<string, HostId>> = {
  claude: 'claude-code',
  codex: 'codex',
  gemini: 'gemini',
  copilot: 'copilot',
}

it(
  'the payloads that real hosts sent are answered and kept, where they lie beside the repository',
  inWorld(async world => {
    if (!existsSync(RECORDED)) return
    await trusted(world)
    for (const [file, host] of Object.entries(FILES)) {
      const recorded = JSON.parse(readFileSync(path.join(RECORDED, `${file}.json`), 'utf8')) as Record<
        string,
        { stdin: Record<string, unknown> }
      >
      for (const [name, { stdin }] of Object.entries(recorded))
        await hook(world, host, name.split(':')[0] ?? '', { ...stdin, cwd: world.root }, { CLAUDECODE: '1' })
    }
    await quiet(world)
    expect(failures(world).filter(({ code }) => code !== 'deadline')).toEqual([])
    const { sessions } = await world.json<{ sessions: { host: string }[] }>('sessions')
    expect(new Set(sessions.map(({ host }) => host))).toEqual(
      new Set(['claude-code', 'codex', 'gemini', 'copilot']),
    )
  }),
)
