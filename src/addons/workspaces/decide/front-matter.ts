/** A YAML value in the core schema of YAML 1.2. */
export type YamlValue =
  | string
  | number
  | boolean
  | null
  | readonly YamlValue[]
  | { readonly [key: string]: YamlValue }

export interface FrontMatterField {
  readonly value: YamlValue
  /** The line in the file, from 1. */
  readonly line: number
}

export type FrontMatterFields = ReadonlyMap<string, FrontMatterField>

type FrontMatter =
  | { readonly kind: 'none' }
  /** It has a beginning but no end. */
  | { readonly kind: 'open' }
  | { readonly kind: 'found'; readonly yaml: string; readonly start: number; readonly bodyStart: number }

const BOM = '\ufeff'
/** A line of three dashes; trailing spaces are allowed because people do not see them. */
const FENCE = /^---[ \t]*(?:\r?\n|$)/
const CLOSING = /\n---[ \t]*(?=\r?\n|$)/g

/**
 * Where the front matter of a file stands. `start` and `start + yaml.length` are offsets into the text.
 *
 *   ﻿---␊ name: x␊ ---␊ body
 *         └ yaml ┘      └ bodyStart
 */
export function splitFrontMatter(text: string): FrontMatter {
  if (text.startsWith('---\n')) {
    // The common case without a pattern: one answer may split thousands of files.
    const end = text.indexOf('\n---', 3) + 1
    if (end > 0 && text[end + 3] === '\n')
      return { kind: 'found', yaml: text.slice(4, end), start: 4, bodyStart: end + 4 }
  }
  const offset = text.startsWith(BOM) ? 1 : 0
  const opening = FENCE.exec(offset === 0 ? text : text.slice(offset))
  if (opening === null) return { kind: 'none' }
  const start = offset + opening[0].length
  // Starts at the line break of the opening line, so that empty front matter is found too.
  CLOSING.lastIndex = Math.max(0, start - 1)
  const closing = CLOSING.exec(text)
  if (closing === null) return { kind: 'open' }
  const end = Math.max(start, closing.index + 1)
  const after = closing.index + closing[0].length
  const bodyStart = text.startsWith('\r\n', after) ? after + 2 : Math.min(text.length, after + 1)
  return { kind: 'found', yaml: text.slice(start, end), start, bodyStart }
}

/** The text below the front matter. */
export function bodyOf(text: string): string {
  const found = splitFrontMatter(text)
  if (found.kind === 'found') return text.slice(found.bodyStart)
  return text.startsWith(BOM) ? text.slice(1) : text
}

const LINE = /\r?\n/
const KEY = /^[A-Za-z_][\w-]*$/
const LIST_ITEM = /^ *- +(.*)$/
/** Anything that YAML may read in a special way needs the full parser. */
const UNUSUAL =
  /\r(?!\n)|[^\r\n\x20-\x7e\u00a1-\u1fff\u2030-\u205e\u2070-\ud7ff\ue000-\ufefe\uff00-\ufffd\ud800-\udfff]/
const SURROGATE = /[\ud800-\udfff]/
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/
const NOT_A_STRING = /^(?:null|Null|NULL|true|True|TRUE|false|False|FALSE)$/
const PLAIN = /^(?:[A-Za-z\u00c0-\u024f]|\d{4}-\d{2}-\d{2}$)/
/** Plain numbers; other forms of numbers need the full parser. */
const NUMBER = /^(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/
const FLOW_ITEM = /^[A-Za-z][\w./+@ -]*$/

/**
 * Parses in one pass the front matter that nearly every file has: plain or quoted values on one line, inline lists or list items.
 * undefined for anything else, which the full parser then reads. Loading that parser costs more than reading hundreds of plain files.
 */
export function readPlainFields(yaml: string): FrontMatterFields | undefined {
  if (UNUSUAL.test(yaml) || (SURROGATE.test(yaml) && LONE_SURROGATE.test(yaml))) return undefined
  const fields = new Map<string, FrontMatterField>()
  const lines = yaml.includes('\r') ? yaml.split(LINE) : yaml.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string
    if (line === '') continue
    if (line.startsWith('#')) continue
    const pair = readPlainLine(line)
    if (pair === undefined || fields.has(pair.key)) return undefined
    const { key, value } = pair
    if (value === null) {
      const items = readListBelow(lines, at + 1)
      if (items === undefined) return undefined
      fields.set(key, { value: items.length === 0 ? null : items, line: at + 2 })
      at += items.length
      continue
    }
    // A value without an end may continue on an indented line.
    if (lines[at + 1]?.startsWith(' ')) return undefined
    fields.set(key, { value, line: at + 2 })
  }
  return fields
}

interface PlainPair {
  readonly key: string
  /** null: the key has no value. */
  readonly value: YamlValue
}

/** A cache: plans of one project repeat `status: done` and the same dates many times. */
const pairByLine = new Map<string, PlainPair>()
const MAX_PAIRS = 1_000
const MAX_KEPT_LINE_LENGTH = 80

/** undefined: the line is not a plain `key: value`. */
function readPlainLine(line: string): PlainPair | undefined {
  const known = pairByLine.get(line)
  if (known !== undefined) return known
  const colon = line.indexOf(':')
  const key = line.slice(0, Math.max(0, colon))
  if (!KEY.test(key)) return undefined
  if (colon + 1 < line.length && line[colon + 1] !== ' ') return undefined
  const text = line.slice(colon + 1).trim()
  const value = text === '' ? null : readPlainValue(text)
  if (value === undefined) return undefined
  const pair = { key, value }
  if (line.length <= MAX_KEPT_LINE_LENGTH && pairByLine.size < MAX_PAIRS) pairByLine.set(line, pair)
  return pair
}

/** Chooses by the first character, so each pattern runs only where it can match. */
function readPlainValue(text: string): YamlValue | undefined {
  const first = text[0]
  if (first === '[') return readFlowList(text)
  if (first === '"' || first === "'") return readQuoted(text, first)
  if (NUMBER.test(text)) return Number(text)
  if (!PLAIN.test(text) || isNoString(text)) return undefined
  if (text.includes(': ') || text.includes(' #') || text.endsWith(':')) return undefined
  return text
}

/** undefined: the quote does not end on its line, or something in it is escaped. */
function readQuoted(text: string, quote: '"' | "'"): string | undefined {
  if (text.indexOf(quote, 1) !== text.length - 1) return undefined
  return quote === '"' && text.includes('\\') ? undefined : text.slice(1, -1)
}

function isNoString(text: string): boolean {
  return text.length <= 5 && NOT_A_STRING.test(text)
}

function readFlowList(text: string): string[] | undefined {
  if (!text.endsWith(']')) return undefined
  const inner = text.slice(1, -1).trim()
  if (inner === '') return []
  if (inner.includes('"')) return readQuotedItems(inner)
  const items = inner.split(',').map(item => item.trim())
  return items.every(item => plainItem(item) !== undefined) ? items : undefined
}

/** `plain, "quoted, with a comma", "another"` */
function readQuotedItems(inner: string): string[] | undefined {
  const items: string[] = []
  for (let at = 0; ; ) {
    const isQuoted = inner[at] === '"'
    const close = isQuoted ? inner.indexOf('"', at + 1) : at
    if (close < 0) return undefined
    const comma = inner.indexOf(',', close)
    const end = comma < 0 ? inner.length : comma
    const item = inner.slice(at, end).trim()
    const value = isQuoted ? readQuoted(item, '"') : plainItem(item)
    if (value === undefined) return undefined
    items.push(value)
    if (comma < 0) return items
    at = comma + 1
    while (inner[at] === ' ') at++
  }
}

function plainItem(item: string): string | undefined {
  return FLOW_ITEM.test(item) && !isNoString(item) ? item : undefined
}

/** The `- item` lines from `at` on. undefined: an item is not plain. */
function readListBelow(lines: readonly string[], at: number): string[] | undefined {
  const items: string[] = []
  let indent: number | undefined
  for (let index = at; index < lines.length; index++) {
    const line = lines[index] as string
    const item = LIST_ITEM.exec(line)
    if (item === null) return /^[\s-]/.test(line) ? undefined : items
    const depth = line.indexOf('-')
    indent ??= depth
    const value = readPlainValue((item[1] ?? '').trimEnd())
    if (depth !== indent || typeof value !== 'string') return undefined
    items.push(value)
  }
  return items
}
