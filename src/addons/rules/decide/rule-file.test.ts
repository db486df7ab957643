import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readRuleFile, withoutRule, withRule } from './rule-file.ts'

const budget = (text: string) => readRuleFile(text).budget
const rules = (text: string) => readRuleFile(text).rules.map(rule => rule.text)

describe('a declared budget', () => {
  it('stands at the top, also after front matter, a byte order mark or with other line breaks', () => {
    const lines = { kind: 'lines', lines: 50 }
    expect(budget('<!-- budget: 50 lines -->\n# A\n')).toMatchObject(lines)
    expect(budget('\uFEFF<!--budget: 50 lines-->\r\n# A\r\n')).toMatchObject(lines)
    expect(budget('---\nalwaysApply: true\n---\n\n<!-- Budget: 50 Lines -->\n')).toMatchObject({ line: 5 })
    expect(budget('# A\n')).toEqual({ kind: 'none' })
    expect(budget(`${'text\n'.repeat(20)}<!-- budget: 50 lines -->\n`)).toEqual({ kind: 'none' })
  })

  it('is malformed in another form, at zero, or when it is said twice', () => {
    for (const said of ['<!-- budget: fifty lines -->', '<!-- budget 50 -->', '<!-- budget: 0 lines -->'])
      expect(budget(`# A\n${said}\n`)).toEqual({ kind: 'malformed', said, line: 2 })
    expect(budget('<!-- budget: 50 lines -->\n<!-- budget: 60 lines -->\n')).toMatchObject({
      kind: 'malformed',
      line: 2,
    })
  })
})

describe('a rule', () => {
  it('is an item of a list with what is indented below it, or a paragraph; no heading, comment or code of its own', () => {
    const text = [
      '<!-- budget: 50 lines -->',
      '# Title',
      'A paragraph',
      'of two lines.',
      '',
      '- one',
      '  goes on',
      '',
      '  and on',
      '* two',
      '1. three',
      '```sh',
      '- no rule',
      '```',
      '## Next',
      'last',
    ].join('\n')
    expect(rules(text)).toEqual([
      'A paragraph\nof two lines.',
      'one\ngoes on\n\nand on',
      'two',
      'three\n```sh\n- no rule\n```',
      'last',
    ])
    expect(readRuleFile(text).rules.map(({ line, endLine, heading }) => [line, endLine, heading])).toEqual([
      [3, 5, 'Title'],
      [6, 10, 'Title'],
      [10, 11, 'Title'],
      [11, 15, 'Title'],
      [16, 17, 'Next'],
    ])
  })

  it('keeps its name while others come and go', () => {
    const name = (text: string) => readRuleFile(text).rules.find(rule => rule.text === 'Use pnpm.')?.key
    expect(name('- Use pnpm.\n')).toBe(name('# A\n\nBefore.\n\n- One.\n-  Use pnpm.\n- Two.\n'))
  })

  it('is taken out with its lines alone', () => {
    const text = '# A\r\n\r\n- one\r\n- two\r\n\r\nA paragraph.\r\n\r\n## B\r\n'
    const [one, , paragraph] = readRuleFile(text).rules
    expect(one && withoutRule(text, one)).toBe('# A\r\n\r\n- two\r\n\r\nA paragraph.\r\n\r\n## B\r\n')
    expect(paragraph && withoutRule(text, paragraph)).toBe('# A\r\n\r\n- one\r\n- two\r\n\r\n## B\r\n')
  })

  it('is added at the end, in the line breaks of the file', () => {
    expect(withRule('# A\n\n- one\n\n', 'two\nmore')).toBe('# A\n\n- one\n- two\n  more\n')
    expect(withRule('# A\r\ntext', 'two')).toBe('# A\r\ntext\r\n\r\n- two\r\n')
    expect(withRule('', 'two')).toBe('- two\n')
  })

  it('that is added is read again as it is, and taken out leaves the others', () => {
    const line = fc.stringMatching(/^[A-Za-z][A-Za-z0-9 ,.]{0,40}[a-z]$/)
    fc.assert(
      fc.property(
        fc.uniqueArray(line, { minLength: 1, maxLength: 6, selector: text => text.toLowerCase() }),
        line,
        (known, added) => {
          fc.pre(!known.some(text => text.toLowerCase() === added.toLowerCase()))
          const text = `<!-- budget: 50 lines -->\n# A\n\n${known.map(rule => `- ${rule}\n`).join('')}`
          const more = withRule(text, added)
          expect(rules(more)).toEqual([...known, added])
          const rule = readRuleFile(more).rules.at(-1)
          expect(rule && withoutRule(more, rule)).toBe(text)
        },
      ),
      { numRuns: 200 },
    )
  })
})

it('counts lines without the end of the last, and knows rules that are for some files alone', () => {
  expect(['', 'a', 'a\n', 'a\nb\r\n'].map(text => readRuleFile(text).lines)).toEqual([0, 1, 1, 2])
  const always = (front: string) => readRuleFile(`---\n${front}\n---\nText.\n`).isAlways
  expect(
    ['alwaysApply: true', 'description: x', 'globs:', 'globs: *.ts\nalwaysApply: true', 'applyTo: "**"'].map(
      always,
    ),
  ).toEqual([true, true, true, true, true])
  expect(
    ['alwaysApply: false', 'globs: *.ts', 'paths:\n  - src/**', 'applyTo: "src/**"'].map(always),
  ).toEqual([false, false, false, false])
})
