import { CairnError } from './errors.ts'
import type { Problem } from './search.ts'

/**
 * Every configuration key: its default, what it does, and what it accepts. `.memory/config.json` holds only what
 * differs from this table; docs/reference/config.md is generated from it.
 */
export const CONFIG_KEYS = {
  'vault.defaultAgent': {
    type: 'text',
    default: 'shared',
    description: 'The vault an entry goes to when the caller names no agent.',
  },
  'vault.maxEntriesPerFile': {
    type: 'integer',
    default: 30,
    min: 0,
    description:
      'A head file with more entries rolls the older ones over into dated pages. 0 turns rollover off.',
  },
  'vault.keepEntries': {
    type: 'integer',
    default: 20,
    min: 1,
    description: 'How many of the newest entries stay in the head file at a rollover.',
  },
  'vault.pageBytes': {
    type: 'integer',
    default: 262_144,
    min: 4_096,
    description: 'The size at which a dated page is full and the next one is begun.',
  },
  'vault.maxEntryBytes': {
    type: 'integer',
    default: 16_384,
    min: 500,
    description:
      'The longest content one entry may have. Longer text belongs in a document that an entry points to.',
  },
  'memory.auto': {
    type: 'boolean',
    default: true,
    description:
      'Whether closed sessions are distilled into entries and handoffs by themselves. Off, only what was marked #remember is kept.',
  },
  'promotion.preset': {
    type: 'choice',
    default: 'balanced',
    choices: ['conservative', 'balanced', 'aggressive'],
    description:
      'How much must speak for a finding before it becomes an entry (4, 3 or 2 points); the others wait in `cairn review`.',
  },
  'search.limit': {
    type: 'integer',
    default: 10,
    min: 1,
    max: 100,
    description: 'How many hits a search returns when the caller does not say.',
  },
  'session.checkpointEvery': {
    type: 'integer',
    default: 10,
    min: 0,
    description: 'A checkpoint is saved whenever so many messages more have come. 0: only when asked for.',
  },
  'session.checkpointMessages': {
    type: 'integer',
    default: 50,
    min: 1,
    max: 500,
    description: 'How many of the last messages a checkpoint holds.',
  },
  'session.checkpointDays': {
    type: 'integer',
    default: 7,
    min: 1,
    description: 'An older checkpoint is no longer recovered.',
  },
  'session.idleHours': {
    type: 'integer',
    default: 12,
    min: 1,
    description: 'A session that nobody wrote to for so long counts as one that never closed.',
  },
  'brief.contextTokens': {
    type: 'integer',
    default: 100_000,
    min: 1_000,
    description:
      'Tokens assumed to be left in the context of a model whose host does not tell. A brief takes at most 8 % of it, and never more than 5,000.',
  },
  'brief.deadlineMs': {
    type: 'integer',
    default: 500,
    min: 20,
    description: 'A prompt never waits longer for its memories: what is ready by then is told.',
  },
  'brief.reranker': {
    type: 'choice',
    default: 'none',
    choices: ['none', 'diversity'],
    description:
      'Whether the best entries are put into another order before they are cut: diversity puts back what repeats another.',
  },
  'embedder.use': {
    type: 'choice',
    default: 'built-in',
    choices: ['built-in', 'http', 'off'],
    description:
      'What turns texts into vectors for search by meaning: the model inside the package, a server of yours, or nothing (words alone).',
  },
  'embedder.url': {
    type: 'url',
    default: 'http://127.0.0.1:11434/api/embed',
    description:
      'With `embedder.use` set to http: an address that answers like Ollama (`/api/embed`) or OpenAI (`/v1/embeddings`). Every entry is sent there.',
  },
  'embedder.model': {
    type: 'text',
    default: 'nomic-embed-text',
    description: 'With http: the model to ask for. Vectors of different models are never compared.',
  },
  'embedder.keyVariable': {
    type: 'text',
    default: 'CAIRN_EMBEDDER_KEY',
    description:
      'With http: the environment variable that holds the key, if the server wants one. The key itself is never stored.',
  },
  'embedder.timeoutMs': {
    type: 'integer',
    default: 2_000,
    min: 50,
    description: 'With http: how long to wait for an answer before words alone decide.',
  },
  'model.use': {
    type: 'choice',
    default: 'off',
    choices: ['off', 'anthropic', 'openai', 'cli'],
    description:
      'A language model that goes over what a session left behind: none, the Anthropic API, any server that speaks as OpenAI does (Ollama too), or the command line of a host. Nothing is sent or run before `cairn model allow`.',
  },
  'model.url': {
    type: 'url',
    default: '',
    description:
      'With anthropic or openai: the address. Empty: https://api.anthropic.com, or the Ollama of this machine (http://127.0.0.1:11434/v1). What was said in a session is sent there.',
  },
  'model.name': {
    type: 'text',
    default: '',
    description: 'With anthropic or openai: the model to ask for.',
  },
  'model.keyVariable': {
    type: 'text',
    default: 'CAIRN_MODEL_KEY',
    description:
      'With anthropic or openai: the environment variable that holds the key. The key itself is never stored.',
  },
  'model.command': {
    type: 'command',
    default: [
      'claude',
      '-p',
      '--output-format',
      'json',
      '--tools',
      '',
      '--strict-mcp-config',
      '--max-turns',
      '1',
    ] as readonly string[],
    description:
      'With cli: the program and its words, run without a shell in an empty folder. The question comes on its standard input.',
  },
  'model.dailyTokens': {
    type: 'integer',
    default: 200_000,
    min: 0,
    description: 'The most tokens that a model may use in a day (UTC), read and written together.',
  },
  'model.dailyCents': {
    type: 'integer',
    default: 50,
    min: 0,
    description:
      'The most that a model may cost in a day (UTC), in US cents. It holds where the price is known: `model.inputPrice` and `model.outputPrice`, or a command line that tells what it cost.',
  },
  'model.inputPrice': {
    type: 'integer',
    default: 0,
    min: 0,
    description: 'US cents for a million tokens read. 0: not known.',
  },
  'model.outputPrice': {
    type: 'integer',
    default: 0,
    min: 0,
    description: 'US cents for a million tokens written. 0: not known.',
  },
  'model.timeoutMs': {
    type: 'integer',
    default: 60_000,
    min: 100,
    max: 600_000,
    description: 'How long to wait for a model before the findings stand as the rules found them.',
  },
  'model.maxOutputTokens': {
    type: 'integer',
    default: 2_000,
    min: 100,
    max: 32_000,
    description: 'The longest answer of a model, in tokens.',
  },
  'redaction.emails': {
    type: 'boolean',
    default: true,
    description: 'Whether e-mail addresses are removed before anything is written.',
  },
  'redaction.allow': {
    type: 'list',
    default: [] as readonly string[],
    description: 'Regular expressions of text that is never removed, for example `@example\\.com$`.',
  },
  'redaction.secondNet': {
    type: 'boolean',
    default: true,
    description: 'Whether text that still looks suspicious after our own pass is also scanned by secretlint.',
  },
  'journal.maxRecords': {
    type: 'integer',
    default: 5_000,
    min: 100,
    description: 'The audit log moves to the archive when it holds more records than this.',
  },
  'journal.maxBytes': {
    type: 'integer',
    default: 16_777_216,
    min: 65_536,
    description: 'The audit log moves to the archive when it is larger than this.',
  },
  'upkeep.auto': {
    type: 'boolean',
    default: true,
    description:
      'Whether Cairn tidies up by itself: when it is due on opening, after many accesses, and now and then in a server. `cairn compact` does it at any time.',
  },
  'upkeep.intervalHours': {
    type: 'integer',
    default: 24,
    min: 0,
    description: 'Upkeep is due this long after the last. 0: never by time.',
  },
  'upkeep.accesses': {
    type: 'integer',
    default: 50,
    min: 0,
    description: 'Upkeep is due after so many accesses, which confirm candidates. 0: never by accesses.',
  },
  'upkeep.maxEntries': {
    type: 'integer',
    default: 3_000,
    min: 0,
    description:
      'With more entries that the machine captured than this, the least important go to the archive. 0: no limit.',
  },
  'upkeep.keepEntries': {
    type: 'integer',
    default: 2_700,
    min: 1,
    description: 'How many of them are left then.',
  },
  'upkeep.conversationMessages': {
    type: 'integer',
    default: 20,
    min: 0,
    description:
      'How many of the last messages of a closed and distilled conversation stay; the whole of it goes to the archive. 0: all stay.',
  },
  'retention.enabled': {
    type: 'boolean',
    default: true,
    description: 'Whether old sessions, events and snapshots of the state go to the archive.',
  },
  'retention.history.maxAgeDays': {
    type: 'integer',
    default: 180,
    min: 0,
    description:
      'Closed sessions untouched for so many days go to the archive, events after twice as many. 0: they stay.',
  },
  'retention.checkpoints.maxAgeDays': {
    type: 'integer',
    default: 30,
    min: 0,
    description:
      'Snapshots of the state (`history/checkpoints/`) older than this go to the archive. 0: they stay.',
  },
  'retention.checkpoints.keepRecent': {
    type: 'integer',
    default: 20,
    min: 0,
    description: 'So many of the newest snapshots stay however old they are, and the newest in any case.',
  },
  'retention.archive.expireAfterDays': {
    type: 'integer',
    default: 0,
    min: 0,
    description: 'Batches of the archive older than this are deleted for good. 0: never.',
  },
  'lock.timeoutMs': {
    type: 'integer',
    default: 30_000,
    min: 100,
    description: 'How long a writer waits for its turn before it gives up with `store_locked`.',
  },
} as const

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
    message: `There is no configuration key \`${key}\`.`,
    hint: `The keys are: ${Object.keys(CONFIG_KEYS).join(', ')}.`,
  })
}

/** Reads one value as a person types it (`cairn config set`) or as JSON holds it. */
export function parseConfigValue(key: ConfigKey, value: unknown): ConfigValue {
  const rule = ruleOf(key)
  const parsed = coerce(rule, value)
  if (parsed === undefined) {
    throw new CairnError({
      code: 'config_value_invalid',
      message: `\`${key}\` takes ${describeRule(rule)}${rule.type === 'url' ? '' : `, not ${JSON.stringify(value)}`}.`,
      hint: `The default is ${JSON.stringify(rule.default)}; \`cairn config unset ${key}\` goes back to it.`,
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
      return items.filter(item => item !== '')
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

/** claude -p --tools ""  ->  claude, -p, --tools, (an empty word). Quotes hold a word together; nothing else means anything. */
function commandWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|[^\s"']+/g)].map(
    ([word, double, single]) => double ?? single ?? word,
  )
}

/** http or https, and no password in it: the file is shared. */
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
  if (rule.choices !== undefined) return `one of ${rule.choices.join(', ')}`
  return rule.type === 'boolean' ? 'true or false' : rule.type === 'list' ? 'a list of texts' : 'a text'
}

/**
 * { "version": 1, "vault": { "keepEntries": 10 } }  ->  { ...defaults, 'vault.keepEntries': 10 }
 * A key this version does not know is left alone (a newer Cairn may have written it). A value that cannot be used
 * counts as not there, so that it can still be corrected; `configProblems` names it.
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

export function configProblems(document: Readonly<Record<string, unknown>>): Problem[] {
  return (Object.keys(CONFIG_KEYS) as ConfigKey[]).flatMap(key => {
    const stored = readKey(document, key)
    if (stored === undefined || coerce(ruleOf(key), stored) !== undefined) return []
    return [
      {
        code: 'config_value_invalid',
        path: 'config.json',
        message: `\`${key}\` takes ${describeRule(ruleOf(key))}${ruleOf(key).type === 'url' ? '' : `, not ${JSON.stringify(stored)}`}; the default is used.`,
        hint: `\`cairn config unset ${key}\` removes it, \`cairn config set ${key} …\` corrects it.`,
      },
    ]
  })
}

export function readKey(document: Readonly<Record<string, unknown>>, key: ConfigKey): unknown {
  let value: unknown = document
  for (const name of key.split('.')) {
    if (!isGroup(value) || !Object.hasOwn(value, name)) return undefined
    value = value[name]
  }
  return value
}

/** A copy of the document with one key set, or removed when the value is undefined; a group that is left empty goes. */
export function writeKey(
  document: Readonly<Record<string, unknown>>,
  key: ConfigKey,
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
