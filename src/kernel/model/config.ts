import { CONFIG_KEYS } from './config-keys.ts'
import { CairnError } from './errors.ts'
import type { Problem } from './search.ts'

export type ConfigKey = keyof typeof CONFIG_KEYS
type ValueOf<K extends ConfigKey> = (typeof CONFIG_KEYS)[K] extends { type: 'integer' }
  ? number
  : (typeof CONFIG_KEYS)[K] extends { type: 'boolean' }
    ? boolean
    : (typeof CONFIG_KEYS)[K] extends { type: 'list' | 'command' }
      ? readonly string[]
      : (typeof CONFIG_KEYS)[K] extends { type: 'choice'; choices: readonly (infer Choice)[] }
        ? Choice
        : string
export type Config = { readonly [K in ConfigKey]: ValueOf<K> }
export type ConfigValue = number | boolean | string | readonly string[]

interface KeyRule {
  readonly type: 'integer' | 'boolean' | 'text' | 'list' | 'command' | 'choice' | 'url'
  readonly default: ConfigValue
  /** For a choice, and for the items of a list. */
  readonly choices?: readonly string[]
  readonly min?: number
  readonly max?: number
  readonly description: string
}

export function ruleOf(key: ConfigKey): KeyRule {
  return CONFIG_KEYS[key]
}

export const DEFAULT_CONFIG = Object.fromEntries(
  Object.entries(CONFIG_KEYS).map(([key, rule]) => [key, rule.default]),
) as unknown as Config

export function isConfigKey(key: string): key is ConfigKey {
  return Object.hasOwn(CONFIG_KEYS, key)
}

export function parseConfigKey(key: string): ConfigKey {
  if (isConfigKey(key)) return key
  throw new CairnError({
    code: 'config_key_unknown',
    message: `Unknown configuration key \`${key}\`.`,
    hint: keysLike(key),
  })
}

/** The keys of the same group, or where to find all of them. */
function keysLike(key: string): string {
  const group = Object.keys(CONFIG_KEYS).filter(known => known.split('.')[0] === key.split('.')[0])
  const own = key.startsWith('query.') ? ['query.templates.<name>.instructions'] : []
  return group.length === 0
    ? '`cairn config list` shows all keys.'
    : `Keys of this group: ${[...group, ...own].join(', ')}. \`cairn config list\` shows all.`
}

/** Reads one value as a person types it (`cairn config set`) or as it is in JSON. */
export function parseConfigValue(key: ConfigKey, value: unknown): ConfigValue {
  const rule = ruleOf(key)
  const parsed = coerce(rule, value)
  if (parsed === undefined) {
    throw new CairnError({
      code: 'config_value_invalid',
      message: `\`${key}\` takes ${describeRule(rule)}${rule.type === 'url' ? '' : `, not ${JSON.stringify(value)}`}.`,
      hint: `The default is ${JSON.stringify(rule.default)}; \`cairn config unset ${key}\` restores it.`,
    })
  }
  return parsed
}

function coerce(rule: KeyRule, value: unknown): ConfigValue | undefined {
  switch (rule.type) {
    case 'integer': {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
      if (typeof number !== 'number' || !Number.isInteger(number)) return undefined
      return number < (rule.min ?? -Infinity) || number > (rule.max ?? Infinity) ? undefined : number
    }
    case 'boolean':
      if (value === true || value === 'true' || value === 'on') return true
      if (value === false || value === 'false' || value === 'off') return false
      return undefined
    case 'list': {
      const items = typeof value === 'string' ? value.split(',').map(item => item.trim()) : value
      if (!Array.isArray(items) || !items.every(item => typeof item === 'string')) return undefined
      const given = items.filter(item => item !== '')
      return given.every(item => rule.choices?.includes(item) ?? true) ? given : undefined
    }
    case 'command': {
      const words = typeof value === 'string' ? commandWords(value) : value
      if (!Array.isArray(words) || words.length === 0 || words[0] === '') return undefined
      return words.every(word => typeof word === 'string') ? (words as string[]) : undefined
    }
    case 'choice':
      return typeof value === 'string' && rule.choices?.includes(value) ? value : undefined
    case 'url':
      return typeof value === 'string' && isPlainUrl(value.trim()) ? value.trim() : undefined
    case 'text':
      return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
  }
}

/** claude -p --tools ""  ->  claude, -p, --tools, (an empty word). Quotes group a word; no other character is special. */
function commandWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|[^\s"']+/g)].map(
    ([word, double, single]) => double ?? single ?? word,
  )
}

/** http or https, without a password: the file is shared. */
function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
}

export function describeRule(rule: KeyRule): string {
  if (rule.type === 'integer') {
    return `a whole number${rule.min === undefined ? '' : ` from ${rule.min}`}${rule.max === undefined ? '' : ` to ${rule.max}`}`
  }
  if (rule.type === 'url') return 'an http or https address without a password'
  if (rule.type === 'command') return 'a program and its words'
  if (rule.choices !== undefined)
    return `${rule.type === 'list' ? 'any' : 'one'} of ${rule.choices.join(', ')}`
  return rule.type === 'boolean' ? 'true or false' : rule.type === 'list' ? 'a list of texts' : 'a text'
}

/**
 * { "version": 1, "vault": { "keepEntries": 10 } }  ->  { ...defaults, 'vault.keepEntries': 10 }
 * A key that this version does not know is left alone (a newer Cairn may have written it). An unusable value counts as absent, so that it
 * can still be corrected; `configProblems` reports it.
 */
export function readConfig(document: Readonly<Record<string, unknown>>): Config {
  const values: Record<string, ConfigValue> = { ...DEFAULT_CONFIG }
  for (const key of Object.keys(CONFIG_KEYS) as ConfigKey[]) {
    const stored = readKey(document, key)
    const value = stored === undefined ? undefined : coerce(ruleOf(key), stored)
    if (value !== undefined) values[key] = value
  }
  return values as unknown as Config
}

const ALL_KEYS = Object.keys(CONFIG_KEYS) as readonly ConfigKey[]

/** Unusable values, without the values themselves: one may be a secret in the wrong place. */
export function unusableValues(document: Readonly<Record<string, unknown>>, keys = ALL_KEYS) {
  return keys.flatMap(key => {
    const stored = readKey(document, key)
    if (stored === undefined || coerce(ruleOf(key), stored) !== undefined) return []
    const hint = `\`cairn config unset ${key}\` removes it, \`cairn config set ${key} …\` corrects it.`
    return [{ key, stored, expected: describeRule(ruleOf(key)), hint }]
  })
}

export function configProblems(document: Readonly<Record<string, unknown>>, keys = ALL_KEYS): Problem[] {
  return unusableValues(document, keys).map(({ key, stored, expected, hint }) => ({
    code: 'config_value_invalid',
    path: 'config.json',
    message: `\`${key}\` takes ${expected}${ruleOf(key).type === 'url' ? '' : `, not ${JSON.stringify(stored)}`}; the default is used.`,
    hint,
  }))
}

export function readKey(document: Readonly<Record<string, unknown>>, key: string): unknown {
  let value: unknown = document
  for (const name of key.split('.')) {
    if (!isGroup(value) || !Object.hasOwn(value, name)) return undefined
    value = value[name]
  }
  return value
}

/** A copy of the document with one key set, or removed if the value is undefined. An empty group is removed. */
export function writeKey(
  document: Readonly<Record<string, unknown>>,
  key: string,
  value: ConfigValue | undefined,
): Record<string, unknown> {
  return writePath(document, key.split('.'), value)
}

type Group = Readonly<Record<string, unknown>>

function writePath(
  group: Group,
  [name = '', ...rest]: readonly string[],
  value: ConfigValue | undefined,
): Record<string, unknown> {
  const inner = group[name]
  const next = rest.length === 0 ? value : writePath(isGroup(inner) ? inner : {}, rest, value)
  const { [name]: _, ...others } = group
  if (next === undefined || (isGroup(next) && Object.keys(next).length === 0)) return others
  return { ...group, [name]: next }
}

function isGroup(value: unknown): value is Group {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
