import { expect, it } from 'vitest'
import type { Entry } from '../../../kernel/model/entry.ts'
import { leftToDo } from './left-to-do.ts'

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
