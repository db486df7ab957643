import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../model/entry.ts'
import { mergeTags } from '../text/tags.ts'
import {
  type EntrySegment,
  parseVaultFile,
  renderEntry,
  renderVaultFile,
  type VaultFile,
} from './vault-file.ts'

const owner = { agent: 'dev', category: 'lessons' } as const

function parse(text: string | Uint8Array): VaultFile {
  return parseVaultFile(typeof text === 'string' ? Buffer.from(text) : text, owner)
}
function entrySegments(file: VaultFile): EntrySegment[] {
  return file.segments.filter(segment => segment.type === 'entry')
}
function contents(text: string | Uint8Array): Record<string, string> {
  return Object.fromEntries(entrySegments(parse(text)).map(({ entry }) => [entry.id, entry.content]))
}
function loose(text: string): string[] {
  return parse(text).segments.flatMap(segment => (segment.type === 'loose' ? [segment.raw] : []))
}
function only(text: string | Uint8Array): Entry {
  const [first, ...more] = entrySegments(parse(text))
  expect(more).toEqual([])
  if (first === undefined) throw new Error('no entry')
  return first.entry
}
function codes(text: string | Uint8Array): string[] {
  return parse(text).problems.map(({ code, line }) => `${code}:${line}`)
}

const plain: Entry = {
  id: '1773679871839-k3f9',
  agent: 'dev',
  category: 'lessons',
  kind: 'lesson',
  status: 'confirmed',
  origin: 'person',
  date: '2026-03-16T16:51',
  content: 'x',
  tags: [],
  files: [],
  importance: 0.5,
}

const EXAMPLE = `<!-- id:1773679871839-k3f9 kind:warning status:pinned importance:0.8 files:src/auth.ts session:ab12 -->
## 2026-03-16T16:51 · Never modify the auth middleware directly · #auth #middleware

Never modify the auth middleware directly; extend it through hooks. See [[1773679871001]].

---
`

describe('the example of the documentation', () => {
  const entry: Entry = {
    ...plain,
    kind: 'warning',
    status: 'pinned',
    importance: 0.8,
    files: ['src/auth.ts'],
    session: 'ab12',
    tags: ['auth', 'middleware'],
    content: 'Never modify the auth middleware directly; extend it through hooks. See [[1773679871001]].',
  }

  it('reads as this entry', () => {
    expect(parse(EXAMPLE)).toEqual({
      segments: [{ type: 'entry', raw: EXAMPLE, entry, line: 1, idMissing: false }],
      eol: '\n',
      encoding: 'utf8',
      problems: [],
      owner,
    })
  })

  it('is written as this text', () => {
    expect(renderEntry(entry, '\n')).toBe(EXAMPLE)
  })
})

describe('the heading', () => {
  it.each([
    ['## 2026-03-16', '2026-03-16T00:00', []],
    ['## 2026-03-16T16:51', '2026-03-16T16:51', []],
    ['## 2026-03-16T16:51:09', '2026-03-16T16:51', []],
    ['## 2026-03-16T16:51:09.123Z · #a', '2026-03-16T16:51', ['a']],
    ['## 2026-03-16 16:51 #a', '2026-03-16T16:51', ['a']],
    ['## 2026-03-16 · #Auth-flow #decisão #c++', '2026-03-16T00:00', ['auth-flow', 'decisão', 'c++']],
    ['## 2024-02-29 ·', '2024-02-29T00:00', []],
  ])('%s', (heading, date, tags) => {
    const entry = only(`<!-- id:1 -->\n${heading}\n\nx\n\n---\n`)
    expect([entry.date, entry.tags]).toEqual([date, tags])
    expect(only(`${heading}\n\nx\n\n---\n`).date).toBe(date)
  })

  it('adds the tags of the content to its own', () => {
    expect(only('<!-- id:1 -->\n## 2026-03-16 · #b\n\nabout #a and #B\n\n---\n').tags).toEqual(['b', 'a'])
  })

  it('may be parted from its comment by the blank line a formatter puts there', () => {
    expect(only('<!-- id:1 -->\n\n## 2026-03-16\n\nx\n\n---\n')).toMatchObject({ id: '1', content: 'x' })
  })

  it.each(['## 2026-13-01', '## 2025-02-29', '## 2026-01-01T25:00', '## yesterday', '##'])(
    'reports a date that does not exist (%s) and takes the time of the id',
    heading => {
      const text = `\n<!-- id:1773679871839 -->\n${heading}\n\nx\n\n---\n`
      expect(only(text)).toMatchObject({ date: '2026-03-16T16:51', content: 'x' })
      expect(codes(text)).toEqual(['bad_date:2'])
    },
  )
})

describe('where an entry starts', () => {
  it('at a comment line with an id that a heading follows, also while another entry is open', () => {
    expect(contents('<!-- id:2 -->\n## 2026-01-02\n\nb\n<!-- id:1 -->\n## 2026-01-01\n\na\n')).toEqual({
      2: 'b',
      1: 'a',
    })
  })

  it('not at a comment line that no heading follows', () => {
    expect(contents('<!-- id:2 -->\n## 2026-01-02\n\nb\n<!-- id:1 -->\na\n\n---\n')).toEqual({
      2: 'b\n<!-- id:1 -->\na',
    })
  })

  it('at a bare dated heading when no entry is open', () => {
    const [typed] = entrySegments(parse('# Notes\n\n## 2026-01-02 · #a\n\ntyped\n\n---\n'))
    expect(typed).toMatchObject({ line: 3, idMissing: true, entry: { content: 'typed', tags: ['a'] } })
    expect(typed?.entry.id).toMatch(/^typed-[0-9a-f]{16}$/)
  })

  it('at a bare dated heading when the open entry has had its ---', () => {
    const text = '<!-- id:1 -->\n## 2026-01-01\n\na\n\n---\n\n## 2026-01-02\n\nb\n'
    expect(Object.values(contents(text))).toEqual(['a', 'b'])
  })

  it('not at a bare dated heading before that', () => {
    expect(contents('<!-- id:1 -->\n## 2026-01-01\n\na\n\n## 2026-01-02\n\nb\n\n---\n')).toEqual({
      1: 'a\n\n## 2026-01-02\n\nb',
    })
  })

  it.each(['##2026-01-02', '# Title\n\n---\n', '    ## Meeting'])('not at %s', heading => {
    expect(parse(`${heading}\n\nx\n\n---\n`).segments.map(segment => segment.type)).toEqual(['loose'])
  })

  it('takes any id without blanks', () => {
    const ids = [
      '1773679871839',
      '1773679871839-k3f9',
      'my-note',
      'ação·✓',
      'a:b',
      'a-->b'.replace('-->', '%3E'),
    ]
    const text = ids.map(id => `<!-- id:${id} -->\n## 2026-01-01\n\nx\n\n---\n`).join('\n')
    expect(entrySegments(parse(text)).map(({ entry }) => entry.id)).toEqual([...ids.slice(0, 5), 'a>b'])
  })

  it('takes a comment with an empty id as an entry that needs one', () => {
    const [typed] = entrySegments(parse('<!-- id: kind:warning -->\n## 2026-01-01\n\nx\n\n---\n'))
    expect(typed).toMatchObject({ idMissing: true, entry: { kind: 'warning', content: 'x' } })
  })
})

describe('where an entry ends', () => {
  it('at the last --- before the next start', () => {
    const text =
      '<!-- id:2 -->\n## 2026-01-02\n\na\n---\nb\n\n---\n\n<!-- id:1 -->\n## 2026-01-01\n\nc\n\n---\n'
    expect(contents(text)).toEqual({ 2: 'a\n---\nb', 1: 'c' })
    expect(loose(text)).toEqual(['\n'])
  })

  it('at the end of the file without one', () => {
    expect(contents('<!-- id:1 -->\n## 2026-01-01\n\na\nb')).toEqual({ 1: 'a\nb' })
  })

  it('reads entries without blank lines', () => {
    expect(contents('<!-- id:2 -->\n## 2026-01-02\nb\n---\n<!-- id:1 -->\n## 2026-01-01\na\n---')).toEqual({
      2: 'b',
      1: 'a',
    })
  })

  it.each(['', '\n', '\n\n', '\n\n\n'])('reads an entry without content (%j)', gap => {
    expect(only(`<!-- id:1 -->\n## 2026-01-01\n${gap}---\n`).content).toBe('')
  })

  it('leaves text before, between and after as loose text', () => {
    const entry = '<!-- id:1 -->\n## 2026-01-01\n\na\n\n---\n'
    expect(
      loose(`---\ntitle: x\n---\n# Notes\n\n${entry}between\n${entry.replace('id:1', 'id:2')}\nbehind`),
    ).toEqual(['---\ntitle: x\n---\n# Notes\n\n', 'between\n', '\nbehind'])
  })
})

describe('content', () => {
  it.each([
    '',
    '\n',
    '\n\n\n',
    ' ',
    '---',
    'a\n---',
    'a\n\n---\n',
    'trailing blanks  \n\t',
    'a\r\nb',
    'a\r',
    '\ra',
    'a\r\n\r\n',
    '\r\n',
    '\uFEFFa',
    '\0',
    '# h\n## h\n## 2026-01-01',
    '## 2026-01-01 · #x\n\ny\n\n---',
    '<!-- id:1 -->\n## 2026-01-01',
    '<!-- id:1 -->\r\n## 2026-01-01\r\n',
    '\\<!-- id:1 -->\n\\\\## 2026-01-01',
    '\\n \\ \\<!-- no -->',
    '```\n<!-- id:1 -->\n## 2026-01-01\n```',
    '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x',
    '\\<<<<<<< HEAD',
    '---\n## 2026-01-01\n---',
    'a\u2028<!-- id:1 -->\u2028## 2026-01-01',
    'a\u0085b\u000bc',
  ])('%j survives', content => {
    for (const eol of ['\n', '\r\n'] as const) {
      const text = renderEntry({ ...plain, content }, eol)
      expect(only(text)).toEqual({ ...plain, content, tags: only(text).tags })
      expect(codes(text)).toEqual([])
    }
  })

  it('is written with a backslash before a line that would read as a start', () => {
    expect(
      renderEntry({ ...plain, content: '<!-- id:1 -->\n## 2026-01-01\n\\## 2026-01-01\n## x' }, '\n'),
    ).toBe(
      '<!-- id:1773679871839-k3f9 -->\n## 2026-03-16T16:51 · 2026-01-01\n\n' +
        '\\<!-- id:1 -->\n\\## 2026-01-01\n\\\\## 2026-01-01\n## x\n\n---\n',
    )
  })

  it('is written with a backslash before a line that would read as the start of a conflict', () => {
    expect(renderEntry({ ...plain, content: '<<<<<<< HEAD\n=======' }, '\n')).toContain(
      '\n\\<<<<<<< HEAD\n=======\n',
    )
  })
})

describe('a title', () => {
  const titled = (body: string) => `<!-- id:1 -->\n## 2026-01-01 · Use tabs · #style\n${body}`

  it('is ignored, and its tags and its date are read', () => {
    expect(only(titled('\nBody.\n\n---\n'))).toMatchObject({
      date: '2026-01-01T00:00',
      content: 'Body.',
      tags: ['style'],
    })
  })

  it('is the content where nothing else is', () => {
    expect(only(titled('\n---\n')).content).toBe('Use tabs')
    expect(only(titled('')).content).toBe('Use tabs')
  })

  it('makes the first --- line the end', () => {
    const text = titled('\na\n\n---\n\nb\n\n---\n')
    expect(only(text).content).toBe('a')
    expect(codes(text)).toEqual(['unread_text:8'])
  })

  it('lets --- stand in a closed fence and behind a backslash', () => {
    expect(only(titled('\n```\n---\n```\n\\---\n\\\\---\n\n---\n')).content).toBe('```\n---\n```\n---\n\\---')
  })

  it('ends it at --- in a fence that is never closed', () => {
    expect(
      contents(
        `${titled('\n```\na\n\n---\n')}\n${titled('\nb\n```\nc\n```\n\n---\n').replace('id:1', 'id:2')}`,
      ),
    ).toEqual({
      1: '```\na',
      2: 'b\n```\nc\n```',
    })
  })

  it('keeps an example entry in a fence as text', () => {
    const example = '```md\n<!-- id:9 -->\n## 2026-01-01\n\nx\n\n---\n\n<!-- id:8 -->\n## 2026-01-01\n```'
    expect(only(titled(`\n${example}\n\n---\n`)).content).toBe(example)
  })

  it('is written with what would end the body escaped', () => {
    expect(renderEntry({ ...plain, content: 'a\n---\n```\n---\n```\n~~~\nb' }, '\n')).toBe(
      '<!-- id:1773679871839-k3f9 -->\n## 2026-03-16T16:51 · a\n\na\n\\---\n```\n---\n```\n\\~~~\nb\n\n---\n',
    )
  })
})

describe('an entry without a title', () => {
  it('keeps an example entry in a closed fence as text', () => {
    const example = '```md\n<!-- id:9 -->\n## 2026-01-01\n\nx\n```'
    expect(contents(`<!-- id:1 -->\n## 2026-01-01\n\n${example}\n\n---\n`)).toEqual({ 1: example })
  })

  it('does not hide the next entry in a fence that is never closed', () => {
    const text =
      '<!-- id:2 -->\n## 2026-01-01\n\n```\na\n\n---\n\n<!-- id:1 -->\n## 2026-01-01\n\n```\nb\n\n---\n'
    expect(contents(text)).toEqual({ 2: '```\na', 1: '```\nb' })
  })
})

describe('line ends', () => {
  const lf = '# Notes\n\n<!-- id:2 -->\n## 2026-01-02 · #a\n\nb\n\nc\n\n---\n\n## 2026-01-01\n\ntyped\n'

  it('of a file that an editor saved with CRLF do not reach the content', () => {
    const crlf = parse(lf.replaceAll('\n', '\r\n'))
    expect(crlf.eol).toBe('\r\n')
    expect(entrySegments(crlf).map(({ entry }) => entry)).toEqual(
      entrySegments(parse(lf)).map(({ entry }) => entry),
    )
  })

  it('of the content stay where the comment line has LF', () => {
    const text = '<!-- id:1 -->\n## 2026-01-01\n\na\r\nb\n\n---\n'
    expect(only(text).content).toBe('a\r\nb')
    expect(parse(text).eol).toBe('\n')
  })

  it('around it are taken for an editor’s where Cairn would not have put them', () => {
    expect(only('<!-- id:1 -->\n## 2026-01-01\r\n\r\na\r\nb\r\n\r\n---\r\n').content).toBe('a\r\nb')
  })

  it('are written as the file has them', () => {
    expect(renderEntry(plain, '\r\n')).toBe(
      '<!-- id:1773679871839-k3f9 -->\r\n## 2026-03-16T16:51 · x\r\n\r\nx\r\n\r\n---\r\n',
    )
  })

  it('are LF around content that has carriage returns of its own', () => {
    expect(renderEntry({ ...plain, content: 'a\r\nb' }, '\r\n')).toBe(
      '<!-- id:1773679871839-k3f9 -->\n## 2026-03-16T16:51 · a\n\na\r\nb\n\n---\n',
    )
  })

  it.each([
    ['', '\n'],
    ['x', '\n'],
    ['x\r\ny\n', '\r\n'],
    ['\n', '\n'],
  ])('of a file without entries (%j) are those of its first line', (text, eol) => {
    expect(parse(text).eol).toBe(eol)
  })
})

describe('bytes', () => {
  it('of a BOM at the start are loose text', () => {
    const file = parse(`\uFEFF${EXAMPLE}`)
    expect(file.segments.map(({ type, raw }) => [type, raw.length])).toEqual([
      ['loose', 1],
      ['entry', EXAMPLE.length],
    ])
  })

  it('that are not UTF-8 are read with replacement characters, entry by entry, and reported', () => {
    const text = Buffer.concat([
      Buffer.from(
        '<!-- id:2 session:é -->\n## 2026-01-02 · #ação\n\nok ✓\n\n---\n\n<!-- id:1 -->\n## 2026-01-01\n\nbad ',
      ),
      Buffer.from([0xe9, 0xff]),
      Buffer.from('\n\n---\n'),
    ])
    expect(contents(text)).toEqual({ 2: 'ok ✓', 1: 'bad \uFFFD\uFFFD' })
    expect(entrySegments(parse(text))[0]?.entry).toMatchObject({ tags: ['ação'], session: 'é' })
    expect(codes(text)).toEqual(['not_utf8:11'])
    expect(Buffer.from(renderVaultFile(parse(text))).equals(text)).toBe(true)
  })

  it('of a bare heading with · are found in such a file too', () => {
    expect(
      Object.values(contents(Buffer.concat([Buffer.from('## 2026-01-02 · #a\n\nx\n'), Buffer.from([0xff])]))),
    ).toEqual(['x\n\uFFFD'])
  })

  it('of UTF-16 are reported as such', () => {
    expect(codes(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('x', 'utf16le')]))).toEqual([
      'utf16:1',
    ])
  })

  it('come back as they were, whatever they are', () => {
    const fragment = fc.constantFrom(
      ...[
        '---',
        '---\n',
        '\n',
        '\r\n',
        '\r',
        ' ',
        '## 2026-01-01',
        '## x',
        '<!-- id:1 -->\n',
        '<!-- id:2 -->',
        '\uFEFF',
      ],
      ...['\\<!-- id:', '\\', '<<<<<<< a\n', '=======\n', '>>>>>>> b\n', 'text', '```\n', '#tag', '\0', '· '],
    )
    const text = fc.array(fragment, { maxLength: 40 }).map(parts => Buffer.from(parts.join('')))
    const bytes = fc.oneof(
      text,
      fc.uint8Array({ maxLength: 200 }),
      fc.tuple(text, fc.uint8Array({ maxLength: 4 }), text).map(parts => Buffer.concat(parts)),
    )
    fc.assert(
      fc.property(bytes, input => {
        expect(Buffer.from(renderVaultFile(parse(input))).equals(input)).toBe(true)
      }),
      { numRuns: 3000 },
    )
  })
})

describe('an id that occurs twice', () => {
  const entry = (id: string, content: string) => `<!-- id:${id} -->\n## 2026-01-01\n\n${content}\n\n---\n`

  it('with equal content is kept and reported', () => {
    const text = `${entry('1', 'a')}\n${entry('1', 'a')}`
    expect(entrySegments(parse(text)).map(({ entry: { id }, idMissing }) => [id, idMissing])).toEqual([
      ['1', false],
      ['1', false],
    ])
    expect(codes(text)).toEqual(['duplicate_id:8'])
  })

  it('with other content counts as an entry without an id', () => {
    const text = `${entry('1', 'a')}\n${entry('1', 'b')}\n${entry('1', 'c')}`
    expect(entrySegments(parse(text)).map(({ entry: { id }, idMissing }) => [id, idMissing])).toEqual([
      ['1', false],
      ['1~2', true],
      ['1~3', true],
    ])
    expect(codes(text)).toEqual([])
  })

  it('on both sides of a conflict answers to ID~2', () => {
    const text = `<<<<<<< HEAD\n${entry('1', 'ours')}=======\n${entry('1', 'theirs')}>>>>>>> b\n\n${entry('1~2', 'x')}`
    expect(
      entrySegments(parse(text)).map(({ entry: { id, content }, idMissing }) => [id, content, idMissing]),
    ).toEqual([
      ['1', 'ours', false],
      ['1~3', 'theirs', false],
      ['1~2', 'x', false],
    ])
    expect(codes(text)).toEqual(['conflict_markers:1'])
  })
})

describe('conflict markers', () => {
  const conflicted = (ours: string, theirs: string) => `<<<<<<< HEAD\n${ours}=======\n${theirs}>>>>>>> x\n`

  it('are reported', () => {
    const text = `<!-- id:1 -->\n## 2026-01-01\n\na\n${conflicted('b\n', 'c\n')}\n---\n`
    expect(parse(text).problems).toEqual([
      {
        code: 'conflict_markers',
        line: 5,
        message: 'unresolved git conflict, lines 5 to 9, about 1',
        hint: 'Edit both sides into one text and remove the lines that start with <<<<<<<, ======= and >>>>>>>.',
      },
    ])
  })

  it.each([
    '=======\n',
    '<<<<<<< HEAD\n',
    '>>>>>>> x\n',
    '<<<<<<< HEAD\n>>>>>>> x\n',
    '<<<<<<<<\n=======\n>>>>>>> x\n',
  ])('alone are text (%j)', text => {
    expect(codes(text)).not.toContain('conflict_markers:1')
  })

  it('of a three-way conflict are understood', () => {
    expect(
      codes('<<<<<<< a\n||||||| base\n=======\n>>>>>>> b\n<<<<<<< a\r\n=======\r\n>>>>>>> b\r\n'),
    ).toEqual(['conflict_markers:1', 'conflict_markers:5'])
  })
})

const nasty = fc
  .array(
    fc.constantFrom(
      ...[
        '---',
        '---\n',
        '\n',
        '\n\n',
        '\r\n',
        '\r',
        ' ',
        '\t',
        'a',
        'é',
        '✓',
        '\\',
        '\\\\',
        '\0',
        '\uFEFF',
        '`',
        '```\n',
        '```js\n',
        '~~~\n',
        '\\```\n',
        '\\---\n',
      ],
      ...[
        '## 2026-01-01',
        '## 2026-01-01 · #x\n',
        '## x\n',
        '<!-- id:1 -->',
        '<!-- id:1 -->\n',
        '<!--',
        '-->',
        '\u2028',
      ],
      ...[
        '\\<!-- id:',
        '\\<!-- id:2 -->\n',
        '\\## 2026-01-01\n',
        '<<<<<<< a\n',
        '=======\n',
        '>>>>>>> b\n',
        '#tag',
        '%20',
        ',',
      ],
    ),
    { maxLength: 14 },
  )
  .map(parts => parts.join(''))

const anyEntry: fc.Arbitrary<Entry> = fc.record(
  {
    id: nasty.filter(text => text !== ''),
    agent: fc.constant('dev'),
    category: fc.constant('lessons' as const),
    kind: fc.oneof(
      fc.constantFrom('lesson', 'warning'),
      nasty.filter(text => text !== ''),
    ),
    status: fc.constantFrom('candidate', 'confirmed', 'pinned'),
    origin: fc.constantFrom('person', 'machine'),
    date: fc.constantFrom('2026-03-16T16:51', '1970-01-01T00:00', '2024-02-29T23:59'),
    updated: fc.constantFrom('2026-03-17T10:00:01', '2026-03-17T10:00:01Z'),
    content: fc.oneof(nasty, fc.string({ unit: 'grapheme', maxLength: 60 })),
    tags: fc.array(nasty, { maxLength: 3 }),
    files: fc.array(
      nasty.filter(text => text !== ''),
      { maxLength: 3 },
    ),
    importance: fc.double({ min: 0, max: 1, noNaN: true }).map(value => value + 0),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }).map(value => value + 0),
    session: nasty,
    extra: fc.dictionary(fc.stringMatching(/^x[a-z.-]{0,5}$/), fc.stringMatching(/^[a-z0-9%,:.#-]{0,8}$/), {
      minKeys: 1,
      maxKeys: 3,
      noNullPrototype: true,
    }),
  },
  {
    requiredKeys: [
      'id',
      'agent',
      'category',
      'kind',
      'status',
      'origin',
      'date',
      'content',
      'tags',
      'files',
      'importance',
    ],
  },
)

describe('any entry', () => {
  it('comes back from its text with the same content and fields, among any neighbours', () => {
    fc.assert(
      fc.property(
        anyEntry,
        anyEntry,
        fc.constantFrom('\n' as const, '\r\n' as const),
        (entry, other, eol) => {
          fc.pre(entry.id !== other.id)
          const text = `${renderEntry(entry, eol)}${eol}${renderEntry(other, eol)}`
          const read = entrySegments(parse(text)).map(segment => segment.entry)
          expect(read).toEqual(
            [entry, other].map((wanted, i) => ({
              ...wanted,
              tags: mergeTags(wanted.tags, read[i]?.tags ?? []),
            })),
          )
          expect(codes(text)).toEqual([])
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('stays one entry whatever its values are', () => {
    const hostile = fc.record({ ...Object.fromEntries(Object.keys(plain).map(key => [key, nasty])) })
    fc.assert(
      fc.property(hostile, nasty, nasty, (values, key, value) => {
        const entry = {
          ...plain,
          ...values,
          category: 'lessons',
          tags: [value],
          files: [value],
          importance: Number.NaN,
        }
        const text = renderEntry({ ...entry, extra: { [key]: value } } as Entry, '\n')
        expect(parse(text).segments.map(segment => segment.type)).toEqual(['entry'])
        expect(only(text).content).toBe(entry.content)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('time', () => {
  const page = (entries: number) =>
    Array.from(
      { length: entries },
      (_, i) =>
        `<!-- id:${1773679871839 - i} kind:warning files:src/a.ts -->\n## 2026-03-16T16:51 · #auth\n\n${'Some content. '.repeat(16)}\n\n---\n`,
    ).join('\n')

  function msFor(bytes: Uint8Array, runs = 3): number {
    let best = Infinity
    for (let run = 0; run < runs; run++) {
      // The time of this process, without the time it waited for others.
      const start = process.cpuUsage()
      parse(bytes)
      const { user, system } = process.cpuUsage(start)
      best = Math.min(best, (user + system) / 1000)
    }
    return best
  }

  it.each([
    ['many entries', (n: number) => page(n)],
    [
      'one entry of many lines',
      (n: number) => `<!-- id:1 -->\n## 2026-01-01\n\n${'\\## 2026-01-01\n---\n'.repeat(n * 8)}`,
    ],
    ['one line', (n: number) => `<!-- id:1 -->\n## 2026-01-01\n\n${'x'.repeat(n * 250)}`],
    ['comments that no heading follows', (n: number) => '<!-- id:1 -->\n'.repeat(n * 10)],
    [
      'comments in a conflict',
      (n: number) => `<<<<<<< a\n=======\n${'<!-- id:1 -->\n'.repeat(n * 10)}>>>>>>> b\n`,
    ],
    ['typed entries that are alike', (n: number) => '## 2026-01-01\n\nx\n\n---\n'.repeat(n * 4)],
    [
      'one id over and over',
      (n: number) =>
        Array.from({ length: n }, (_, i) => `<!-- id:1 -->\n## 2026-01-01\n${i}\n---\n`).join(''),
    ],
    ['blank lines', (n: number) => '\n'.repeat(n * 100)],
  ])('grows with the size of the file: %s', (_, make) => {
    const small = Buffer.from(make(1_000))
    const large = Buffer.from(make(16_000))
    // Sixteen times the size: quadratic code takes 256 times as long. The constant is for a busy machine.
    expect(msFor(large)).toBeLessThan(64 * msFor(small) + 200)
  })

  const TITLED = '<!-- id:1 -->\n## 2026-01-01 · A title\n\n'
  const UNTITLED = '<!-- id:1 -->\n## 2026-01-01\n\n'
  const TOKENS = [
    ...[
      ' ',
      '\t',
      '\n',
      ' \n',
      '\r\n',
      '\r',
      '#',
      ' #',
      '#a ',
      '## a\n',
      '# a\n',
      '- ',
      '- a\n',
      '  - a\n',
      '1. a\n',
    ],
    ...[
      '<!--',
      'a <!--\n',
      '-->',
      '`',
      '```\n',
      '``` a\n',
      '~~~',
      '~~~ a\n',
      '``` a\n~~~ a\n',
      '> ',
      '[[',
      '(#',
      '|\n',
    ],
    ...[
      '\\',
      '\\---\n',
      '· ',
      '·',
      '---\n',
      '<',
      '<<<<<<<\n',
      '<<<<<<<\n- a\n=======\n- b\n>>>>>>>\n',
      '%20',
      ' id:',
    ],
    ...[
      '## 2026-01-01 · ',
      '## 2026-01-01\n',
      '<!-- id:2 -->\n',
      `${UNTITLED}a\n`,
      `---\n${TITLED}`,
      `\`\`\`\n${UNTITLED}`,
    ],
  ]
  it.each<[string, (text: string) => string]>([
    ['alone', text => text],
    ['in an entry with a title', text => `${TITLED}a\n${text}b\n\n---\n`],
    ['in an entry without one', text => `${UNTITLED}a\n${text}b\n\n---\n`],
    ['in a section', text => `## Typed\na\n${text}b\n`],
    ['in a bullet', text => `- a\n${text}b\n`],
    ['in a heading', text => `## a ${text}b\n`],
    ['in a dated heading', text => `<!-- id:1 -->\n## 2026-01-01 ${text}\n\nx\n`],
    ['in a comment line', text => `<!-- id:1 ${text} -->\n## 2026-01-01\n\nx\n`],
    ['in a conflict', text => `<<<<<<< a\n${text}\n=======\n${text}\n>>>>>>> b\n`],
    ['before fences that hold an entry', text => `${text}\n${TITLED}\n~~~\n\`\`\`\n\`\`\` a\n`],
    ['in an open fence', text => `~~~ a\n${text}${UNTITLED}`],
  ])('grows with the size of the file: any short text over and over, %s', (_, around) => {
    const make = (length: number, token: string) =>
      Buffer.from(around(token.repeat(Math.ceil(length / token.length))))
    for (const token of TOKENS) {
      expectLinear(size => make(size, token), 48_000, JSON.stringify(token))
    }
  })

  it.each([
    ['fences of many lengths', (n: number) => manyFences(n) + 'x\n'.repeat(n * 100)],
    [
      'fences of an untitled entry that reach over other entries',
      (n: number) => `${UNTITLED}${'``` a\n'.repeat(n * 10)}${UNTITLED}---\n${UNTITLED}\`\`\`\n`,
    ],
    ['conflicts', (n: number) => '<<<<<<<\n- a\n=======\n- b\n>>>>>>>\n'.repeat(n * 2)],
  ])('grows with the size of the file: %s', (_, make) => {
    expectLinear(n => Buffer.from(make(n)), 4_000)
  })

  it('reads more entries in one conflict than a call takes arguments', () => {
    const file = parse(`<<<<<<<\n${'- a\n'.repeat(150_000)}=======\n>>>>>>>\n`)
    expect(entrySegments(file)).toHaveLength(150_000)
  })

  /** Four times the size: quadratic code takes 16 times as long. Work that takes no measurable time is not compared. */
  function expectLinear(make: (size: number) => Uint8Array, size: number, of?: string): void {
    const large = make(size)
    if (msFor(large, 1) <= 200) return
    // On a busy machine one measurement may be off; quadratic code fails every time.
    let ratio = Infinity
    for (let tries = 0; tries < 4 && ratio >= 9; tries++) ratio = msFor(large) / msFor(make(size / 4))
    expect(ratio, of).toBeLessThan(9)
  }

  /** Openers of all lengths, none of which is closed, in a text of about 60 times `n` characters. */
  function manyFences(n: number): string {
    return Array.from({ length: Math.sqrt(120 * n) }, (_, at) => `${'~'.repeat(at + 3)} a\n`).join('')
  }
})
