import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findEntryBlock, insertBlock, removeBlock, replaceBlock } from './entry-block.ts'

const START = '<!-- cairn:entry -->'
const END = '<!-- /cairn:entry -->'
const BLOCK = [START, '## Project memory', '', '- one', END]

/** What people's files are made of, and what could be mistaken for ours. */
const piece = fc.oneof(
  fc.constantFrom(
    'Plain text.',
    '# Heading',
    '',
    '```',
    '```js',
    '~~~~',
    '    indented',
    '- list',
    `    ${START}`,
    `see ${START}`,
    `\`${END}\``,
    '<!-- a comment',
    '-->',
    '<!-- agent-memory:entry version=3 bundleHash=abc start -->',
    '<!-- agent-memory:entry end -->',
    '@AGENTS.md',
    '\r',
    '\u2028',
  ),
  fc.string({ maxLength: 20 }).map(text => text.replace(/cairn:entry/g, 'x')),
)
const fenced = fc.constant(`\`\`\`md\n${START}\ninside\n${END}\n\`\`\``)
const theirs = fc
  .record({
    bom: fc.boolean(),
    lines: fc.array(fc.oneof({ weight: 8, arbitrary: piece }, { weight: 1, arbitrary: fenced }), {
      maxLength: 12,
    }),
    ends: fc.array(fc.constantFrom('\n', '\r\n'), { minLength: 13, maxLength: 13 }),
    endsLine: fc.boolean(),
  })
  .map(({ bom, lines, ends, endsLine }) => {
    const text = lines.map((line, at) => line + (at < lines.length - 1 || endsLine ? ends[at] : '')).join('')
    return (bom ? '\ufeff' : '') + text
  })
  // Pieces may close a fence around a marker of another piece: such a file is refused, which is tested by hand.
  .filter(text => findEntryBlock(text).kind === 'none')

describe('the entry block in a file of theirs', () => {
  it('comes out again without leaving a byte', () => {
    fc.assert(
      fc.property(theirs, text => {
        const written = insertBlock(text, BLOCK)
        const found = findEntryBlock(written)
        if (found.kind !== 'one') throw new Error(`not found: ${found.kind}`)
        expect(removeBlock(written, found.block)).toBe(text)
      }),
      { numRuns: 2_000 },
    )
  })

  it('leaves all that stands before and after it as it is, however often it is rewritten', () => {
    fc.assert(
      fc.property(theirs, theirs, (before, after) => {
        const first = `${insertBlock(before, BLOCK)}\n${after.replace(/^\ufeff/, '')}`
        const found = findEntryBlock(first)
        fc.pre(found.kind === 'one')
        if (found.kind !== 'one') return
        const { block } = found
        const second = replaceBlock(first, block, [START, 'other', 'content', END])
        const again = findEntryBlock(second)
        if (again.kind !== 'one') throw new Error('lost')
        expect(second.slice(0, again.block.start)).toBe(first.slice(0, block.start))
        expect(second.slice(again.block.end)).toBe(first.slice(block.end))
        expect(again.block.body).toBe('other\ncontent')
        expect(replaceBlock(second, again.block, BLOCK)).toBe(first)
      }),
      { numRuns: 2_000 },
    )
  })
})
