import { classifyKey, isEnvironmentStyle, type SecretKey } from './assignment-keys.ts'
import { type Form, SENTENCE_FORMS, SEPARATORS } from './assignment-separators.ts'
import {
  isCode,
  isIdentifier,
  isLikelyPassword,
  isMachineMade,
  isPassPhrase,
  isPasswordLike,
  isSecretAmongWords,
  isStandIn,
  isUnmistakable,
  isVocabulary,
  isWords,
} from './literal-value.ts'
import type { Range, Span } from './placeholder.ts'
import { isNoise, isRandomLetters, isWordy, turnsOf } from './randomness.ts'
import { isDocumented } from './stand-in.ts'

/** The key word inside a name that may announce a secret. `\b` would not do: `GITHUB_PAT` has none before `PAT`. */
const KEY_WORD =
  /passw|pass|pwd|psw|pasw|pssw|pwrd|senha|secret|segredo|geheimnis|token|jeton|contrase|key|chave|clave|clé|schlüssel|kennwort|mdp|credenc|credential|creds?(?![a-z])|access(?![a-z])|auth|bearer|jwt|(?<![a-z])(?:pw|pats?|pin|salt)(?![a-z])/gi
/** The same words for a plain search, which costs a fraction of the regex on prose that has none of them. */
const HINTS =
  'pass pwd psw pasw pssw pwrd senha secret segredo geheimnis token jeton contrase key chave clave clé schlüssel kennwort mdp cred access auth bearer jwt pw pat pin salt'.split(
    ' ',
  )
const NAME_CHAR = /[\p{L}\p{N}_.$-]/u
const MAX_NAME_LENGTH = 80
/** How much text before a name is read as its context. */
const NAME_CONTEXT_LENGTH = 120
/** `arn:aws:secretsmanager:eu-west-1:1234:secret:db-x`: the word is a field of a name, and the name is not a secret. */
const RESOURCE_NAME = /\barn:[\w:/*-]*:$/
/** A value is judged by its beginning; if it is a secret, it is removed to its end. Keeps `password=password=…` linear. */
const MAX_JUDGED_LENGTH = 512

interface Key extends SecretKey {
  readonly strength: 'strong' | 'weak' | 'pin'
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
  /** The place takes text literally: a line of an environment or Compose file, a quoted option, a field next to that of a user. */
  readonly verbatim: boolean
  /** The words before it announce a login. */
  readonly announced: boolean
  /** `key=value` with nothing around the `=`, and not an argument of a call. */
  readonly tight: boolean
}

const QUOTED = /([bfru]{0,2})(\\{0,3})(["'`]|\*\*(?=[^\s*])|[«“„‘])/iy
const CLOSING: Readonly<Record<string, string>> = { '«': '»', '“': '”', '„': '“', '‘': '’' }
/** To the next space, quote or closing tag, or to the next `key=` of a list; an escaped line break ends it too. */
const UNQUOTED =
  /(?:[^\s"'`<\\,;&|]|'(?=[\p{L}\p{N}])|<(?!\/)|\\(?![nrt"'])|[,;](?!\s|$|[\w.\s-]{1,40}[=:])|&(?!&|[\w.-]{1,40}=)|\|(?!\s|\||$)){1,512}/uy
const TRAILING_PUNCTUATION = /[.,;:)\]}>*]+$/
const COUNTED =
  /^\s*(?:char|byte|bit|digit|word|symbol|letter|time|day|hour|min|sec|iteration|token|caracter|d[ií]gito|letra|dia|hora|vez|zeichen|stellen|caract[eè]re|chiffre|jour|tag)/i
/** In a sentence, words after `password is` describe it; only those after `passphrase is` are one. */
const takesPhrase = (form: string, name: string) =>
  form === 'assignment' || form === 'block' || (form === 'prose' && /phrase/i.test(name))
/** Phrases that announce a login: `log in with password x`, `user bob, pass x`. */
const ANNOUNCED =
  /(?:\b(?:with|using|use|com|usando|con|usa|usando|mit|dem|avec|utilise)[ \t](?:(?:the|a|o|la|el|le|das|your|my|this)[ \t]){0,2}|\b(?:user(?:name)?|login|usu[aá]rio|benutzer(?:name)?|utilisateur)[ \t:]{1,3}[\w.@-]{1,60},?[ \t]{1,3}(?:(?:and|e|y|und|et)[ \t])?)$/i
/** A line of an environment file takes everything literally, so a password may begin like code. */
const OPENING_MARK = /^[([{|>&]+[^\s(){}[\]|>&]*$/
/** The field of a user, next to that of the secret. */
const USER_FIELD =
  /(?:^|[^\p{L}])(?:user(?:[ _-]?name)?|login|e-?mail|usu[aá]rio|usuario|utilisateur|benutzer(?:name)?|identifiant|conta|cuenta|compte|account)["'`*]{0,3}[ \t]{0,3}[:=][ \t]{0,3}(?!\s|string|str\b)/iu
const USER_CONTEXT_LENGTH = 80
const FLAG_START = /(?:^|[\s"'`[(,])--?(?:[a-z]{1,20}-)?$/
/** The beginning of a cell in a row of a table. */
const CELL_START = /(?:^|\n)[ \t]*\|(?:[^\n]*\|)?[ \t]*["'`*_]{0,3}$/
/** A change of a password, followed by the new value: `changed the password to x`, `troquei a senha pra x`. */
const CHANGED =
  /\b(?:chang|set\b|reset|rotat|updat|mud[aoe]|troqu|troca|alter|redefin|cambi|actualiz|ge?änder|setze|gesetzt|chang[eé]|modifi|remplac|mis\b|défini|réinit|redéf|atualiz|coloqu|colocad|puse|poner|put\b|switch|bump|qued|ficou|fica\b)/i
const MAX_BLOCK_LINES = 60

/** Secrets that are recognised by their names. */
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
    if (secretKey.strength === 'bare') {
      const bare = readBareKey(text, end)
      if (bare !== undefined) spans.push({ type: secretKey.type, ...bare })
      resume = bare?.end ?? resume
      continue
    }
    const key: Key = { ...secretKey, strength: secretKey.strength, name, start, end }
    const value = readValues(text, key).find(candidate => isSecretValue(text, key, candidate))
    if (value === undefined) continue
    resume = endOfValue(text, value)
    spans.push({ type: key.type, start: value.start, end: resume })
  }
  return spans
}

/** `Key=…`, `clinchpad_key: "…"`, `the key is …` */
const BARE_KEY = /["'`]?\]?\s{0,3}(?:[:=]{1,2}>?|\bis\b)\s{0,3}["'`]?([A-Za-z0-9_-]{28,128})(?![\w-]|[./]\w)/y

/** One case with digits in turns, longer than a cuid, a ULID or a KSUID, and not a digest. A value with both cases is found anyway. */
function readBareKey(text: string, at: number): Range | undefined {
  BARE_KEY.lastIndex = at
  const match = BARE_KEY.exec(text)
  const value = match?.[1]
  if (match === null || value === undefined || isDocumented(value)) return undefined
  const random = value
    .split(/[_-]/)
    .some(
      part => part.length >= 16 && !/^[0-9a-f]+$/i.test(part) && isMachineMade(part) && turnsOf(part) >= 4,
    )
  if (!random) return undefined
  const start = BARE_KEY.lastIndex - value.length
  return { start, end: start + value.length }
}

function nameAround(text: string, from: number, to: number, floor: number) {
  let start = from
  while (start > floor && from - start < MAX_NAME_LENGTH && NAME_CHAR.test(text.charAt(start - 1))) start -= 1
  let end = to
  while (end < text.length && end - to < MAX_NAME_LENGTH && /[\p{L}\p{N}_-]/u.test(text.charAt(end))) end += 1
  // `--password`, `-Dapp.secret`: the dashes are the option's, not the name's; `--token-` ends a dash early.
  while (start < from && /[-.$_]/.test(text.charAt(start))) start += 1
  while (end > to && /[-_]/.test(text.charAt(end - 1))) end -= 1
  return { start, end }
}

function wordBefore(text: string, start: number): string {
  return /([\p{L}]+)[ \t]$/u.exec(text.slice(Math.max(0, start - 24), start))?.[1] ?? ''
}

function readValues(text: string, key: Key): Value[] {
  const values: Value[] = []
  const before = text.slice(Math.max(0, key.start - NAME_CONTEXT_LENGTH), key.start)
  if (RESOURCE_NAME.test(before)) return values
  const isFlag = FLAG_START.test(before)
  for (const [form, separator] of SEPARATORS) {
    separator.lastIndex = key.end
    const match = separator.exec(text)
    if (match === null || (/^[^|\n]*\|[ \t]*$/.test(match[0]) && !CELL_START.test(before))) continue
    if (form === 'flag' ? !isFlag : isFlag && SENTENCE_FORMS.has(form)) continue
    if (form === 'clause' && key.strength !== 'strong') continue
    const start = key.end + match[0].length
    const isBlockScalar = form === 'block' && /[|>][+-]?\s*\n\s*$/.test(match[0])
    const value = isBlockScalar
      ? readLine(text, start)
      : ((takesPhrase(form, key.name) ? readPassPhrase(text, start, key) : undefined) ??
        readLiteral(text, start))
    if (value === undefined) return values
    const after = text.slice(value.end, value.end + USER_CONTEXT_LENGTH)
    const isMoved = form === 'moved' && CHANGED.test(`${before.slice(-40)}${match[0]}${after.slice(0, 16)}`)
    const actualForm =
      form === 'call' && isFlag
        ? 'flag'
        : form === 'adjacent' || form === 'clause' || (form === 'moved' && !isMoved)
          ? adjacentForm(before)
          : form
    const announced = actualForm === 'adjacent' && form === 'adjacent' && ANNOUNCED.test(before)
    const isArgument = /[(,]\s*$/.test(before) && /^\s*[,)]/.test(after)
    const tight = match[0] === '=' && !isArgument
    values.push({
      ...value,
      form: announced ? 'prose' : actualForm,
      announced,
      tight,
      verbatim: isVerbatim(),
    })
    if (!SENTENCE_FORMS.has(form)) return values

    function isVerbatim(): boolean {
      if (actualForm === 'flag') return value?.quoted === true
      if (actualForm === 'block') return isBlockScalar
      if (actualForm !== 'assignment') return false
      if (isEnvironmentStyle(key.name) && (tight || isWholeLine(before, after))) return true
      return !isArgument && (USER_FIELD.test(before.slice(-USER_CONTEXT_LENGTH)) || USER_FIELD.test(after))
    }
  }
  return values
}

/** `--password x` and Dockerfile's `ENV PASSWORD x` name the value after them. */
function adjacentForm(before: string): Form {
  if (FLAG_START.test(before)) return 'flag'
  return /(?:^|\n)\s{0,8}ENV\s$/.test(before) ? 'assignment' : 'adjacent'
}

function isWholeLine(before: string, after: string): boolean {
  return /(?:^|\n)[ \t]*(?:- |export |set )?["']?$/.test(before) && /^["']?[ \t]*(?:#|\r?\n|$)/.test(after)
}

function readLiteral(text: string, at: number) {
  QUOTED.lastIndex = at
  const open = QUOTED.exec(text)
  if (open !== null) {
    const start = at + open[0].length
    const mark = open[3] ?? ''
    const close = findClosingQuote(text, start, `${open[2]}${CLOSING[mark] ?? mark}`)
    if (close !== -1) return { text: text.slice(start, close), start, end: close, quoted: true }
    return readUnquoted(text, start)
  }
  return readUnquoted(text, at)
}

/** Words to the end of the line that are not a sentence. */
function readPassPhrase(text: string, start: number, { type, name }: Key) {
  if (type !== 'password') return undefined
  const line = readLine(text, start)
  const words = line?.text.replace(/[.,;]$/, '') ?? ''
  if (!isPassPhrase(words) || (words.split(' ').length < 4 && !/phrase/i.test(name))) return undefined
  return { text: words, start, end: start + words.length, quoted: true }
}

function readLine(text: string, start: number) {
  const line = /[^\r\n]{0,512}/y
  line.lastIndex = start
  const run = line.exec(text)?.[0].trimEnd() ?? ''
  return run === '' ? undefined : { text: run, start, end: start + run.length, quoted: false }
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
  // `password = [Xk9vTz]`
  if (/^[([{<]/.test(run) && isLikelyPassword(run.slice(1)))
    return { text: run.slice(1), start: start + 1, end: start + run.length, quoted: false }
  return { text: run, start, end: start + run.length, quoted: false }
}

/** The end of a value that was cut for judging; for a block, the end of the block. */
function endOfValue(text: string, { start, end, quoted, form, verbatim }: Value): number {
  if (form === 'block' && verbatim) return endOfBlock(text, start, end)
  if (quoted || end - start < MAX_JUDGED_LENGTH) return end
  let last = end
  for (;;) {
    UNQUOTED.lastIndex = last
    const more = UNQUOTED.exec(text)
    if (more === null) return last
    last += more[0].length
  }
}

/** The lines that are indented at least as much as the first one. */
function endOfBlock(text: string, start: number, firstEnd: number): number {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const indent = start - lineStart
  let end = text.indexOf('\n', firstEnd)
  if (end === -1) return text.length
  for (let lines = 1; lines < MAX_BLOCK_LINES && indent > 0; lines += 1) {
    const next = text.indexOf('\n', end + 1)
    const line = text.slice(end + 1, next === -1 ? text.length : next)
    if (!/^[ \t]*$/.test(line.slice(0, indent)) || line.trim() === '') break
    end = next === -1 ? text.length : next
    if (next === -1) break
  }
  return text.charAt(end - 1) === '\r' ? end - 1 : end
}

function isSecretValue(text: string, key: Key, candidate: Value): boolean {
  const { form, end, quoted, verbatim } = candidate
  const value = candidate.text.slice(0, MAX_JUDGED_LENGTH)
  if (quoted && isNoise(value)) return true
  if (
    isStandIn(value) ||
    isDocumented(value) ||
    (!quoted && isCode(value) && !(verbatim && OPENING_MARK.test(value))) ||
    /^[\w+.-]+:\/\//.test(value)
  )
    return false
  if (key.strength === 'pin') return form !== 'adjacent' && /^\d{4,8}$/.test(value)
  // `key:` above a list of other keys
  if (
    form === 'block' &&
    !verbatim &&
    (/^\s*[:=]/.test(text.slice(end, end + 4)) ||
      !/^["'`]?[;,]?[ \t]*(?:\r?\n|$)/.test(text.slice(end, end + 40)))
  )
    return false
  if (!verbatim && isNameOfSecret(value)) return false
  if (key.strength === 'weak') return isSecretOfWeakKey(key, candidate, value)

  if (form === 'block' && verbatim) return true
  // Words in quotes are a pass phrase in a literal place, and a message to a person elsewhere.
  if (/\s/.test(value)) return verbatim || isPassPhrase(value) || value.split(/\s+/).some(isSecretAmongWords)
  if (isWords(value)) return isSecretWord(key, candidate)
  if (/^\d+$/.test(value))
    return (
      form !== 'adjacent' && form !== 'moved' && value.length >= 4 && !COUNTED.test(text.slice(end, end + 20))
    )
  switch (form) {
    case 'assignment':
    case 'call':
    case 'flag':
      return isPasswordLike(value)
    case 'block':
      return isPasswordLike(value)
    case 'prose':
      return isPasswordLike(value) && value.length >= 5
    case 'moved':
      return quoted
        ? isPasswordLike(value)
        : isPasswordLike(value) && value.length >= 6 && !isIdentifier(value)
    case 'adjacent':
      return quoted
        ? isPasswordLike(value)
        : (isUnmistakable(value) ||
            (value.length >= 16 && isMachineMade(value)) ||
            (key.type === 'password' && isLikelyPassword(value))) &&
            !value.includes('=')
  }
}

function isSecretOfWeakKey(
  key: Key,
  { form, quoted, verbatim, tight, announced }: Value,
  value: string,
): boolean {
  if (/\s/.test(value)) return false
  if (isMachineMade(value) || value.split(/[_-]/).some(isRandomLetters))
    return form !== 'adjacent' || value.length >= 16
  // `pass: hunter2`, but not `PASS: test_login_2`
  if (key.type === 'password')
    return (
      (form === 'assignment' ||
        form === 'flag' ||
        announced ||
        (form === 'prose' && isLikelyPassword(value))) &&
      /^[!-~]+$/.test(value) &&
      isPasswordLike(value) &&
      !/[_./\\-]/.test(value) &&
      key.name !== 'PASS'
    )
  // GITHUB_PAT=anything
  return (
    verbatim &&
    (tight || quoted) &&
    isEnvironmentStyle(key.name) &&
    value.length >= 8 &&
    /^[A-Za-z0-9]+$/.test(value) &&
    !isVocabulary(value) &&
    !isIdentifier(value)
  )
}

/** `challengePassword`, `db-password`: the name of a secret, not its value. */
function isNameOfSecret(value: string): boolean {
  return (
    /^[\w.-]*\p{L}$/u.test(value) &&
    /\p{Ll}\p{Lu}|[-_.]/u.test(value) &&
    isWordy(value) &&
    (classifyKey(value, '')?.strength ?? 'bare') !== 'bare'
  )
}

/** Plain letters: a name, a label or a type, unless the place is literal. */
function isSecretWord(key: Key, { text: value, form, quoted, tight, verbatim }: Value): boolean {
  if (value.length < 4 || isVocabulary(value)) return false
  if (isNameOfSecret(value)) return false
  const parts = value.split(/[-_.]/)
  if (verbatim) return form !== 'assignment' || isEnvironmentStyle(key.name) || quoted || !isIdentifier(value)
  if (parts.some(isRandomLetters)) return form !== 'adjacent' || value.length >= 12
  if (form === 'prose' || form === 'moved')
    return quoted && parts.length === 1 && !isIdentifier(value) && key.type === 'password'
  if (form === 'call' || form === 'adjacent' || form === 'flag' || form === 'block') return false
  // correct-horse-battery-staple
  if (key.type === 'password' && parts.length >= 4 && value.includes('-')) return true
  if (!quoted)
    return (
      tight && (isLongName(key) || (key.type === 'password' && parts.length === 1 && !isIdentifier(value)))
    )
  return (
    parts.length === 1 && value.length >= (key.type === 'password' ? 5 : 8) && !/^\p{Lu}\p{Ll}+$/u.test(value)
  )
}

/** `spring.datasource.password=word` is a line of a property file. */
function isLongName({ name }: Key): boolean {
  return name.split('.').length > 2 && !/^(?:self|this|cls)\./.test(name)
}
