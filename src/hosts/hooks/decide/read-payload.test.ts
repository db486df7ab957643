import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOST_IDS, type HostId } from '../../../kernel/model/host.ts'
import { HOSTS } from '../../hosts.ts'
import type { HookEvent } from './hook-event.ts'
import { parseFields } from './payload-fields.ts'
import { purposeOf, readPayload } from './read-payload.ts'

function read(host: HostId, name: string, payload: unknown): HookEvent {
  const purpose = purposeOf(host, name)
  if (purpose === undefined) throw new Error(`${host} has no ${name}`)
  return readPayload(host, name, purpose, parseFields(JSON.stringify(payload)))
}

const CLAUDE = { session_id: '37cb', transcript_path: '/h/37cb.jsonl', cwd: '/p', permission_mode: 'default' }
const CODEX = {
  session_id: '01a1',
  turn_id: 't',
  transcript_path: '/h/r.jsonl',
  cwd: '/p',
  model: 'gpt-5-codex',
}

describe('what a host tells', () => {
  it.each<readonly [string, HostId, string, unknown, Partial<HookEvent>]>([
    [
      'a new session of Claude Code',
      'claude-code',
      'SessionStart',
      { ...CLAUDE, source: 'startup' },
      { purpose: 'start', session: '37cb', cwd: '/p', transcript: '/h/37cb.jsonl', source: 'new' },
    ],
    ['after a compaction', 'codex', 'SessionStart', { ...CODEX, source: 'compact' }, { source: 'compact' }],
    ['a start that no host knows yet', 'gemini', 'SessionStart', { source: 'teleport' }, { source: 'new' }],
    ['a prompt', 'claude-code', 'UserPromptSubmit', { ...CLAUDE, prompt: 'why?' }, { prompt: 'why?' }],
    [
      'a prompt behind the start brief',
      'gemini',
      'BeforeAgent',
      { session_id: 's', prompt: '<hook_context>told</hook_context>\n\nhello' },
      { session: 's', prompt: 'hello' },
    ],
    [
      'a prompt of Copilot, in either of its spellings',
      'copilot',
      'userPromptSubmitted',
      { sessionId: 'eec9', timestamp: 1794728082758, cwd: '/p', prompt: 'hello' },
      { session: 'eec9', prompt: 'hello' },
    ],
    [
      'a prompt of Cursor, with its workspace and what was put beside it',
      'cursor',
      'beforeSubmitPrompt',
      {
        conversation_id: 'c1',
        workspace_roots: ['/p'],
        prompt: '<user_query>\nhello\n</user_query>',
        attachments: [{ type: 'file', file_path: 'src/a.ts' }, 7],
      },
      { session: 'c1', cwd: '/p', prompt: 'hello', files: ['src/a.ts'] },
    ],
    [
      'a prompt that our plugin hands on',
      'opencode',
      'chat.message',
      { sessionID: 'ses_1', directory: '/p', prompt: 'hello', model: 'm' },
      { session: 'ses_1', cwd: '/p', prompt: 'hello', model: 'm' },
    ],
    [
      'a command that failed',
      'claude-code',
      'PostToolUseFailure',
      {
        ...CLAUDE,
        tool_name: 'Bash',
        tool_input: { command: 'npm test' },
        error: 'Exit code 1\nBASHOUT',
        is_interrupt: false,
      },
      { run: { tool: 'Bash', command: 'npm test', ok: false, exitCode: 1, output: 'BASHOUT' } },
    ],
    [
      'an edit',
      'claude-code',
      'PostToolUse',
      { ...CLAUDE, tool_name: 'Edit', tool_input: { file_path: '/p/src/a.ts' }, tool_response: { ok: 1 } },
      { run: { tool: 'Edit', files: ['/p/src/a.ts'], isEdit: true } },
    ],
    [
      'a command of Codex, as a list of words',
      'codex',
      'PostToolUse',
      {
        ...CODEX,
        tool_name: 'Bash',
        tool_input: { command: ['/bin/bash', '-lc', 'npm test'] },
        tool_response: 'Chunk ID: 7\nProcess exited with code 0\nOutput:\nok',
      },
      {
        run: {
          tool: 'Bash',
          command: 'npm test',
          ok: true,
          exitCode: 0,
          output: 'ok',
        },
      },
    ],
    [
      'a patch',
      'codex',
      'PostToolUse',
      { ...CODEX, tool_name: 'apply_patch', tool_input: '*** Begin Patch\n*** Update File: src/a.ts\n@@\n' },
      { run: { tool: 'apply_patch', files: ['src/a.ts'], isEdit: true } },
    ],
    [
      'a command of Gemini',
      'gemini',
      'AfterTool',
      {
        tool_name: 'run_shell_command',
        tool_input: { command: 'ls' },
        tool_response: { llmContent: [{ text: 'Exit Code: 0\na' }], returnDisplay: 'a' },
      },
      { run: { tool: 'run_shell_command', command: 'ls', ok: true, exitCode: 0, output: 'Exit Code: 0\na' } },
    ],
    [
      'a command of Copilot that failed',
      'copilot',
      'postToolUse',
      {
        toolName: 'bash',
        toolArgs: '{"command":"false"}',
        toolResult: { resultType: 'failure', textResultForLlm: 'no' },
      },
      { run: { tool: 'bash', command: 'false', ok: false, output: 'no' } },
    ],
    [
      'what a file held is not taken',
      'cursor',
      'postToolUse',
      { tool_name: 'Read', tool_input: { file_path: 'a.ts' }, tool_output: 'const a = 1' },
      { run: { tool: 'Read', files: ['a.ts'] } },
    ],
    [
      'an answer',
      'codex',
      'Stop',
      { ...CODEX, last_assistant_message: 'Done.' },
      { purpose: 'turn-end', answer: 'Done.', model: 'gpt-5-codex' },
    ],
    ['an answer of Gemini', 'gemini', 'AfterAgent', { prompt_response: 'Done.' }, { answer: 'Done.' }],
    ['an answer of Cursor', 'cursor', 'afterAgentResponse', { text: 'Done.' }, { answer: 'Done.' }],
    [
      'what a sub-agent said, in its own transcript',
      'claude-code',
      'SubagentStop',
      {
        ...CLAUDE,
        agent_id: 'a41',
        agent_type: 'general-purpose',
        agent_transcript_path: '/h/agent-a41.jsonl',
        last_assistant_message: 'Found it.',
      },
      {
        purpose: 'agent-end',
        agent: { kind: 'general-purpose', id: 'a41' },
        transcript: '/h/agent-a41.jsonl',
        answer: 'Found it.',
      },
    ],
    [
      'a compaction that was asked for',
      'claude-code',
      'PreCompact',
      { trigger: 'manual' },
      { isManual: true },
    ],
  ])('%s', (_, host, name, payload, expected) => {
    expect(read(host, name, payload)).toMatchObject(expected)
  })
})

describe('what is no prompt of a person', () => {
  it.each([
    '<task-notification>done</task-notification>',
    '/remember we use pnpm',
    '$remember we use pnpm',
    '/plugin:cmd x',
    '<command-name>/clear</command-name>',
    '<local-command-stdout>ok</local-command-stdout>',
    '<project_memory>\ntold\n</project_memory>',
    '   ',
  ])('%s', prompt => {
    expect(read('claude-code', 'UserPromptSubmit', { prompt })).not.toHaveProperty('prompt')
  })

  it.each(['/etc/hosts is wrong', '$5 is too much', 'a < b', '<b>bold</b> is what I want'])(
    'but: %s',
    prompt => {
      expect(read('claude-code', 'UserPromptSubmit', { prompt }).prompt).toBe(prompt)
    },
  )
})

it('takes whatever comes, for every moment of every host', () => {
  const names = HOST_IDS.flatMap(host => HOSTS[host].hooks.events.map(({ event }) => [host, event] as const))
  const fields = fc.constantFrom(
    ...['session_id', 'sessionId', 'sessionID', 'conversation_id', 'cwd', 'prompt', 'tool_name', 'toolName'],
    ...[
      'tool_input',
      'toolArgs',
      'args',
      'tool_response',
      'toolResult',
      'output',
      'transcript_path',
      'source',
    ],
    ...[
      'agent_id',
      'agent_type',
      'workspace_roots',
      'attachments',
      'text',
      'last_assistant_message',
      'error',
    ],
  )
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.dictionary(fields, fc.jsonValue()), ([host, name], payload) => {
      const event = read(host, name, payload)
      expect(event.host).toBe(host)
      for (const value of [event.session, event.cwd, event.prompt, event.answer, event.transcript])
        expect(['string', 'undefined']).toContain(typeof value)
    }),
  )
})

it('is not there for an event that no host of ours calls', () => {
  expect(purposeOf('claude-code', 'MessageDisplay')).toBeUndefined()
  expect(purposeOf('copilot', 'constructor')).toBeUndefined()
})
