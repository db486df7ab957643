import { cutToTokens } from './cut-to-tokens.ts'
import { estimateTokens } from './token-estimate.ts'

/**
 * The essence of a long prompt in a few words: for the embedding, which reads no more, and for the keywords, where a pasted log would
 * drown the question. A short prompt is returned as it is.
 *
 * why does checkout hang?            why does checkout hang?
 * 2026-03-16 10:00:01 INFO …    →    TimeoutError: no answer from payments
 * TimeoutError: no answer …          chargeCard checkout/charge.ts
 * at chargeCard (/app/src/checkout/charge.ts:42:7)
 * at node:internal/timers:569:17
 *
 * In order of importance: its opening, its questions, its end, the errors (the first, and the last, which is usually the cause), the top
 * frames of the project's own code, files, identifiers.
 */
export function essentialPart(prompt: string, maxTokens = 64): string {
  const text = whole(prompt).trim()
  if (text.length <= maxTokens * SHORT_CHARACTERS_A_TOKEN && estimateTokens(text) <= maxTokens) return text
  const found = sortLines(text)
  const telling = new EssentialText(maxTokens)
  for (const line of found.prose.slice(0, OPENING_LINES)) telling.add(line, maxTokens * OPENING_SHARE)
  for (const question of found.questions.slice(0, MAX_QUESTIONS)) telling.add(question)
  for (const error of [found.errors[0], found.errors.at(-1)]) telling.add(error, maxTokens * ERROR_SHARE)
  telling.add(found.prose.at(-1), maxTokens * CLOSING_SHARE)
  for (const frame of found.frames.slice(0, MAX_FRAMES)) telling.add(frame)
  for (const file of found.files) telling.add(file)
  for (const name of found.names) telling.add(name)
  return telling.text === '' ? cutToTokens(text, maxTokens, '') : telling.text
}

const SHORT_CHARACTERS_A_TOKEN = 24
/** The subject of a log is at its start and its end. */
const READ_FROM_START = 128_000
const READ_FROM_END = 64_000
const READ_OF_A_LINE = 300

const OPENING_LINES = 2
const MAX_QUESTIONS = 3
const MAX_FRAMES = 3
const MAX_NAMES = 24
/** The share of the budget for one line: the opening must leave room for the error. */
const OPENING_SHARE = 0.4
const ERROR_SHARE = 0.45
const CLOSING_SHARE = 0.25

interface Found {
  readonly prose: string[]
  readonly questions: string[]
  readonly errors: string[]
  readonly frames: string[]
  readonly files: Set<string>
  readonly names: Set<string>
}

/** Lines that are added until the budget is used up, each once. */
class EssentialText {
  text = ''
  readonly #lines = new Set<string>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  add(line: string | undefined, mostOfLine = this.#most): void {
    if (line === undefined || this.#lines.has(line) || this.text.includes(line)) return
    this.#lines.add(line)
    const free = this.#most - (this.text === '' ? 0 : estimateTokens(`${this.text}\n`))
    const cut = cutToTokens(line, Math.floor(Math.min(free, mostOfLine)), '')
    if (cut === '') return
    const longer = this.text === '' ? cut : `${this.text}\n${cut}`
    if (estimateTokens(longer) <= this.#most) this.text = longer
  }
}

const ANSI = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)?)/g
const LONE_SURROGATES = /[\ud800-\udfff]/gu

/** Without colours and lone surrogates; of a very long text, its start and its end. */
function whole(prompt: string): string {
  const read =
    prompt.length <= READ_FROM_START + READ_FROM_END
      ? prompt
      : `${prompt.slice(0, READ_FROM_START)}\n${prompt.slice(-READ_FROM_END)}`
  return read.replace(ANSI, '').replace(LONE_SURROGATES, ' ')
}

function sortLines(text: string): Found {
  const found: Found = {
    prose: [],
    questions: [],
    errors: [],
    frames: [],
    files: new Set(),
    names: new Set(),
  }
  let isInCode = false
  for (const raw of text.split(/\r\n?|\n/)) {
    const line = raw.slice(0, READ_OF_A_LINE).trim()
    if (/^(?:```|~~~)/.test(line)) isInCode = !isInCode
    else if (line !== '') sortLine(line, isInCode, found)
  }
  return found
}

function sortLine(line: string, isInCode: boolean, found: Found): void {
  const frame = readFrame(line)
  if (frame !== undefined) {
    if (frame !== '') found.frames.push(frame)
    return
  }
  const changed = DIFF_FILE.exec(line)?.[1]
  if (changed !== undefined) {
    found.files.add(shortPath(changed))
    return
  }
  const message = line.replace(LOG_PREFIX, '')
  if (isError(message)) found.errors.push(withoutNoise(message))
  else if (!isInCode && message === line && isProse(line)) {
    found.prose.push(line)
    for (const sentence of line.split(SENTENCE_BORDER)) {
      if (QUESTION.test(sentence)) found.questions.push(sentence.trim())
    }
  }
  if (found.files.size < MAX_NAMES) for (const [file] of line.matchAll(FILE)) found.files.add(shortPath(file))
  if (found.names.size < MAX_NAMES) for (const [name] of line.matchAll(IDENTIFIER)) found.names.add(name)
}

const SENTENCE_BORDER = /(?<=[.!?…])\s+|(?<=[。！？؟])/
const QUESTION = /[?？؟]\s*["')\]]*$/
const DIFF_FILE = /^(?:diff --git a\/\S+ b\/|\+\+\+ b\/|--- a\/|rename to )(\S+)/
/** `2026-03-16T10:00:01.123Z [worker-1] ERROR ` */
const LOG_PREFIX =
  /^(?:(?:\[?\d{4}-\d\d-\d\d[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?\]?|\[?\d\d:\d\d:\d\d[\d.,]*\]?|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d)\s*(?:\[[^\]]{0,60}\]\s*){0,3}(?:(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|SEVERE)\b:?\s*)?(?:\[[^\]]{0,60}\]\s*){0,3}|\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?)\b\]?:?\s*)/
const FILE =
  /(?<![\w.@/-])(?:[\w.@-]{1,80}\/){0,12}[\w.@-]{1,80}\.(?:[cm]?[jt]sx?|py|rs|go|kts?|java|rb|php|cs|cc|cpp|[ch]|hpp|swift|scala|exs?|sql|sh|ya?ml|json|toml|md|html?|s?css|vue|svelte|lock|env|tf|proto|graphql|gradle|xml|ini|conf)\b/g
/** Names in code: two joined words, or a constant. */
const IDENTIFIER =
  /\b(?:[a-z][a-z\d]*(?:[A-Z][a-z\d]+)+|(?:[A-Z][a-z\d]+){2,}|[a-z\d]+(?:_[a-z\d]+)+|[A-Z][A-Z\d]+(?:_[A-Z\d]+)+)\b/g

/** `TypeError: x`, `error[E0382]: x`, `error TS2345: x`, `fatal: x`, `Caused by: x`; not "an error since yesterday". */
const ERROR_MARK =
  /(?:^|[\s.:[(])\w{0,80}(?:error|exception|panic|erro)(?:\[\w{1,12}\]|\s[A-Z]{1,3}\d{1,6})?:|^\w{0,80}(?:Error|Exception)$|^(?:fatal|failed|fail|falha|panic|npm ERR!|caused by|错误|异常|エラー)[\s:：]|panicked at|segmentation fault/i
const NOISE = /\b(?:[0-9a-f]{8}-[0-9a-f-]{27}|0x[0-9a-f]+|[0-9a-f]{16,}|\d{6,})\b/gi

function isError(line: string): boolean {
  return (
    line.length < READ_OF_A_LINE &&
    ERROR_MARK.test(line) &&
    !/^[\s\w]*\b(?:import|export|class|extends|catch|throw new)\b/.test(line)
  )
}

/** Ids, addresses and times differ each time; the error is the same. */
function withoutNoise(message: string): string {
  return message.replace(NOISE, '').replace(/\s+/g, ' ').trim()
}

const CODE_SIGNS =
  /[{};=<>|\\]|\(\)|=>|::|^\s*(?:[#/@*+-]|at |import |const |let |var |def |fn |func |class |return |export |public |private |Traceback |stack backtrace)/
const LATIN_WORD = /[a-zà-ž’']{2,}/gi
const OTHER_LETTERS = /[\u0370-\u1fff\u3040-\uffdc]/g

function isProse(line: string): boolean {
  const others = line.match(OTHER_LETTERS)?.length ?? 0
  if (others >= 4) return others * 2 >= line.length * 0.5
  if (CODE_SIGNS.test(line.replace(/`[^`]{1,80}`/g, 'code'))) return false
  const words = line.match(LATIN_WORD) ?? []
  const letters = words.reduce((sum, word) => sum + word.length, 0)
  return words.length >= 2 && letters >= line.length * 0.6
}

const JS_FRAME =
  /^at (?:async )?(?:new )?(?:([^\s(]+)(?: \[as [^\]]+\])? \()?((?:file:\/\/)?[^\s()]+?):\d+(?::\d+)?\)?$/
const PYTHON_FRAME = /^File "([^"]+)", line \d+(?:, in (\S+))?/
const JVM_FRAME = /^at ((?:[\w$]+\.)+)([\w$<>]+)\(([\w$]+\.(?:kt|java|scala|groovy))?(?::\d+)?[^)]*\)/
const RUST_FRAME = /^(?:\d+: (?:0x[0-9a-f]+ - )?([\w:<>{}#' ]+)$|at (\S+\.rs):\d+)/
const GO_FRAME = /^(\/\S+\.go):\d+(?: \+0x[0-9a-f]+)?$/
const FOREIGN =
  /node_modules|node:|internal\/|site-packages|dist-packages|\/usr\/lib|\/lib\/python|<frozen|\.cargo\/registry|\/rustc\/|^(?:core|std|alloc|tokio|rust_begin_unwind|__rust)\b|\/go\/pkg\/mod|\/usr\/local\/go/
const FOREIGN_PACKAGE =
  /^(?:java|javax|jakarta|kotlin|kotlinx|sun|jdk|com\.sun|android|androidx|scala|groovy|org\.(?:springframework|junit|gradle|apache|hibernate|jetbrains)|io\.netty|reactor)\./

/** `function file` of a frame in our own code; empty for a frame of a library; undefined if it is not a frame. */
function readFrame(line: string): string | undefined {
  const jvm = JVM_FRAME.exec(line)
  if (jvm !== null) {
    const [, owner = '', method = '', file = ''] = jvm
    if (FOREIGN_PACKAGE.test(owner)) return ''
    return `${(owner.split('.').at(-2) ?? '').replace(/\$.*/, '')}.${method} ${file}`.trim()
  }
  const python = PYTHON_FRAME.exec(line)
  if (python !== null) return ownFrame(python[1], python[2])
  const js = JS_FRAME.exec(line)
  if (js !== null) return ownFrame(js[2], js[1])
  const rust = RUST_FRAME.exec(line)
  if (rust !== null) {
    if (rust[2] !== undefined) return ownFrame(rust[2], undefined)
    const name = rust[1] ?? ''
    return name.includes('::')
      ? FOREIGN.test(name.replace(/^<+/, ''))
        ? ''
        : name.replace(/::h[0-9a-f]{16}$/, '')
      : undefined
  }
  const go = GO_FRAME.exec(line)
  return go === null ? undefined : ownFrame(go[1], undefined)
}

function ownFrame(file = '', name = ''): string {
  if (FOREIGN.test(file)) return ''
  return `${name.replace(/^<.*>$/, '')} ${shortPath(file)}`.trim()
}

/** The last two parts of a path: they identify the file, whatever folder the project is in. */
function shortPath(file: string): string {
  return file
    .replace(/^file:\/\//, '')
    .split(/[/\\]/)
    .filter(step => step !== '' && step !== '.')
    .slice(-2)
    .join('/')
}
