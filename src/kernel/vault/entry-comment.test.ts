import { describe, expect, it } from 'vitest'
import type { Entry } from '../model/entry.ts'
import { isEntryComment, parseEntryComment, renderEntryComment, replaceIdInComment } from './entry-comment.ts'

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

const isComment = (line: string) => isEntryComment(line, 0, line.length)
const read = (line: string) => parseEntryComment(line, 'lessons')

describe('isEntryComment', () => {
  it.each([
    '<!-- id:1773679871839 -->',
    '<!--id:5-->',
    '<!-- id:5 kind:warning files:a.ts,b.ts -->  ',
    '<!-- kind:warning id:5 -->',
    '<!-- id:ação·✓ -->\r',
    '<!-- id: -->',
    '<!-- id:5 files:my notes.md -->',
  ])('takes %s', line => {
    expect(isComment(line)).toBe(true)
  })

  it.each([
    '<!-- see id:5 -->',
    '<!-- a note -->',
    '<!-- kind:warning -->',
    '<!-- id:5',
    '<!-- id:5 --> text',
    '<!-- id:5 --> <!-- b:1 -->',
    ' <!-- id:5 -->',
    '\\<!-- id:5 -->',
    '<!-- paid:5 -->',
    '<!-->',
    '',
  ])('leaves %j alone', line => {
    expect(isComment(line)).toBe(false)
  })
})

describe('anchors', () => {
  const line =
    '<!-- id:7 files:src/a@b.ts,my%20notes.md anchors:src/a@b.ts@4InchlLHljDG.3,my%20notes.md@=3FPKE3FPKE commit:311a8284b6a0 -->'

  it('come back as they were written', () => {
    const fields = read(line)
    expect(fields).toMatchObject({
      anchors: [
        { file: 'src/a@b.ts', print: '4InchlLHljDG.3' },
        { file: 'my notes.md', print: '=3FPKE3FPKE' },
      ],
      commit: '311a8284b6a0',
    })
    expect(renderEntryComment({ ...plain, ...fields })).toBe(line)
  })

  it.each(['anchors:a.ts', 'anchors:a.ts@ö', 'anchors:@x', 'anchors:', 'commit:main', 'anchors:a.ts@x,b.ts'])(
    'that are unreadable stay unchanged: %s',
    pair => {
      const fields = read(`<!-- id:7 ${pair} -->`)
      expect([fields.anchors, fields.commit]).toEqual([undefined, undefined])
      expect(renderEntryComment({ ...plain, ...fields })).toBe(`<!-- id:7 ${pair} -->`)
    },
  )

  it('cannot break the comment', () => {
    const anchors = [
      { file: 'a --> b,c.ts', print: 'x' },
      { file: 'b.ts', print: 'y --> z' },
    ]
    const written = renderEntryComment({ ...plain, anchors, commit: 'a b' })
    expect(isComment(written)).toBe(true)
    expect(read(written)).toMatchObject({ anchors: [{ file: 'a --> b,c.ts', print: 'x' }] })
    expect(read(written).commit).toBeUndefined()
  })
})

describe('parseEntryComment', () => {
  it('reads every key', () => {
    expect(
      read(
        '<!-- id:7 kind:warning status:pinned origin:machine importance:0.8 confidence:0.9 files:src/auth.ts,b.ts session:ab12 updated:2026-03-17T10:00:01Z -->',
      ),
    ).toEqual({
      id: '7',
      kind: 'warning',
      status: 'pinned',
      origin: 'machine',
      importance: 0.8,
      confidence: 0.9,
      files: ['src/auth.ts', 'b.ts'],
      session: 'ab12',
      updated: '2026-03-17T10:00:01Z',
    })
  })

  it('gives what is not written its default, the kind that of the file', () => {
    expect(read('<!-- id:7 -->')).toEqual({
      id: '7',
      kind: 'lesson',
      status: 'confirmed',
      origin: 'person',
      importance: 0.5,
      files: [],
    })
    expect(parseEntryComment('<!-- id:7 -->', 'handoffs').kind).toBe('handoff')
  })

  it('keeps keys it does not know, in order, as they are', () => {
    expect(read('<!-- id:7 zeta:a%2Fb alpha:x,y __proto__:p -->').extra).toEqual(
      Object.fromEntries([
        ['zeta', 'a%2Fb'],
        ['alpha', 'x,y'],
        ['__proto__', 'p'],
      ]),
    )
  })

  it('keeps values of its own keys that it cannot read', () => {
    expect(read('<!-- id:7 status:frozen importance:high -->')).toMatchObject({
      status: 'confirmed',
      importance: 0.5,
      extra: { status: 'frozen', importance: 'high' },
    })
  })

  it('joins a word without a key to the value before it', () => {
    expect(read('<!-- id:7 files:my notes.md session:s -->')).toMatchObject({
      files: ['my notes.md'],
      session: 's',
    })
  })

  it('leaves a percent sign that encodes nothing', () => {
    expect(read('<!-- id:7 files:100%.md,%FF.md,%41.md -->').files).toEqual(['100%.md', '%FF.md', 'A.md'])
  })
})

describe('renderEntryComment', () => {
  it('writes no value that equals its default', () => {
    expect(renderEntryComment(plain)).toBe('<!-- id:1773679871839-k3f9 -->')
  })

  it('writes the keys in one order, the unknown ones last', () => {
    expect(
      renderEntryComment({
        ...plain,
        kind: 'warning',
        status: 'pinned',
        origin: 'machine',
        importance: 0.8,
        confidence: 0.25,
        files: ['src/auth.ts', 'b.ts'],
        session: 'ab12',
        updated: '2026-03-17T10:00:01',
        extra: { zeta: '1', alpha: '2' },
      }),
    ).toBe(
      '<!-- id:1773679871839-k3f9 kind:warning status:pinned origin:machine importance:0.8 confidence:0.25 ' +
        'files:src/auth.ts,b.ts session:ab12 updated:2026-03-17T10:00:01 zeta:1 alpha:2 -->',
    )
  })

  it('encodes blanks, percent signs, commas and angle brackets', () => {
    expect(
      renderEntryComment({ ...plain, files: ['a b', '50%', 'x,y', '<z>'], session: 'a\n-->\n## x' }),
    ).toBe('<!-- id:1773679871839-k3f9 files:a%20b,50%25,x%2Cy,%3Cz%3E session:a%0A--%3E%0A##%20x -->')
  })

  it('keeps an unreadable value of a known key until the field is set', () => {
    const frozen = { ...plain, extra: { status: 'frozen' } }
    expect(renderEntryComment(frozen)).toBe('<!-- id:1773679871839-k3f9 status:frozen -->')
    expect(renderEntryComment({ ...frozen, status: 'pinned' })).toBe(
      '<!-- id:1773679871839-k3f9 status:pinned -->',
    )
  })

  it('drops extra keys that would forge a field or break the line', () => {
    expect(
      renderEntryComment({
        ...plain,
        extra: { id: '9', status: 'pinned', 'a b': '1', 'x-->': '2', ok: 'a b-->' },
      }),
    ).toBe('<!-- id:1773679871839-k3f9 ok:a%20b--%3E -->')
  })
})

describe('replaceIdInComment', () => {
  it.each([
    ['<!-- id:5 kind:warning -->', '<!-- id:NEW kind:warning -->'],
    ['<!-- kind:warning id:5 -->\r', '<!-- kind:warning id:NEW -->\r'],
    ['<!--id:5-->', '<!--id:NEW-->'],
    ['<!-- id: -->', '<!-- id:NEW -->'],
  ])('%s → %s', (line, expected) => {
    expect(replaceIdInComment(line, 'NEW')).toBe(expected)
  })

  it('takes no longer for a long run of blanks than for other text', () => {
    const start = process.cpuUsage()
    replaceIdInComment(`<!-- kind:warning${' '.repeat(200_000)}x -->`, 'NEW')
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(1_000)
  })
})
