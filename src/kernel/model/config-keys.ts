import { KNOWLEDGE_KEYS } from './config-keys-knowledge.ts'
import { SHARED_CLASSES } from './vault-layout.ts'

/**
 * Every configuration key: its default, what it does, and which values it accepts. `.memory/config.json` contains only what differs from
 * this table; docs/reference/config.md is generated from it.
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
      'A file of local entries with more than this moves the older ones into dated pages. 0 turns that off.',
  },
  'vault.keepEntries': {
    type: 'integer',
    default: 20,
    min: 1,
    description: 'How many of the newest entries stay in the file when older ones move into pages.',
  },
  'vault.share': {
    type: 'list',
    default: [],
    choices: SHARED_CLASSES,
    description:
      'What is committed though no person confirmed it. By default these stay in .memory/local/, which git ignores. `cairn migrate` moves what is already stored.',
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
      'Whether closed sessions leave suggestions and handoffs. Off, only what you asked to remember is kept.',
  },
  'promotion.preset': {
    type: 'choice',
    default: 'balanced',
    choices: ['conservative', 'balanced', 'aggressive'],
    description:
      'How long and how important a finding must be before `cairn review` shows it as a suggestion; the rest is archived.',
  },
  'search.limit': {
    type: 'integer',
    default: 10,
    min: 1,
    max: 100,
    description: 'How many hits a search returns when the caller does not say.',
  },
  'across.visible': {
    type: 'boolean',
    default: true,
    description:
      'Whether your other projects may look into this memory (`cairn everywhere`, `met`, `entity`). Off, it is never opened from another project.',
  },
  'across.reads': {
    type: 'boolean',
    default: true,
    description:
      'Whether whoever asks in this project, a person or an agent, may look into your other projects.',
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
  'agents.atOnce': {
    type: 'integer',
    default: 3,
    min: 1,
    max: 20,
    description: 'How many agents may be at work in this project at once (`cairn agent run`, the page).',
  },
  'agents.silenceSeconds': {
    type: 'integer',
    default: 900,
    min: 1,
    max: 86_400,
    description:
      'An agent at work whose host prints nothing for so long is ended. A tool that it runs, such as a long test, is silent too.',
  },
  'brief.contextTokens': {
    type: 'integer',
    default: 100_000,
    min: 1_000,
    description:
      'Tokens assumed to be left in the context of a model whose host does not tell. A brief takes at most 8 % of it, and never more than 5,000.',
  },
  'brief.maxTokens': {
    type: 'integer',
    default: 5_000,
    min: 100,
    max: 100_000,
    description: 'The most tokens that the brief of a prompt may take, however much context is left.',
  },
  'brief.deadlineMs': {
    type: 'integer',
    default: 500,
    min: 20,
    description: 'A prompt never waits longer for its memories: what is ready by then is told.',
  },
  'brief.userMemory': {
    type: 'boolean',
    default: true,
    description:
      'Whether briefs here also tell the preferences of your own memory (`cairn remember --user`), which no project holds.',
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
  'redaction.personalNumbers': {
    type: 'boolean',
    default: true,
    description:
      'Whether card numbers, IBANs, CPFs and phone numbers are removed before anything is written, committed or local. Their check digits must be right.',
  },
  'redaction.allow': {
    type: 'list',
    default: [] as readonly string[],
    description:
      'Regular expressions of text that is not removed, for example `@example\\.com$`: e-mail addresses, random-looking strings and assignments such as `token=…`. Known token formats, private keys, passwords in addresses and in command lines are removed all the same.',
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
  ...KNOWLEDGE_KEYS,
  'lock.timeoutMs': {
    type: 'integer',
    default: 30_000,
    min: 100,
    description: 'How long a writer waits for its turn before it gives up with `store_locked`.',
  },
} as const
