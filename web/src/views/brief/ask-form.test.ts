import { expect, it } from 'vitest'
import { type Asking, askedOf } from './ask-form.tsx'

const EMPTY: Asking = { isStart: false, prompt: ' ', host: 'codex', agent: '', files: '', profile: '' }

it('asks nothing without a prompt, and leaves out what was not filled in', () => {
  expect(askedOf(EMPTY)).toBe(undefined)
  expect(askedOf({ ...EMPTY, prompt: ' why? ' })).toEqual({ prompt: 'why?', host: 'codex' })
})

it('takes files apart, and asks for them and the task only where there is a prompt to weigh', () => {
  const all = { ...EMPTY, prompt: 'fix it', files: 'src/a.ts, src/b.ts,', profile: 'debug', agent: 'dev' }
  expect(askedOf(all)).toEqual({
    prompt: 'fix it',
    host: 'codex',
    agent: 'dev',
    files: ['src/a.ts', 'src/b.ts'],
    profile: 'debug',
  })
  expect(askedOf({ ...all, isStart: true, prompt: '' })).toEqual({ start: true, host: 'codex', agent: 'dev' })
})
