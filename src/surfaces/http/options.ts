import { CairnError } from '../../model/errors.ts'
import { isLoopback } from './request-rules.ts'

export const DEFAULT_PORT = 4747

export interface UpOptions {
  readonly root: string | undefined
  /** undefined: the usual one, or the next that is free. */
  readonly port: number | undefined
  readonly host: string | undefined
  readonly isOpened: boolean
  readonly trustsLocal: boolean
  readonly needsToken: boolean
  readonly readsPerSecond: number | undefined
  readonly isJson: boolean
}

const TAKES_VALUE: ReadonlySet<string> = new Set(['--root', '--port', '--host', '--rate'])
const FLAGS: ReadonlySet<string> = new Set([
  '--open',
  '--no-open',
  '--trust-local',
  '--require-token',
  '--json',
  '--color',
  '--no-color',
])

/** Help, and what is none of these, is for the whole command line, which knows how to say so. */
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
    hint: `For example: cairn up ${name} ${name === '--port' ? DEFAULT_PORT : 200}`,
  })
}

function missingValue(name: string): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: `${name} needs a value.`,
    hint: '`cairn up --help` shows what it takes.',
  })
}
