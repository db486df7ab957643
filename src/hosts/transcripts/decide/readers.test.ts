import { existsSync, readdirSync, readFileSync } from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TranscriptHost } from '../../../kernel/model/transcript.ts'
import { formatOfLine, loadFormats } from './transcript-formats.ts'
import type { Said } from './transcript-reader.ts'

const NOW_MS = Date.parse('2026-11-16T00:00:00Z')
const RECORDED = fileURLToPath(new URL('../../../../../shared/hosts/transcripts/', import.meta.url))

const formats = await loadFormats()

function read(host: TranscriptHost, lines: readonly unknown[], withSubAgents = false) {
  const reader = formats[host].reader({ nowMs: NOW_MS, withSubAgents })
  const said = lines.flatMap((line, at) => reader.take(line, at + 1))
  return { said: [...said, ...reader.finish()], about: reader.about }
}

/** What was said, a line each: who, and what or which tool. */
function told(said: readonly Said[]): string[] {
  return said.map(({ message: { role, text, run } }) =>
    run === undefined
      ? `${role}: ${text}`
      : `${role}: ${run.tool} ${run.command ?? (run.files ?? []).join(' ')} ${run.ok} ${run.exitCode ?? '-'} ${run.output ?? ''}`.trim(),
  )
}

describe('Claude Code', () => {
  const at = { timestamp: '2026-11-15T10:00:00.000Z', cwd: '/shop', sessionId: 's1' }
  const user = (content: unknown, more = {}) => ({ type: 'user', message: { content }, ...at, ...more })
  const agent = (...content: unknown[]) => ({
    type: 'assistant',
    message: { model: 'm', content },
    ...at,
  })

  it('takes what was said and run, and nothing that the host says to itself', () => {
    const { said, about } = read('claude-code', [
      { type: 'queue-operation', operation: 'enqueue', sessionId: 's1', content: 'Deploy it.' },
      { type: 'attachment', attachment: { type: 'hook_additional_context', content: ['memory'] }, ...at },
      { type: 'api-request-blob', blob: 'Deploy it.' },
      user('Deploy it.'),
      user('Warmup', { isMeta: true }),
      user('<command-name>/clear</command-name>'),
      user('<task-notification>done</task-notification>'),
      user('This is a summary.', { isCompactSummary: true }),
      agent({ type: 'thinking', thinking: 'hm' }, { type: 'text', text: 'I run the build.' }),
      agent({ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'npm run build' } }),
      user([{ type: 'tool_result', tool_use_id: 't1', content: 'Exit code 2\nno', is_error: true }], {
        toolUseResult: 'Error: Exit code 2\nno',
      }),
      agent({
        type: 'tool_use',
        id: 't2',
        name: 'Edit',
        input: { file_path: '/shop/a.ts', old_string: 'a', new_string: 'b' },
      }),
      user([{ type: 'tool_result', tool_use_id: 't2', content: 'ok', is_error: false }], {
        toolUseResult: { filePath: '/shop/a.ts' },
      }),
      user([{ type: 'text', text: 'Thanks.<system-reminder>be brief</system-reminder>' }]),
      agent({ type: 'tool_use', id: 't3', name: 'Bash', input: { command: 'npm test' } }),
    ])
    expect(told(said)).toEqual([
      'user: Deploy it.',
      'agent: I run the build.',
      'tool: Bash npm run build false 2 Exit code 2\nno',
      'tool: Edit /shop/a.ts true - ok',
      'user: Thanks.',
    ])
    expect(said[3]?.message.run).toMatchObject({ isEdit: true, files: ['/shop/a.ts'] })
    expect(about).toEqual({
      session: 's1',
      cwd: '/shop',
      isSubAgent: false,
      model: 'm',
      startedAt: '2026-11-15T10:00:00.000Z',
    })
  })

  it('leaves sub-agents to who asks for them, and then no word of theirs is a person', () => {
    const lines = [user('Look for the bug.', { isSidechain: true }), user('Why?')]
    expect(told(read('claude-code', lines).said)).toEqual(['user: Why?'])
    const { said } = read('claude-code', lines, true)
    expect(told(said)).toEqual(['agent: Look for the bug.', 'user: Why?'])
    expect(said[0]?.message.internal).toBe(true)
  })

  it('leaves out what was copied from the session that it was forked from', () => {
    expect(told(read('claude-code', [user('Old.', { forkedFrom: {} }), user('New.')]).said)).toEqual([
      'user: New.',
    ])
  })
})

describe('Codex', () => {
  const item = (payload: object, type = 'response_item') => ({
    timestamp: '2026-11-15T10:00:00.000Z',
    type,
    payload,
  })

  it('knows a command of an older version, and its context in the words of the user', () => {
    const { said } = read('codex', [
      item({
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: '<environment_context>\n<cwd>/shop</cwd>' }],
      }),
      item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Run the tests.' }] }),
      item({
        type: 'function_call',
        name: 'shell',
        arguments: '{"command":["bash","-lc","npm test"]}',
        call_id: 'c1',
      }),
      item({
        type: 'function_call_output',
        call_id: 'c1',
        output: JSON.stringify({ output: '2 failed', metadata: { exit_code: 1 } }),
      }),
      item({
        type: 'custom_tool_call',
        name: 'apply_patch',
        call_id: 'c2',
        input: '*** Begin Patch\n*** Update File: src/a.ts\n@@\n',
      }),
      item({ type: 'custom_tool_call_output', call_id: 'c2', output: 'Exit code: 0\nOutput:\nDone' }),
    ])
    expect(told(said)).toEqual([
      'user: Run the tests.',
      'tool: shell npm test false 1 2 failed',
      'tool: apply_patch src/a.ts true 0 Done',
    ])
  })
})

describe('Gemini', () => {
  const message = (id: string, type: string, content: string, more = {}) => ({
    id,
    timestamp: '2026-11-15T10:00:00.000Z',
    type,
    content,
    ...more,
  })
  const toolCalls = [
    {
      name: 'run_shell_command',
      args: { command: 'ls' },
      status: 'success',
      result: [{ functionResponse: { response: { output: 'Output: x\nExit Code: 3' } } }],
    },
  ]

  it('takes the last version of a message, in the place of the first', () => {
    const { said } = read('gemini', [
      { sessionId: 'g1', projectHash: 'h', startTime: '2026-11-15T10:00:00.000Z' },
      message('1', 'user', '<session_context>x</session_context>'),
      message('2', 'user', 'List it.'),
      message('3', 'gemini', 'Let me look'),
      message('4', 'user', 'And?'),
      message('3', 'gemini', 'Let me look.', { toolCalls }),
      { $set: { messages: [message('3', 'gemini', 'Let me look.'), message('5', 'gemini', 'Done.')] } },
    ])
    expect(told(said)).toEqual([
      'user: List it.',
      'agent: Let me look.',
      'tool: run_shell_command ls false 3 Output: x\nExit Code: 3',
      'user: And?',
      'agent: Done.',
    ])
  })

  it('takes the older form, one object with all messages', () => {
    const { said, about } = read('gemini', [
      { sessionId: 'g1', projectHash: 'h', messages: [message('1', 'user', 'Hi')] },
    ])
    expect(told(said)).toEqual(['user: Hi'])
    expect(about.session).toBe('g1')
  })
})

describe('Cursor and Cline', () => {
  it('takes the words of the user out of what is around them', () => {
    const { said } = read('cursor', [
      {
        role: 'user',
        message: {
          content: [
            {
              type: 'text',
              text: '<open_files>a.ts</open_files>\n<user_query>\nFix the <b>tag</b>\n</user_query>',
            },
          ],
        },
      },
      {
        role: 'assistant',
        message: {
          content: [
            { type: 'text', text: 'Sure.' },
            { type: 'tool_use', name: 'edit_file', input: { target_file: 'a.ts' } },
          ],
        },
      },
    ])
    expect(told(said)).toEqual([
      'user: Fix the <b>tag</b>',
      'agent: Sure.',
      'tool: edit_file a.ts undefined -',
    ])
  })
})

describe('any reader', () => {
  const anything = fc.array(fc.oneof(fc.jsonValue(), fc.object()), { maxLength: 20 })
  const hosts = ['claude-code', 'codex', 'gemini', 'opencode', 'copilot', 'cursor', 'cline'] as const

  it('takes nothing for a message that has neither text nor run, whatever stands there', () => {
    fc.assert(
      fc.property(fc.constantFrom(...hosts, 'agent-transcripts' as const), anything, (host, lines) => {
        for (const { message } of read(host, lines, true).said)
          expect(message.text.trim() !== '' || message.run !== undefined).toBe(true)
      }),
    )
  })
})

describe('recorded transcripts', () => {
  const PNPM = 'What do we deploy with? [[say You deploy with pnpm.]]'
  const lines = (file: string) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line) as unknown)
  const inRecorded = (folder: string) =>
    readdirSync(path.join(RECORDED, folder), { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.jsonl'))
      .flatMap(file => lines(path.join(RECORDED, folder, file)))
  const RUNS: Readonly<Record<string, readonly string[]>> = {
    'claude-code': [
      'tool: mcp__stubmem__stub_remember  undefined - saved',
      'tool: Bash echo build ok true - build ok',
    ],
    codex: [
      'tool: mcp__stubmem__stub_remember  undefined - saved',
      'tool: exec_command echo build ok true 0 build ok',
    ],
    gemini: [
      'tool: mcp_stubmem_stub_remember  true - saved',
      'tool: run_shell_command echo build ok true - build ok',
    ],
    copilot: ['tool: stubmem-stub_remember  true - saved', 'tool: bash echo build ok true 0 build ok'],
    opencode: ['tool: stubmem_stub_remember  true - saved', 'tool: bash echo build ok true 0 build ok'],
  }
  const values = (host: string): readonly unknown[] => {
    if (host === 'claude-code') return inRecorded('claude')
    if (host === 'codex') return inRecorded('codex')
    if (host === 'gemini') return inRecorded('gemini')
    if (host === 'copilot') return inRecorded('copilot')
    const { info, messages } = JSON.parse(readFileSync(path.join(RECORDED, 'opencode/export.json'), 'utf8'))
    return [{ info }, ...messages]
  }

  it.runIf(existsSync(RECORDED))('of five hosts are the same conversation', () => {
    for (const [host, runs] of Object.entries(RUNS)) {
      const { said, about } = read(host as TranscriptHost, values(host))
      const rows = told(said)
      const asked = rows.filter(row => row.startsWith('user:'))
      expect([host, asked.length, asked[0]?.slice(0, 47), asked[1]]).toEqual([
        host,
        2,
        'user: Please remember that we deploy with pnpm.',
        `user: ${PNPM}`,
      ])
      expect(rows.filter(row => row.startsWith('tool:'))).toEqual(runs)
      expect(rows.filter(row => row.startsWith('agent:'))).toEqual([
        'agent: Saved: you deploy with pnpm.',
        'agent: You deploy with pnpm.',
      ])
      expect(rows.join('\n')).not.toContain('Project memory')
      expect(said.every(({ message }) => message.at?.startsWith('2026-11-15T07:5') === true)).toBe(true)
      if (host !== 'gemini') expect(about.cwd).toBe('/PROJECT')
      expect(about.session).toMatch(/^[\w-]{20,}$/)
    }
  })

  it.runIf(existsSync(RECORDED))('tell by whom they were written', () => {
    for (const host of Object.keys(RUNS))
      expect(
        values(host)
          .map(value => formatOfLine(Object.values(formats), value))
          .find(found => found !== undefined) ?? formats[host as TranscriptHost],
      ).toBe(formats[host as TranscriptHost])
  })
})
