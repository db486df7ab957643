import { describe, expect, it } from 'vitest'
import { scratchProject } from '../../../test/support/scratch-project.ts'
import { openLines } from './read-lines.ts'

async function linesOf(text: string | Uint8Array, longest?: number) {
  const root = scratchProject({ 'a.txt': text })
  const found: unknown[] = []
  const { lines } = await openLines(`${root}/a.txt`, longest)
  for await (const { text: line, number, cut } of lines)
    found.push(cut === undefined ? [number, line] : [number, line, cut])
  return found
}

describe('the lines of a file', () => {
  it('come with their numbers, blank ones too, without a byte order mark', async () => {
    expect(await linesOf('\ufeffone\r\n\nthree é 🎉')).toEqual([
      [1, 'one\r'],
      [2, ''],
      [3, 'three é 🎉'],
    ])
    expect(await linesOf('')).toEqual([])
    expect(await linesOf('a\n')).toEqual([[1, 'a']])
  })

  it('characters that lie across two chunks stay whole', async () => {
    const line = '🎉é'.repeat(40_000)
    expect(await linesOf(`${line}\n${line}`)).toEqual([
      [1, line],
      [2, line],
    ])
  })

  it('of a file that is not there are refused, and nothing is left that could fail later', async () => {
    const root = scratchProject({})
    await expect(openLines(`${root}/absent.txt`)).rejects.toMatchObject({ code: 'file_not_found' })
    const { lines } = await openLines(root)
    // Time for a stream that was opened too early to fail: the test would end with its error.
    await new Promise(resolve => setTimeout(resolve, 30))
    await expect(lines[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'EISDIR' })
  })

  it('a line that is too long is cut, and says how long it was; the next one is whole', async () => {
    expect(await linesOf(`${'x'.repeat(300_000)}\nnext`, 10)).toEqual([
      [1, 'xxxxxxxxxx', 300_000],
      [2, 'next'],
    ])
    expect(await linesOf('0123456789', 10)).toEqual([[1, '0123456789']])
  })
})
