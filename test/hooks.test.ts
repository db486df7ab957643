import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { composeEngine } from '../src/compose/compose.ts'
import type { ComposedCheckout } from '../src/compose/composed.ts'
import { remember } from '../src/features/entries/write-entries.ts'
import { answerHook } from '../src/hosts/hooks/answer-hook.ts'
import { captureOf, leaveForWorker } from '../src/hosts/hooks/capture-hook.ts'
import type { HookEvent } from '../src/hosts/hooks/decide/hook-event.ts'
import type { HookQueue } from '../src/hosts/hooks/decide/hook-queue.ts'
import { purposeOf, readPayload } from '../src/hosts/hooks/decide/read-payload.ts'
import { readHookFailures } from '../src/hosts/hooks/hook-failures.ts'
import { serveHook } from '../src/hosts/hooks/serve-hook.ts'
import { drainHookQueue } from '../src/hosts/hooks/worker.ts'
import type { HostId } from '../src/kernel/model/host.ts'
import { scratchProject, writeIn } from './support/scratch-project.ts'

let user: string
const before = process.env.CAIRN_HOME
beforeEach(() => {
  user = mkdtempSync(path.join(tmpdir(), 'cairn-user-'))
  process.env.CAIRN_HOME = user
})
afterEach(() => {
  rmSync(user, { recursive: true, force: true })
  if (before === undefined) delete process.env.CAIRN_HOME
  else process.env.CAIRN_HOME = before
})

/** A host that calls: what it is told, and what is left for the worker. */
function hostIn(engine: ComposedCheckout, host: HostId = 'claude-code', session = 's1') {
  const event = (name: string, payload: object = {}): HookEvent => {
    const purpose = purposeOf(host, name)
    if (purpose === undefined) throw new Error(name)
    const fields = { session_id: session, sessionId: session, sessionID: session, conversation_id: session }
    return readPayload(host, name, purpose, { ...fields, cwd: engine.root, ...payload })
  }
  return {
    told: async (name: string, payload: object = {}) =>
      (await answerHook(engine, event(name, payload))).context,
    async leaves(name: string, payload: object = {}) {
      const line = await captureOf(engine, event(name, payload), { mayScan: true })
      return line === undefined ? undefined : leaveForWorker(engine, line)
    },
  }
}

const work = (engine: ComposedCheckout, notes: unknown[] = []) =>
  drainHookQueue(engine, { note: (_, error) => notes.push(error), afterwards: async () => undefined })

async function open(
  root = scratchProject({ '.memory/_project.md': 'A shop.\n' }),
): Promise<ComposedCheckout> {
  return composeEngine({ root, actor: { host: 'test' } })
}

type Told = readonly [event: string, payload: object]

/** `npm test` that passed and `npm run lint` that ended with 3, as each host told it. */
const HOSTS_THAT_TELL: readonly (readonly [HostId, passed: Told, failed: Told])[] = [
  [
    'claude-code',
    [
      'PostToolUse',
      {
        tool_name: 'Bash',
        tool_input: { command: 'npm test' },
        tool_response: { stdout: 'all fine', stderr: '', interrupted: false, isImage: false },
      },
    ],
    [
      'PostToolUseFailure',
      {
        tool_name: 'Bash',
        tool_input: { command: 'npm run lint' },
        error: 'Exit code 3\nError: 2 problems',
        is_interrupt: false,
      },
    ],
  ],
  [
    'codex',
    [
      'PostToolUse',
      {
        tool_name: 'Bash',
        tool_input: { command: 'npm test' },
        tool_response: 'all fine\n',
        tool_use_id: 'call_1',
      },
    ],
    [
      'PostToolUse',
      {
        tool_name: 'Bash',
        tool_input: { command: 'npm run lint' },
        tool_response: 'Error: 2 problems\n',
        tool_use_id: 'call_2',
      },
    ],
  ],
  [
    'gemini',
    [
      'AfterTool',
      {
        tool_name: 'run_shell_command',
        tool_input: { command: 'npm test' },
        tool_response: {
          llmContent: '<untrusted_context>\nOutput: all fine\nProcess Group PGID: 123\n</untrusted_context>',
          returnDisplay: 'all fine',
        },
      },
    ],
    [
      'AfterTool',
      {
        tool_name: 'run_shell_command',
        tool_input: { command: 'npm run lint' },
        tool_response: {
          llmContent: [
            {
              text: '<untrusted_context>\nOutput: Error: 2 problems\nExit Code: 3\nProcess Group PGID: 124\n</untrusted_context>',
            },
          ],
        },
      },
    ],
  ],
  [
    'copilot',
    [
      'postToolUse',
      {
        toolName: 'bash',
        toolArgs: { command: 'npm test' },
        toolResult: {
          resultType: 'success',
          textResultForLlm: 'all fine\n<shellId: 0 completed with exit code 0>',
        },
      },
    ],
    [
      'postToolUse',
      {
        toolName: 'bash',
        toolArgs: '{"command":"npm run lint"}',
        toolResult: {
          resultType: 'success',
          textResultForLlm: 'Error: 2 problems\n<shellId: 1 completed with exit code 3>',
        },
      },
    ],
  ],
  [
    'opencode',
    ['tool.execute.after', { tool: 'bash', args: { command: 'npm test' }, output: 'all fine', exitCode: 0 }],
    [
      'tool.execute.after',
      { tool: 'bash', args: { command: 'npm run lint' }, output: 'Error: 2 problems', exitCode: 3 },
    ],
  ],
]

const SSE = 'We stream by SSE, not WebSockets: the proxy drops idle sockets.'

describe('what an agent is told', () => {
  it('is the start brief, again after a compaction, and nothing more when a session is resumed', async () => {
    const engine = await open()
    await remember(engine, [{ content: SSE, kind: 'warning' }])
    const claude = hostIn(engine)
    expect(await claude.told('SessionStart', { source: 'startup' })).toContain(SSE)
    expect(await claude.told('SessionStart', { source: 'resume' })).toBe('')
    const more = Array.from({ length: 20 }, (_, n) => ({ content: `Rule ${n} of many.`, kind: 'warning' }))
    await remember(engine, more)
    expect(await claude.told('SessionStart', { source: 'resume' })).toBe('')
    expect(await claude.told('SessionStart', { source: 'compact' })).toContain(SSE)
    await engine.close()
  })

  it('has the entry about a file that the session edited, though the prompt has no word of it', async () => {
    const engine = await open()
    await remember(engine, [
      { content: 'The totals are rounded per line.', kind: 'decision', files: ['src/a.ts'] },
      { content: 'The totals are cached for an hour.', kind: 'decision', files: ['src/b.ts'] },
    ])
    const claude = hostIn(engine)
    const file_path = path.join(engine.root, 'src/a.ts')
    await claude.leaves('UserPromptSubmit', { prompt: 'Make it faster.' })
    await claude.leaves('PostToolUse', {
      tool_name: 'Edit',
      tool_input: { file_path },
      tool_response: { filePath: file_path },
    })
    await claude.leaves('Stop', { last_assistant_message: 'It is faster.' })
    await work(engine)
    const told = await claude.told('UserPromptSubmit', { prompt: 'why are the totals off by one cent?' })
    expect(told).toContain('rounded per line')
    await engine.close()
  })

  it('is the brief of a prompt, once, and none where prompts are switched off', async () => {
    const engine = await open()
    await remember(engine, [{ content: SSE, kind: 'warning' }])
    const claude = hostIn(engine)
    expect(await claude.told('UserPromptSubmit', { prompt: 'why no web sockets?' })).toContain(SSE)
    expect(await claude.told('UserPromptSubmit', { prompt: 'why no web sockets?' })).toBe('')
    expect(await claude.told('UserPromptSubmit', { prompt: '/compact why no web sockets?' })).toBe('')
    writeIn(engine.root, '.memory/config.json', '{"version":1,"hooks":{"prompts":false}}')
    const other = await open(engine.root)
    const codex = hostIn(other, 'codex', 's2')
    expect(await codex.told('UserPromptSubmit', { prompt: 'why no web sockets?' })).toBe('')
    expect(await codex.told('SessionStart', { source: 'startup' })).toContain(SSE)
    await engine.close()
    await other.close()
  })

  it('comes to Gemini with the first prompt: before it, a slash command would be none', async () => {
    const engine = await open()
    await remember(engine, [
      { content: 'Deploys only on Fridays.', kind: 'warning' },
      { content: SSE, kind: 'lesson', category: 'lessons' },
    ])
    const gemini = hostIn(engine, 'gemini')
    const ask = (prompt: string) => gemini.told('BeforeAgent', { prompt })
    expect(await gemini.told('SessionStart', { source: 'startup' })).toBe('')
    expect(await ask('/forget what the gulls said')).toBe('')
    const first = await ask('why no web sockets?')
    expect(first).toContain('## MEMORY: To save something')
    expect(first).toContain('Deploys only on Fridays.')
    expect(first.split(SSE)).toHaveLength(2)
    expect(await ask('why no web sockets?')).toBe('')
    expect(await gemini.told('SessionStart', { source: 'resume' })).toBe('')
    expect(await ask('and what about deploys?')).toBe('')
    expect(await gemini.told('SessionStart', { source: 'clear' })).toBe('')
    expect(await ask('why no web sockets?')).toContain('Deploys only on Fridays.')
    await engine.close()
  })

  it('begins on Gemini once, in a memory that has nothing to tell and where prompts are switched off too', async () => {
    const engine = await open()
    const gemini = hostIn(engine, 'gemini')
    expect(await gemini.told('BeforeAgent', { prompt: 'hello' })).toContain('A shop.')
    expect(await gemini.told('BeforeAgent', { prompt: 'hello' })).toBe('')
    await engine.close()
    writeIn(engine.root, '.memory/config.json', '{"version":1,"hooks":{"prompts":false}}')
    const quiet = await open(engine.root)
    const other = hostIn(quiet, 'gemini', 's2')
    expect(await other.told('BeforeAgent', { prompt: 'hello' })).toContain('A shop.')
    expect(await other.told('BeforeAgent', { prompt: 'hello' })).toBe('')
    await quiet.close()
  })

  it('of the start and of the prompt together stays within the budget on Gemini', async () => {
    const engine = await open()
    const long = (n: number) => ({
      content: `Web sockets, reason ${n}: ${`the proxy drops idle sockets number ${n} `.repeat(12)}`,
      kind: 'decision',
    })
    const other = (n: number) => ({ content: `Label ${n} is on shelf ${n}.`, kind: 'decision' })
    await remember(engine, [
      ...Array.from({ length: 12 }, (_, n) => long(n)),
      ...Array.from({ length: 60 }, (_, n) => other(n)),
    ])
    writeIn(engine.root, '.memory/config.json', '{"version":1,"brief":{"maxTokens":2200}}')
    const small = await open(engine.root)
    const told = await hostIn(small, 'gemini').told('BeforeAgent', {
      prompt: 'why does the proxy drop idle web sockets?',
    })
    const [prompt, start] = await small.briefs.list(2)
    expect(told).toContain('Web sockets, reason')
    expect(start?.kind).toBe('start')
    expect((prompt?.tokens ?? 0) + (start?.tokens ?? 0)).toBeLessThanOrEqual(2_200)
    await engine.close()
    await small.close()
  })

  it('is given to a sub-agent for itself: the session may be told the same', async () => {
    const engine = await open()
    await remember(engine, [{ content: SSE, kind: 'warning' }])
    const claude = hostIn(engine)
    expect(await claude.told('SubagentStart', { agent_id: 'a1', agent_type: 'general-purpose' })).toContain(
      SSE,
    )
    expect(await claude.told('UserPromptSubmit', { prompt: 'why no web sockets?' })).toContain(SSE)
    await engine.close()
  })

  it('is the warnings of a file that was touched, once a session, where that is switched on', async () => {
    const root = scratchProject({ 'src/auth.ts': 'export {}\n' })
    const off = await open(root)
    await remember(off, [
      { content: 'Never edit the auth middleware.', kind: 'warning', files: ['src/auth.ts'] },
      { content: 'Auth uses cookies.', kind: 'decision', files: ['src/auth.ts'] },
    ])
    const edit = { tool_name: 'Edit', tool_input: { file_path: `${root}/src/auth.ts` }, tool_response: {} }
    expect(await hostIn(off).told('PostToolUse', edit)).toBe('')
    await off.close()
    writeIn(root, '.memory/config.json', '{"version":1,"hooks":{"fileWarnings":true}}')
    const engine = await open(root)
    const claude = hostIn(engine)
    const told = await claude.told('PostToolUse', edit)
    expect(told).toContain('Never edit the auth middleware.')
    expect(told).not.toContain('cookies')
    expect(await claude.told('PostToolUse', edit)).toBe('')
    await engine.close()
  })

  it('comes through a server as the process would print it, and is captured alike', async () => {
    const engine = await open()
    await remember(engine, [{ content: SSE, kind: 'decision' }])
    const payload = { prompt: 'why no web sockets?', session: 's1', cwd: engine.root }
    const printed = await serveHook(engine, { host: 'codex', event: 'UserPromptSubmit', payload })
    expect(JSON.parse(printed)).toMatchObject({ hookSpecificOutput: { hookEventName: 'UserPromptSubmit' } })
    await work(engine)
    expect((await engine.sessions.read({ session: 's1', agent: 'shared' }))?.messages).toMatchObject([
      { role: 'user', text: 'why no web sockets?' },
    ])
    await engine.close()
  })
})

describe('what is kept', () => {
  it('is the conversation with its runs, the session closed, and a handoff for the next', async () => {
    const engine = await open()
    const claude = hostIn(engine)
    expect(
      await claude.leaves('UserPromptSubmit', { prompt: 'Never deploy on Fridays: support is away.' }),
    ).toBe(false)
    expect(
      await claude.leaves('PostToolUse', {
        tool_name: 'Bash',
        tool_input: { command: 'npm test' },
        tool_response: { stdout: 'Tests 1 failed', exitCode: 1 },
      }),
    ).toBe(false)
    expect(await claude.leaves('Stop', { last_assistant_message: 'The test of the queue fails.' })).toBe(true)
    await work(engine)
    const key = { session: 's1', agent: 'shared' }
    const open_ = await engine.sessions.read(key)
    expect(open_?.head).toMatchObject({ host: 'claude-code', chat: 's1' })
    expect(open_?.messages.map(({ role, text }) => [role, text])).toEqual([
      ['user', 'Never deploy on Fridays: support is away.'],
      ['tool', 'npm test (failed)\nTests 1 failed'],
      ['agent', 'The test of the queue fails.'],
    ])
    expect((await engine.events.newest(5)).events.map(({ summary }) => summary)).toEqual([
      '`npm test` failed',
    ])
    await claude.leaves('SessionEnd', { reason: 'other' })
    await work(engine)
    expect((await engine.sessions.read(key))?.state).toBe('closed')
    const next = await hostIn(engine, 'claude-code', 's2').told('SessionStart', { source: 'startup' })
    expect(next).toContain('The test of the queue fails.')
    expect(next).toContain('Never deploy on Fridays: support is away.')
    expect(await engine.hookQueue.calls()).toMatchObject({ 'claude-code': { event: 'SessionEnd' } })
    await engine.close()
  })

  it.each(HOSTS_THAT_TELL)(
    'is an event for a check that passed and for one that failed: %s',
    async (host, passed, failed) => {
      const engine = await open()
      const agent = hostIn(engine, host)
      const rollout = `${engine.root}/rollout.jsonl`
      const ended = (id: string, exit_code: number) =>
        `${JSON.stringify({ type: 'event_msg', payload: { item: { type: 'CommandExecution', id, exit_code } } })}\n`
      writeIn(engine.root, 'rollout.jsonl', ended('call_1', 0) + ended('call_2', 3))
      for (const [name, payload] of [passed, failed])
        await agent.leaves(name, { ...payload, transcript_path: host === 'codex' ? rollout : null })
      await work(engine)
      expect((await engine.events.newest(5)).events.map(({ summary }) => summary)).toEqual([
        '`npm run lint` failed: Error: 2 problems',
        '`npm test` passed',
      ])
      const { messages = [] } = (await engine.sessions.read({ session: 's1', agent: 'shared' })) ?? {}
      expect(messages.map(({ run }) => [run?.ok, run?.exitCode, run?.output?.trim()])).toEqual([
        [true, 0, 'all fine'],
        [false, 3, 'Error: 2 problems'],
      ])
      await engine.close()
    },
  )

  it('of a Codex that keeps no transcript says nothing of how a check ended', async () => {
    const engine = await open()
    const codex = hostIn(engine, 'codex')
    await codex.leaves('PostToolUse', {
      tool_name: 'Bash',
      tool_input: { command: 'npm test' },
      tool_response: 'all fine\nProcess exited with code 0\n',
      tool_use_id: 'call_1',
      transcript_path: '/nowhere/rollout.jsonl',
    })
    await work(engine)
    const { messages = [] } = (await engine.sessions.read({ session: 's1', agent: 'shared' })) ?? {}
    expect(messages.map(({ run }) => run?.ok)).toEqual([undefined])
    expect((await engine.events.newest(5)).events).toEqual([])
    await engine.close()
  })

  it('has an answer that the host wrote down only after the turn, once', async () => {
    const engine = await open()
    const transcriptPath = `${engine.root}/events.jsonl`
    const asked = { type: 'user.message', data: { content: 'What is left?' } }
    const said = { type: 'assistant.message', data: { content: 'The customs form.' } }
    writeFileSync(transcriptPath, `${JSON.stringify(asked)}\n`)
    const copilot = hostIn(engine, 'copilot')
    await copilot.leaves('userPromptSubmitted', { prompt: 'What is left?' })
    await copilot.leaves('agentStop', { transcriptPath })
    await work(engine)
    appendFileSync(transcriptPath, `${JSON.stringify(said)}\n`)
    await copilot.leaves('sessionEnd', { reason: 'complete' })
    await work(engine)
    const { messages = [] } = (await engine.sessions.read({ session: 's1', agent: 'shared' })) ?? {}
    expect(messages.map(({ text }) => text)).toEqual(['What is left?', 'The customs form.'])
    await engine.close()
  })

  it('has what an agent said in between from the transcript, each thing once and in order', async () => {
    const engine = await open()
    const transcript = `${engine.root}/t.jsonl`
    const said = (text: string, at: string) =>
      `${JSON.stringify({ type: 'assistant', timestamp: at, message: { content: [{ type: 'text', text }] } })}\n`
    const asked = `${JSON.stringify({ type: 'user', message: { content: 'hello' } })}\n`
    writeIn(
      engine.root,
      't.jsonl',
      `${said('an earlier turn', '2026-01-01T00:00:00Z')}${asked}${said('I look first.', '2026-01-01T00:00:01Z')}${said('Done.', '2026-01-01T00:00:02Z')}`,
    )
    const claude = hostIn(engine)
    await claude.leaves('UserPromptSubmit', { prompt: 'hello' })
    await claude.leaves('Stop', { transcript_path: transcript, last_assistant_message: 'Done.' })
    await claude.leaves('Stop', { transcript_path: transcript, last_assistant_message: 'Done.' })
    await work(engine)
    await claude.leaves('Stop', { transcript_path: transcript, last_assistant_message: 'Done.' })
    await work(engine)
    const { messages = [] } = (await engine.sessions.read({ session: 's1', agent: 'shared' })) ?? {}
    expect(messages.map(({ text }) => text)).toEqual(['hello', 'I look first.', 'Done.'])
    await engine.close()
  })

  it('of a conversation of three turns is each message once, in order and with its own time', async () => {
    const engine = await open()
    const transcript_path = `${engine.root}/t.jsonl`
    const claude = hostIn(engine)
    const line = (value: object) => appendFileSync(transcript_path, `${JSON.stringify(value)}\n`)
    const times: string[] = []
    await claude.leaves('SessionStart', { source: 'startup', transcript_path })
    for (const turn of [1, 2, 3]) {
      await claude.leaves('UserPromptSubmit', { prompt: `Q${turn}`, transcript_path })
      const timestamp = new Date().toISOString()
      times.push(timestamp)
      line({ type: 'user', timestamp, message: { content: `Q${turn}` } })
      line({ type: 'assistant', timestamp, message: { content: [{ type: 'text', text: `A${turn}` }] } })
      await new Promise(done => setTimeout(done, 5))
      await claude.leaves('Stop', { transcript_path, last_assistant_message: `A${turn}` })
      await work(engine)
    }
    const { messages = [] } = (await engine.sessions.read({ session: 's1', agent: 'shared' })) ?? {}
    expect(messages.map(({ text }) => text)).toEqual(['Q1', 'A1', 'Q2', 'A2', 'Q3', 'A3'])
    expect(messages.filter(({ role }) => role === 'agent').map(({ at }) => at)).toEqual(times)
    await engine.close()
  })

  it('of a turn that the host writes down only during the next one is each message once', async () => {
    const engine = await open()
    const transcript_path = `${engine.root}/t.jsonl`
    const claude = hostIn(engine)
    const line = (value: object) => appendFileSync(transcript_path, `${JSON.stringify(value)}\n`)
    const asked = (content: string) => line({ type: 'user', message: { content } })
    const said = (text: string) => line({ type: 'assistant', message: { content: [{ type: 'text', text }] } })
    await claude.leaves('UserPromptSubmit', { prompt: 'Q1', transcript_path })
    await claude.leaves('Stop', { transcript_path, last_assistant_message: 'Noted.' })
    await work(engine)
    await claude.leaves('UserPromptSubmit', { prompt: 'Q2', transcript_path })
    await work(engine)
    asked('Q1')
    said('Noted.')
    asked('Q2')
    said('Noted.')
    await claude.leaves('Stop', { transcript_path, last_assistant_message: 'Noted.' })
    await work(engine)
    const { messages = [] } = (await engine.sessions.read({ session: 's1', agent: 'shared' })) ?? {}
    expect(messages.map(({ text }) => text)).toEqual(['Q1', 'Noted.', 'Q2', 'Noted.'])
    await engine.close()
  })

  it('of a sub-agent is under its own name, and is not injected into the session', async () => {
    const engine = await open()
    const claude = hostIn(engine)
    await claude.leaves('UserPromptSubmit', { prompt: 'Find out why the export hangs.' })
    const found = 'The export hangs because the partner drops connections after 60 seconds.'
    await claude.leaves('SubagentStop', {
      agent_id: 'a1',
      agent_type: 'Explore',
      last_assistant_message: found,
    })
    await work(engine)
    expect((await engine.sessions.read({ session: 's1', agent: 'explore' }))?.messages).toMatchObject([
      { role: 'agent', text: found },
    ])
    expect(await claude.told('UserPromptSubmit', { prompt: 'why does the partner export hang?' })).toBe('')
    await engine.close()
  })

  it('of a sub-agent makes no folder in the vault, when its session is closed either', async () => {
    const engine = await open()
    const claude = hostIn(engine)
    const sub = { agent_id: 'a1', agent_type: 'Explore' }
    await claude.leaves('UserPromptSubmit', { prompt: 'Find out why the export hangs.' })
    await claude.leaves('SubagentStart', sub)
    await claude.leaves('SubagentStop', {
      ...sub,
      last_assistant_message: 'We decided to retry the export, because the partner drops idle connections.',
    })
    await claude.leaves('Stop', { last_assistant_message: 'The partner drops idle connections.' })
    await claude.leaves('SessionEnd', { reason: 'other' })
    await work(engine)
    expect((await engine.sessions.conversationsOf('s1')).map(({ agent }) => agent).sort()).toEqual([
      'explore',
      'shared',
    ])
    const { findings = [] } = (await engine.sessions.findMemory('s1')) ?? {}
    expect(findings.map(({ agent }) => agent)).not.toContain('explore')
    const folders = readdirSync(`${engine.root}/.memory`, { withFileTypes: true })
    expect(folders.flatMap(item => (item.isDirectory() ? item.name : []))).not.toContain('explore')
    expect(await engine.store.counts()).not.toHaveProperty('byAgent.explore')
    await engine.close()
  })

  it('holds no secret and no private part, in the spool either', async () => {
    const engine = await open()
    const token = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`
    const claude = hostIn(engine)
    await claude.leaves('UserPromptSubmit', { prompt: `Use ${token} <private>my salary</private> for now.` })
    const event = { tool_name: 'Bash', tool_input: { command: `curl -H "Authorization: Bearer ${token}" x` } }
    await claude.leaves('PostToolUse', event)
    const [name = ''] = await engine.hookQueue.waiting()
    const taken = await engine.hookQueue.take(name)
    expect(taken?.lines).toHaveLength(2)
    for (const line of taken?.lines ?? []) {
      expect(line).not.toContain(token.slice(4))
      expect(line).not.toContain('salary')
    }
    await engine.close()
  })

  it('is a checkpoint when the host compacts, and what was told counts as gone where the host begins nothing anew', async () => {
    const engine = await open()
    await remember(engine, [{ content: SSE, kind: 'decision' }])
    const cursor = hostIn(engine, 'cursor')
    expect(await cursor.told('beforeSubmitPrompt', { prompt: 'why no web sockets?' })).toContain(SSE)
    await cursor.leaves('beforeSubmitPrompt', { prompt: 'why no web sockets?' })
    expect(await cursor.leaves('preCompact')).toBe(true)
    await work(engine)
    const { checkpoint } = await engine.sessions.findCheckpoint('shared', 's1')
    expect(checkpoint?.messages).toMatchObject([{ text: 'why no web sockets?' }])
    expect(await cursor.told('beforeSubmitPrompt', { prompt: 'why no web sockets?' })).toContain(SSE)
    const gemini = hostIn(engine, 'gemini', 's2')
    expect(await gemini.leaves('PreCompress', { trigger: 'auto' })).toBe(false)
    await engine.close()
  })

  it('of a session in which nothing was said is nothing', async () => {
    const engine = await open()
    const codex = hostIn(engine, 'codex')
    await codex.leaves('SessionStart', { source: 'startup' })
    await codex.leaves('SessionEnd')
    await work(engine)
    expect(await engine.sessions.conversationsOf('s1')).toEqual([])
    expect(await engine.hookQueue.waiting()).toEqual([])
    await engine.close()
  })

  it('leaves tool runs out where they are switched off', async () => {
    const root = scratchProject({ '.memory/config.json': '{"version":1,"hooks":{"toolRuns":false}}' })
    const engine = await open(root)
    const run = { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_response: 'ok' }
    expect(await hostIn(engine).leaves('PostToolUse', run)).toBeUndefined()
    await engine.close()
  })
})

describe('a worker that died', () => {
  it('left everything to the next, which adds nothing twice', async () => {
    const engine = await open()
    const claude = hostIn(engine)
    for (const prompt of ['one', 'two']) await claude.leaves('UserPromptSubmit', { prompt })
    const run = {
      tool_name: 'Bash',
      tool_input: { command: 'npm test' },
      tool_response: { exitCode: 1, stdout: 'no' },
    }
    await claude.leaves('PostToolUse', run)
    await claude.leaves('Stop', { last_assistant_message: 'Done.' })
    // It took the lines in, and died before it could remove them.
    const dies = {
      ...engine,
      hookQueue: { ...spoolOf(engine), finish: async () => Promise.reject(new Error('killed')) },
    }
    const notes: unknown[] = []
    await work(dies as unknown as ComposedCheckout, notes)
    expect(notes).toMatchObject([{ message: 'killed' }])
    await claude.leaves('UserPromptSubmit', { prompt: 'three' })
    await work(engine)
    const { messages = [] } = (await engine.sessions.read({ session: 's1', agent: 'shared' })) ?? {}
    expect(messages.map(({ text }) => text)).toEqual([
      'one',
      'two',
      'npm test (failed)\nno',
      'Done.',
      'three',
    ])
    expect((await engine.events.newest(9)).events).toHaveLength(1)
    expect(await engine.hookQueue.waiting()).toEqual([])
    await engine.close()
  })

  it('or a damaged spool keeps nothing else from being taken in', async () => {
    const engine = await open()
    writeIn(engine.root, '.memory/.vault/spool/s1.jsonl', 'half a li\n{"v":9,"at":"x"}\n\u0000\n[]\n')
    await hostIn(engine).leaves('UserPromptSubmit', { prompt: 'one' })
    const notes: unknown[] = []
    await work(engine, notes)
    expect(notes).toHaveLength(1)
    expect((await engine.sessions.read({ session: 's1', agent: 'shared' }))?.messages).toHaveLength(1)
    await engine.close()
  })
})

/** A port is loaded by its first call, and has no keys of its own. */
function spoolOf({ hookQueue }: ComposedCheckout): HookQueue {
  const names = [
    ...[
      'append',
      'waiting',
      'take',
      'finish',
      'readCursor',
      'saveCursor',
      'tidy',
      'isWorked',
      'mark',
      'unmark',
    ],
    ...['tryTurn', 'endTurn', 'noteCalls', 'calls'],
  ] as const
  const own = names.map(name => [name, hookQueue[name as keyof HookQueue]])
  return Object.fromEntries(own) as HookQueue
}

it('remembers failures for status, bounded, and without what was asked', async () => {
  const { noteHookError } = await import('../src/hosts/hooks/hook-failures.ts')
  const place = { at: '2026-01-01T00:00:00.000Z', host: 'codex', event: 'Stop', root: '/p' }
  noteHookError(place, new SyntaxError('Unexpected token in "my secret prompt"'))
  const [one] = readHookFailures(5).failures
  expect(one).toMatchObject({ ...place, code: 'unexpected' })
  expect(JSON.stringify(one)).not.toContain('my secret prompt')
  for (let n = 0; n < 2_000; n++) noteHookError(place, new Error(`${n}`))
  expect(readHookFailures(5_000).failures.length).toBeLessThan(1_500)
  expect(readHookFailures(5_000).damaged).toBe(0)
})
