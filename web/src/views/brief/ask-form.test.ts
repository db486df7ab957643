import { expect, it } from 'vitest'
import { type Asking, previewInputOf } from './ask-form.tsx'

const EMPTY: Asking = { isStart: false, prompt: ' ', host: 'codex', agent: '', files: '', profile: '' }

it('returns no input without a prompt, and omits empty fields', () => {
  expect(previewInputOf(EMPTY)).toBe(undefined)
  expect(previewInputOf({ ...EMPTY, prompt: ' why? ' })).toEqual({ prompt: 'why?', host: 'codex' })
})

it('splits files, and sends files and task only with a prompt', () => {
  const all = { ...EMPTY, prompt: 'fix it', files: 'src/a.ts, src/b.ts,', profile: 'debug', agent: 'dev' }
  expect(previewInputOf(all)).toEqual({
    prompt: 'fix it',
    host: 'codex',
    agent: 'dev',
    files: ['src/a.ts', 'src/b.ts'],
    profile: 'debug',
  })
  expect(previewInputOf({ ...all, isStart: true, prompt: '' })).toEqual({
    start: true,
    host: 'codex',
    agent: 'dev',
  })
})
