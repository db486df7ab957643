import { expect, it } from 'vitest'
import { claudeCode } from './adapter.ts'

const CLAUDE = { isClaudeCode: true, isCursor: false, isCopilot: false }
const NONE = { isClaudeCode: false, isCursor: false, isCopilot: false }

it('recognises the other host that runs its hooks, and names none where it cannot be certain', () => {
  const { otherCaller } = claudeCode.hooks
  expect(otherCaller({ transcript_path: '/h/.claude/x.jsonl' }, CLAUDE)).toBeUndefined()
  expect(otherCaller({}, NONE)).toBeUndefined()
  expect(otherCaller({}, { ...CLAUDE, isCursor: true })).toBe('cursor')
  expect(otherCaller({ timestamp: '2026-11-15T07:34:59.744Z' }, NONE)).toBe('copilot')
  expect(otherCaller({ transcript_path: '/h/.copilot/s/events.jsonl' }, CLAUDE)).toBe('copilot')
  expect(otherCaller({}, { ...NONE, isCopilot: true })).toBe('copilot')
  expect(otherCaller({}, { ...CLAUDE, isCopilot: true })).toBeUndefined()
})
