import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseVaultFile, renderVaultFile, type VaultFile } from './vault-file.ts'

const owner = { agent: 'dev', category: 'lessons' } as const

function parse(text: string): VaultFile {
  return parseVaultFile(Buffer.from(text), owner)
}
function conflict(ours: string, theirs: string, base?: string): string {
  const ancestor = base === undefined ? '' : `||||||| 3f9a1c2\n${base}`
  return `<<<<<<< HEAD\n${ours}${ancestor}=======\n${theirs}>>>>>>> feature\n`
}
/** `id side content`, in the order of the file. */
function found(text: string): string[] {
  const file = parse(text)
  expect(Buffer.from(renderVaultFile(file)).toString()).toBe(text)
  return file.segments.flatMap(segment =>
    segment.type === 'loose'
      ? []
      : [`${segment.entry.id} ${segment.entry.extra?.unmerged ?? 'merged'} ${segment.entry.content}`],
  )
}
const head = '<!-- id:1 -->\n## 2026-01-01 · said\n\n'
const end = '\n---\n'
const other = '<!-- id:0 -->\n## 2026-01-01 · other\n\nother\n\n---\n'

describe('an entry that a conflict runs through', () => {
  it.each([
    [
      'in half of its body',
      `${head}a\n${conflict('b\n', 'c\n')}d\n${end}`,
      ['1 ours a\nb\nd', '1~2 theirs a\nc\nd'],
    ],
    ['in its whole body', `${head}${conflict('b\n', 'c\n')}${end}`, ['1 ours b', '1~2 theirs c']],
    [
      'in its heading',
      `<!-- id:1 -->\n${conflict('## 2026-01-01 · a · #x\n', '## 2026-01-02 · b\n')}\nsame\n${end}`,
      ['1 ours same', '1~2 theirs same'],
    ],
    [
      'in its comment',
      `${conflict('<!-- id:1 status:pinned -->\n', '<!-- id:1 importance:0.9 -->\n')}## 2026-01-01\n\nsame\n${end}`,
      ['1 ours same', '1~2 theirs same'],
    ],
    [
      'in its comment and its heading',
      `${conflict('<!-- id:1 status:pinned -->\n## 2026-01-01 · a\n', '<!-- id:1 -->\n## 2026-01-01 · b\n')}\nsame\n${end}`,
      ['1 ours same', '1~2 theirs same'],
    ],
    ['in its end', `${head}a\n${conflict('\n---\n', 'b\n\n---\n')}`, ['1 ours a', '1~2 theirs a\nb']],
    [
      'in several places',
      `${head}${conflict('a\n', 'b\n')}same\n${conflict('c\n', 'd\n')}${end}`,
      ['1 ours a\nsame\nc', '1~2 theirs b\nsame\nd'],
    ],
    [
      'with what the common ancestor said',
      `${head}a\n${conflict('b\n', 'c\n', 'was\n')}${end}`,
      ['1 ours a\nb', '1~2 theirs a\nc'],
    ],
    [
      'that only one side added to',
      `${head}a\n${conflict('b\n', '')}${end}`,
      ['1 ours a\nb', '1~2 theirs a'],
    ],
    ['that says the same on both sides', `${head}a\n${conflict('b\n', 'b\n')}${end}`, ['1 merged a\nb']],
    [
      'written with CRLF',
      `${head}a\n${conflict('b\n', 'c\n')}${end}`.replaceAll('\n', '\r\n'),
      ['1 ours a\nb', '1~2 theirs a\nc'],
    ],
    [
      'as a whole file that both sides added',
      conflict(`${head}a\n${end}`, `<!-- id:2 -->\n## 2026-01-01 · b\n\nb\n${end}`),
      ['1 ours a', '2 theirs b'],
    ],
    ['as a whole', conflict(`${head}a\n${end}`, `${head}b\n${end}`), ['1 ours a', '1~2 theirs b']],
    ['that one side removed', conflict('', `${head}b\n${end}`), ['1 theirs b']],
    [
      'as a bullet',
      `- a\n${conflict('- b\n', '- c\n')}- d\n`,
      expect.arrayContaining([expect.stringMatching(/ours b$/)]),
    ],
  ])('is found from both sides: %s', (_, text, expected) => {
    expect(found(text)).toEqual(expected)
    expect(found(`${text}\n${other}`)).toContain('0 merged other')
    expect(found(`${other}\n${text}`)).toContain('0 merged other')
    expect(parse(text).problems.map(({ code }) => code)).toContain('conflict_markers')
  })

  it('leaves typed bullets around the conflict alone', () => {
    const file = parse(`- a\n${conflict('- b\n', '- c\n')}- d\n`)
    expect(found(`- a\n${conflict('- b\n', '- c\n')}- d\n`).map(line => line.replace(/^\S+ /, ''))).toEqual([
      'merged a',
      'ours b',
      'theirs c',
      'merged d',
    ])
    expect(file.problems.map(({ code }) => code)).toEqual(['conflict_markers'])
  })

  it('takes the conflict of another marker size inside it for a part of one', () => {
    const inner = '<<<<<<<<<\nx\n=========\ny\n>>>>>>>>>\n'
    expect(found(`${head}${conflict(inner, 'z\n')}${end}`)).toEqual(['1 ours x', '1~2 theirs z'])
  })

  it.each(['<<<<<<< HEAD\n', '=======\n', '>>>>>>> x\n', '||||||| x\n', '<<<<<<< HEAD\nb\n>>>>>>> x\n'])(
    'does not run through it at a lone %j',
    lines => {
      expect(found(`${head}${lines}${end}`)).toEqual([`1 merged ${lines.trimEnd()}`])
    },
  )

  it('never shows marker lines, whatever the conflict cuts through', () => {
    const whole =
      `${other}\n${head}a\n\`\`\`\ncode\n\`\`\`\n\nb\n${end}\n- typed\n- more\n\n## Section\n\ntext\n`.split(
        '\n',
      )
    fc.assert(
      fc.property(fc.nat(whole.length - 2), fc.nat(6), fc.nat(6), (start, ours, theirs) => {
        const cut = (lines: number, mark: string) =>
          whole.slice(start, start + lines).map(line => (line === '' ? line : `${line}${mark}`))
        const text = [
          ...whole.slice(0, start),
          '<<<<<<< HEAD',
          ...cut(ours, ''),
          '=======',
          ...cut(theirs, ' x'),
          '>>>>>>> b',
          ...whole.slice(start + Math.max(ours, theirs)),
        ].join('\n')
        for (const line of found(text)) expect(line).not.toMatch(/<<<<<<<|=======|>>>>>>>/)
        const ids = found(text).map(line => line.split(' ', 1)[0])
        expect(new Set(ids).size).toBe(ids.length)
      }),
      { numRuns: 2000 },
    )
  })
})
