import { expect, test } from 'vitest'
import type { FoundAcross } from '../../../kernel/model/across.ts'
import { readMet, solutionIn, tellMet, withoutVarying } from './met-question.ts'

test('an error is looked for by what it is called everywhere', () => {
  const printed = `[10:02:11] Error: Cannot find module '/app/node_modules/sharp/lib/sharp.js'
    at Function._resolveFilename (node:internal/modules/cjs/loader:1048:15)
    at /home/ana/shop/src/images.ts:42:7 {
  code: 'MODULE_NOT_FOUND'
}`
  expect(readMet(printed)).toEqual({
    sort: 'error',
    query: 'Cannot find module sharp MODULE_NOT_FOUND',
    names: ['MODULE_NOT_FOUND'],
  })
})

test('the same error of two machines is the same question', () => {
  const one = `2026-03-16T10:00:01.123Z ERROR connect ECONNREFUSED 10.0.0.3:5432 (request 7f3b2c1a-9d4e-4f5a-8b6c-1d2e3f4a5b6c) after 3021ms`
  const other = `connect ECONNREFUSED 127.0.0.1:5432 (request 00000000-9d4e-4f5a-8b6c-1d2e3f4a5b6c) after 17ms`
  expect(readMet(one).query).toBe(readMet(other).query)
  expect(readMet(other)).toMatchObject({ sort: 'error', names: ['ECONNREFUSED'] })
  expect(readMet(other).query).toContain('5432')
})

test('a traceback is told by its last line, a compiler by its code', () => {
  const traceback = `Traceback (most recent call last):
  File "/srv/app/main.py", line 12, in <module>
    import numpy
ModuleNotFoundError: No module named 'numpy'`
  expect(readMet(traceback)).toEqual({
    sort: 'error',
    query: 'ModuleNotFoundError: No module named numpy',
    names: ['ModuleNotFoundError'],
  })
  const compiler = "src/a.ts(14,3): error TS2345: Argument of type 'string' is not assignable to parameter"
  expect(readMet(compiler)).toMatchObject({ sort: 'error', names: ['TS2345'] })
  expect(readMet(compiler).query).not.toMatch(/14|src/)
})

test('a decision is looked for as it is put', () => {
  expect(readMet('Use a queue between checkout and billing')).toEqual({
    sort: 'statement',
    query: 'Use a queue between checkout and billing',
    names: [],
  })
  expect(readMet('We show an error to the user when billing is down').sort).toBe('statement')
})

test('what varies goes, what tells stays', () => {
  expect(withoutVarying('port 3000 is in use')).toBe('port 3000 is in use')
  expect(withoutVarying('at line 14 of C:\\Users\\ana\\x.cs')).toBe('at of')
  expect(withoutVarying("ENOENT: open '/etc/app/config.json'")).toBe('ENOENT: open')
  expect(withoutVarying('0xdeadbeef in malloc, 42 bytes')).toBe('in malloc, bytes')
})

test('a text of a megabyte is read in its ends', () => {
  const noise = 'tick\n'.repeat(200_000)
  expect(readMet(`${noise}TypeError: x is not a function`)).toMatchObject({ names: ['TypeError'] })
})

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
