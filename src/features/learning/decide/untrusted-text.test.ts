import { expect, it } from 'vitest'
import type { Message, ToolRun } from '../../../kernel/model/message.ts'
import { untrustedIn } from './untrusted-text.ts'

const ran = (run: ToolRun): Message => ({ role: 'tool', text: run.tool, run })
const user = (text: string): Message => ({ role: 'user', text })

it('finds a web page, output of another tool and pasted text, in this order', () => {
  const paste = user('A line of the manual.\n'.repeat(200))
  const tool = ran({ tool: 'mcp__tracker__read_issue' })
  expect(untrustedIn([paste])).toBe('paste')
  expect(untrustedIn([paste, tool])).toBe('tool')
  expect(untrustedIn([paste, tool, ran({ tool: 'WebFetch' })])).toBe('web')
  expect(untrustedIn([ran({ tool: 'Bash', command: 'curl -s https://pages.example/a' })])).toBe('web')
})

it('trusts the project’s own files and servers, and Cairn', () => {
  expect(
    untrustedIn([
      user('Please look at the export.'),
      ran({ tool: 'Read', files: ['src/a.ts'] }),
      ran({ tool: 'Bash', command: 'curl -s http://localhost:3000/health' }),
      ran({ tool: 'mcp__cairn__search' }),
    ]),
  ).toBeUndefined()
})
