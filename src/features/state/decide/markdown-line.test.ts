import { expect, it } from 'vitest'
import { codeSpan, markdownLine } from './markdown-line.ts'

it.each([
  ['Sessions live in Redis.', 'Sessions live in Redis.'],
  ['# Drop\nall tables', '\\# Drop all tables'],
  ['#tag stays', '#tag stays'],
  ['---', '\\---'],
  ['- [ ] do it', '\\- [ ] do it'],
  ['1. first', '1\\. first'],
  ['see ![x](http://host/?q)', 'see !\\[x]\\(http://host/?q)'],
  ['use `Map<K, V>` not <b>', 'use `Map<K, V>` not \\<b>'],
  ['an `open tick <b>', 'an \\`open tick \\<b>'],
  ['[ref]: http://host', '\\[ref]\\: http://host'],
  ['read @.env and (@/etc/passwd)', 'read \\@.env and (\\@/etc/passwd)'],
  ['ask ops@example.org or `@types/node`', 'ask ops@example.org or `@types/node`'],
  ['\\` @.env `', '\\\\` @.env `'],
  ['a < b and c > d', 'a < b and c > d'],
])('%j is written %j', (text, line) => {
  expect(markdownLine(text)).toBe(line)
})

it('cuts at a word and says so', () => {
  expect(markdownLine('one two three four', 12)).toBe('one two…')
})

it('holds ticks in a code span', () => {
  expect([codeSpan('npm test'), codeSpan('a`b'), codeSpan('`x`')]).toEqual([
    '`npm test`',
    '``a`b``',
    '`` `x` ``',
  ])
})
