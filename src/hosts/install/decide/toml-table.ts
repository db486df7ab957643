import { parse, TomlError } from 'smol-toml'
import { isOurServer } from './hook-command.ts'
import { UneditableText } from './json-document.ts'
import { isSame, type PieceState } from './json-pieces.ts'
import type { TomlTable } from './target-file.ts'
import { type ReversibleText, type TextEdit, untouched, withEdits } from './text-edit.ts'

/** Puts the server's table into the file, or updates its outdated lines. Keys and tables that others added to it remain. */
export function putTable(
  text: string,
  table: readonly string[],
  value: TomlTable,
): { readonly edited: ReversibleText; readonly state: PieceState } {
  const there = at(parsed(text), table)
  const start = untouched(text)
  if (there === undefined) {
    return {
      edited: checked(start, withEdits(start, appended(text, table, value)), { table, value }),
      state: 'none',
    }
  }
  if (!isOurTable(there)) return { edited: start, state: 'taken' }
  const old = Object.entries(value).filter(([key, wanted]) => !isSame(there[key], wanted))
  if (old.length === 0) return { edited: start, state: 'current' }
  const statements = tomlStatements(text)
  const header = statements.find(({ kind, path }) => kind === 'header' && isSame(path, table))
  if (header === undefined) {
    // Written in another way, and old: it is written anew.
    const without = removeTable(text, table)
    const edited = withEdits(without, appended(without.text, table, value))
    return { edited: checked(start, edited, { table, value }), state: 'outdated' }
  }
  const edited = withEdits(start, renewed(text, { statements, header }, old))
  return { edited: checked(start, edited, { table, value: { ...there, ...value } }), state: 'outdated' }
}

/** Removes the server's table, in any notation, with its subtables. */
export function removeTable(text: string, table: readonly string[]): ReversibleText {
  const there = at(parsed(text), table)
  const start = untouched(text)
  if (there === undefined || !isOurTable(there)) return start
  const ours = tomlStatements(text).filter(({ path }) => isBelow(path, table))
  return checked(start, withEdits(start, removed(text, ours)), { table, value: undefined })
}

function isOurTable(there: Readonly<Record<string, unknown>>): boolean {
  return isOurServer([there.command, there.args].flat())
}

function isBelow(path: readonly string[], table: readonly string[]): boolean {
  return table.every((key, index) => path[index] === key)
}

type Table = Record<string, unknown>

function parsed(text: string): Table {
  try {
    return parse(text.startsWith('\uFEFF') ? text.slice(1) : text) as Table
  } catch (error) {
    if (error instanceof TomlError) {
      throw new UneditableText(
        (error.message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, ''),
        error.line,
      )
    }
    throw error
  }
}

function at(root: Table, table: readonly string[]): Table | undefined {
  let here: unknown = root
  for (const key of table) here = isTable(here) && Object.hasOwn(here, key) ? here[key] : undefined
  return isTable(here) ? here : undefined
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses the result again: everything else must be unchanged. */
function checked(
  { text }: ReversibleText,
  edited: ReversibleText,
  { table, value }: { readonly table: readonly string[]; readonly value: TomlTable | Table | undefined },
): ReversibleText {
  const wanted = withTable(parsed(text), table, value)
  let now: unknown
  try {
    now = parsed(edited.text)
  } catch (error) {
    if (!(error instanceof UneditableText)) throw error
    now = undefined
  }
  if (now === undefined || !isSame(plain(now), plain(wanted))) {
    const line = tomlStatements(text).find(({ path }) => path[0] === table[0])
    throw new UneditableText(
      `"${table[0]}" is written in a form that no table can be added to or taken from (write it as [${table[0]}.…] tables)`,
      line === undefined ? 1 : text.slice(0, line.start).split('\n').length,
    )
  }
  return edited
}

function withTable(root: Table, table: readonly string[], value: TomlTable | Table | undefined): Table {
  const [key, ...rest] = table
  if (key === undefined) return (value ?? {}) as Table
  const { [key]: old, ...others } = root
  if (rest.length === 0) return value === undefined ? others : { ...others, [key]: value }
  const inner = withTable(isTable(old) ? old : {}, rest, value)
  // Also removes a parent table that contained only ours, unless it has its own header.
  return { ...others, [key]: inner }
}

/** Empty tables are ignored; dates are compared by their text. */
function plain(value: unknown): unknown {
  if (value instanceof Date) return `date ${String(value)}`
  if (Array.isArray(value)) return value.map(plain)
  if (!isTable(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, plain(inner)] as const)
  return Object.fromEntries(
    entries.filter(([, inner]) => !(isTable(inner) && Object.keys(inner).length === 0)),
  )
}

function appended(text: string, table: readonly string[], value: TomlTable): TextEdit[] {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const body = text.replace(/^\uFEFF/, '')
  const gap = body === '' ? '' : body.endsWith('\n') ? eol : `${eol}${eol}`
  const lines = [
    `[${table.map(keyText).join('.')}]`,
    ...Object.entries(value).map(([key, one]) => line(key, one)),
  ]
  return [{ offset: text.length, length: 0, text: gap + lines.map(one => `${one}${eol}`).join('') }]
}

function line(key: string, value: string | readonly string[]): string {
  return `${keyText(key)} = ${valueText(value)}`
}

function valueText(value: string | readonly string[]): string {
  return typeof value === 'string'
    ? JSON.stringify(value)
    : `[${value.map(one => JSON.stringify(one)).join(', ')}]`
}

function keyText(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key)
}

/** Line by line under its header. */
function renewed(
  text: string,
  { statements, header }: { readonly statements: readonly TomlStatement[]; readonly header: TomlStatement },
  old: readonly (readonly [string, string | readonly string[]])[],
): TextEdit[] {
  const table = header.path
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const own = statements.filter(
    ({ kind, path }) => kind === 'key' && isBelow(path, table) && path.length === table.length + 1,
  )
  const last = own.at(-1) ?? header
  const edits: TextEdit[] = []
  const fresh: string[] = []
  for (const [key, value] of old) {
    const there = own.find(({ path }) => path.at(-1) === key)
    if (there === undefined) fresh.push(line(key, value))
    else edits.push({ offset: there.start, length: there.valueEnd - there.start, text: line(key, value) })
  }
  edits.sort((one, other) => one.offset - other.offset)
  if (fresh.length === 0) return edits
  const isOpen = !text.slice(last.start, last.end).endsWith('\n')
  const added = fresh.map(one => (isOpen ? `${eol}${one}` : `${one}${eol}`)).join('')
  const behind = edits.filter(edit => edit.offset >= last.end)
  return [
    ...edits.filter(edit => edit.offset < last.end),
    { offset: last.end, length: 0, text: added },
    ...behind,
  ]
}

/** Neighbours go as one, with the empty line before them that came with them. */
function removed(text: string, ours: readonly TomlStatement[]): TextEdit[] {
  const runs: { start: number; end: number }[] = []
  for (const { start, end } of ours) {
    const run = runs.at(-1)
    if (run !== undefined && /^\s*$/.test(text.slice(run.end, start))) run.end = end
    else runs.push({ start, end })
  }
  return runs.map(({ start, end }) => {
    const gap = /(?:^|\n)(\r?\n)$/.exec(text.slice(Math.max(0, start - 4), start))?.[1]?.length ?? 0
    return { offset: start - gap, length: end - start + gap, text: '' }
  })
}

/** One header or one `key = value` of a TOML file, with its position and full path. */
interface TomlStatement {
  readonly kind: 'header' | 'key'
  readonly path: readonly string[]
  /** From the start of its first line to behind the line end of its last. */
  readonly start: number
  readonly end: number
  /** Behind the value, before a comment that follows it. */
  readonly valueEnd: number
}

/**
 * Finds the statements of a file without validating it: the caller parses the file before and after an edit and compares. Strings and
 * brackets over several lines are followed, because they decide where a statement ends.
 */
function tomlStatements(text: string): TomlStatement[] {
  const statements: TomlStatement[] = []
  let table: readonly string[] = []
  let at = text.startsWith('\uFEFF') ? 1 : 0
  while (at < text.length) {
    const start = at
    const from = skipSpace(text, at)
    const first = text[from]
    if (first === undefined || first === '\n' || first === '\r' || first === '#') {
      at = lineEnd(text, from)
      continue
    }
    if (first === '[') {
      const isList = text[from + 1] === '['
      const key = readKey(text, skipSpace(text, from + (isList ? 2 : 1)))
      table = key.path
      at = lineEnd(text, key.end)
      statements.push({ kind: 'header', path: table, start, end: at, valueEnd: at })
      continue
    }
    const key = readKey(text, from)
    const value = endOfValue(text, key.end)
    at = lineEnd(text, value.line)
    statements.push({ kind: 'key', path: [...table, ...key.path], start, end: at, valueEnd: value.end })
  }
  return statements
}

function skipSpace(text: string, at: number): number {
  let here = at
  while (text[here] === ' ' || text[here] === '\t') here++
  return here
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end + 1
}

function readKey(text: string, from: number): { readonly path: readonly string[]; readonly end: number } {
  const path: string[] = []
  let at = from
  for (;;) {
    at = skipSpace(text, at)
    const quote = text[at]
    if (quote === '"' || quote === "'") {
      const end = endOfString(text, at)
      const raw = text.slice(at + 1, end - 1)
      path.push(quote === '"' ? unescaped(raw) : raw)
      at = end
    } else {
      const bare = /^[\w-]+/.exec(text.slice(at, at + 200))?.[0]
      if (bare === undefined)
        throw new UneditableText('a key is missing', text.slice(0, at).split('\n').length)
      path.push(bare)
      at += bare.length
    }
    at = skipSpace(text, at)
    if (text[at] !== '.') return { path, end: at }
    at++
  }
}

/** Escapes in a key are rare. One that JSON does not support is left as written, and then it is not our key. */
function unescaped(raw: string): string {
  try {
    return String(JSON.parse(`"${raw}"`))
  } catch (error) {
    if (error instanceof SyntaxError) return raw
    throw error
  }
}

/** Behind a string that begins at `at`. */
function endOfString(text: string, at: number): number {
  const quote = text[at] as string
  const isLong = text.startsWith(quote.repeat(3), at)
  const close = isLong ? quote.repeat(3) : quote
  for (let here = at + close.length; here < text.length; here++) {
    if (quote === '"' && text[here] === '\\') here++
    else if (text.startsWith(close, here)) {
      let end = here + close.length
      // Up to two quotes may be right before the closing ones.
      while (isLong && text[end] === quote && end < here + 5) end++
      return end
    } else if (!isLong && text[here] === '\n') return here
  }
  return text.length
}

/** The position after the value and the end of its line, following brackets and strings over several lines. */
function endOfValue(text: string, from: number): { readonly end: number; readonly line: number } {
  let depth = 0
  let at = from
  let end = from
  while (at < text.length) {
    const here = text[at] as string
    if (here === '#') {
      const next = text.indexOf('\n', at)
      at = next === -1 ? text.length : next
      continue
    }
    if (here === '\n' && depth === 0) break
    if (here === '"' || here === "'") at = endOfString(text, at)
    else {
      if (here === '[' || here === '{') depth++
      if (here === ']' || here === '}') depth--
      at++
    }
    if (/\S/.test(here)) end = at
  }
  return { end, line: at }
}
