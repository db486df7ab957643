import { expect, it } from 'vitest'
import { judgeIgnore, judgeTracked } from './judge-surroundings.ts'

const ALL =
  'private/\nconversations/\nsessions/\n.vault/\narchive/\nhistory/\nstate.json\nsources.json\n*.cairn-tmp\n'
const missing = (text: string) => judgeIgnore(text).map(({ message }) => message.split(' ')[0])

it.each([
  ['as Cairn writes it', ALL, []],
  [
    'with CRLF, slashes and comments',
    `# ours\r\n${ALL.replaceAll('\n', '\r\n').replace('private/', '/private')}`,
    [],
  ],
  ['everything but what is named', '*\n!shared/\n', []],
  ['a line less', ALL.replace('history/\n', ''), ['history/']],
  ['taken back at the end', `${ALL}!sessions/\n`, ['this']],
  ['taken back, and ignored again', `${ALL}!sessions/\nsessions/\n`, []],
])('a .gitignore %s', (_what, text, expected) => {
  expect(missing(text)).toEqual(expected)
})

it('leaves a team its shared history, and tells of what is tracked against the file', () => {
  const tracked = ['shared/decisions.md', 'history/events.jsonl']
  expect(judgeTracked(tracked, ALL.replace('history/\n', ''))).toEqual([])
  expect(judgeTracked(tracked, ALL).map(({ severity, path }) => `${severity} ${path}`)).toEqual([
    'warning .memory/history',
  ])
})
