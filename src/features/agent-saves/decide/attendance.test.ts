import { describe, expect, it } from 'vitest'
import { automationVariables } from '../../../kernel/system/environment.ts'
import { isAttended } from './attendance.ts'

const nobody = { isCi: false, isClaudeAttended: undefined }

describe('isAttended', () => {
  it('believes what Claude Code says in the environment, then its transcript', () => {
    expect(isAttended('claude-code', { ...nobody, isClaudeAttended: false }, '"entrypoint":"cli"')).toBe(
      false,
    )
    expect(isAttended('claude-code', { ...nobody, isClaudeAttended: true }, undefined)).toBe(true)
    expect(isAttended('claude-code', nobody, '{"entrypoint":"sdk-cli"}')).toBe(false)
    expect(isAttended('claude-code', nobody, '{"entrypoint":"cli"}')).toBe(true)
    expect(isAttended('claude-code', nobody, '{}')).toBeUndefined()
  })

  it('reads who began a session of Codex from its transcript', () => {
    expect(isAttended('codex', nobody, '{"payload":{"originator":"codex_exec"}}')).toBe(false)
    expect(isAttended('codex', nobody, '{"payload":{"originator":"codex-tui"}}')).toBe(true)
    expect(isAttended('codex', nobody, undefined)).toBeUndefined()
  })

  it('finds nobody in CI, and cannot tell elsewhere', () => {
    expect(isAttended('codex', { ...nobody, isCi: true }, '{"payload":{"originator":"codex-tui"}}')).toBe(
      false,
    )
    expect(isAttended('gemini', nobody, '{}')).toBeUndefined()
  })

  it('reads the signs of the environment', () => {
    expect(automationVariables({})).toEqual(nobody)
    expect(automationVariables({ CI: 'true' }).isCi).toBe(true)
    expect(automationVariables({ CI: 'false' }).isCi).toBe(false)
    expect(automationVariables({ CLAUDE_CODE_SESSION_ATTENDED: '0' }).isClaudeAttended).toBe(false)
    expect(
      automationVariables({ CLAUDE_CODE_SESSION_ATTENDED: '1', CLAUDE_CODE_ENTRYPOINT: 'cli' })
        .isClaudeAttended,
    ).toBe(true)
    expect(automationVariables({ CLAUDE_CODE_ENTRYPOINT: 'sdk-ts' }).isClaudeAttended).toBe(false)
  })
})
