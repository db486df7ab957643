import * as fc from 'fast-check'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { UneditableText } from './json-document.ts'
import { goBack } from './text-edit.ts'
import { putTable, removeTable } from './toml-table.ts'

const TABLE = ['mcp_servers', 'cairn']
const VALUE = { command: 'cairn', args: ['mcp'], default_tools_approval_mode: 'approve' }

/** Lines before the first table, and tables, as people write them; some of ours in old forms among them. */
const top = fc.constantFrom(
  'model = "o"  # mine',
  'notify = ["a",\n  "[mcp_servers.cairn]", # no table\n]',
  'text = """\n[mcp_servers.cairn]\n"""',
  "raw = '''\n[x]''' # ''' done",
  '# [mcp_servers.cairn]',
  '',
  'when = 2026-11-16T09:00:00Z',
  'inline = { a = 1, "b.c" = "}" }',
)
const table = fc.constantFrom(
  '[profiles.a]\nmodel = "x"',
  '[mcp_servers.other]\ncommand = "other"\n\n  [mcp_servers.other.env]\n  KEY = "[[not a table]]"',
  '[[hooks.Stop]]\nmatcher = "a"\n[[hooks.Stop.hooks]]\ncommand = "x"',
  '[projects."/home/me/a.b"]\ntrust_level = "trusted"',
  '[ tools . "web.search" ] # spaced\non = true',
  '# about what comes\n\n[history]',
)
const ours = fc.constantFrom(
  '[mcp_servers.cairn]\ncommand = "cairn"\nargs = ["mcp"] # old',
  '[ mcp_servers . "cairn" ]\ncommand = "/n/node"\nargs = [\n  "/x/cairn.cjs",\n  "mcp"\n]\nenv = { A = "1" }',
  '[mcp_servers]\ncairn = { command = "cairn", args = ["mcp"] }',
  '[mcp_servers.cairn]\ncommand = "theirs"',
  '[mcp_servers.cairn]\ncommand = "cairn"\nargs = ["mcp"]\n[mcp_servers.cairn.tools.remember]\napproval_mode = "approve"',
)
const document = fc
  .tuple(
    fc.uniqueArray(top, { maxLength: 4 }),
    fc.uniqueArray(table, { maxLength: 4 }),
    fc.option(ours, { nil: undefined, freq: 2 }),
    fc.constantFrom('\n', '\n\n', '\r\n'),
    fc.constantFrom('', '\n', '\n\n', '  '),
    fc.constantFrom('', '\uFEFF'),
  )
  .map(([lines, tables, own, between, end, bom]) => {
    const all = [...lines, ...tables.slice(0, 2), ...(own === undefined ? [] : [own]), ...tables.slice(2)]
    const text = all.join(between) + end
    return bom + (between === '\r\n' ? text.replace(/\r?\n/g, '\r\n') : text)
  })

function put(text: string) {
  try {
    return putTable(text, TABLE, VALUE)
  } catch (error) {
    if (error instanceof UneditableText) return undefined
    throw error
  }
}
const read = (text: string) => parse(text.replace(/^\uFEFF/, '')) as { mcp_servers?: Record<string, object> }
const others = (text: string) => {
  const { mcp_servers: { cairn: _, ...servers } = {}, ...rest } = read(text)
  return JSON.stringify({ ...rest, servers })
}

describe('a table in a file of TOML', () => {
  it('once in, is not put in again, and leads back byte for byte', () => {
    fc.assert(
      fc.property(document, text => {
        const once = put(text)
        if (once === undefined) return
        expect(putTable(once.edited.text, TABLE, VALUE).edited.text).toBe(once.edited.text)
        expect(goBack(once.edited.text, once.edited.back)).toBe(text)
        if (once.state !== 'taken') expect(read(once.edited.text).mcp_servers?.cairn).toMatchObject(VALUE)
        expect(others(once.edited.text)).toBe(others(text))
      }),
      { numRuns: 400 },
    )
  })

  it('taken out, leaves every line of others, and of a file without ours every byte', () => {
    fc.assert(
      fc.property(document, text => {
        const once = put(text)
        if (once === undefined || once.state === 'taken') return
        const without = removeTable(once.edited.text, TABLE).text
        expect(read(without).mcp_servers?.cairn).toBe(undefined)
        expect(others(without)).toBe(others(text))
        const comments = (one: string) => one.match(/# (?:mine|no table|about what comes|spaced)/g) ?? []
        expect(comments(without)).toEqual(comments(text))
        if (once.state === 'none' && /\n$|^\uFEFF?$/.test(text)) expect(without).toBe(text)
      }),
      { numRuns: 400 },
    )
  })
})
