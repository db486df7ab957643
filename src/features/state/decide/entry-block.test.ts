import { describe, expect, it } from 'vitest'
import {
  findEntryBlock,
  findSeedBlock,
  findSeedBlocks,
  importsFile,
  insertBlock,
  removeBlock,
} from './entry-block.ts'

const HASH = 'ab'.repeat(32)
const OLD_START = `<!-- cairn:entry version=1 bundleHash=${HASH} start -->`
const OLD_END = '<!-- cairn:entry end -->'
const START = '<!-- cairn:entry -->'
const END = '<!-- /cairn:entry -->'
const BLOCK = [START, 'ours', END]

describe('insertBlock', () => {
  it('sets the block off by one empty line and ends the file as it ended before', () => {
    expect(insertBlock('# Rules\n', BLOCK)).toBe(`# Rules\n\n${START}\nours\n${END}\n`)
    expect(insertBlock('# Rules', BLOCK)).toBe(`# Rules\n\n${START}\nours\n${END}`)
    expect(insertBlock('a\r\nb\r\n', BLOCK)).toBe(`a\r\nb\r\n\r\n${START}\r\nours\r\n${END}\r\n`)
  })

  it('tells a file that was not there from one that was empty', () => {
    expect(insertBlock(undefined, BLOCK)).toBe(`${START}\nours\n${END}\n`)
    expect(insertBlock('', BLOCK)).toBe(`${START}\nours\n${END}`)
    expect([undefined, '', '\ufeff'].map(text => roundTrip(text))).toEqual([null, '', '\ufeff'])
  })

  it('keeps what was added below it later', () => {
    const text = `${insertBlock('above\n', BLOCK)}below\n`
    const found = findEntryBlock(text)
    expect(found.kind === 'one' && removeBlock(text, found.block)).toBe('above\nbelow\n')
  })
})

function roundTrip(text: string | undefined): string | null {
  const written = insertBlock(text, BLOCK)
  const found = findEntryBlock(written)
  if (found.kind !== 'one') throw new Error(found.kind)
  return removeBlock(written, found.block)
}

describe('findEntryBlock', () => {
  it('does not take an example in a code fence for the block', () => {
    expect(findEntryBlock(`~~~\n${START}\n${END}\n~~~\n`)).toEqual({ kind: 'none' })
    expect(findEntryBlock(`- \`\`\`\n  ${START}\n  \`\`\`\n`)).toEqual({ kind: 'none' })
    expect(findEntryBlock(`\`\`\`\n${START}\n\`\`\`\n${START}\nreal\n${END}\n`)).toMatchObject({
      kind: 'one',
      block: { line: 4, body: 'real' },
    })
  })

  it('finds the block below a code fence that nobody closed', () => {
    expect(findEntryBlock(insertBlock('```sh\nnpm test\n', BLOCK)).kind).toBe('one')
  })

  it.each([
    [`${START}\nours\n`, 'the entry block has no end', [1]],
    [`text\n${END}\n`, 'an entry block ends that never began', [2]],
    [`${START}\na\n${END}\n\n${START}\nb\n${END}\n`, 'there are several entry blocks', [1, 3, 5, 7]],
    [
      `<<<<<<< ours\n${START}\n=======\n${START}\n>>>>>>> theirs\na\n${END}\n`,
      'there are several entry blocks',
      [2, 4, 7],
    ],
    [`${END}\n${START}\n`, 'the markers of the entry block do not match', [1, 2]],
    [
      `<!-- cairn:entry version=1 bundleHash=short start -->\na\n${END}\n`,
      'a marker of an entry block is damaged',
      [1, 3],
    ],
    [`${START}\na\n${OLD_END}\n`, 'the markers of the entry block do not match', [1, 3]],
    [`${OLD_START}\na\n${END}\n`, 'the markers of the entry block do not match', [1, 3]],
    [`<!-- cairn:entry-->\na\n${END}\n`, 'a marker of an entry block is damaged', [1, 3]],
    [`${START}\na\n \`\`\`\n${END}\n \`\`\`\n`, 'the entry block has no end', [1]],
  ])('refuses %j', (text, why, lines) => {
    expect(findEntryBlock(text)).toEqual({ kind: 'broken', why, lines })
  })

  it('knows the blocks of 0.1.0', () => {
    expect(findEntryBlock(`x\r\n${OLD_START}\r\na\r\nb\r\n${OLD_END}\r\n`)).toMatchObject({
      block: { form: 'sealed', version: 1, body: 'a\nb', line: 2, eol: '\r\n' },
    })
    expect(
      findEntryBlock(`<!-- cairn:entry version=1 import start -->\n@AGENTS.md\n${OLD_END}`),
    ).toMatchObject({ block: { form: 'import', body: '@AGENTS.md' } })
  })

  it('looks at a file of open fences once', () => {
    const text = Array.from({ length: 40_000 }, (_, at) => `\`\`\`js ${at}`).join('\n')
    expect(findEntryBlock(insertBlock(text, BLOCK)).kind).toBe('one')
  })
})

describe('what else is in the file', () => {
  it('knows the block of the other tool', () => {
    const seed = `<!-- agent-memory:entry version=3 bundleHash=${HASH} start -->`
    expect(findSeedBlocks(`a\n${seed}\nb\n<!-- agent-memory:entry end -->\n`)).toEqual([2])
    expect(findSeedBlock(`a\n${seed}\nb\n<!-- agent-memory:entry end -->\n`)).toMatchObject({
      form: 'seed',
      line: 2,
      body: 'b',
    })
    expect(findSeedBlock(`${seed}\nb\n`)).toBeUndefined()
    expect(findSeedBlocks(`\`\`\`\n${seed}\n\`\`\`\n`)).toEqual([])
  })

  it('knows an import, and not a mention in code', () => {
    expect(importsFile('Rules: @AGENTS.md\n', 'AGENTS.md')).toBe(true)
    expect(importsFile('@./AGENTS.md\r\n', 'AGENTS.md')).toBe(true)
    expect(importsFile('```\n@AGENTS.md\n```\nsee AGENTS.md, @AGENTS.md.bak\n', 'AGENTS.md')).toBe(false)
  })
})
