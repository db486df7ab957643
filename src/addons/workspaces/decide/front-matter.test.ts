import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bodyOf, readPlainFields, splitFrontMatter } from './front-matter.ts'
import { readYamlFields } from './yaml-front-matter.ts'

const valuesOf = (yaml: string) => {
  const fields = readPlainFields(yaml)
  return fields && Object.fromEntries([...fields].map(([key, field]) => [key, field.value]))
}

describe('front matter is found', () => {
  it.each([
    ['---\nname: x\n---\nbody', 'name: x\n', 'body'],
    ['\ufeff---\nname: x\n---\nbody', 'name: x\n', 'body'],
    ['---\r\nname: x\r\n---\r\nbody', 'name: x\r\n', 'body'],
    ['--- \t\nname: x\n---  \n\nbody', 'name: x\n', '\nbody'],
    ['---\nname: x\n---', 'name: x\n', ''],
    ['---\n---\nbody', '', 'body'],
    ['---\nname: x\n---\nabove\n\n---\n\nbelow', 'name: x\n', 'above\n\n---\n\nbelow'],
    ['---\nname: x\n----\nstill: y\n---\nbody', 'name: x\n----\nstill: y\n', 'body'],
  ])('%j', (text, yaml, body) => {
    const found = splitFrontMatter(text)
    expect(found).toMatchObject({ kind: 'found', yaml })
    expect(bodyOf(text)).toBe(body)
  })

  it.each([
    ['# Plan\n\n---\n', 'none'],
    ['', 'none'],
    ['----\nname: x\n---\n', 'none'],
    [' ---\nname: x\n---\n', 'none'],
    ['---\nname: x\n', 'open'],
    ['---', 'open'],
    ['---\n\n# A rule at the top\n', 'open'],
  ])('or not: %j is %s', (text, kind) => {
    expect(splitFrontMatter(text)).toEqual({ kind })
  })
})

describe('plain front matter', () => {
  it('is read without the parser', () => {
    expect(
      valuesOf(
        '# who wrote it\nname: "Workflow Engine"\ndescription: Build it, then [ship] it\nstatus: done\ncreated: 2026-02-08\ntags: [workflow, state-management]\nowners:\n  - ana\n  - "bob"\nempty:\nquoted: \'it: is\'\r\n',
      ),
    ).toEqual({
      name: 'Workflow Engine',
      description: 'Build it, then [ship] it',
      status: 'done',
      created: '2026-02-08',
      tags: ['workflow', 'state-management'],
      owners: ['ana', 'bob'],
      empty: null,
      quoted: 'it: is',
    })
  })

  it('says in which line of the file a field stands', () => {
    const fields = readPlainFields('name: x\n\ntags:\n- a\nstatus: done\n')
    expect([...(fields ?? [])].map(([key, { line }]) => [key, line])).toEqual([
      ['name', 2],
      ['tags', 4],
      ['status', 6],
    ])
  })

  it.each([
    'name: true',
    'name: 0x12',
    'name: ~',
    'name: null',
    'name: a: b',
    'name: a # comment',
    'name: "a \\n b"',
    'name: |\n  text',
    'name: one\n  two',
    'name: x\nname: y',
    'name:\tx',
    'tags: [a, 1]',
    'tags: [a, [b]]',
    'tags:\n  - a\n - b',
    '? x',
    '- a',
    '&a x: y',
    'name: *a',
    'name: 2026-02-08T10:00:00Z',
  ])('leaves %j to the parser', yaml => {
    expect(readPlainFields(yaml)).toBeUndefined()
  })

  it('says what the whole parser says, of everything it accepts', () => {
    const word = fc.constantFrom(
      ...[
        'name',
        'a b',
        'true',
        'no',
        'null',
        '12',
        '0x1f',
        '1e3',
        '2026-02-08',
        '2026-02-30',
        '~',
        '.inf',
        '-',
        '--',
        '"q"',
        "'s'",
      ],
      ...[
        '"a\'b"',
        '# c',
        'a #b',
        'a: b',
        'a:',
        'http://x.y/z',
        'é',
        '🪨',
        '[a, b]',
        '[a,b , c]',
        '[]',
        '[a,]',
        '[ ]',
        '{}',
        '*x',
        '&x',
        '!t',
        '|',
        '>',
        '@x',
        '`x`',
        '%',
        '\u00a0x',
        'x\u2028y',
        '\ufeff',
        'x y z',
        '-1',
        '+1',
        'yes',
        'Null',
        'TRUE',
        'a,b',
        'a]',
        '[a: b]',
        '["a"]',
        '\ud800',
      ],
      ...['0', '0.5', '1.50', '007', '12.', '1.0', '123456789012345678', '0.1234567890123456', '1 2', '-0.5'],
      ...[
        '["a, b", c]',
        '[a, "b"]',
        '["a" b]',
        '["a": b]',
        '["a]',
        '["a",]',
        '["", x]',
        '["a" , "b\\n"]',
        '[1, "a"]',
      ],
    )
    const value = fc.oneof(word, fc.string({ maxLength: 12 }), fc.string({ unit: 'grapheme', maxLength: 8 }))
    const key = fc.constantFrom('name', 'status', 'tags', '__proto__', 'a-b', 'a b', '1', '"k"', '')
    const line = fc.oneof(
      {
        weight: 6,
        arbitrary: fc
          .tuple(key, fc.constantFrom(': ', ':', ':  ', ':\t', ' : '), value)
          .map(parts => parts.join('')),
      },
      fc.tuple(fc.constantFrom('- ', '  - ', '    - ', '-', ' -\t'), value).map(parts => parts.join('')),
      fc.constantFrom('', '  ', '# comment', '  # comment', '...', '\t'),
      value,
    )
    const yaml = fc
      .tuple(fc.array(line, { maxLength: 6 }), fc.constantFrom('\n', '\r\n'))
      .map(([lines, end]) => lines.map(each => each + end).join(''))
    let accepted = 0
    fc.assert(
      fc.property(yaml, text => {
        const plain = readPlainFields(text)
        if (plain === undefined) return
        accepted++
        const whole = readYamlFields(text)
        expect(whole, JSON.stringify(text)).toMatchObject({ kind: 'read' })
        if (whole.kind === 'read') expect([...plain], JSON.stringify(text)).toEqual([...whole.fields])
      }),
      { numRuns: 20_000 },
    )
    expect(accepted).toBeGreaterThan(1_000)
  })
})

describe('the whole parser', () => {
  it('says the line of what is no YAML, without the words that stand there', () => {
    const reading = readYamlFields('name: x\ndescription: "open\nstatus: done\n')
    expect(reading).toEqual({ kind: 'damaged', line: 5, why: 'Missing closing "quote' })
    expect(JSON.stringify(reading)).not.toContain('open')
  })

  it.each([
    ['- a\n- b\n', 'it is not a list of `key: value` lines'],
    ['just words\n', 'it is not a list of `key: value` lines'],
    ['name: x\nname: y\n', 'Map keys must be unique'],
    [
      `a: &a [x, x]\n${Array.from({ length: 12 }, (_, i) => `b${i}: &b${i} [*${i === 0 ? 'a' : `b${i - 1}`}, *${i === 0 ? 'a' : `b${i - 1}`}]`).join('\n')}\n`,
      'it repeats itself without end',
    ],
  ])('refuses %j', (yaml, why) => {
    expect(readYamlFields(yaml)).toMatchObject({ kind: 'damaged', why })
  })

  it.each([
    ['brackets', `a: ${'['.repeat(60_000)}`],
    ['braces', `a: ${'{a: '.repeat(15_000)}`],
    ['dashes', `a:\n  ${'- '.repeat(30_000)}x`],
    ['questions', `${'? '.repeat(30_000)}x`],
  ])('does not descend into thousands of %s', (_, yaml) => {
    expect(readYamlFields(yaml)).toEqual({ kind: 'damaged', line: 2, why: 'it is nested too deep' })
  })
})
