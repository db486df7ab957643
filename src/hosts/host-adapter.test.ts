/** The contract of `HostAdapter`, for every host. The files that hooks are written into are pinned in `test/pins/hook-files.test.ts`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AGENT_HOSTS, isAgentHost } from '../kernel/model/agent-run.ts'
import { HOST_IDS, type HostId } from '../kernel/model/host.ts'
import { printAnswer, printStopQuestion } from './hooks/decide/print-answer.ts'
import { purposeOf, readPayload } from './hooks/decide/read-payload.ts'
import { HOSTS } from './hosts.ts'
import { isOwnFile } from './install/decide/command-files.ts'
import { isOurServer } from './install/decide/hook-command.ts'
import { trialInput } from './install/decide/hook-trial.ts'
import type { Wanted } from './install/decide/host-integration.ts'
import { readInstalledCalls } from './install/decide/installed-calls.ts'
import type { TargetFile } from './install/decide/target-file.ts'
import { hostLines } from './run/decide/host-event.ts'
import { hostWords } from './run/decide/host-program.ts'
import type { TranscriptSearch } from './transcripts/decide/transcript-format.ts'

const STREAMS = new URL('../../test/recorded/agent-streams/', import.meta.url)
const PAYLOADS = fileURLToPath(new URL('../../../shared/hosts/hook-payloads/', import.meta.url))

describe.each(HOST_IDS)('%s', host => {
  const { hooks, ...adapter } = HOSTS[host]
  const eventsFor = (...purposes: readonly string[]) =>
    hooks.events.filter(({ purpose }) => purposes.includes(purpose)).map(({ event }) => event)

  it('is registered under its own id, with what briefs and questions need', () => {
    expect(adapter.id).toBe(host)
    expect(adapter.programs).not.toEqual([])
    expect(adapter.rememberTool).toMatch(/^[\w-]*remember$/)
    expect(['xml', 'markdown', 'plain']).toContain(adapter.brief.format)
  })

  it('has one hook an event, among them those without which nothing is injected or stored', () => {
    const names = hooks.events.map(({ event }) => event)
    expect(new Set(names).size).toBe(names.length)
    for (const purpose of ['start', 'prompt', 'tool', 'turn-end', 'end'])
      expect(eventsFor(purpose), purpose).not.toEqual([])
    for (const { timeoutSeconds } of hooks.events) expect(timeoutSeconds).toBeGreaterThanOrEqual(2)
  })

  it('answers only at its own events, never at the end of a turn or a session, with the context where it says', () => {
    expect(eventsFor('start', 'prompt').every(event => hooks.answer.events.has(event))).toBe(true)
    expect(eventsFor('turn-end', 'agent-end', 'end').filter(event => hooks.answer.events.has(event))).toEqual(
      [],
    )
    for (const event of hooks.answer.events) {
      expect(purposeOf(host, event), event).toBeDefined()
      expect(at(JSON.parse(printAnswer(host, event, 'the context')), hooks.answer.contextPath)).toBe(
        'the context',
      )
    }
  })

  it('accepts a question only at the end of a turn', () => {
    const accepting = hooks.events.filter(({ event }) => printStopQuestion(host, event, 'why?') !== '')
    expect(accepting.map(({ event }) => event)).toEqual(
      hooks.questionEvent === undefined ? [] : [hooks.questionEvent],
    )
    expect(accepting.every(({ purpose }) => purpose === 'turn-end')).toBe(true)
  })

  it('reads back the payload that it sends', async () => {
    const { trialPayload } = await adapter.install()
    for (const hook of hooks.events) {
      const text = trialInput(trialPayload, hook, { cwd: '/p', session: 's1', prompt: 'Why?' })
      const event = readPayload(host, hook.event, hook.purpose, JSON.parse(text))
      expect(event).toMatchObject({ host, name: hook.event, session: 's1', cwd: '/p' })
      expect(event.prompt).toBe(hook.purpose === 'prompt' ? 'Why?' : undefined)
    }
  })

  it('accepts any payload and any line of a transcript', async () => {
    const { reader } = await adapter.transcripts()
    const names = [...Object.values(hooks.names).flat(), 'error', 'agent_id', 'attachments', 'timestamp']
    const fields = fc.dictionary(fc.constantFrom(...names), fc.anything())
    fc.assert(
      fc.property(fc.constantFrom(...hooks.events), fields, ({ event, purpose }, payload) => {
        expect(readPayload(host, event, purpose, payload)).toMatchObject({ host, purpose })
      }),
    )
    const types = [
      'user',
      'assistant',
      'gemini',
      'response_item',
      'event_msg',
      'user.message',
      'session.start',
    ]
    const line = fc.record(
      {
        type: fc.constantFrom(...types),
        ...Object.fromEntries(
          ['message', 'payload', 'data', 'info', 'parts', 'content', 'timestamp', 'tokens'].map(name => [
            name,
            fc.anything(),
          ]),
        ),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(line, value => {
        hooks.readLine?.(value, false)
        hooks.contextUsage?.read(value)
        const one = reader({ nowMs: 0 })
        expect(Array.isArray([...one.take(value, 1), ...one.finish()])).toBe(true)
      }),
    )
  })

  it.each(['user', 'project'] as const)(
    'installs its hooks in order, and its server, at %s level',
    async level => {
      const { files, serverFile } = await adapter.install()
      const wanted = wantedAt(host, level)
      const targets = files(wanted)
      const root = level === 'user' ? '/home/u/' : '/p/'
      expect(targets.filter(({ path }) => !path.startsWith(root))).toEqual([])
      expect(targets.some(({ path }) => path === serverFile(wanted))).toBe(true)
      const calls = targets.map(target => readInstalledCalls(target.path, textOf(target)))
      const called = calls.flatMap(({ hooks: found }) => found.map(({ event }) => event))
      // The plugin of OpenCode calls all of its events by one line.
      const isPlugin = targets.some(({ path }) => path.endsWith('.js'))
      expect(called).toEqual(isPlugin ? eventsFor('prompt') : hooks.events.map(({ event }) => event))
      const servers = calls.flatMap(({ servers: found }) => found)
      expect(servers.map(({ command, args }) => isOurServer([command, ...args]))).toEqual([true])
      for (const target of targets)
        if (target.format === 'own') expect(isOwnFile(target.text), target.path).toBe(true)
    },
  )

  it('finds no transcript where the host has none, and says where it would look', async () => {
    const { find } = await adapter.transcripts()
    const added: string[] = []
    expect(find(emptyDisk(file => added.push(file)))).toMatch(/^\/home\/u\/\./)
    expect(added).toEqual([])
  })

  it.runIf(isAgentHost(host))('runs a program of its own, whose recorded output it reads', async () => {
    const program = await HOSTS[host as (typeof AGENT_HOSTS)[number]].program()
    expect(adapter.programs).toContain(program.program)
    expect(hostWords(program, { chat: 'c1', model: 'm1' })).toEqual(expect.arrayContaining(['c1', 'm1']))
    const streams = readdirSync(STREAMS).filter(name => name.startsWith(host) && !name.includes('unknown'))
    expect(streams).not.toEqual([])
    for (const name of streams) {
      const lines = hostLines(program.events())
      const text = readFileSync(new URL(name, STREAMS), 'utf8')
      const kinds = [...text.split('\n').flatMap(line => lines.read(line)), ...lines.end()].map(
        ({ kind }) => kind,
      )
      expect(kinds, name).toEqual(expect.arrayContaining(['chat', 'text', 'said']))
    }
  })

  const recording = `${PAYLOADS}${host === 'claude-code' ? 'claude' : host}.json`
  it.runIf(existsSync(recording))('reads the payloads that were recorded from it', () => {
    const recorded = JSON.parse(readFileSync(recording, 'utf8')) as Record<string, { stdin: object }>
    const read = Object.entries(recorded).flatMap(([name, { stdin }]) => {
      const [event = ''] = name.split(':')
      const purpose = purposeOf(host, event)
      return purpose === undefined ? [] : readPayload(host, event, purpose, { ...stdin })
    })
    expect(new Set(read.map(({ purpose }) => purpose)).size).toBeGreaterThanOrEqual(5)
    for (const event of read) {
      expect(event.session, event.name).toMatch(/^[\w-]{20,}$/)
      expect(event.cwd, event.name).toBe('/PROJECT')
      if (event.purpose === 'prompt') expect(event.prompt).toMatch(/^(?:PROMPT2|hello|x) /)
      if (event.purpose === 'tool') expect(event.run?.tool ?? 'other').toMatch(/./)
    }
  })
})

it('has a program exactly for the hosts that run commands', () => {
  expect(HOST_IDS.filter(host => HOSTS[host].program !== undefined)).toEqual(AGENT_HOSTS)
})

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value)
}

function wantedAt(host: HostId, level: 'user' | 'project'): Wanted {
  return {
    hooks: HOSTS[host].hooks.events,
    home: '/home/u',
    project: '/p',
    environment: () => undefined,
    isWindows: false,
    exists: () => false,
    level,
    command: { kind: 'on-path' },
    serverAnswers: true,
    switchOffAutoMemory: false,
  }
}

/** The file as it would be if nothing but ours were in it. */
function textOf(target: TargetFile): string {
  if (target.format === 'own') return target.text
  if (target.format === 'toml')
    return `[${target.table.join('.')}]\n${Object.entries(target.value)
      .map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
      .join('\n')}\n`
  const root: Record<string, unknown> = {}
  for (const piece of target.pieces) {
    const value = piece.kind === 'hooks' ? piece.groups : piece.kind === 'item' ? [piece.value] : piece.value
    let inner = root
    for (const key of piece.path.slice(0, -1)) {
      const next = (inner[key] ?? {}) as Record<string, unknown>
      inner[key] = next
      inner = next
    }
    inner[String(piece.path.at(-1))] = value
  }
  return JSON.stringify(root)
}

function emptyDisk(onAdd: (file: string) => void): TranscriptSearch {
  return {
    root: '/p',
    isOurs: () => true,
    folder: (_, otherwise) => `/home/u/${otherwise}`.replace(/\/$/, ''),
    join: (...parts) => parts.join('/'),
    foldersIn: () => [],
    filesIn: () => [],
    filesBelow: () => [],
    read: () => undefined,
    startOf: () => '',
    cwdOf: () => undefined,
    sha256: () => '',
    sessionsIn: () => [],
    add: (_, file) => onAdd(file),
    addStored: (_, file) => onAdd(file),
  }
}
