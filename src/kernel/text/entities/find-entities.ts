import type { Entity, EntityType } from '../../model/graph.ts'
import { codeSpans, type TextSpan } from '../prose.ts'
import { type FoundCommand, findCommands } from './commands.ts'
import { filePathOf } from './file-name.ts'
import { isStandardModule, PACKAGE_WORDS, packageAt } from './known-packages.ts'
import { hostOfUrl, SERVICE_WORDS, serviceAt, serviceOfHost, serviceOfVariable } from './known-services.ts'
import { findPeople, type NameCue, PEOPLE_CUES } from './people.ts'

/** The limit of one entry: a text with more is a log or a lock file, which says nothing about the entry. */
const MAX_ENTITIES = 64
const MAX_MENTIONS = 256
const MAX_CUES = 128
const MAX_CHARACTERS = 200
/** No relevant path, host or name is longer. */
const MAX_WORD_LENGTH = 260

/** `*.mdx` and `**` begin a glob, `_x_` and `**x**` do not. */
const LEADING_EDGE = /^(?:[[{_:=&#!?]+|\*{1,3}(?=[A-Za-z@]))/
const TAIL = '.:!?=&#_*]}'
const ENDS_SENTENCE = /[.!?:]$/
const BULLET = /^[-*+#>]+$/
const HOST = /^(?:[a-z0-9-]+\.)+(?:com|org|net|io|internal|eu|example|gov|edu|cloud|br|pt|uk|de)(?=$|[:/])/
const VARIABLE = /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/
const LOCAL_HOST = /^(?:localhost|127\.|0\.0\.0\.0|\[::1?\]|::1)/

/** Each entity once, at its first mention. */
export function distinctEntities(mentions: readonly Entity[]): Entity[] {
  const byKey = new Map<string, Entity>()
  for (const mention of mentions) {
    const key = `${mention.type} ${mention.name}`
    if (byKey.has(key)) continue
    byKey.set(key, mention)
    if (byKey.size === MAX_ENTITIES) break
  }
  return [...byKey.values()]
}

/**
 * The entities of a text, found without a model, at every mention, in order.
 *
 * words, one by one:  URL → service   @scope/x, x@1, a::b → package   A_B → service   a/b.ts → file   Redis → service
 * the text around:    `npm run build` → command   import … 'zod' → package   Ana decided → person
 */
export function findMentions(text: string, files: readonly string[] = []): Entity[] {
  const found = new Found()
  const code = text.includes('`') ? codeSpans(text) : []
  const inCode = (at: number) => isInside(code, at)

  for (const command of findCommands(text)) {
    found.add(command.entity)
    for (const installed of installedPackages(text, command)) found.add(installed)
    // The program or script that runs is the command, and not also a package or file.
    found.claim(text.indexOf(command.words[0] ?? '', command.span.start))
  }
  for (const entity of packagesInContext(text)) found.add(entity)
  const cues = scanWords(text, found)
  for (const person of findPeople(text, cues, inCode)) found.add(person)
  const mentions = found.inOrder()
  for (const file of files.slice(0, MAX_ENTITIES)) {
    const name = (filePathOf(file) ?? file).slice(0, MAX_CHARACTERS)
    mentions.push({ type: 'file', name, text: file.slice(0, MAX_CHARACTERS), at: -1 })
  }
  return mentions
}

function isInside(spans: readonly TextSpan[], at: number): boolean {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle]?.end ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return (spans[low]?.start ?? Number.POSITIVE_INFINITY) <= at
}

class Found {
  readonly #mentions: Entity[] = []
  readonly #claimed = new Set<number>()
  readonly #packages = new Set<string>()

  /** No other mention may begin here. */
  claim(at: number): void {
    this.#claimed.add(at)
  }

  isClaimed(at: number): boolean {
    return this.#claimed.has(at)
  }

  add(entity: Entity): void {
    if (this.#mentions.length >= MAX_MENTIONS) return
    if (entity.type !== 'command') this.#claimed.add(entity.at)
    const { type, name, text, at } = entity
    if (type === 'package') this.#packages.add(name)
    this.#mentions.push({
      type,
      name: name.slice(0, MAX_CHARACTERS),
      text: text.slice(0, MAX_CHARACTERS),
      at,
    })
  }

  /** `import x from 'sharp'` … `sharp needs libvips`: a word that was a package once is a package everywhere. */
  isPackage(word: string): boolean {
    return this.#packages.size > 0 && this.#packages.has(word)
  }

  inOrder(): Entity[] {
    return this.#mentions.sort((a, b) => a.at - b.at)
  }
}

/** Plain words that mean something here. One lookup for all of them, because most words of a text are not among them. */
const SPECIAL_WORDS: ReadonlySet<string> = new Set([...SERVICE_WORDS, ...PACKAGE_WORDS, ...PEOPLE_CUES])

/** Checks each word once. Nearly all are plain and unknown: those must cost next to nothing. */
function scanWords(text: string, found: Found): NameCue[] {
  let skipTo = 0
  let sentenceStart = true
  const cues: NameCue[] = []
  for (const { start, end, isPlain } of wordSpans(text)) {
    const startsSentence: boolean = sentenceStart
    const raw = text.slice(start, end)
    if (isPlain && !SPECIAL_WORDS.has(raw) && !found.isPackage(raw)) {
      sentenceStart = text[end] === '\n'
      continue
    }
    sentenceStart = ENDS_SENTENCE.test(raw) || text[end] === '\n' || (startsSentence && BULLET.test(raw))
    const cue = withoutTail(raw).toLowerCase()
    if (PEOPLE_CUES.has(cue) && cues.length < MAX_CUES)
      cues.push({ word: cue, start, end: start + cue.length })
    if (start < skipTo || raw.length > MAX_WORD_LENGTH) continue
    const lead = LEADING_EDGE.exec(raw)?.[0].length ?? 0
    const word = withoutTail(raw.slice(lead))
    const at = start + lead
    if (word.length < 2 || found.isClaimed(at)) continue
    const isQuoted = isQuote(text[at - 1]) && isQuote(text[at + word.length])
    const entity = classify(text, { word, at, startsSentence, isQuoted, isCall: text[end] === '(' })
    if (entity === undefined) {
      if (found.isPackage(word)) found.add({ type: 'package', name: word, text: word, at })
      continue
    }
    found.add({ type: entity.type, name: entity.name, text: text.slice(at, entity.end), at })
    skipTo = entity.end
  }
  return cues
}

interface Word {
  readonly word: string
  readonly at: number
  readonly startsSentence: boolean
  readonly isQuoted: boolean
  readonly isCall: boolean
}

function classify(
  text: string,
  { word, at, startsSentence, isQuoted, isCall }: Word,
): { type: EntityType; name: string; end: number } | undefined {
  const end = at + word.length
  const lower = word.toLowerCase()
  if (PUNCTUATED.test(word)) {
    const host = hostOfUrl(word)
    if (host !== undefined)
      return LOCAL_HOST.test(host) ? undefined : { type: 'service', name: serviceOfHost(host), end }
    const known = serviceAt(text, { word, lower, end, startsSentence })
    if (known !== undefined) return { type: 'service', ...known }
    const assigned = word.indexOf('=')
    if (assigned > 0 && VARIABLE.test(word.slice(0, assigned))) return ofVariable(word, assigned, end)
    if (VARIABLE.test(word)) {
      const name = serviceOfVariable(word)
      return name === undefined ? undefined : { type: 'service', name, end }
    }
    const spelled = packageAt(text, { word, lower, end, startsSentence, isQuoted })
    if (spelled !== undefined) return { type: 'package', ...spelled }
    const named = packageOfWord(word)
    if (named !== undefined) return { type: 'package', name: named, end }
    const file = isCall && !word.includes('/') ? undefined : filePathOf(word)
    if (file !== undefined) return { type: 'file', name: file, end }
    const bareHost = HOST.exec(word)?.[0]
    return bareHost === undefined ? undefined : { type: 'service', name: serviceOfHost(bareHost), end }
  }
  if (NAMES_FILE.test(word) && filePathOf(word) !== undefined) return { type: 'file', name: word, end }
  const service = serviceAt(text, { word, lower, end, startsSentence })
  if (service !== undefined) return { type: 'service', ...service }
  const known = packageAt(text, { word, lower, end, startsSentence, isQuoted })
  return known === undefined ? undefined : { type: 'package', ...known }
}

/** Characters that make a word more than a plain word. */
const PUNCTUATED = /[^A-Za-z0-9]/
const NAMES_FILE = /^[A-Z]\w+(?:file|OWNERS)$/

/** `DD_SITE=datadoghq.eu`: the value is as good as any host; without a value, the name counts. */
function ofVariable(word: string, assigned: number, end: number) {
  const value = word.slice(assigned + 1)
  const host = HOST.exec(value)?.[0]
  const name = host === undefined ? serviceOfVariable(word) : serviceOfHost(host)
  return name === undefined ? undefined : { type: 'service' as const, name, end }
}

/** Punctuation, emphasis, and brackets that close nothing in the word: `app/[id]` and `src/**` stay whole. */
function withoutTail(word: string): string {
  let end = word.length
  for (; end > 0; end--) {
    const last = word[end - 1] ?? ''
    const isGlob = last === '*' && /[/.*]/.test(word[end - 2] ?? '/') && word.includes('/')
    const isClosing = (last === ']' && word.includes('[')) || (last === '}' && word.includes('{'))
    if (isGlob || isClosing || !TAIL.includes(last)) break
  }
  return word.slice(0, end)
}

function isQuote(character: string | undefined): boolean {
  return character === '`' || character === '"' || character === "'"
}

const SCOPED = /^(@[a-z0-9][\w.-]*\/[a-z0-9][\w.-]*)(?:@[\w.^~*-]+|\/[\w./-]*)?$/i
const WITH_VERSION = /^([a-z][\w.-]*)@(?:[\^~v]{0,2}\d[\w.+-]*|latest|next|beta|canary)$/i
const PIP_PIN = /^([a-z][\w.-]*)(?:\[[\w,-]*\])?(?:[=~!<>]=|===)\d[\w.*]*$/i
const MAVEN = /^((?:com|org|io|net|dev|br)(?:\.[a-z][\w-]*)+:[a-z][\w.-]*)(?::[\w.-]+)?$/
const GO_MODULE =
  /^((?:github\.com|gitlab\.com|bitbucket\.org)\/[\w.-]+\/[\w.-]+(?:\/v\d+)?|(?:golang\.org|go\.uber\.org|google\.golang\.org|gopkg\.in|k8s\.io)\/[\w./-]*\w)/
const RUST_PATH = /^([a-z][a-z0-9_]*)::[\w:{}*<>]+/

/** The package that a word alone identifies: a scope, a version, a module path. */
function packageOfWord(word: string): string | undefined {
  if (word.includes('@')) {
    const name = SCOPED.exec(word)?.[1] ?? WITH_VERSION.exec(word)?.[1]
    return name?.toLowerCase()
  }
  if (word.includes('=')) return PIP_PIN.exec(word)?.[1]?.toLowerCase()
  if (word.includes('::')) {
    const name = RUST_PATH.exec(word)?.[1]
    return name === undefined || isStandardModule(name) ? undefined : name
  }
  if (word.includes(':')) return MAVEN.exec(word)?.[1]
  return word.includes('/') ? GO_MODULE.exec(word)?.[1] : undefined
}

/** `from 'zod'`, `require("sharp")`, `import('x')`, `Cannot find module 'sharp'` */
const QUOTED_MODULE =
  /(?:\bfrom|\brequire ?\(|\bimport ?\(?|\bmodule|\bpackage) ?["'`]((?:@[\w.-]+\/)?[a-zA-Z][\w.-]*)(?:\/[\w./-]*)?["'`]/g
const PYTHON_FROM = /(?:^|[\n`]) *from ([a-z_]\w*)(?:\.\w+)* import \w/g
const PYTHON_IMPORT = /(?:^|[\n`]) *import ([a-z_]\w*)(?:\.\w+)*(?: as \w+)? *(?=$|[\n`])/g
/** `serde_json = { version…`, `tracing = "0.1"` */
const TOML_DEPENDENCY =
  /(?<![\w.-])([a-z][\w-]*) = (?:"[\^~=]?\d[\w.]*"|\{ ?(?:version|features|path|git|workspace)\b)/g
const NPM_DEPENDENCY = /"((?:@[\w.-]+\/)?[a-z][\w.-]*)": ?"[\^~]\d[\w.]*"/g

/** Names that are packages according to the text around them. */
function packagesInContext(text: string): Entity[] {
  const found: Entity[] = []
  const scan = (pattern: RegExp) => {
    for (const match of text.matchAll(pattern)) {
      const name = match[1] ?? ''
      if (isStandardModule(name)) continue
      found.push({
        type: 'package',
        name: name.toLowerCase(),
        text: name,
        at: match.index + match[0].indexOf(name),
      })
    }
  }
  if (
    text.includes('import') ||
    text.includes('require') ||
    text.includes('module') ||
    text.includes('package')
  ) {
    scan(QUOTED_MODULE)
    scan(PYTHON_FROM)
    scan(PYTHON_IMPORT)
  }
  if (text.includes(' = ')) scan(TOML_DEPENDENCY)
  if (text.includes('": ')) scan(NPM_DEPENDENCY)
  return found
}

const INSTALLERS =
  /^(?:npm (?:install|i|add)|(?:pnpm|yarn|bun|poetry|uv|cargo) add|(?:pip3?|gem|brew|apt|apt-get|conda|pipx|cargo) install|apk add|composer require|go (?:get|install)|uv pip install|dotnet add package)$/
const INSTALLED =
  /^["']?((?:@[\w.-]+\/)?[A-Za-z][\w.-]*(?:\/[\w.-]+)*)(?:\[[\w,-]*\])?(?:@[\w.^~-]+|[=~<>]=?[\w.*]+)?["']?$/

/** The packages of an install command. In prose only the first word counts. */
function installedPackages(text: string, command: FoundCommand): Entity[] {
  if (!INSTALLERS.test(command.entity.name)) return []
  const found: Entity[] = []
  const skipped = command.entity.name.split(' ').length
  for (const word of command.words.slice(skipped)) {
    if (word.startsWith('-')) continue
    const name = INSTALLED.exec(word)?.[1]
    if (name === undefined) break
    const at = text.indexOf(name, command.span.start)
    found.push({ type: 'package', name: name.toLowerCase(), text: name, at: Math.max(0, at) })
    if (!command.isCode) break
  }
  return found
}

/** Blanks, quotes and punctuation end a word. Brackets do not: `app/[id]/page.tsx`. */
const ENDS_WORD = new Uint8Array(128)
for (const character of ' \t\n\v\f\r`"\'<>|,;()') ENDS_WORD[character.charCodeAt(0)] = 1
const WIDE_ENDS = new Set(
  '\u00a0\u2018\u2019\u201c\u201d\u2028\u2029\u3000'.split('').map(c => c.charCodeAt(0)),
)

interface WordSpan {
  readonly start: number
  readonly end: number
  /** Only letters a to z. */
  readonly isPlain: boolean
}

/** By character codes: a regular expression that matches every word costs four times as much. */
function wordSpans(text: string): WordSpan[] {
  const spans: WordSpan[] = []
  let start = -1
  let isPlain = true
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 32
    const ends = code < 128 ? ENDS_WORD[code] === 1 : WIDE_ENDS.has(code)
    if (ends) {
      if (start >= 0) spans.push({ start, end: at, isPlain })
      start = -1
      isPlain = true
    } else {
      if (start < 0) start = at
      if (code < 97 || code > 122) isPlain = false
    }
  }
  return spans
}
