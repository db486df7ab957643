import { jsonErrorOffset } from './json-error.ts'

/** A JSON file that a person may have edited: what it says, or the line at which it stops being JSON. */
export type JsonReading =
  | { readonly kind: 'read'; readonly value: unknown; readonly text: string }
  | { readonly kind: 'damaged'; readonly line: number; readonly why: string }

export function readJson(bytes: Uint8Array): JsonReading {
  const text = textOf(bytes).replace(/^\ufeff/, '')
  try {
    return { kind: 'read', value: JSON.parse(text), text }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { kind: 'damaged', line: lineOfError(text), why: whyNot(text) }
  }
}

export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

/** Said without a word of the file: it may hold a secret. */
function whyNot(text: string): string {
  if (text.trim() === '') return 'it is empty'
  if (text.includes('\0')) return 'it holds binary data'
  if (/^(?:<<<<<<<|=======|>>>>>>>)/m.test(text)) return 'git left a conflict in it'
  return 'it is not JSON'
}

function lineOfError(text: string): number {
  const marker = /^<<<<<<</m.exec(text)
  return lineAt(text, marker?.index ?? jsonErrorOffset(text))
}

export function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}

/** Where a key stands, found by its name after the names that lead to it. undefined: it is written in another way. */
export function lineOfKey(text: string, keys: readonly string[]): number | undefined {
  let from = 0
  for (const key of keys) {
    const name = JSON.stringify(key)
    let at = text.indexOf(name, from)
    while (at !== -1 && !/^\s*:/.test(text.slice(at + name.length, at + name.length + 80)))
      at = text.indexOf(name, at + name.length)
    if (at === -1) return undefined
    from = at + name.length
  }
  return keys.length === 0 ? undefined : lineAt(text, from)
}
