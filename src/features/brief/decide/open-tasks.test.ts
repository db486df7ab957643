import { expect, it } from 'vitest'
import type { Entry } from '../../../kernel/model/entry.ts'
import { isOpenTask, withOpenBoxes } from './open-tasks.ts'

const task = (content: string, given: Partial<Entry> = {}): Entry => ({
  id: 't1',
  agent: 'shared',
  category: 'tasks',
  kind: 'task',
  status: 'confirmed',
  origin: 'person',
  date: '2026-03-16T16:51',
  content,
  tags: [],
  files: [],
  importance: 0.5,
  ...given,
})

it('is a task of a person or an agent with an open box', () => {
  expect(isOpenTask(task('- [ ] mend the gate'))).toBe(true)
  expect(isOpenTask(task('- [x] mend the gate'))).toBe(false)
  expect(isOpenTask(task('- [ ] mend the gate', { status: 'candidate', origin: 'agent' }))).toBe(true)
  expect(isOpenTask(task('- [ ] mend the gate', { status: 'candidate', origin: 'machine' }))).toBe(false)
  const captured = { status: 'candidate', origin: 'person', extra: { lineage: 'rule' } } as const
  expect(isOpenTask(task('- [ ] mend the gate', captured))).toBe(false)
})

it('shows only the open boxes of a list', () => {
  const mixed = task('Before the release:\n- [x] Tag it\n- [ ] Write the notes\n  - [X] Draft\n- [ ] Publish')
  expect(withOpenBoxes(mixed).content).toBe('Before the release:\n- [ ] Write the notes\n- [ ] Publish')
})
