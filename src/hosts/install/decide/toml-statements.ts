import { UneditableText } from './json-document.ts'

/** One header or one `key = value` of a TOML file, with its place and the whole path it is about. */
export interface TomlStatement {
  readonly kind: 'header' | 'key'
  readonly path: readonly string[]
  /** From the start of its first line to behind the line end of its last. */
  readonly start: number
  readonly end: number
  /** Behind the value, before a comment that follows it. */
  readonly valueEnd: number
}

/**
 * Where the statements of a file are. It does not validate: the caller parses the file before and after an edit, and compares. What it
 * must know is where a statement ends, so strings and brackets over several lines are followed.
 */
export function tomlStatements(text: string): TomlStatement[] {
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

/** Escapes in a key are rare; one that JSON does not know is taken as it is written, and then it is not ours. */
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

/** Behind the value that follows a key, and the end of its line: the same one, unless a bracket or a string goes on. */
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
