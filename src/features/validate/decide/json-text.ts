import { isObject } from '../../../kernel/model/json-value.ts'
import { DOCUMENTS } from '../../../kernel/vault/documents.ts'
import type { DocumentName } from '../../../kernel/vault/ports.ts'
import { inMemory, type Severity, type ValidationFinding } from './finding.ts'

/** A JSON file that a person may have edited: its value, or the line of the first syntax error. */
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

/** Without a word of the file, which may contain a secret. */
function whyNot(text: string): string {
  if (text.trim() === '') return 'it is empty'
  if (text.includes('\0')) return 'it contains binary data'
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

/** The line of a key, found by the names of its parents. undefined: it is written in another way. */
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

/** The finding for a file that is not JSON, or not a JSON object. */
export function damagedJson(file: string, reading: JsonReading, fix: string) {
  const [line, why] =
    reading.kind === 'damaged' ? [reading.line, reading.why] : [1, 'it is not a JSON object']
  return { path: inMemory(file), line, message: `the file cannot be read: ${why}`, fix }
}

/** `keys` lead to the value that the finding is about. */
export type AddFinding = (
  code: string,
  severity: Severity,
  keys: readonly string[],
  message: string,
  fix: string,
) => void

/** Judges a JSON object, with the line of each finding; anything else is `damaged`. */
export function judgeObject(
  file: string,
  reading: JsonReading,
  damaged: { readonly code: string; readonly fix: string },
  judge: (document: Record<string, unknown>, add: AddFinding) => void,
): ValidationFinding[] {
  if (reading.kind === 'damaged' || !isObject(reading.value))
    return [{ code: damaged.code, severity: 'error', ...damagedJson(file, reading, damaged.fix) }]
  const { value, text } = reading
  const findings: ValidationFinding[] = []
  judge(value, (code, severity, keys, message, fix) => {
    const line = lineOfKey(text, keys)
    findings.push({ code, severity, path: inMemory(file), ...(line !== undefined && { line }), message, fix })
  })
  return findings
}

/** `newer`: it may have fields that this Cairn does not know. */
export function judgeVersion(
  name: DocumentName,
  version: unknown,
  add: AddFinding,
  code: 'config' | 'curation',
): 'known' | 'damaged' | 'newer' {
  const newest = DOCUMENTS[name].version
  if (version === undefined) return 'known'
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 0) {
    const fix = `Write "version": ${newest}.`
    add(`${code}_damaged`, 'error', ['version'], '`version` is not a whole number', fix)
    return 'damaged'
  }
  if (version <= newest) return 'known'
  const message = `version ${version}: a newer Cairn wrote it, and this one does not change it`
  add(`${code}_newer`, 'warning', ['version'], message, 'Update Cairn.')
  return 'newer'
}

const TOKEN =
  /[ \t\r\n]*(?:("[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|([[\]{},:]))/y

/** A pattern has a stack: only this much of a longer text is searched for the error, and a later error is reported at the end of it. */
const MAX_SEARCHED = 1_048_576

/** The token that may come next. */
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end' | 'nothing'

/**
 * The offset of the first JSON syntax error. Engines report it in many ways, or not at all. The stack of brackets is our own, so no nesting
 * is too deep.
 */
export function jsonErrorOffset(whole: string): number {
  const text = whole.slice(0, MAX_SEARCHED)
  const open: string[] = []
  let expected: Expected = 'value'
  let at = 0
  for (;;) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    if (match === null) return at + blanksAt(text, at)
    const [token, string, literal, mark = ''] = match
    const next = after({ string, literal, mark, expected, open })
    if (next === undefined) return at + blanksAt(text, at)
    expected = next
    at += token.length
  }
}

function after(token: {
  readonly string: string | undefined
  readonly literal: string | undefined
  readonly mark: string
  readonly expected: Expected
  readonly open: string[]
}): Expected | undefined {
  const { string, literal, mark, expected, open } = token
  const ended = (): Expected => (open.length === 0 ? 'nothing' : ', or end')
  const wantsValue = expected === 'value' || expected === 'value or ]'
  if (string !== undefined && (expected === 'key' || expected === 'key or }')) return ':'
  if (string !== undefined || literal !== undefined) return wantsValue ? ended() : undefined
  if ((mark === '{' || mark === '[') && wantsValue) {
    open.push(mark)
    return mark === '{' ? 'key or }' : 'value or ]'
  }
  if (mark === ':') return expected === ':' ? 'value' : undefined
  if (mark === ',') return expected !== ', or end' ? undefined : open.at(-1) === '{' ? 'key' : 'value'
  const isEnd =
    (mark === '}' && open.at(-1) === '{' && (expected === 'key or }' || expected === ', or end')) ||
    (mark === ']' && open.at(-1) === '[' && (expected === 'value or ]' || expected === ', or end'))
  if (!isEnd) return undefined
  open.pop()
  return ended()
}

function blanksAt(text: string, at: number): number {
  let blanks = 0
  while (/[ \t\r\n]/.test(text.charAt(at + blanks))) blanks++
  return blanks
}
