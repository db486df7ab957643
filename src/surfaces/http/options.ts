import { CairnError } from '../../kernel/model/errors.ts'
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from '../../kernel/system/log.ts'
import { isLoopback } from './request-rules.ts'

export const DEFAULT_PORT = 4747

export interface UpOptions {
  readonly root: string | undefined
  /** undefined: the default one, or the next free one. */
  readonly port: number | undefined
  readonly host: string | undefined
  readonly isOpened: boolean
  readonly trustsLocal: boolean
  readonly needsToken: boolean
  readonly readsPerSecond: number | undefined
  readonly isJson: boolean
  readonly log: { readonly format: LogFormat; readonly level: LogLevel } | undefined
  /** `/metrics` requires no token. */
  readonly hasOpenMetrics: boolean
  /** How long a server reports that it is ending before it stops listening. */
  readonly drainSeconds: number | undefined
  /** A hub instead of the memory of one project. */
  readonly store: string | undefined
  readonly storeFile: string | undefined
  /** The operator confirms that a proxy in front of it provides TLS. */
  readonly isBehindTls: boolean
}

const TAKES_VALUE: ReadonlySet<string> = new Set([
  '--root',
  '--port',
  '--host',
  '--rate',
  '--log',
  '--log-level',
  '--drain',
  '--store',
  '--store-file',
])
const FLAGS: ReadonlySet<string> = new Set([
  '--open',
  '--no-open',
  '--trust-local',
  '--require-token',
  '--behind-tls',
  '--json',
  '--metrics-open',
  '--color',
  '--no-color',
])

/** Help and invalid options are left to the whole command line, which can report them. */
export function readOptions(words: readonly string[]): UpOptions {
  const valueByFlag = new Map<string, string>()
  for (let at = 0; at < words.length; at++) {
    const [name = '', inline] = splitFlag(words[at] ?? '')
    if (TAKES_VALUE.has(name)) {
      const value = inline ?? words[++at]
      if (value === undefined || value === '') throw missingValue(name)
      valueByFlag.set(name, value)
    } else if (FLAGS.has(name) && inline === undefined) valueByFlag.set(name, '')
    else throw Object.assign(new Error('not in this bundle'), { handOver: true })
  }
  const options: UpOptions = {
    root: valueByFlag.get('--root'),
    port: wholeNumber('--port', valueByFlag.get('--port'), 0, 65_535),
    host: valueByFlag.get('--host'),
    isOpened: !valueByFlag.has('--no-open'),
    trustsLocal: valueByFlag.has('--trust-local'),
    needsToken: valueByFlag.has('--require-token'),
    readsPerSecond: wholeNumber('--rate', valueByFlag.get('--rate'), 1, 1_000_000),
    isJson: valueByFlag.has('--json'),
    log: logOf(valueByFlag.get('--log'), valueByFlag.get('--log-level')),
    hasOpenMetrics: valueByFlag.has('--metrics-open'),
    drainSeconds: wholeNumber('--drain', valueByFlag.get('--drain'), 0, 600),
    store: valueByFlag.get('--store'),
    storeFile: valueByFlag.get('--store-file'),
    isBehindTls: valueByFlag.has('--behind-tls'),
  }
  if (options.trustsLocal && options.host !== undefined && !isLoopback(options.host))
    throw new CairnError({
      code: 'request_refused',
      message: '--trust-local is for this machine alone, and --host listens to others.',
      hint: 'Leave one of them out. Elsewhere everybody needs the token.',
    })
  if (options.trustsLocal && options.needsToken)
    throw new CairnError({
      code: 'invalid_input',
      message: '--trust-local and --require-token say the opposite of each other.',
      hint: 'Leave one of them out.',
    })
  return options
}

/** A level alone implies the text format. */
function logOf(format: string | undefined, level: string | undefined): UpOptions['log'] {
  if (format === undefined && level === undefined) return undefined
  return {
    format: oneOf('--log', format ?? 'text', LOG_FORMATS),
    level: oneOf('--log-level', level ?? 'info', LOG_LEVELS),
  }
}

function oneOf<Word extends string>(name: string, value: string, words: readonly Word[]): Word {
  const known = words.find(word => word === value)
  if (known !== undefined) return known
  throw new CairnError({
    code: 'invalid_input',
    message: `${name} is one of ${words.join(', ')}, not "${value.slice(0, 40)}".`,
    hint: `For example: cairn up ${name} ${words[0]}`,
  })
}

function splitFlag(word: string): [string, string | undefined] {
  const at = word.indexOf('=')
  return word.startsWith('--') && at > 0 ? [word.slice(0, at), word.slice(at + 1)] : [word, undefined]
}

function wholeNumber(
  name: string,
  value: string | undefined,
  least: number,
  most: number,
): number | undefined {
  if (value === undefined) return undefined
  const given = /^\d{1,7}$/.test(value) ? Number(value) : Number.NaN
  if (given >= least && given <= most) return given
  throw new CairnError({
    code: 'invalid_input',
    message: `${name} is a number from ${least} to ${most}, not "${value.slice(0, 40)}".`,
    hint: `For example: cairn up ${name} ${EXAMPLES[name] ?? 1}`,
  })
}

const EXAMPLES: Readonly<Record<string, number>> = { '--port': DEFAULT_PORT, '--rate': 200, '--drain': 5 }

function missingValue(name: string): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: `${name} needs a value.`,
    hint: '`cairn up --help` shows what it takes.',
  })
}
