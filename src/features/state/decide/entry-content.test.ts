import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../../../kernel/text/token-estimate.ts'
import { TOOLS } from '../../../surfaces/mcp/tools.generated.ts'
import {
  entryLines,
  findEntryBlock,
  insertBlock,
  isCurrentText,
  isOwnText,
  isSealIntact,
} from './entry-block.ts'

describe('the text of the entry block', () => {
  it('is one block, known as ours, and short', () => {
    const lines = entryLines()
    const found = findEntryBlock(insertBlock('# Theirs\n', lines))
    if (found.kind !== 'one') throw new Error(found.kind)
    expect([isCurrentText(found.block.body), isOwnText(found.block.body)]).toEqual([true, true])
    expect(isOwnText(`${found.block.body}.`)).toBe(false)
    expect(estimateTokens(lines.join('\n'))).toBeLessThanOrEqual(200)
  })

  it('has nothing that differs between clones: no hash, no date, no number', () => {
    expect(entryLines().join('\n')).not.toMatch(/[0-9]|[a-f]{16}/)
  })

  it('names only tools that `cairn mcp` offers by default', () => {
    const named = [
      ...entryLines()
        .join('\n')
        .matchAll(/MCP tools? ((?:`\w+`(?:, | and )?)+)/g),
    ]
    const names = named.flatMap(([, list = '']) => [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name))
    expect(names).toEqual(['search', 'remember'])
    const offered = Object.entries(TOOLS).flatMap(([name, { needs, isExtra }]) =>
      needs === undefined && isExtra !== true ? name : [],
    )
    expect(offered).toEqual(expect.arrayContaining(names))
  })
})

it('tells by the seal whether somebody edited a block of 0.1.0', () => {
  const hash = (text: string) => text.length.toString(16).padStart(16, '0')
  const body = `<!-- Written by Cairn (body ${hash('a\nb')}): change the memory, not this text -->\na\nb`
  expect(isSealIntact(body, hash)).toBe(true)
  expect(isSealIntact(`${body}!`, hash)).toBe(false)
  expect(isSealIntact('a\nb', hash)).toBe(false)
})
