import { describe, expect, it } from 'vitest'
import { automationVariables } from '../../../kernel/system/environment.ts'
import { estimateTokens } from '../../../kernel/text/token-estimate.ts'
import { isAttended, questionText, toolNameIn } from './question-text.ts'

const near = Array.from(
  { length: 6 },
  (_, at) => `[177367987183${at}-k3f9] ${'a first word or two '.repeat(4).slice(0, 48)}`,
)

it('names the tool, what not to save, what is stored, and the four parts of a handoff', () => {
  const text = questionText({
    moment: 'prompt',
    tool: toolNameIn('claude-code'),
    near: near.slice(0, 1),
    rules: [],
    closing: '',
  })
  expect(text).toContain('`mcp__cairn__remember`')
  expect(text).toContain('Skip one-off wishes')
  expect(text).toContain('at most 5, usually 0-2')
  expect(text).toContain(near[0])
  expect(text).toContain('Handoff: asked / verified / claimed but unverified / left.')
})

it('stays under 350 tokens without a list, under 450 with one, and under 700 with two of the longest', () => {
  for (const moment of ['prompt', 'stop'] as const) {
    const tokensWith = (lists: { near: string[]; rules: string[] }) =>
      estimateTokens(questionText({ moment, tool: 'remember', ...lists, closing: '' }))
    expect(tokensWith({ near: [], rules: [] })).toBeLessThan(350)
    expect(tokensWith({ near, rules: [] })).toBeLessThan(450)
    expect(tokensWith({ near, rules: Array(4).fill('Never write to the archive. '.repeat(7)) })).toBeLessThan(
      700,
    )
  }
})

it('quotes the closing message of the previous session at a start', () => {
  const text = questionText({
    moment: 'start',
    tool: 'remember',
    near: [],
    rules: [],
    closing: 'The form is missing.',
  })
  expect(text).toContain('its closing message was: "The form is missing."')
})

it('quotes the rules that the person stated', () => {
  const rules = ['Never touch the seeds.', 'from now on use tabs']
  const text = questionText({ moment: 'prompt', tool: 'remember', near: [], rules, closing: '' })
  expect(text).toContain(
    'The user said: "Never touch the seeds." ; "from now on use tabs". Save each that holds',
  )
  expect(
    questionText({ moment: 'prompt', tool: 'remember', near: [], rules: [], closing: '' }),
  ).not.toContain('The user said')
})

const nobody = { isCi: false, isClaudeAttended: undefined }

describe('isAttended', () => {
  it('reads the environment of Claude Code, then its transcript', () => {
    expect(isAttended('claude-code', { ...nobody, isClaudeAttended: false }, '"entrypoint":"cli"')).toBe(
      false,
    )
    expect(isAttended('claude-code', { ...nobody, isClaudeAttended: true }, undefined)).toBe(true)
    expect(isAttended('claude-code', nobody, '{"entrypoint":"sdk-cli"}')).toBe(false)
    expect(isAttended('claude-code', nobody, '{"entrypoint":"cli"}')).toBe(true)
    expect(isAttended('claude-code', nobody, '{}')).toBeUndefined()
  })

  it('reads from the transcript who started a session of Codex', () => {
    expect(isAttended('codex', nobody, '{"payload":{"originator":"codex_exec"}}')).toBe(false)
    expect(isAttended('codex', nobody, '{"payload":{"originator":"codex-tui"}}')).toBe(true)
    expect(isAttended('codex', nobody, undefined)).toBeUndefined()
  })

  it('finds no user in CI and returns undefined elsewhere', () => {
    expect(isAttended('codex', { ...nobody, isCi: true }, '{"payload":{"originator":"codex-tui"}}')).toBe(
      false,
    )
    expect(isAttended('gemini', nobody, '{}')).toBeUndefined()
  })

  it('reads the environment', () => {
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
