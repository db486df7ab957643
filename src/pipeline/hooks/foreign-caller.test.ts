import { expect, it } from 'vitest'
import { foreignCaller } from './foreign-caller.ts'

const CLAUDE = { isClaudeCode: true, isCursor: false }
const NOBODY = { isClaudeCode: false, isCursor: false }

it('knows who runs the hooks of Claude Code, and says nothing where it cannot be certain', () => {
  expect(foreignCaller('claude-code', { transcript_path: '/h/.claude/x.jsonl' }, CLAUDE)).toBeUndefined()
  expect(foreignCaller('claude-code', {}, NOBODY)).toBeUndefined()
  expect(foreignCaller('claude-code', {}, { isClaudeCode: true, isCursor: true })).toBe('cursor')
  expect(foreignCaller('claude-code', { timestamp: '2026-11-15T07:34:59.744Z' }, NOBODY)).toBe('copilot')
  expect(foreignCaller('claude-code', { transcript_path: '/h/.copilot/s/events.jsonl' }, CLAUDE)).toBe(
    'copilot',
  )
  expect(foreignCaller('gemini', { timestamp: 'x' }, NOBODY)).toBeUndefined()
})
