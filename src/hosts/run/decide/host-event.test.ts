import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { AGENT_HOSTS, type AgentHost } from '../../../kernel/model/agent-run.ts'
import { HOSTS } from '../../hosts.ts'
import type { HostEvent } from './host-event.ts'
import { hostLines } from './host-event.ts'
import type { HostProgram } from './host-program.ts'

/** What the real programs printed when they were run against a model on this machine; Cursor's is from its documentation. */
function recorded(name: string): string[] {
  return readFileSync(new URL(`../../../../test/recorded/${name}`, import.meta.url), 'utf8').split('\n')
}

const loaded = await Promise.all(AGENT_HOSTS.map(async host => [host, await HOSTS[host].program()] as const))
const programs = Object.fromEntries(loaded) as Record<AgentHost, HostProgram>

function read(host: AgentHost, lines: readonly string[]): HostEvent[] {
  const reader = hostLines(programs[host].events())
  return [...lines.flatMap(line => reader.read(line)), ...reader.end()]
}

const ANSWER = 'Olá, all is **well**.\n\nSecond paragraph.'

describe('what a host prints', () => {
  it('of Claude Code: pieces as they come, and the message that repeats them not again', () => {
    expect(read('claude-code', recorded('agent-streams/claude-code-new-chat.jsonl'))).toEqual([
      { kind: 'chat', id: '37327424-7f0b-4e64-bcdb-f3cf900363b6' },
      {
        kind: 'tool',
        name: 'Bash',
        input: { command: 'echo said-by-the-shell', description: 'Runs it' },
      },
      {
        kind: 'ran',
        run: {
          tool: 'Bash',
          input: { command: 'echo said-by-the-shell', description: 'Runs it' },
          output: {
            stdout: 'said-by-the-shell',
            stderr: '',
            interrupted: false,
            isImage: false,
            noOutputExpected: false,
          },
        },
      },
      { kind: 'text', text: ANSWER },
      { kind: 'said' },
      {
        kind: 'usage',
        usage: { inputTokens: 200, outputTokens: 20, costUsd: 0.0012000000000000001 },
      },
      { kind: 'answer', text: ANSWER },
    ])
  })

  it('of Claude Code without pieces: the messages', () => {
    const whole = recorded('agent-streams/claude-code-new-chat.jsonl').filter(
      line => !line.includes('"stream_event"'),
    )
    expect(read('claude-code', whole).filter(({ kind }) => kind === 'text' || kind === 'said')).toEqual([
      { kind: 'text', text: ANSWER },
      { kind: 'said' },
    ])
  })

  it('of Claude Code: what a sub-agent says is not the answer', () => {
    const line = JSON.stringify({
      type: 'assistant',
      parent_tool_use_id: 'toolu_1',
      message: { content: [{ type: 'text', text: 'Between us.' }] },
    })
    expect(read('claude-code', [line])).toEqual([])
  })

  it('of a chat that it does not know', () => {
    expect(read('claude-code', recorded('agent-streams/claude-code-unknown-chat.jsonl')).at(-1)).toEqual({
      kind: 'failure',
      message: 'No conversation found with session ID: 00000000-0000-4000-8000-000000000000',
    })
  })

  it('of Codex', () => {
    const metadata =
      'Model metadata for `gpt-5-codex` not found. Defaulting to fallback metadata; this can degrade performance and cause issues.'
    expect(read('codex', recorded('agent-streams/codex-new-chat.jsonl'))).toEqual([
      { kind: 'chat', id: '01a1e274-186e-7a10-a0ee-4fc88d81721d' },
      { kind: 'remark', text: metadata },
      { kind: 'tool', name: 'shell', input: { command: 'echo said-by-the-shell' } },
      {
        kind: 'ran',
        run: {
          tool: 'shell',
          input: { command: 'echo said-by-the-shell' },
          output: 'said-by-the-shell\n',
          exitCode: 0,
        },
      },
      { kind: 'text', text: ANSWER },
      { kind: 'said' },
      { kind: 'usage', usage: { inputTokens: 200, outputTokens: 20 } },
    ])
  })

  it('of Codex that has no access: that it tries again is a remark, that it gave up the failure', () => {
    expect(read('codex', recorded('distiller/codex-failed.jsonl'))).toEqual([
      { kind: 'chat', id: '0199-recorded' },
      { kind: 'remark', text: 'stream error' },
      { kind: 'failure', message: 'unexpected status 401 Unauthorized' },
    ])
  })

  it('of Gemini', () => {
    const input = { command: 'echo said-by-the-shell; exit 3', description: 'Runs it' }
    expect(read('gemini', recorded('agent-streams/gemini-tool.jsonl'))).toEqual([
      { kind: 'chat', id: 'a5025ece-f1ff-4c68-a72d-b5c4cc784cb2' },
      { kind: 'tool', name: 'run_shell_command', input },
      { kind: 'ran', run: { tool: 'run_shell_command', input, output: 'said-by-the-shell' } },
      { kind: 'text', text: 'Olá, all is **well**.' },
      { kind: 'said' },
      { kind: 'usage', usage: { inputTokens: 200, outputTokens: 20 } },
    ])
  })

  it('of OpenCode', () => {
    const input = { command: 'echo said-by-the-shell', description: 'Runs it' }
    expect(read('opencode', recorded('agent-streams/opencode-new-chat.jsonl'))).toEqual([
      { kind: 'chat', id: 'ses_e1d8bc0f2ffePFYMYxeMZlQsSC' },
      { kind: 'tool', name: 'bash', input },
      { kind: 'ran', run: { tool: 'bash', input, output: 'said-by-the-shell\n', exitCode: 0 } },
      { kind: 'usage', usage: { inputTokens: 100, outputTokens: 10 } },
      { kind: 'text', text: ANSWER },
      { kind: 'said' },
      { kind: 'usage', usage: { inputTokens: 100, outputTokens: 10 } },
    ])
  })

  it('of Cursor, as it is documented', () => {
    expect(read('cursor', recorded('agent-streams/cursor-documented.jsonl'))).toEqual([
      { kind: 'chat', id: 'c6b62c6f-7ead-4fd6-9922-e952131177ff' },
      { kind: 'text', text: "I'll read the README.md file" },
      { kind: 'said' },
      { kind: 'tool', name: 'read', input: { path: 'README.md' } },
      {
        kind: 'ran',
        run: {
          tool: 'read',
          input: { path: 'README.md' },
          output: { content: '# Project\n', isEmpty: false, totalLines: 1 },
        },
      },
      { kind: 'text', text: 'It is a project.' },
      { kind: 'said' },
      { kind: 'usage', usage: { inputTokens: 0, outputTokens: 0 } },
      { kind: 'answer', text: "I'll read the README.md fileIt is a project." },
    ])
  })

  it('that is no event is a remark, and says which', () => {
    expect(read('gemini', ['Ripgrep is not available.', '', '{"type":', '[1]', '{"kind":"x"}'])).toEqual([
      { kind: 'remark', text: 'Ripgrep is not available.' },
      { kind: 'remark', text: '{"type":' },
      { kind: 'remark', text: '[1]' },
      { kind: 'remark', text: '{"kind":"x"}' },
    ])
    expect(hostLines(programs.codex.events()).read(undefined)).toEqual([
      { kind: 'remark', text: 'A line was too long to be read.' },
    ])
  })

  it('in a form that no version has today throws nothing', () => {
    const odd = [
      '{"type":"assistant"}',
      '{"type":"assistant","message":{"content":"text"}}',
      '{"type":"assistant","message":{"content":[null,1,{"type":"text"},{"type":"tool_use"}]}}',
      '{"type":"stream_event","event":7}',
      '{"type":"result","is_error":true}',
      '{"type":"tool_call","tool_call":[]}',
      '{"type":"item.completed","item":null}',
      '{"type":"item.completed","item":{"type":"file_change","changes":3}}',
      '{"type":"text","part":"x"}',
      '{"type":"tool_use","part":{"state":null}}',
      '{"type":"error"}',
      '{"type":"__proto__","__proto__":{"session_id":"x"}}',
    ]
    for (const host of ['claude-code', 'codex', 'gemini', 'opencode', 'cursor'] as const)
      expect(() => read(host, odd)).not.toThrow()
  })
})
