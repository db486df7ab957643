import { expect, it } from 'vitest'
import type { Message } from '../../model/message.ts'
import { hasHardWonFix } from './hard-won-fix.ts'

const test = (ok: boolean): Message => ({
  role: 'tool',
  text: 'npm test',
  run: { tool: 'Bash', command: 'npm test', ok, exitCode: ok ? 0 : 1 },
})
const edit: Message = {
  role: 'tool',
  text: 'Edit src/a.ts',
  run: { tool: 'Edit', files: ['src/a.ts'], isEdit: true, ok: true },
}

it('is a check that failed twice and passed after a change', () => {
  expect(hasHardWonFix([test(false), edit, test(false), edit, test(true)])).toBe(true)
})

it('is not one failure, a flaky check, or a check that still fails', () => {
  expect(hasHardWonFix([test(false), edit, test(true)])).toBe(false)
  expect(hasHardWonFix([test(false), test(false), test(true)])).toBe(false)
  expect(hasHardWonFix([test(false), edit, test(false), edit])).toBe(false)
  expect(hasHardWonFix([])).toBe(false)
})
