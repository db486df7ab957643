import { type Category, DEFAULT_KIND } from '../model/category.ts'
import { DEFAULT_IMPORTANCE, type Entry, ORIGINS, STATUSES } from '../model/entry.ts'
import type { Anchor } from '../model/freshness.ts'

const FIRST_KEY = /[ \t]*[A-Za-z_][\w.-]*:/y
const ID_KEY = /(?:^|[ \t])id:/
const ID_VALUE = /((?:^<!--[ \t]*|[ \t])id:)(?:(?!-->)[^ \t])*/
const BLANKS = /[ \t]+/
const KEY = /^[A-Za-z_][\w.-]*$/
const BREAKS_STRUCTURE = /[\s\p{Cc}\p{Cs}<>]/gu
const BREAKS_VALUE = /[\s\p{Cc}\p{Cs}<>%,]/gu
const ENCODED_RUN = /(?:%[0-9A-Fa-f]{2})+/g
const ANCHOR = /^(.+)@([\w=.-]+)$/
const COMMIT = /^[0-9a-f]{7,64}$/
const DATE_TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?$/

/** The fields of an entry's comment line. */
type CommentFields = Pick<
  Entry,
  | 'id'
  | 'kind'
  | 'status'
  | 'origin'
  | 'importance'
  | 'files'
  | 'confidence'
  | 'session'
  | 'updated'
  | 'anchors'
  | 'commit'
  | 'extra'
>

/** True for `<!-- id:… -->` with any further keys before or after; `text[start, end)` is one line. */
export function isEntryComment(text: string, start: number, end: number): boolean {
  if (!text.startsWith('<!--', start)) return false
  const close = closingOf(text, end)
  if (close < start + 4) return false
  FIRST_KEY.lastIndex = start + 4
  if (!FIRST_KEY.test(text) || FIRST_KEY.lastIndex > close) return false
  const inner = text.slice(start + 4, close)
  return ID_KEY.test(inner) && !inner.includes('-->')
}

/** The position of `-->`, ignoring blanks after it; -1 if the line does not end with it. */
function closingOf(text: string, end: number): number {
  let last = end
  while (last > 0 && isBlank(text.charCodeAt(last - 1))) last--
  return text.endsWith('-->', last) ? last - 3 : -1
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d
}

/**
 * A value that this version cannot read (`status:frozen`) counts as absent and is preserved in `extra`, so that writing the entry again
 * does not lose what a newer version meant.
 */
export function parseEntryComment(line: string, category: Category): CommentFields {
  const fields: { -readonly [Key in keyof CommentFields]: CommentFields[Key] } = {
    id: '',
    kind: DEFAULT_KIND[category],
    status: 'confirmed',
    origin: 'person',
    importance: DEFAULT_IMPORTANCE,
    files: [],
  }
  const extra = new Map<string, string[]>()
  for (const { key, value } of pairsOf(line.slice(4, closingOf(line, line.length)))) {
    if (key === 'id' && fields.id !== '') continue
    const known = readKnown(key, value)
    if (known !== undefined) Object.assign(fields, known)
    else if (extra.has(key)) extra.get(key)?.push(value)
    else extra.set(key, [value])
  }
  if (extra.size > 0)
    fields.extra = Object.fromEntries([...extra].map(([key, values]) => [key, values.join(',')]))
  return fields
}

/** A word without a key belongs to the value before it: people write `files:my notes.md`. */
function pairsOf(inner: string): { key: string; value: string }[] {
  const pairs: { key: string; value: string }[] = []
  for (const word of inner.split(BLANKS)) {
    if (word === '') continue
    const colon = word.indexOf(':')
    const key = colon < 0 ? word : word.slice(0, colon)
    const last = pairs.at(-1)
    if (colon >= 0 && KEY.test(key)) pairs.push({ key, value: word.slice(colon + 1) })
    else if (last !== undefined && last.key !== 'id') last.value += ` ${word}`
    else if (KEY.test(word)) pairs.push({ key: word, value: '' })
  }
  return pairs
}

/** undefined: not one of our keys, or an invalid value. */
function readKnown(key: string, value: string): Partial<CommentFields> | undefined {
  switch (key) {
    case 'id':
      return { id: decodeValue(value) }
    case 'kind':
      return value === '' ? {} : { kind: decodeValue(value) }
    case 'status': {
      const status = STATUSES.find(known => known === value)
      return status && { status }
    }
    case 'origin': {
      const origin = ORIGINS.find(known => known === value)
      return origin && { origin }
    }
    case 'importance': {
      const importance = readShare(value)
      return importance === undefined ? undefined : { importance }
    }
    case 'confidence': {
      const confidence = readShare(value)
      return confidence === undefined ? undefined : { confidence }
    }
    case 'files':
      return { files: value.split(',').filter(Boolean).map(decodeValue) }
    case 'session':
      return { session: decodeValue(value) }
    case 'updated':
      return DATE_TIME.test(value) ? { updated: value } : undefined
    case 'anchors': {
      const anchors = readAnchors(value)
      return anchors && { anchors }
    }
    case 'commit':
      return COMMIT.test(value) ? { commit: value } : undefined
    // Marks an entry in memory that is in a git conflict, and is never part of its text.
    case 'unmerged':
      return {}
    default:
      return undefined
  }
}

/** `src/auth.ts@3f9a1c2b,…`; how a hash is made does not matter here. */
function readAnchors(value: string): Anchor[] | undefined {
  const anchors = value.split(',').map((text): Anchor | undefined => {
    const [, file = '', print = ''] = ANCHOR.exec(text) ?? []
    return file === '' ? undefined : { file: decodeValue(file), print }
  })
  return anchors.every(anchor => anchor !== undefined) ? anchors : undefined
}

function readShare(value: string): number | undefined {
  const share = value === '' ? Number.NaN : Number(value)
  return share >= 0 && share <= 1 ? share : undefined
}

/** Safe for any values: everything that could end the comment, the line or the value is encoded. */
export function renderEntryComment(entry: Entry): string {
  const pairs: string[] = [`id:${encodeValue(entry.id)}`]
  const add = (key: string, value: string | undefined) => {
    if (value !== undefined) pairs.push(`${key}:${value}`)
  }
  const files = entry.files.filter(Boolean)
  add('kind', unlessDefault(entry.kind, '', DEFAULT_KIND[entry.category]))
  add('status', unlessDefault(entry.status, 'confirmed'))
  add('origin', unlessDefault(entry.origin, 'person'))
  add('importance', unlessDefault(renderShare(entry.importance), String(DEFAULT_IMPORTANCE)))
  add('confidence', renderShare(entry.confidence))
  add('files', files.length === 0 ? undefined : files.map(encodeValue).join(','))
  add('session', entry.session === undefined ? undefined : encodeValue(entry.session))
  add('updated', entry.updated === undefined ? undefined : encodeValue(entry.updated))
  const anchors = (entry.anchors ?? []).filter(({ file, print }) => ANCHOR.test(`${file}@${print}`))
  if (anchors.length > 0)
    add('anchors', anchors.map(({ file, print }) => `${encodeValue(file)}@${print}`).join(','))
  if (entry.commit !== undefined && COMMIT.test(entry.commit)) add('commit', entry.commit)
  const written = new Set(pairs.map(pair => pair.slice(0, pair.indexOf(':'))))
  for (const [key, value] of Object.entries(entry.extra ?? {})) {
    if (!KEY.test(key) || written.has(key)) continue
    const safe = value.replace(BREAKS_STRUCTURE, encodeCharacter)
    // One of our keys may be here only with an unreadable value, or it would return as a field.
    if (readKnown(key, safe) === undefined) pairs.push(`${key}:${safe}`)
  }
  return `<!-- ${pairs.join(' ')} -->`
}

/** The same comment line with another id, encoded by `encodeValue`, and nothing else changed. */
export function replaceIdInComment(line: string, encodedId: string): string {
  return line.replace(ID_VALUE, (_, before: string) => before + encodedId)
}

function unlessDefault(value: string | undefined, ...defaults: (string | undefined)[]): string | undefined {
  return value === undefined || defaults.includes(value) ? undefined : encodeValue(value)
}

function renderShare(share: number | undefined): string | undefined {
  if (share === undefined || Number.isNaN(share)) return undefined
  return String(Math.min(1, Math.max(0, share)))
}

export function encodeValue(value: string): string {
  return value.replace(BREAKS_VALUE, encodeCharacter)
}

function encodeCharacter(character: string): string {
  let encoded = ''
  for (const byte of Buffer.from(character, 'utf8'))
    encoded += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  return encoded
}

/** A `%` that does not begin valid UTF-8 stays: people type `100%.md`. */
function decodeValue(value: string): string {
  if (!value.includes('%')) return value
  return value.replace(ENCODED_RUN, run => {
    const bytes = Buffer.from(run.replaceAll('%', ''), 'hex')
    const text = bytes.toString('utf8')
    return Buffer.from(text, 'utf8').equals(bytes) ? text : run
  })
}
