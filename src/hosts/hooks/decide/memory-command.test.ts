import { describe, expect, it } from 'vitest'
import { readMemoryCommand } from './memory-command.ts'

const read = (prompt: string, sigils?: '/' | '/$') => {
  const command = readMemoryCommand(prompt, sigils)
  if (command === undefined) return undefined
  return command.kind === 'run' ? [command.verb, command.input] : command.message
}

describe('a slash command of ours', () => {
  it.each([
    ['/remember We use SSE. #sse', ['remember', { content: 'We use SSE. #sse' }]],
    ['  /remember two\nlines  ', ['remember', { content: 'two\nlines' }]],
    ['/remember "quotes" `ls` $(ls) --kind x', ['remember', { content: '"quotes" `ls` $(ls) --kind x' }]],
    ['/forget 1773679871839-k3f9', ['forget', { target: '1773679871839-k3f9' }]],
    ['/pin auth middleware', ['pin', { target: 'auth middleware' }]],
    ['/cairn', ['status', {}]],
    ['/cairn status', ['status', {}]],
    ['/memory status', ['status', {}]],
    ['/cairn list decisions', ['list', { category: 'decisions' }]],
    ['/cairn list warning', ['list', { category: 'warning' }]],
    ['/cairn search why  no sockets?', ['search', { query: 'why  no sockets?' }]],
    ['/cairn budget', ['budget', {}]],
    ['/cairn budget 2000', ['budget', { tokens: '2000' }]],
    ['/cairn alias', ['alias list', {}]],
    [
      '/cairn alias add ledger accounting books',
      ['alias add', { word: 'ledger', meanings: ['accounting', 'books'] }],
    ],
    ['/cairn alias remove ledger', ['alias remove', { word: 'ledger' }]],
    ['/cairn auto off', ['auto', { state: 'off' }]],
    ['/cairn config', ['preset', {}]],
    ['/memory config conservative', ['preset', { preset: 'conservative' }]],
    ['/cairn config set search.limit 20', ['config set', { key: 'search.limit', value: '20' }]],
  ])('%s', (prompt, expected) => {
    expect(read(prompt)).toEqual(expected)
  })

  it.each([
    ['/remember', 'The text to remember is missing.'],
    ['/pin  ', 'Which entry is to be pinned?'],
    ['/cairn frobnicate', 'Unknown command: "frobnicate".'],
    ['/cairn search', 'What is to be searched for?'],
    ['/cairn alias add ledger', 'An alias is added, listed or removed.'],
    ['/cairn config bold', 'Unknown preset: "bold".'],
  ])('that says too little is answered: %s', (prompt, expected) => {
    expect(read(prompt)).toBe(expected)
  })

  it.each([
    'remember this',
    'please /remember this',
    '/rememberall',
    '/remember-me x',
    '/compact',
    'What does /pin do?',
    '$pin = 3',
    '',
  ])('is no other prompt: %s', prompt => {
    expect(read(prompt)).toBeUndefined()
  })

  it('begins with a dollar where the host says so', () => {
    expect(read('$remember x', '/$')).toEqual(['remember', { content: 'x' }])
    expect(read('/cairn auto', '/$')).toEqual(['auto', {}])
  })
})
