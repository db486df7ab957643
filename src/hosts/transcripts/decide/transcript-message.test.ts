import { describe, expect, it } from 'vitest'
import { readTranscriptMessage } from './transcript-message.ts'

const nowMs = Date.UTC(2026, 2, 16)
const read = (value: unknown, previousAt?: string) => readTranscriptMessage(value, { nowMs, previousAt })

describe('a message of a transcript', () => {
  it.each<[unknown, object]>([
    [
      { role: 'user', text: 'Hello' },
      { role: 'user', text: 'Hello' },
    ],
    [
      { role: 'assistant', content: 'Hi', timestamp: '2026-03-01T10:00:00Z' },
      { role: 'assistant', text: 'Hi', at: '2026-03-01T10:00:00.000Z' },
    ],
    [
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'a' },
          { type: 'tool_use', name: 'x' },
          { type: 'text', text: 'b' },
        ],
      },
      { role: 'assistant', text: 'a\nb' },
    ],
    [
      { type: 'user', message: { role: 'user', content: 'Hello' }, timestamp: 1_772_000_000 },
      { role: 'user', text: 'Hello', at: '2026-02-25T06:13:20.000Z' },
    ],
    [
      { role: 'agent', text: 'x', internal: true },
      { role: 'agent', text: 'x', internal: true },
    ],
    [
      { role: 'tool', text: '', run: { tool: 'Bash', command: 'npm test', ok: true, files: ['a', 3] } },
      { role: 'tool', text: '', run: { tool: 'Bash', command: 'npm test', ok: true, files: ['a'] } },
    ],
  ])('%j', (value, message) => {
    expect(read(value)).toEqual({ message })
  })

  it.each<[unknown, string]>([
    [null, 'message_damaged'],
    ['text', 'message_damaged'],
    [{ text: 'who?' }, 'message_damaged'],
    [{ role: 'user' }, 'message_without_text'],
    [{ role: 'user', text: '  ' }, 'message_without_text'],
    [{ role: 'user', content: [{ type: 'image' }] }, 'message_without_text'],
  ])('%j cannot be taken', (value, code) => {
    expect(read(value)).toEqual({ trouble: { code, message: expect.any(String) } })
  })

  it('a date that cannot be is replaced by that of the message before, or by today, and told', () => {
    const at = (value: unknown, previous?: string) => {
      const { message, trouble } = read({ role: 'user', text: 'x', at: value }, previous)
      return [message?.at, trouble?.code]
    }
    expect(at('1970-01-01T00:00:00Z')).toEqual(['2026-03-16T00:00:00.000Z', 'message_date_skewed'])
    expect(at('2031-01-01', '2026-03-01T10:00:00.000Z')).toEqual([
      '2026-03-01T10:00:00.000Z',
      'message_date_skewed',
    ])
    expect(at('someday')).toEqual(['2026-03-16T00:00:00.000Z', 'message_date_damaged'])
    expect(at(undefined, '2026-03-01T10:00:00.000Z')).toEqual(['2026-03-01T10:00:00.000Z', undefined])
  })

  it('an unknown role is an agent, and told', () => {
    expect(read({ role: 'bmad-master', text: 'x' })).toEqual({
      message: { role: 'bmad-master', text: 'x' },
      trouble: { code: 'message_role_unknown', message: expect.any(String) },
    })
  })
})
