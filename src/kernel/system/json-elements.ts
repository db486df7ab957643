import { createReadStream } from 'node:fs'
import { MAX_LINE_BYTES, sizeOf } from './read-lines.ts'

/** A part of a JSON file, as its text. */
export type JsonPart =
  /** A field of the document other than the requested list. */
  | { readonly part: 'field'; readonly name: string; readonly text: string; readonly line: number }
  /** One element of the list. */
  | {
      readonly part: 'element'
      readonly text: string
      readonly line: number
      readonly cut?: number
      readonly bytesRead: number
    }
  /** The file ended inside a value. */
  | { readonly part: 'broken'; readonly line: number }

/**
 * The elements of a list in a JSON file, one by one: a file of any size needs little memory, and a damaged element does not affect the
 * others. The list is the file itself, or the field `listName` of the object in the file.
 *
 * { "agentId": "dev", "messages": [ {…}, {…} ] }
 * └ field                          └ elements
 *
 * Throws `file_not_found`.
 */
export async function* jsonElements(
  file: string,
  listName: string,
  longest = MAX_LINE_BYTES,
): AsyncIterable<JsonPart> {
  // A stream would fail with a bare system error.
  sizeOf(file)
  const scan = scanner(listName, longest)
  let bytesRead = 0
  const decoder = new TextDecoder()
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    bytesRead += chunk.length
    yield* scan.push(decoder.decode(chunk, { stream: true }), bytesRead)
  }
  yield* scan.push(decoder.decode(), bytesRead)
  const last = scan.end()
  if (last !== undefined) yield last
}

function scanner(listName: string, longest: number) {
  let line = 1
  /** How many brackets are open. */
  let depth = 0
  let inString = false
  let escaped = false
  /** The depth of the list's elements. undefined: not found yet. */
  let listDepth: number | undefined
  let listDone = false
  let name = ''
  let collecting: { text: string; length: number; line: number } | undefined
  /** A string at depth 1 of an object is a name until its colon comes. */
  let expectsName = false

  const take = (piece: string) => {
    if (collecting === undefined) return
    collecting.length += piece.length
    if (collecting.text.length < longest) collecting.text += piece.slice(0, longest - collecting.text.length)
  }

  function* finish(bytesRead: number): Iterable<JsonPart> {
    if (collecting === undefined) return
    const { length, line: startLine } = collecting
    const isCut = length > collecting.text.length
    const text = collecting.text.trim()
    collecting = undefined
    if (text === '') return
    if (listDepth !== undefined && !listDone && depth === listDepth)
      yield {
        part: 'element',
        text,
        line: startLine,
        bytesRead,
        ...(isCut && { cut: length }),
      }
    else yield { part: 'field', name, text, line: startLine }
  }

  /** Jumps from one structural character to the next; text between is copied unchanged. */
  const MEANS = /["\\{}[\],:\n]/g
  const IN_STRING = /["\\\n]/g

  function* push(text: string, bytesRead: number): Iterable<JsonPart> {
    let at = 0
    if (escaped && text !== '') {
      take(text[0] as string)
      escaped = false
      at = 1
    }
    while (at < text.length) {
      const pattern = inString ? IN_STRING : MEANS
      pattern.lastIndex = at
      const match = pattern.exec(text)
      const next = match?.index ?? text.length
      if (next > at) {
        const between = text.slice(at, next)
        if (collecting === undefined && startsValue() && between.trim() !== '') begin()
        take(between)
      }
      if (match === null) return
      at = next + 1
      const char = match[0]
      if (char === '\n') line++
      if (inString) {
        take(char)
        if (char === '"') inString = false
        else if (char === '\\') {
          if (at < text.length) take(text[at++] as string)
          else escaped = true
        }
      } else yield* structure(char, bytesRead)
    }
  }

  function* structure(char: string, bytesRead: number): Iterable<JsonPart> {
    if (char === '"') {
      if (collecting === undefined && (startsValue() || expectsName)) begin()
      take(char)
      inString = true
    } else if (char === ':' && depth === 1 && expectsName && collecting !== undefined) {
      name = nameOf(collecting.text)
      collecting = undefined
      expectsName = false
    } else if (char === '{' || char === '[') {
      const isList =
        char === '[' && listDepth === undefined && (depth === 0 || (depth === 1 && name === listName))
      if (isList) {
        listDepth = depth + 1
        depth++
        return
      }
      if (depth === 0 && char === '{' && listDepth === undefined) {
        depth = 1
        expectsName = true
        return
      }
      if (collecting === undefined && startsValue()) begin()
      take(char)
      depth++
    } else if (char === '}' || char === ']') {
      depth--
      if (listDepth !== undefined && !listDone && depth === listDepth - 1) {
        depth++
        yield* finish(bytesRead)
        depth--
        listDone = true
      } else if (depth < 1) yield* finish(bytesRead)
      else take(char)
    } else if (char === ',' && depth === (listDepth !== undefined && !listDone ? listDepth : 1)) {
      yield* finish(bytesRead)
      expectsName = depth === 1 && (listDepth !== 1 || listDone)
    } else take(char)
  }

  function startsValue(): boolean {
    if (listDepth !== undefined && !listDone) return depth === listDepth
    return depth === 1 && !expectsName
  }
  function begin(): void {
    collecting = { text: '', length: 0, line }
  }

  return {
    push,
    end: (): JsonPart | undefined => (depth > 0 || inString ? { part: 'broken', line } : undefined),
  }
}

function nameOf(text: string): string {
  return text.trim().replace(/^"|"$/g, '')
}
