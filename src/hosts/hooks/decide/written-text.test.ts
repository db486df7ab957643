import { describe, expect, it } from 'vitest'
import type { HostId } from '../../../kernel/model/host.ts'
import { parseQueueLine, renderQueueLine } from './queue-line.ts'
import { purposeOf, readPayload } from './read-payload.ts'

const FILE = '/p/.memory/dev/decisions.md'
const PATCH = `*** Begin Patch\n*** Update File: .memory/dev/decisions.md\n@@\n ## 2026-01-01\n-Old.\n+One.\n+\n+Two.\n*** End Patch`

function written(host: HostId, event: string, payload: object): string | undefined {
  return readPayload(host, event, purposeOf(host, event) ?? 'tool', { session_id: 's', ...payload }).written
}

describe('what a tool wrote into a file of the memory', () => {
  it.each<readonly [string, HostId, string, object, string]>([
    [
      'Claude Code: Write',
      'claude-code',
      'PostToolUse',
      { tool_name: 'Write', tool_input: { file_path: FILE, content: 'One.' } },
      'One.',
    ],
    [
      'Claude Code: Edit',
      'claude-code',
      'PostToolUse',
      { tool_name: 'Edit', tool_input: { file_path: FILE, old_string: 'Old.', new_string: 'One.' } },
      'One.',
    ],
    [
      'Claude Code: MultiEdit',
      'claude-code',
      'PostToolUse',
      {
        tool_name: 'MultiEdit',
        tool_input: {
          file_path: FILE,
          edits: [
            { old_string: 'a', new_string: 'One.' },
            { old_string: 'b', new_string: 'Two.' },
          ],
        },
      },
      'One.\nTwo.',
    ],
    [
      'Codex: apply_patch',
      'codex',
      'PostToolUse',
      { tool_name: 'apply_patch', tool_input: { command: PATCH } },
      'One.\n\nTwo.',
    ],
    [
      'Gemini: write_file',
      'gemini',
      'AfterTool',
      { tool_name: 'write_file', tool_input: { file_path: FILE, content: 'One.' } },
      'One.',
    ],
    [
      'Gemini: replace',
      'gemini',
      'AfterTool',
      { tool_name: 'replace', tool_input: { file_path: FILE, old_string: 'Old.', new_string: 'One.' } },
      'One.',
    ],
    [
      'OpenCode: write',
      'opencode',
      'tool.execute.after',
      { tool: 'write', args: { filePath: FILE, content: 'One.' } },
      'One.',
    ],
    [
      'OpenCode: edit',
      'opencode',
      'tool.execute.after',
      { tool: 'edit', args: { filePath: FILE, oldString: 'Old.', newString: 'One.' } },
      'One.',
    ],
    [
      'Copilot: create',
      'copilot',
      'postToolUse',
      { toolName: 'create', toolArgs: JSON.stringify({ path: FILE, file_text: 'One.' }) },
      'One.',
    ],
    [
      'Copilot: edit',
      'copilot',
      'postToolUse',
      { toolName: 'edit', toolArgs: { path: FILE, old_str: 'Old.', new_str: 'One.' } },
      'One.',
    ],
    [
      'Cursor: Write',
      'cursor',
      'postToolUse',
      { tool_name: 'Write', tool_input: { file_path: FILE, content: 'One.' } },
      'One.',
    ],
    [
      'a path with backslashes',
      'claude-code',
      'PostToolUse',
      { tool_name: 'Write', tool_input: { file_path: 'C:\\p\\.memory\\dev\\lessons.md', content: 'One.' } },
      'One.',
    ],
  ])('%s', (_, host, event, payload, text) => {
    expect(written(host, event, payload)).toBe(text)
  })

  it.each<readonly [string, string, object]>([
    [
      'another file',
      'PostToolUse',
      { tool_name: 'Write', tool_input: { file_path: '/p/src/a.ts', content: 'One.' } },
    ],
    ['a read', 'PostToolUse', { tool_name: 'Read', tool_input: { file_path: FILE, content: 'One.' } }],
    [
      'an edit that failed',
      'PostToolUseFailure',
      { tool_name: 'Write', tool_input: { file_path: FILE, content: 'One.' }, error: 'No space' },
    ],
    ['an edit without its text', 'PostToolUse', { tool_name: 'Write', tool_input: { file_path: FILE } }],
  ])('is not there for %s', (_, event, payload) => {
    expect(written('claude-code', event, payload)).toBeUndefined()
  })
})

it('names the files of a patch of Codex', () => {
  const payload = { tool_name: 'apply_patch', tool_input: { command: PATCH } }
  expect(readPayload('codex', 'PostToolUse', 'tool', payload).run).toMatchObject({
    tool: 'apply_patch',
    files: ['.memory/dev/decisions.md'],
    isEdit: true,
  })
})

it('survives the spool', () => {
  const line = {
    at: '2026-01-01T00:00:00.000Z',
    host: 'codex',
    event: 'PostToolUse',
    purpose: 'tool',
    session: 's',
    written: { at: '2026-01-01T00:00:00.000Z', files: ['.memory/dev/decisions.md'], text: 'One.\nTwo.' },
  } as const
  expect(parseQueueLine(renderQueueLine(line))).toEqual(line)
})
