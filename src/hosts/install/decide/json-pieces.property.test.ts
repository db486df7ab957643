import * as fc from 'fast-check'
import { parse } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { UneditableText } from './json-document.ts'
import { putPieces, removePieces } from './json-pieces.ts'
import type { JsonPiece } from './target-file.ts'
import { goBack } from './text-edit.ts'

const group = (event: string) => ({
  hooks: [{ type: 'command', command: `cairn hook claude-code ${event}`, timeout: 5 }],
})
const PIECES: readonly JsonPiece[] = [
  {
    kind: 'hooks',
    name: 'hooks',
    path: ['hooks'],
    groups: { Start: [group('Start')], Stop: [group('Stop')] },
  },
  {
    kind: 'server',
    name: 'server',
    path: ['mcpServers', 'cairn'],
    value: { command: 'cairn', args: ['mcp'], alwaysLoad: true },
  },
  { kind: 'item', name: 'permission', path: ['permissions', 'allow'], value: 'mcp__cairn' },
]

/** White space and comments, as people leave them between tokens. */
const gap = fc.constantFrom(
  '',
  '',
  ' ',
  '  ',
  '\t',
  '\n',
  '\r\n',
  '\n  ',
  ' // mine, not "yours" }\n',
  '/* , ] */',
  ' /* a\n b */ ',
)
const space = fc.infiniteStream(gap)
const word = fc.constantFrom(
  'a',
  'hooks',
  'Start',
  'mcpServers',
  'allow',
  'permissions',
  'x y',
  'é',
  '{',
  ',',
)

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
const foreignGroup = fc.constantFrom<Json>(
  { hooks: [{ type: 'command', command: 'echo cairn hook' }] },
  { matcher: 'Bash', hooks: [] },
  {
    hooks: [
      { type: 'command', command: 'lint' },
      { type: 'command', command: 'cairn hook claude-code Stop', timeout: 5 },
    ],
  },
  { hooks: [{ type: 'command', command: "'/old/node' '/old/cairn.cjs' hook claude-code Start" }] },
)
const anything: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>(tie => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    word,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(word, tie('value'), { maxKeys: 3 }),
  ),
})).value
const settings: fc.Arbitrary<Json> = fc.record(
  {
    model: fc.constant('opus'),
    hooks: fc.dictionary(
      fc.constantFrom('Start', 'Stop', 'Other'),
      fc.array(foreignGroup, { maxLength: 3 }),
      { maxKeys: 3 },
    ),
    mcpServers: fc.dictionary(
      fc.constantFrom('other', 'cairn'),
      fc.constantFrom<Json>({ command: 'x' }, { command: 'cairn', args: ['mcp'], env: { A: '1' } }),
      { maxKeys: 2 },
    ),
    permissions: fc.record(
      { allow: fc.array(fc.constantFrom('Bash(ls)', 'mcp__cairn'), { maxLength: 2 }) },
      { requiredKeys: [] },
    ),
    rest: anything,
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Json>

/** A text of JSON with comments, whose gaps and trailing commas chance decides. */
function written(value: Json, next: () => string, comma: () => boolean): string {
  if (Array.isArray(value)) {
    const items = value.map(item => next() + written(item, next, comma) + next())
    return `[${items.join(',')}${items.length > 0 && comma() ? `,${next()}` : next()}]`
  }
  if (typeof value === 'object' && value !== null) {
    const keys = Object.entries(value).map(
      ([key, item]) =>
        `${next()}${JSON.stringify(key)}${next()}:${next()}${written(item, next, comma)}${next()}`,
    )
    return `{${keys.join(',')}${keys.length > 0 && comma() ? `,${next()}` : next()}}`
  }
  return JSON.stringify(value)
}

const odd = fc
  .tuple(settings, space, fc.infiniteStream(fc.boolean()), fc.constantFrom('', '\uFEFF'))
  .map(([value, gaps, commas, bom]) => {
    const next = () => gaps.next().value as string
    return bom + next() + written(value, next, () => commas.next().value as boolean) + next()
  })
const tidy = fc
  .tuple(settings, fc.constantFrom(2, 4, '\t'), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(
    ([value, unit, eol, isEnded]) =>
      JSON.stringify(value, null, unit).replaceAll('\n', eol) + (isEnded ? eol : ''),
  )
const minified = settings.map(value => JSON.stringify(value))
const document = fc.oneof(
  odd,
  tidy,
  minified,
  fc.constantFrom('', '\n', '// nothing yet', '{}', '{ }', '{\n}\n'),
)

function put(text: string) {
  try {
    return putPieces(text, PIECES)
  } catch (error) {
    if (error instanceof UneditableText) return undefined
    throw error
  }
}

const allowTrailingComma = { allowTrailingComma: true }
const read = (text: string) =>
  parse(text.replace(/^\uFEFF/, ''), [], allowTrailingComma) as Record<string, never> | undefined
const commentsOf = (text: string) =>
  text.match(/\/\/ mine, not "yours" \}|\/\* , \] \*\/|\/\* a\n b \*\//g) ?? []

describe('pieces in a file of JSON', () => {
  it('once in, are not put in again', () => {
    fc.assert(
      fc.property(document, text => {
        const once = put(text)
        if (once === undefined) return
        const twice = putPieces(once.edited.text, PIECES)
        expect(twice.edited.text).toBe(once.edited.text)
        expect(twice.states.filter(({ state }) => state === 'none' || state === 'outdated')).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('go with every byte as it was by the way back', () => {
    fc.assert(
      fc.property(document, text => {
        const { edited } = put(text) ?? { edited: { text, back: [] } }
        expect(goBack(edited.text, edited.back)).toBe(text)
      }),
      { numRuns: 300 },
    )
  })

  it('leave what others wrote: the same values, in the same order, and every comment', () => {
    fc.assert(
      fc.property(document, text => {
        const after = put(text)
        if (after === undefined) return
        const bare = removePieces(text, PIECES).edited.text
        const taken = removePieces(after.edited.text, PIECES).edited.text
        expect(JSON.stringify(pruned(read(taken) ?? {}))).toBe(JSON.stringify(pruned(read(bare) ?? {})))
        // A comment inside something of ours goes with it.
        if (bare !== text) return
        expect(commentsOf(after.edited.text)).toEqual(commentsOf(text))
        expect(commentsOf(taken)).toEqual(commentsOf(text))
      }),
      { numRuns: 300 },
    )
  })

  it('taken out of a file as editors write it, leave it byte for byte', () => {
    const clean = tidy.filter(text => !/cairn/.test(text) && !/\{\}|\[\]/.test(text) && text.length > 5)
    fc.assert(
      fc.property(clean, text => {
        const after = put(text)
        if (after === undefined) return
        const known = { made: after.made, settings: after.settings, keep: [] }
        expect(removePieces(after.edited.text, PIECES, known).edited.text).toBe(text)
      }),
      { numRuns: 300 },
    )
  })
})

/** Lists and objects that stand empty say nothing here. */
function pruned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pruned)
  if (typeof value !== 'object' || value === null) return value
  const inner = Object.entries(value).map(([key, one]) => [key, pruned(one)] as const)
  return Object.fromEntries(
    inner.filter(([, one]) => typeof one !== 'object' || one === null || Object.keys(one).length > 0),
  )
}
