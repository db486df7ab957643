import { expect, it } from 'vitest'
import { foreignCaller } from './foreign-caller.ts'

const CLAUDE = { isClaudeCode: true, isCursor: false, isCopilot: false }
const NOBODY = { isClaudeCode: false, isCursor: false, isCopilot: false }

it('knows who runs the hooks of Claude Code, and says nothing where it cannot be certain', () => {
  expect(foreignCaller('claude-code', { transcript_path: '/h/.claude/x.jsonl' }, CLAUDE)).toBeUndefined()
  expect(foreignCaller('claude-code', {}, NOBODY)).toBeUndefined()
  expect(foreignCaller('claude-code', {}, { ...CLAUDE, isCursor: true })).toBe('cursor')
  expect(foreignCaller('claude-code', { timestamp: '2026-11-15T07:34:59.744Z' }, NOBODY)).toBe('copilot')
  expect(foreignCaller('claude-code', { transcript_path: '/h/.copilot/s/events.jsonl' }, CLAUDE)).toBe(
    'copilot',
  )
  expect(foreignCaller('claude-code', {}, { ...NOBODY, isCopilot: true })).toBe('copilot')
  expect(foreignCaller('claude-code', {}, { ...CLAUDE, isCopilot: true })).toBeUndefined()
  expect(foreignCaller('gemini', { timestamp: 'x' }, NOBODY)).toBeUndefined()
})
