import { classifyKey, isEnvironmentStyle, type SecretKey } from './assignment-keys.ts'
import {
  isCode,
  isMachineMade,
  isPasswordLike,
  isSecretAmongWords,
  isStandIn,
  isUnmistakable,
  isVocabulary,
  isWords,
} from './literal-value.ts'
import type { Span } from './placeholder.ts'

/** Where a name that could promise a secret has its telling word. */
const KEY_WORD =
  /passw|pass|pwd|psw|senha|secret|segredo|token|contrase|key|chave|credenc|auth|bearer|jwt|\bpw\b|\bpat\b/gi
/** The same words for a plain search, which costs a fraction of the regex on prose that has none of them. */
const HINTS =
  'pass pwd psw senha secret segredo token contrase key chave credenc auth bearer jwt pw pat'.split(' ')
const NAME_CHAR = /[\p{L}\p{N}_.$-]/u
const MAX_NAME_LENGTH = 80
/** How far before a name its place is looked up. */
const NAME_CONTEXT_LENGTH = 120
/** `arn:aws:secretsmanager:eu-west-1:1234:secret:db-x`: the word is a field of a name, the name is no secret. */
const RESOURCE_NAME = /\barn:[\w:/*-]*:$/
/** A value is judged by its head; what is judged a secret is then removed to its end. Keeps `password=password=…` linear. */
const MAX_JUDGED_LENGTH = 512

type Form =
  /** `key = value`, `key: value`, `<key>value</key>`, `name: KEY, value: x` */
  | 'assignment'
  /** `setKey("value")`, `define('KEY', 'value')` */
  | 'call'
  /** `the key is value`, `a senha do banco é value` */
  | 'prose'
  /** `--key value` */
  | 'flag'
  /** `key value` */
  | 'adjacent'

interface Key extends SecretKey {
  readonly name: string
  readonly start: number
  readonly end: number
}

interface Value {
  readonly form: Form
  readonly text: string
  readonly start: number
  readonly end: number
  readonly quoted: boolean
  /** The place takes what is written at its word: a line of an environment or Compose file, a quoted option. */
  readonly verbatim: boolean
  /** `key=value` with nothing around the `=`. */
  readonly tight: boolean
}

const OF =
  'for|of|to|on|in|at|from|do|da|de|dos|das|no|na|pro|pra|para|del|nova|novo|atual|antiga|temporária|provisória|padrão|agora|now|aqui|here'
const WS = '[ \\t]'
const QUOTE = `\\\\{0,3}["'\`]`

/** Each form's separator, tried in this order right after the name. */
const SEPARATORS: readonly (readonly [Form, RegExp])[] = [
  // Container specs and Terraform: the name is itself a value, and the next field holds the secret.
  [
    'assignment',
    new RegExp(`(?:${QUOTE})?\\s{0,40},?\\s{0,40}(?:${QUOTE})?value(?:${QUOTE})?${WS}*[:=]${WS}*`, 'iy'),
  ],
  ['assignment', new RegExp(`"${WS}*\\{[^}]{0,200}?default${WS}*=${WS}*(?=")`, 'y')],
  // password: str = "x"
  ['assignment', new RegExp(`${WS}*:${WS}*&?[A-Za-z_][\\w<>\\[\\]., |]{0,30}?${WS}*=${WS}*(?=["'])`, 'y')],
  ['assignment', new RegExp(`(?:${QUOTE})?\\]?${WS}*(?:=>|:=|:-|\\?=|={1,3}|:)(?!:)${WS}*`, 'y')],
  // process.env.DB_PASSWORD || 'x'; gh secret set API_KEY --body x
  ['call', new RegExp(`${WS}*(?:\\|\\||\\?\\?|\\bor\\b)${WS}*(?=["'])`, 'y')],
  ['assignment', new RegExp(`${WS}+(?:--body|--value|--secret-string)(?:=|${WS})${WS}*`, 'y')],
  ['assignment', /(?=>[^\s<>]{1,200}<\/)>/y],
  ['call', new RegExp(`(?:${QUOTE}${WS}*,|\\()${WS}*(?=["'])`, 'y')],
  [
    'prose',
    new RegExp(
      `(?:${WS}+\\([^()\\n]{1,40}\\))?(?:${WS}+(?:${OF})(?:${WS}+[\\p{L}\\p{N}_'/.-]{1,30}){0,5}?)?` +
        `(?:${WS}+(?:is|was|é|era|eh|es|será|it's)(?:${WS}+(?:now|still|just|currently|agora|ainda|set${WS}+to))?:?${WS}+|${WS}*[:=]${WS}+|${WS}+(?:->|→)${WS}+)`,
      'iuy',
    ),
  ],
  // `a senha? R: x` is as good as `a senha x`
  ['adjacent', new RegExp(`\\??${WS}+(?:[RA]:${WS}*)?`, 'y')],
]

const QUOTED = /([bfru]{0,2})(\\{0,3})(["'`])/iy
/** To the next space, quote or closing tag, or to the next `key=` of a list; an escaped line break ends it too. */
const UNQUOTED =
  /(?:[^\s"'`<\\,;&]|'(?=[\p{L}\p{N}])|<(?!\/)|\\(?![nrt"'])|[,;](?!\s|$|[\w.\s-]{1,40}[=:])|&(?!&|[\w.-]{1,40}=))+/uy
const TRAILING_PUNCTUATION = /[.,;:)\]}>]+$/
const COUNTED =
  /^\s*(?:char|byte|bit|digit|word|symbol|letter|time|day|hour|min|sec|iteration|token|caracter|d[ií]gito|letra|dia|hora|vez)/i

/** Secrets that are told by the name they are given. */
export function findAssignments(text: string, lowerCased: string): Span[] {
  const spans: Span[] = []
  if (!HINTS.some(hint => lowerCased.includes(hint))) return spans
  let resume = 0
  for (const match of text.matchAll(KEY_WORD)) {
    if (match.index < resume) continue
    const { start, end } = nameAround(text, match.index, match.index + match[0].length, resume)
    resume = end
    const name = text.slice(start, end)
    const secretKey = classifyKey(name, wordBefore(text, start))
    if (secretKey === undefined) continue
    const key: Key = { ...secretKey, name, start, end }
    const value = readValue(text, key)
    if (value === undefined || !isSecretValue(text, key, value)) continue
    spans.push({ type: key.type, start: value.start, end: value.end })
    resume = value.end
  }
  return spans
}

function nameAround(text: string, from: number, to: number, floor: number) {
  let start = from
  while (start > floor && from - start < MAX_NAME_LENGTH && NAME_CHAR.test(text.charAt(start - 1))) start -= 1
  let end = to
  while (end < text.length && end - to < MAX_NAME_LENGTH && /[\p{L}\p{N}_-]/u.test(text.charAt(end))) end += 1
  // `--password`, `-Dapp.secret`: the dashes are the option's, not the name's; `--token-` ends a dash early.
  while (start < from && /[-.$]/.test(text.charAt(start))) start += 1
  while (end > to && text.charAt(end - 1) === '-') end -= 1
  return { start, end }
}

function wordBefore(text: string, start: number): string {
  return /([\p{L}]+)[ \t]$/u.exec(text.slice(Math.max(0, start - 24), start))?.[1] ?? ''
}

function readValue(text: string, key: Key): Value | undefined {
  const before = text.slice(Math.max(0, key.start - NAME_CONTEXT_LENGTH), key.start)
  if (RESOURCE_NAME.test(before)) return undefined
  for (const [form, separator] of SEPARATORS) {
    separator.lastIndex = key.end
    const match = separator.exec(text)
    if (match === null) continue
    const start = key.end + match[0].length
    const value = readLiteral(text, start)
    if (value === undefined) return undefined
    const actualForm = form === 'adjacent' ? adjacentForm(before) : form
    const tight = match[0] === '='
    const verbatim =
      (actualForm === 'flag' && value.quoted) ||
      (isEnvironmentStyle(key.name) && (tight || isWholeLine(before, text.slice(value.end, value.end + 8))))
    return { ...value, form: actualForm, tight, verbatim }
  }
  return undefined
}

/** `--password x` and Dockerfile's `ENV PASSWORD x` name the value they stand before. */
function adjacentForm(before: string): Form {
  if (/(?:^|[\s"'`[(,])--?$/.test(before)) return 'flag'
  return /(?:^|\n)\s{0,8}ENV\s$/.test(before) ? 'assignment' : 'adjacent'
}

function isWholeLine(before: string, after: string): boolean {
  return /(?:^|\n)[ \t]*(?:- )?["']?$/.test(before) && /^["']?[ \t]*(?:#|\r?\n|$)/.test(after)
}

function readLiteral(text: string, at: number) {
  QUOTED.lastIndex = at
  const open = QUOTED.exec(text)
  if (open !== null) {
    const start = at + open[0].length
    const close = findClosingQuote(text, start, `${open[2]}${open[3]}`)
    if (close !== -1) return { text: text.slice(start, close), start, end: close, quoted: true }
    return readUnquoted(text, start)
  }
  return readUnquoted(text, at)
}

/** The matching quote on the same line, skipping escaped ones; -1 when the text was cut before it. */
function findClosingQuote(text: string, start: number, quote: string): number {
  const limit = Math.min(text.length, start + MAX_JUDGED_LENGTH)
  for (let at = start; at < limit; at += 1) {
    if (text.startsWith(quote, at)) return at
    if (text[at] === '\n') return -1
    if (text[at] === '\\') at += 1
  }
  return -1
}

function readUnquoted(text: string, start: number) {
  UNQUOTED.lastIndex = start
  const run = UNQUOTED.exec(text)?.[0].replace(TRAILING_PUNCTUATION, '')
  if (run === undefined || run === '') return undefined
  return { text: run, start, end: start + run.length, quoted: false }
}

function isSecretValue(text: string, key: Key, candidate: Value): boolean {
  const { form, end, quoted } = candidate
  const value = candidate.text.slice(0, MAX_JUDGED_LENGTH)
  if (isStandIn(value) || (!quoted && isCode(value)) || /^[\w+.-]+:\/\//.test(value)) return false
  if (key.strength === 'weak')
    return isMachineMade(value) && !/\s/.test(value) && (form !== 'adjacent' || value.length >= 16)

  // Words in quotes are a pass phrase where the place is verbatim, and a message to a person elsewhere.
  if (/\s/.test(value)) return candidate.verbatim || value.split(/\s+/).some(isSecretAmongWords)
  if (isWords(value)) return isSecretWord(key, candidate)
  if (/^\d+$/.test(value))
    return form !== 'adjacent' && value.length >= 4 && !COUNTED.test(text.slice(end, end + 20))
  switch (form) {
    case 'assignment':
    case 'call':
    case 'flag':
      return isPasswordLike(value)
    case 'prose':
      return isPasswordLike(value) && value.length >= 5
    case 'adjacent':
      return quoted ? isPasswordLike(value) : isUnmistakable(value) && !value.includes('=')
  }
}

/** Plain letters: a name, a label or a type, unless the place says that it is meant literally. */
function isSecretWord(key: Key, { text: value, form, quoted, tight, verbatim }: Value): boolean {
  if (value.length < 4 || isVocabulary(value)) return false
  // `challengePassword`, `db-password`: the name of a secret, not one.
  if (/\p{Ll}\p{Lu}|[-_.]/u.test(value) && classifyKey(value, '') !== undefined) return false
  const parts = value.split(/[-_.]/)
  if (verbatim) return true
  if (form === 'call' || form === 'adjacent' || form === 'flag') return false
  // correct-horse-battery-staple
  if (key.type === 'password' && parts.length >= 4 && value.includes('-') && form === 'assignment')
    return true
  if (!quoted) return tight && key.name.split('.').length > 2 && !/^(?:self|this|cls)\./.test(key.name)
  return (
    parts.length === 1 && value.length >= (key.type === 'password' ? 5 : 8) && !/^\p{Lu}\p{Ll}+$/u.test(value)
  )
}
