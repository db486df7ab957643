import { expect, test } from 'vitest'
import type { FoundAcross } from '../../../kernel/model/across.ts'
import { solutionIn, tellMet } from './tell-met.ts'

const hit = (content: string, score: number, kind: string): FoundAcross => ({
  score,
  content,
  kind,
  text: content,
  matches: [],
  tags: [],
  from: [],
})
const error = { sort: 'error' as const, query: '', names: ['ECONNREFUSED'] }

test('the sentence that says what helped is told', () => {
  expect(
    solutionIn('ECONNREFUSED in CI. The database was not ready. Fixed by waiting with pg_isready.'),
  ).toBe('Fixed by waiting with pg_isready.')
  expect(solutionIn('Falhou na CI.\nResolvido: esperar o banco antes dos testes.')).toBe(
    'Resolvido: esperar o banco antes dos testes.',
  )
  expect(solutionIn('The port is 5432.')).toBe(undefined)
})

test('what tells a solution comes before what only mentions it', () => {
  const told = tellMet(
    [
      hit('Saw ECONNREFUSED again today', 0.6, 'handoff'),
      hit('ECONNREFUSED means that the service is down', 0.5, 'lesson'),
    ],
    error,
    5,
  )
  expect(told.map(({ kind, tells }) => [kind, tells])).toEqual([
    ['lesson', 'solution'],
    ['handoff', 'mention'],
  ])
})

test('what does not name the error needs more to be told', () => {
  const told = tellMet(
    [hit('ECONNREFUSED: start the service', 0.6, 'lesson'), hit('connect to the service', 0.4, 'lesson')],
    error,
    5,
  )
  expect(told.map(({ content }) => content)).toEqual(['ECONNREFUSED: start the service'])
})
