import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import type { TextEdit } from './text-edit.ts'

// Kinds of tokens, as the scanner numbers them: its enum is gone when the types are.
const COMMA = 5
const LINE_COMMENT = 12
const BLOCK_COMMENT = 13
const LINE_BREAK = 14
const TRIVIA = 15
const END_OF_FILE = 17

/** What cannot be edited: where, and why. The caller knows which file it is. */
export class UneditableText extends Error {
  readonly line: number
  constructor(why: string, line: number) {
    super(why)
    this.name = 'UneditableText'
    this.line = line
  }
}

export type JsonPath = readonly string[]

/** JSON, with comments and trailing commas where the host takes them. undefined: there is nothing but space and comments. */
export function parseDocument(text: string): Node | undefined {
  const errors: ParseError[] = []
  const body = text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text
  const root = parseTree(body, errors, { allowTrailingComma: true })
  if (root === undefined && isBlank(body)) return undefined
  const first = errors[0]
  if (first !== undefined)
    throw new UneditableText(printedError(printParseErrorCode(first.error)), lineAt(text, first.offset))
  if (root?.type !== 'object') throw new UneditableText('it does not contain an object', 1)
  return root
}

function printedError(code: string): string {
  return code.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
}

function isBlank(text: string): boolean {
  const scanner = createScanner(text, true)
  return (scanner.scan() as number) === END_OF_FILE
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** Of a duplicate key the last one counts, as in every host. */
export function propertyOf(node: Node, key: string): Node | undefined {
  return node.children?.findLast(property => property.children?.[0]?.value === key)
}

export function valueAt(root: Node, path: JsonPath): Node | undefined {
  let node: Node | undefined = root
  for (const key of path) {
    if (node?.type !== 'object') return undefined
    node = propertyOf(node, key)?.children?.[1]
  }
  return node
}

/** The value of a node. */
export function plainValue(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(plainValue)
  if (node.type !== 'object') return node.value
  return Object.fromEntries(
    (node.children ?? []).map(({ children }) => [
      String(children?.[0]?.value),
      children?.[1] && plainValue(children[1]),
    ]),
  )
}

interface Manner {
  readonly eol: string
  readonly unit: string
}

/** How the file is written: its line ends, and what one step of indentation is. */
function mannerOf(text: string, root: Node): Manner {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const first = root.children?.[0]
  const indent = first && indentBefore(text, first.offset)
  return { eol, unit: indent === undefined || indent === '' ? '  ' : indent }
}

/** The white space before `offset` if there is nothing else before it on its line. */
function indentBefore(text: string, offset: number): string | undefined {
  const start = lineStart(text, offset)
  const before = text.slice(start, offset)
  return start > 0 && /^[ \t]*$/.test(before) ? before : undefined
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1
}

function lineIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? ''
}

function rendered(value: unknown, { eol, unit }: Manner, indent: string): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`)
}

/** A new last child of an object (with its key) or of an array. */
export function insertChild(
  text: string,
  root: Node,
  { into, key, value }: { readonly into: Node; readonly key?: string; readonly value: unknown },
): TextEdit[] {
  const manner = mannerOf(text, root)
  const label = (separator: string) => (key === undefined ? '' : `${JSON.stringify(key)}:${separator}`)
  const children = into.children ?? []
  const last = children.at(-1)
  if (last === undefined) return insertOnly(text, { into, manner, label: label(' '), value })

  const first = children[0] as Node
  const ownLine = indentBefore(text, first.offset)
  const after = afterChild(text, last)
  if (ownLine === undefined && !after.endsInLineComment) {
    const isTight =
      !/[ \t]/.test(text.slice(into.offset + 1, first.offset)) &&
      !/, /.test(text.slice(into.offset, last.offset))
    const space = isTight && children.length > 1 ? '' : ' '
    const flat = `${label(isTight ? '' : ' ')}${JSON.stringify(value)}`
    const at = last.offset + last.length
    return after.comma === undefined
      ? [{ offset: at, length: 0, text: `,${space}${flat}` }]
      : [{ offset: after.comma + 1, length: 0, text: `${space}${flat},` }]
  }
  const indent = ownLine ?? `${lineIndent(text, into.offset)}${manner.unit}`
  const item = `${manner.eol}${indent}${label(' ')}${rendered(value, manner, indent)}`
  return after.comma === undefined
    ? joined(
        { offset: last.offset + last.length, length: 0, text: ',' },
        { offset: after.end, length: 0, text: item },
      )
    : [{ offset: after.end, length: 0, text: `${item},` }]
}

function joined(comma: TextEdit, item: TextEdit): TextEdit[] {
  return comma.offset === item.offset
    ? [{ offset: comma.offset, length: 0, text: comma.text + item.text }]
    : [comma, item]
}

function insertOnly(
  text: string,
  {
    into,
    manner,
    label,
    value,
  }: { readonly into: Node; readonly manner: Manner; readonly label: string; readonly value: unknown },
): TextEdit[] {
  const indent = lineIndent(text, into.offset)
  const deeper = `${indent}${manner.unit}`
  const inner = text.slice(into.offset + 1, into.offset + into.length - 1)
  const close = inner.includes('\n') ? '' : `${manner.eol}${indent}`
  return [
    {
      offset: into.offset + 1,
      length: 0,
      text: `${manner.eol}${deeper}${label}${rendered(value, manner, deeper)}${close}`,
    },
  ]
}

interface AfterChild {
  /** The position of a comma behind it. */
  readonly comma: number | undefined
  /** Behind the comma and the comments that follow on the same line. */
  readonly end: number
  readonly endsInLineComment: boolean
}

function afterChild(text: string, child: Node): AfterChild {
  const scanner = createScanner(text, false)
  scanner.setPosition(child.offset + child.length)
  let comma: number | undefined
  let end = child.offset + child.length
  let endsInLineComment = false
  for (;;) {
    const token = scanner.scan() as number
    const isComma = token === COMMA && comma === undefined
    const isComment = token === LINE_COMMENT || token === BLOCK_COMMENT
    if (isComma) comma = scanner.getTokenOffset()
    if (isComma || (isComment && !endsInLineComment)) {
      end = scanner.getTokenOffset() + scanner.getTokenLength()
      endsInLineComment = token === LINE_COMMENT
    } else if (token === LINE_BREAK) {
      // A comma may be on a line of its own.
      if (comma === undefined && nextIsComma(text, scanner.getPosition())) continue
      return { comma, end, endsInLineComment }
    } else if (token !== TRIVIA) {
      return { comma, end, endsInLineComment }
    }
  }
}

function nextIsComma(text: string, position: number): boolean {
  const scanner = createScanner(text, true)
  scanner.setPosition(position)
  return (scanner.scan() as number) === COMMA
}

/** Replaces a value; the text around it stays. */
export function replaceValue(text: string, root: Node, node: Node, value: unknown): TextEdit[] {
  const manner = mannerOf(text, root)
  const old = text.slice(node.offset, node.offset + node.length)
  const isFlat = !old.includes('\n') && (node.children?.length ?? 0) > 0
  const fresh = isFlat ? JSON.stringify(value) : rendered(value, manner, lineIndent(text, node.offset))
  return fresh === old ? [] : [{ offset: node.offset, length: node.length, text: fresh }]
}

/**
 * Removes a child (a property or an item) with the space before it and one comma: the one after it, or for the last child the one before
 * it. Removing a child that `insertChild` added restores the text; comments stay.
 */
export function removeChild(text: string, parent: Node, child: Node): TextEdit[] {
  const children = parent.children ?? []
  const at = children.indexOf(child)
  const end = child.offset + child.length
  const { comma } = afterChild(text, child)
  if (children.length === 1) return removeOnly(text, parent, child, comma)
  if (comma === undefined) {
    const before = afterChild(text, children[at - 1] as Node)
    const gone = { offset: startOfGap(text, child.offset, end), length: 0, text: '' }
    const taken = { ...gone, length: end - gone.offset }
    if (before.comma === undefined) return [taken]
    return gone.offset === before.comma + 1
      ? [{ offset: before.comma, length: end - before.comma, text: '' }]
      : [{ offset: before.comma, length: 1, text: '' }, taken]
  }
  if (comma !== end) {
    const start = startOfGap(text, child.offset, end)
    return [
      { offset: start, length: end - start, text: '' },
      { offset: comma, length: 1, text: '' },
    ]
  }
  // The first on a line takes the space behind it along, any other the space before it.
  const start = startOfGap(text, child.offset, comma + 1)
  const isFirst = at === 0 && !text.slice(parent.offset, child.offset).includes('\n')
  if (!isFirst && start < child.offset) return [{ offset: start, length: comma + 1 - start, text: '' }]
  const space = /^[ \t]*/.exec(text.slice(comma + 1, comma + 200))?.[0].length ?? 0
  return [{ offset: child.offset, length: comma + 1 + space - child.offset, text: '' }]
}

/** The space before a child is removed with it, unless the rest of its line would become part of a comment above. */
function startOfGap(text: string, offset: number, end: number): number {
  let start = offset
  while (start > 0 && /\s/.test(text[start - 1] as string)) start--
  const hasBreak = text.slice(start, offset).includes('\n')
  return !hasBreak || /^[ \t]*\r?\n/.test(text.slice(end, end + 200)) ? start : offset
}

function removeOnly(text: string, parent: Node, child: Node, comma: number | undefined): TextEdit[] {
  const inside = { from: parent.offset + 1, to: parent.offset + parent.length - 1 }
  const end = child.offset + child.length
  const rest = text.slice(inside.from, child.offset) + text.slice(end, inside.to).replace(',', '')
  // Nothing but space is left: `{}`.
  if (/^\s*$/.test(rest)) return [{ offset: inside.from, length: inside.to - inside.from, text: '' }]
  const start = startOfGap(text, child.offset, comma === end ? comma + 1 : end)
  const gone = { offset: start, length: end - start, text: '' }
  return comma === undefined ? [gone] : [gone, { offset: comma, length: 1, text: '' }]
}
