import { describe, expect, it } from 'vitest'
import type { HostId } from '../../../kernel/model/host.ts'
import type { ToolRun } from '../../../kernel/model/message.ts'
import { codexExitCodes } from '../../codex/adapter.ts'
import { purposeOf, readPayload } from './read-payload.ts'

function runOf(host: HostId, name: string, payload: Record<string, unknown>): ToolRun | undefined {
  return readPayload(host, name, purposeOf(host, name) ?? 'tool', payload).run
}

const claude = (more: object) =>
  runOf('claude-code', 'PostToolUse', { tool_name: 'Bash', tool_input: { command: 'x' }, ...more })
const gemini = (llmContent: string) =>
  runOf('gemini', 'AfterTool', {
    tool_name: 'run_shell_command',
    tool_input: { command: 'x' },
    tool_response: { llmContent: `<untrusted_context>\n${llmContent}\n</untrusted_context>` },
  })
const codex = (tool_response: string) =>
  runOf('codex', 'PostToolUse', { tool_name: 'Bash', tool_input: { command: 'x' }, tool_response })

describe('how a command ended', () => {
  it('is not known while it goes on, or where a person stopped it', () => {
    expect(claude({ tool_response: { stdout: 'half', interrupted: true } })).not.toHaveProperty('ok')
    expect(claude({ tool_response: { stdout: '', backgroundTaskId: 'b1' } })).not.toHaveProperty('ok')
    expect(gemini('Command moved to background (PID: 7). Output hidden.')).not.toHaveProperty('ok')
    const cancelled = gemini('Command was cancelled by user before it could complete.')
    expect(cancelled).not.toHaveProperty('ok')
    const stopped = { tool_name: 'Bash', tool_input: { command: 'x' }, error: 'stopped', is_interrupt: true }
    expect(runOf('claude-code', 'PostToolUseFailure', stopped)).not.toHaveProperty('ok')
    const running = {
      toolName: 'bash',
      toolArgs: { command: 'x' },
      toolResult: { resultType: 'success', textResultForLlm: '<command started in background>' },
    }
    expect(runOf('copilot', 'postToolUse', running)).not.toHaveProperty('ok')
  })

  it('is not what the command printed about another', () => {
    expect(codex('Exit code: 0\nand more')).not.toHaveProperty('ok')
    expect(gemini('Output: Exit Code: 9\nmore\nProcess Group PGID: 1')).toMatchObject({ ok: true })
    expect(gemini('Output: a\nExit Code: 0\nb\nExit Code: 2')).toMatchObject({
      ok: false,
      exitCode: 2,
      output: 'a\nExit Code: 0\nb',
    })
    expect(claude({ tool_response: { stdout: 'Exit code 3' } })).toMatchObject({ ok: true, exitCode: 0 })
  })

  it('is a failure on Gemini where it could not be started or was killed', () => {
    expect(gemini('Output: (empty)\nError: spawn x ENOENT\nProcess Group PGID: 1')).toMatchObject({
      ok: false,
    })
    expect(gemini('Output: half\nSignal: 9')).toEqual({
      tool: 'run_shell_command',
      command: 'x',
      ok: false,
      output: 'half',
    })
  })

  it('of a `grep` that found nothing is no failure, and has no exit code of 0', () => {
    const run = claude({ tool_response: { stdout: '', returnCodeInterpretation: 'No matches found' } })
    expect(run).toEqual({ tool: 'Bash', command: 'x', ok: true })
  })

  it('stands in a line of Copilot where it runs the hooks of Claude Code', () => {
    const tool_result = {
      result_type: 'success',
      text_result_for_llm: 'no\n<shellId: 4 completed with exit code 1>',
    }
    expect(claude({ tool_response: 'no\n<shellId: 4 completed with exit code 1>' })).toMatchObject({
      ok: false,
      exitCode: 1,
      output: 'no',
    })
    expect(claude({ tool_result })).toMatchObject({ ok: false, exitCode: 1, output: 'no' })
  })
})

it('finds exit codes in a rollout by the call, whatever else and whatever damage is there', () => {
  const line = (type: string, payload: object) => JSON.stringify({ type, payload })
  const lines = [
    'half a li',
    '"CommandExecution"',
    line('event_msg', { item: { type: 'CommandExecution', id: 'call_1', exit_code: 0 } }),
    line('event_msg', { item: { type: 'CommandExecution', id: 'call_9', exit_code: 7 } }),
    line('response_item', {
      type: 'function_call_output',
      call_id: 'call_2',
      output: 'Chunk ID: 76c79e\nWall time: 0.0000 seconds\nProcess exited with code 3\nOutput:\nbad\n',
    }),
    line('response_item', {
      type: 'function_call_output',
      call_id: 'call_3',
      output: '{"output":"x","metadata":{"exit_code":4}}',
    }),
    line('response_item', { type: 'function_call_output', call_id: 'call_4', output: 'aborted by user' }),
  ]
  const calls = new Set(['call_1', 'call_2', 'call_3', 'call_4'])
  expect(Object.fromEntries(codexExitCodes(lines, calls))).toEqual({ call_1: 0, call_2: 3, call_3: 4 })
})
