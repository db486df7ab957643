import { expect, it } from 'vitest'
import { HOST_IDS } from '../../../kernel/model/host.ts'
import { HOSTS } from '../../hosts.ts'
import { printAnswer } from './print-answer.ts'

it.each([
  [
    'claude-code',
    'SessionStart',
    '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"told"}}\n',
  ],
  [
    'codex',
    'UserPromptSubmit',
    '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"told"}}\n',
  ],
  [
    'gemini',
    'BeforeAgent',
    '{"hookSpecificOutput":{"hookEventName":"BeforeAgent","additionalContext":"told"}}\n',
  ],
  ['opencode', 'chat.message', '{"context":"told"}\n'],
  ['copilot', 'userPromptSubmitted', '{"additionalContext":"told"}\n'],
  ['cursor', 'sessionStart', '{"additional_context":"told"}\n'],
  ['cursor', 'beforeSubmitPrompt', '{"continue":true,"additional_context":"told"}\n'],
] as const)('%s reads %s', (host, name, printed) => {
  expect(printAnswer(host, name, 'told')).toBe(printed)
})

it('prints nothing where there is nothing to tell, and never at the end of a turn or a session', () => {
  for (const host of HOST_IDS)
    for (const { event, purpose } of HOSTS[host].hooks.events) {
      expect(printAnswer(host, event, '')).toBe('')
      if (['turn-end', 'agent-end', 'end'].includes(purpose))
        expect(printAnswer(host, event, 'told'), `${host} ${event}`).toBe('')
    }
})
