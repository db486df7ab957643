import { expect, test } from 'vitest'
import { judgeEventLines, judgeJournalLines } from './judge-logs.ts'

test.each([
  ['events', (text: string) => judgeEventLines(text).findings],
  ['records', (text: string) => judgeJournalLines(text)],
])('reports the first lines of a log full of damaged %s, and how many more there are', (_, judge) => {
  const findings = judge('{}\n'.repeat(120))
  expect(findings).toHaveLength(51)
  expect(findings.at(-1)).toMatchObject({
    code: 'more_lines',
    message: '70 more lines have a problem and are not listed',
  })
})
