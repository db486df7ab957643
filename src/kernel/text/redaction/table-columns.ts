import { classifyKey } from './assignment-keys.ts'
import {
  isCode,
  isIdentifier,
  isMachineMade,
  isPasswordLike,
  isStandIn,
  isVocabulary,
} from './literal-value.ts'
import type { Span } from './placeholder.ts'
import { isRandomLetters } from './randomness.ts'
import { isDocumented } from './stand-in.ts'

const RULE_LINE = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t\r]*$/
const HEADER_CELL = /^["']?[\p{L}][\p{L}\p{N} _-]{0,30}["']?$/u
const MAX_HEADER_LENGTH = 400

interface Cell {
  readonly text: string
  readonly start: number
}

interface Column {
  readonly type: Span['type']
  /** A column of passwords: every cell is one. */
  readonly isStrong: boolean
}

/** The cells below a heading that announces a secret, in a Markdown table or in comma- or tab-separated lines. */
export function findInTables(text: string, lowerCased: string): Span[] {
  if (!/pass|senha|secret|token|key|contrase|clave|kennwort|chave|pwd/.test(lowerCased)) return []
  const spans: Span[] = lowerCased.includes('<tr') ? findInHtmlTables(text) : []
  let columns: readonly (Column | undefined)[] = []
  let delimiter = ''
  let previous: { line: string; start: number } | undefined
  let start = 0
  for (const line of text.split('\n')) {
    const at = start
    start += line.length + 1
    if (previous !== undefined && RULE_LINE.test(line) && previous.line.includes('|')) {
      columns = readHeader(previous.line, '|')
      delimiter = '|'
      previous = undefined
      continue
    }
    if (delimiter !== '') {
      const cells = splitCells(line, delimiter)
      if (cells.length === columns.length) {
        spans.push(...secretsOf(cells, columns, { at, isTable: delimiter === '|' }))
        continue
      }
      delimiter = ''
    }
    previous = line.length <= MAX_HEADER_LENGTH ? { line, start: at } : undefined
    const separator = [',', ';', '\t'].find(one => line.includes(one))
    if (separator === undefined || previous === undefined) continue
    columns = readHeader(line, separator)
    if (columns.length > 1 && columns.some(column => column !== undefined)) delimiter = separator
  }
  return spans
}

const HTML_ROW = /<tr(?:\s[^<>]{0,80})?>([\s\S]{0,2000}?)<\/tr>/gi
const HTML_CELL = /<t([hd])(?:\s[^<>]{0,80})?>\s{0,20}(?:<(?:b|strong|code|em|p|span)>)?([^<]{0,200})/gi

function findInHtmlTables(text: string): Span[] {
  const spans: Span[] = []
  let columns: readonly (Column | undefined)[] = []
  for (const row of text.matchAll(HTML_ROW)) {
    const inner = row[1] ?? ''
    const offset = row.index + row[0].length - '</tr>'.length - inner.length
    const cells = Array.from(inner.matchAll(HTML_CELL), cell => {
      const content = cell[2] ?? ''
      return {
        text: content.trim(),
        start: cell.index + cell[0].length - content.length + content.length - content.trimStart().length,
      }
    })
    if (cells.length !== columns.length) columns = cells.map(({ text }) => columnOf(text))
    else spans.push(...secretsOf(cells, columns, { at: offset, isTable: true }))
  }
  return spans
}

function columnOf(heading: string): Column | undefined {
  const key = classifyKey(heading.replace(/[*`"']/g, ''), '')
  return key === undefined || key.strength === 'bare'
    ? undefined
    : { type: key.type, isStrong: key.strength !== 'weak' }
}

/** Empty if a cell is not a heading. */
function readHeader(line: string, delimiter: string): (Column | undefined)[] {
  const cells = splitCells(line, delimiter)
  if (delimiter !== '|' && !cells.every(cell => HEADER_CELL.test(cell.text))) return []
  return cells.map(({ text }) => columnOf(text))
}

function splitCells(line: string, delimiter: string): Cell[] {
  const cells: Cell[] = []
  const trimmedEnd = line.trimEnd()
  let from = 0
  if (delimiter === '|') {
    from = line.length - line.trimStart().length
    if (line.charAt(from) === '|') from += 1
  }
  const stop = delimiter === '|' && trimmedEnd.endsWith('|') ? trimmedEnd.length - 1 : trimmedEnd.length
  while (from <= stop) {
    const next = line.indexOf(delimiter, from)
    const end = next === -1 || next > stop ? stop : next
    const cell = line.slice(from, end)
    const inner = cell.replace(/^[\s"'`*]+/, '')
    cells.push({ text: inner.replace(/[\s"'`*]+$/, ''), start: from + cell.length - inner.length })
    if (end === stop) break
    from = end + delimiter.length
  }
  return cells
}

function secretsOf(
  cells: readonly Cell[],
  columns: readonly (Column | undefined)[],
  { at, isTable }: { at: number; isTable: boolean },
): Span[] {
  return cells.flatMap((cell, order) => {
    const column = columns[order]
    if (column === undefined || !isSecretCell(cell.text, column, isTable)) return []
    return [{ type: column.type, start: at + cell.start, end: at + cell.start + cell.text.length }]
  })
}

function isSecretCell(value: string, { isStrong }: Column, isTable: boolean): boolean {
  if (value.length < 4 || /\s/.test(value) || isStandIn(value) || isDocumented(value) || isCode(value))
    return false
  if (isMachineMade(value) || isRandomLetters(value)) return true
  if (!isStrong) return false
  return (
    isPasswordLike(value) ||
    (isTable && /^[\p{L}\d]+$/u.test(value) && !isVocabulary(value) && !isIdentifier(value))
  )
}
