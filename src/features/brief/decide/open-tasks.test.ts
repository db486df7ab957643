import { expect, it } from 'vitest'
import type { Entry } from '../../../kernel/model/entry.ts'
import { isOpenTask, isTaskQuestion, leftToDo, withOpenBoxes } from './open-tasks.ts'

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

const handoff = (content: string): Entry => ({
  id: 'h1',
  agent: 'shared',
  category: 'handoffs',
  kind: 'handoff',
  status: 'confirmed',
  origin: 'agent',
  date: '2026-03-16T16:51',
  content,
  tags: [],
  files: [],
  importance: 0.5,
})
const left = (content: string) => leftToDo(handoff(content))?.content

it('takes the line that says what is left', () => {
  expect(left('Asked: a faster export.\nDone and verified: the queue.\nLeft: the retry.')).toBe(
    'Left: the retry.',
  )
  expect(left('**Left:** the retry\n**Asked:** a faster export')).toBe('Left: the retry')
})

it('takes the list below it', () => {
  expect(left('Left to do:\n- the retry\n- the docs\nClaimed, not verified: speed')).toBe(
    'Left: - the retry\n- the docs',
  )
})

it('says nothing where nothing is left or the handoff does not say', () => {
  expect(left('Asked: an export.\nLeft: nothing.')).toBeUndefined()
  expect(left('[User]: go on\n[Agent]: Done.')).toBeUndefined()
})

it.each([
  'What is left to do?',
  "what's next?",
  'what should we do next?',
  'Which are the open tasks?',
  'O que falta fazer?',
  'quais são os próximos passos?',
  '¿Qué falta?',
  '¿qué sigue?',
])('recognises %j', prompt => {
  expect(isTaskQuestion(prompt)).toBe(true)
})

it.each([
  'the left column is too wide',
  'why does the next page load twice?',
  'fix the pending state of the button',
])('leaves %j alone', prompt => {
  expect(isTaskQuestion(prompt)).toBe(false)
})
