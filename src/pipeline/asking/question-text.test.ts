import { expect, it } from 'vitest'
import { estimateTokens } from '../../text/token-estimate.ts'
import { questionText, toolNameIn } from './question-text.ts'

const near = Array.from(
  { length: 6 },
  (_, at) => `[177367987183${at}-k3f9] ${'a first word or two '.repeat(4).slice(0, 48)}`,
)

it('names the tool, what not to save, what is stored, and the four parts of a handoff', () => {
  const text = questionText({
    moment: 'prompt',
    tool: toolNameIn('claude-code'),
    near: near.slice(0, 1),
    closing: '',
  })
  expect(text).toContain('`mcp__cairn__remember`')
  expect(text).toContain('Skip one-off wishes')
  expect(text).toContain('at most 5, usually 0-2')
  expect(text).toContain(near[0])
  expect(text).toContain('Handoff: asked / verified / claimed but unverified / left.')
})

it('stays under 250 tokens without a list, and under 450 with the longest one', () => {
  for (const moment of ['prompt', 'stop'] as const) {
    expect(estimateTokens(questionText({ moment, tool: 'remember', near: [], closing: '' }))).toBeLessThan(
      350,
    )
    expect(estimateTokens(questionText({ moment, tool: 'remember', near, closing: '' }))).toBeLessThan(450)
  }
})

it('quotes the closing message of the session before at a start', () => {
  const text = questionText({ moment: 'start', tool: 'remember', near: [], closing: 'The form is missing.' })
  expect(text).toContain('its closing message was: "The form is missing."')
})
