import { expect, it } from 'vitest'
import type { HostId } from '../../../kernel/model/host.ts'
import { contextLeftIn } from '../context-left.ts'
import { readTranscriptLine } from '../read-transcript.ts'

const AT = '2026-11-15T07:51:13.000Z'
const lines = (...values: readonly unknown[]) => values.map(value => JSON.stringify(value))
const events = (host: HostId, values: readonly string[]) =>
  values.flatMap(line => readTranscriptLine(host, line, { isOfSubAgent: false }) ?? [])
const texts = (host: HostId, values: readonly string[]) =>
  events(host, values).map(event => (event.kind === 'said' ? event.text : '?'))

it('reads what an agent said from the transcript of each host', () => {
  expect(
    events(
      'claude-code',
      lines(
        { type: 'user', message: { role: 'user', content: 'hello' } },
        {
          type: 'assistant',
          timestamp: AT,
          message: {
            content: [
              { type: 'text', text: 'Hi.' },
              { type: 'tool_use', name: 'Bash', input: {} },
            ],
          },
        },
        { type: 'user', toolUseResult: {}, message: { content: [{ type: 'tool_result', content: 'x' }] } },
        { type: 'user', isCompactSummary: true, message: { content: 'The story so far.' } },
        { type: 'assistant', isSidechain: true, message: { content: [{ type: 'text', text: 'aside' }] } },
        { type: 'attachment', message: { content: 'injected' } },
        'no object',
      ),
    ),
  ).toEqual([{ kind: 'prompt' }, { kind: 'said', text: 'Hi.', at: AT }])
  const message = (role: string, text: string) => ({
    type: 'response_item',
    payload: {
      type: 'message',
      role,
      content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
    },
  })
  expect(
    texts(
      'codex',
      lines(
        message('developer', 'memory'),
        message('user', 'q'),
        { type: 'event_msg', payload: { item: { type: 'UserMessage' } } },
        message('assistant', 'a'),
      ),
    ),
  ).toEqual(['?', 'a'])
  expect(
    events(
      'gemini',
      lines(
        { id: '1', type: 'user', content: [{ text: 'q' }] },
        { id: '2', type: 'gemini', content: 'I look.' },
        { id: '3', type: 'user', content: [{ functionResponse: { id: 'x' } }] },
        { $set: { x: 1 } },
      ),
    ),
  ).toEqual([{ kind: 'prompt' }, { kind: 'said', text: 'I look.', id: '2' }])
  expect(
    texts(
      'copilot',
      lines(
        { type: 'user.message', data: { content: 'q' } },
        { type: 'assistant.message', data: { content: '', toolRequests: [] } },
        { type: 'assistant.message', data: { content: 'a' } },
      ),
    ),
  ).toEqual(['?', 'a'])
  for (const host of ['cursor', 'opencode'] as const)
    expect(texts(host, lines({ role: 'assistant', message: { content: 'a' } }))).toEqual([])
})

it('knows how much context is left where a transcript tells', () => {
  const claude = (model: string) =>
    `half a line\n${JSON.stringify({
      type: 'assistant',
      message: { model, usage: { input_tokens: 10, cache_read_input_tokens: 149_980, output_tokens: 10 } },
    })}\n{"type":"user"}\n`
  expect(contextLeftIn('claude-code', claude('claude-sonnet-4-5'))).toBe(50_000)
  expect(contextLeftIn('claude-code', claude('claude-sonnet-4-5[1m]'))).toBe(850_000)
  expect(
    contextLeftIn(
      'codex',
      JSON.stringify({
        type: 'event_msg',
        payload: {
          type: 'token_count',
          info: { last_token_usage: { total_tokens: 105 }, model_context_window: 1_000 },
        },
      }),
    ),
  ).toBe(895)
  expect(contextLeftIn('gemini', '{"type":"gemini","tokens":{"input":48576,"total":48576}}')).toBe(1_000_000)
  expect(contextLeftIn('claude-code', '"usage" in a text, no JSON')).toBeUndefined()
  expect(contextLeftIn('cursor', '{"usage":1}')).toBeUndefined()
})
