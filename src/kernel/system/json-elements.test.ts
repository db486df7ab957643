import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scratchProject } from '../../../test/support/scratch-project.ts'
import { type JsonPart, jsonElements } from './json-elements.ts'

async function partsOf(text: string, longest?: number): Promise<JsonPart[]> {
  const root = scratchProject({ 'a.json': text })
  const parts: JsonPart[] = []
  for await (const part of jsonElements(`${root}/a.json`, 'messages', longest)) parts.push(part)
  return parts
}
const elements = (parts: readonly JsonPart[]) =>
  parts.flatMap(part => (part.part === 'element' ? [JSON.parse(part.text)] : []))

describe('the elements of a list in a JSON file', () => {
  it('come one by one, with their lines, and the other fields beside them', async () => {
    const parts = await partsOf(
      '{\n "agentId": "dev",\n "messages": [\n  {"role": "user", "text": "a, b] } \\" c"},\n  ["x", {"messages": []}],\n  3\n ],\n "savedAt": 5, "more": {"messages": [1]}\n}\n',
    )
    expect(parts.map(({ bytesRead: _, ...part }: JsonPart & { bytesRead?: number }) => part)).toEqual([
      { part: 'field', name: 'agentId', text: '"dev"', line: 2 },
      { part: 'element', text: expect.stringContaining('"role"'), line: 4 },
      { part: 'element', text: expect.stringContaining('["x"'), line: 5 },
      { part: 'element', text: expect.stringContaining('3'), line: 6 },
      { part: 'field', name: 'savedAt', text: '5', line: 8 },
      { part: 'field', name: 'more', text: '{"messages": [1]}', line: 8 },
    ])
  })

  it('a list of its own, an empty one, one without the list', async () => {
    expect(elements(await partsOf('[{"a":1},{"b":[2]}]'))).toEqual([{ a: 1 }, { b: [2] }])
    expect(await partsOf('[]')).toEqual([])
    expect(await partsOf('{"messages":[]}')).toEqual([])
    expect((await partsOf('{"a":[1,2]}')).map(part => part.part)).toEqual(['field'])
    expect(await partsOf('')).toEqual([])
  })

  it('a file that ends in the middle is broken, and what came before counts', async () => {
    const parts = await partsOf('{"messages":[{"a":1},\n{"b":')
    expect(elements(parts)).toEqual([{ a: 1 }])
    expect(parts.at(-1)).toEqual({ part: 'broken', line: 2 })
  })

  it('a long element is cut, and said to be', async () => {
    const parts = await partsOf(JSON.stringify({ messages: ['x'.repeat(5_000), 'y'] }), 1_000)
    expect(parts).toMatchObject([{ cut: 5_002 }, { part: 'element', text: '"y"' }])
  })

  it('gives what JSON.parse gives, whatever the list holds and however it is written', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue()),
        fc.record({ agentId: fc.string(), x: fc.jsonValue() }),
        fc.constantFrom(undefined, 2),
        async (messages, fields, indent) => {
          const parts = await partsOf(
            JSON.stringify({ agentId: fields.agentId, messages, x: fields.x }, null, indent),
          )
          expect(elements(parts)).toEqual(JSON.parse(JSON.stringify(messages)))
          const found = parts.flatMap(part =>
            part.part === 'field' ? [[part.name, JSON.parse(part.text)]] : [],
          )
          expect(Object.fromEntries(found)).toEqual(JSON.parse(JSON.stringify(fields)))
        },
      ),
      { numRuns: 60 },
    )
  })
})
