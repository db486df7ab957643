import { describe, expect, it } from 'vitest'
import { HOST_IDS } from '../../../kernel/model/host.ts'
import { loadIntegrations } from '../install-parts.ts'
import { type HookTrial, judgeTrial, trialInput, triedHooks } from './hook-trial.ts'

const integrations = await loadIntegrations()
const [, prompt] = triedHooks('claude-code')
const good: HookTrial = {
  exitCode: 0,
  timedOut: false,
  stdout: '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"the quillwort"}}\n',
  stderr: '',
  ms: 90,
}
const judge = (trial: Partial<HookTrial>) =>
  prompt === undefined ? undefined : judgeTrial('claude-code', prompt, { ...good, ...trial }, 'quillwort')

describe('a hook that was tried', () => {
  it('is good when it answers as the host reads it, from the memory it was asked in', () => {
    expect(judge({})).toEqual({ kind: 'good' })
  })

  it.each([
    [{ exitCode: 127, stdout: '', stderr: 'sh: cairn: not found' }, 'ended with 127: sh: cairn: not found'],
    [
      { exitCode: null, timedOut: true, stdout: '' },
      'gave no answer within 5 s; the host waits that long at each prompt',
    ],
    [{ stderr: 'Warning: x' }, 'wrote to standard error: Warning: x'],
    [{ stdout: 'hello\n' }, 'printed something that is not JSON: hello'],
    [
      { stdout: '{"additionalContext":"x"}' },
      'printed an answer that claude-code does not read at UserPromptSubmit',
    ],
    [{ stdout: '' }, 'injected nothing for a prompt about an entry of the memory'],
    [
      { stdout: good.stdout.replace('quillwort', 'other') },
      'answered, and not from the memory it was asked in',
    ],
  ])('is wrong: %j', (trial, message) => {
    expect(judge(trial)).toEqual({ kind: 'wrong', message })
  })

  it('is slow when it takes far more than its deadline', () => {
    expect(judge({ ms: 2_400 })).toEqual({
      kind: 'slow',
      message: 'took 2400 ms, and should take 300 at most',
    })
  })

  it('is asked with what its host would send', () => {
    for (const host of HOST_IDS)
      for (const hook of triedHooks(host)) {
        const payload = trialInput(integrations[host].trialPayload, hook, {
          cwd: '/p',
          session: 's1',
          prompt: 'why?',
        })
        expect(payload).toContain('/p')
        expect(payload.includes('why?')).toBe(hook.purpose === 'prompt')
      }
  })
})
