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
    description: 'The vault of an entry if the caller does not name an agent.',
  },
  'vault.maxEntriesPerFile': {
    type: 'integer',
    default: 30,
    min: 0,
    description:
      'If a file of local entries has more than this, the older ones move into dated pages. 0: never.',
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
      'Which entries are committed without confirmation by a person. By default they stay in .memory/local/, which git ignores. `cairn migrate` moves existing entries.',
  },
  'vault.pageBytes': {
    type: 'integer',
    default: 262_144,
    min: 4_096,
    description: 'The maximum size of a dated page, in bytes.',
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
      'Whether closed sessions create suggestions and handoffs. If off, only what you asked to remember is saved.',
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
    description: 'The default number of hits of a search.',
  },
  'across.visible': {
    type: 'boolean',
    default: true,
    description:
      'Whether your other projects may search this memory (`cairn everywhere`, `met`, `entity`). If off, it is never opened from another project.',
  },
  'across.reads': {
    type: 'boolean',
    default: true,
    description: 'Whether people and agents in this project may search your other projects.',
  },
  'session.checkpointEvery': {
    type: 'integer',
    default: 10,
    min: 0,
    description: 'A checkpoint is saved after this many new messages. 0: only on request.',
  },
  'session.checkpointMessages': {
    type: 'integer',
    default: 50,
    min: 1,
    max: 500,
    description: 'How many of the last messages a checkpoint contains.',
  },
  'session.checkpointDays': {
    type: 'integer',
    default: 7,
    min: 1,
    description: 'Older checkpoints are not recovered.',
  },
  'session.idleHours': {
    type: 'integer',
    default: 12,
    min: 1,
    description: 'A session without messages for this long counts as never closed.',
  },
  'agents.atOnce': {
    type: 'integer',
    default: 3,
    min: 1,
    max: 20,
    description: 'How many agents may run in this project at the same time (`cairn agent run`, the page).',
  },
  'agents.silenceSeconds': {
    type: 'integer',
    default: 900,
    min: 1,
    max: 86_400,
    description:
      'A running agent is ended if its host prints nothing for this long. A tool that it runs, such as a long test, also prints nothing.',
  },
  'brief.contextTokens': {
    type: 'integer',
    default: 100_000,
    min: 1_000,
    description:
      'Tokens assumed to be left in the context of a model if the host does not report them. A brief uses at most 8 % of them, and never more than 5,000.',
  },
  'brief.maxTokens': {
    type: 'integer',
    default: 5_000,
    min: 100,
    max: 100_000,
    description: 'The maximum number of tokens in the brief of a prompt, however much context is left.',
  },
  'brief.deadlineMs': {
    type: 'integer',
    default: 500,
    min: 20,
    description:
      'The maximum time that a prompt waits for its memories. Those that are ready by then are injected.',
  },
  'brief.userMemory': {
    type: 'boolean',
    default: true,
    description:
      'Whether briefs also inject the preferences of your own memory (`cairn remember --user`), which is not part of any project.',
  },
  'brief.reranker': {
    type: 'choice',
    default: 'none',
    choices: ['none', 'diversity'],
    description:
      'How the best entries are reordered before they are cut: diversity moves entries down that repeat another one.',
  },
  'embedder.use': {
    type: 'choice',
    default: 'built-in',
    choices: ['built-in', 'http', 'off'],
    description:
      'What turns texts into vectors for semantic search: the model in the package, your own server, or nothing (words only).',
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
    description: 'With http: the name of the model. Vectors of different models are never compared.',
  },
  'embedder.keyVariable': {
    type: 'text',
    default: 'CAIRN_EMBEDDER_KEY',
    description:
      'With http: the environment variable with the key, if the server needs one. The key itself is never stored.',
  },
  'embedder.timeoutMs': {
    type: 'integer',
    default: 2_000,
    min: 50,
    description: 'With http: how long to wait for an answer before a search uses words only.',
  },
  'model.use': {
    type: 'choice',
    default: 'off',
    choices: ['off', 'anthropic', 'openai', 'cli'],
    description:
      'A language model that refines the findings of a session: none, the Anthropic API, any OpenAI-compatible server (such as Ollama), or the command line of a host. Nothing is sent or run before `cairn model allow`.',
  },
  'model.url': {
    type: 'url',
    default: '',
    description:
      'With anthropic or openai: the address. Empty: https://api.anthropic.com, or the Ollama of this machine (http://127.0.0.1:11434/v1). The text of sessions is sent there.',
  },
  'model.name': {
    type: 'text',
    default: '',
    description: 'With anthropic or openai: the name of the model.',
  },
  'model.keyVariable': {
    type: 'text',
    default: 'CAIRN_MODEL_KEY',
    description:
      'With anthropic or openai: the environment variable with the key. The key itself is never stored.',
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
      'With cli: the program and its arguments, run without a shell in an empty folder. The prompt is on its standard input.',
  },
  'model.dailyTokens': {
    type: 'integer',
    default: 200_000,
    min: 0,
    description:
      'The maximum number of tokens that a model may use per day (UTC), input and output together.',
  },
  'model.dailyCents': {
    type: 'integer',
    default: 50,
    min: 0,
    description:
      'The maximum cost of a model per day (UTC), in US cents. It applies if the price is known: from `model.inputPrice` and `model.outputPrice`, or from a command line that reports its cost.',
  },
  'model.inputPrice': {
    type: 'integer',
    default: 0,
    min: 0,
    description: 'US cents per million input tokens. 0: unknown.',
  },
  'model.outputPrice': {
    type: 'integer',
    default: 0,
    min: 0,
    description: 'US cents per million output tokens. 0: unknown.',
  },
  'model.timeoutMs': {
    type: 'integer',
    default: 60_000,
    min: 100,
    max: 600_000,
    description: 'How long to wait for a model before the findings of the rules are used unchanged.',
  },
  'model.maxOutputTokens': {
    type: 'integer',
    default: 2_000,
    min: 100,
    max: 32_000,
    description: 'The maximum length of an answer of the model, in tokens.',
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
    description: 'The audit log moves to the archive when it has more records than this.',
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
      'Whether upkeep runs automatically: when it is due on opening, after many accesses, and periodically in a server. `cairn compact` runs it at any time.',
  },
  'upkeep.intervalHours': {
    type: 'integer',
    default: 24,
    min: 0,
    description: 'Upkeep is due this long after the last run. 0: never by time.',
  },
  'upkeep.accesses': {
    type: 'integer',
    default: 50,
    min: 0,
    description: 'Upkeep is due after this many accesses, which confirm candidates. 0: never by accesses.',
  },
  'upkeep.maxEntries': {
    type: 'integer',
    default: 3_000,
    min: 0,
    description:
      'If there are more automatically captured entries than this, the least important move to the archive. 0: no limit.',
  },
  'upkeep.keepEntries': {
    type: 'integer',
    default: 2_700,
    min: 1,
    description: 'How many of them remain.',
  },
  'upkeep.conversationMessages': {
    type: 'integer',
    default: 20,
    min: 0,
    description:
      'How many of the last messages of a closed and distilled conversation stay; all of it moves to the archive. 0: all stay.',
  },
  'retention.enabled': {
    type: 'boolean',
    default: true,
    description: 'Whether old sessions, events and snapshots of the state move to the archive.',
  },
  'retention.history.maxAgeDays': {
    type: 'integer',
    default: 180,
    min: 0,
    description:
      'After this many days without changes, closed sessions move to the archive; events after twice as many. 0: never.',
  },
  'retention.checkpoints.maxAgeDays': {
    type: 'integer',
    default: 30,
    min: 0,
    description:
      'Snapshots of the state (`history/checkpoints/`) older than this move to the archive. 0: never.',
  },
  'retention.checkpoints.keepRecent': {
    type: 'integer',
    default: 20,
    min: 0,
    description: 'How many of the newest snapshots stay, however old they are. The newest one always stays.',
  },
  'retention.archive.expireAfterDays': {
    type: 'integer',
    default: 0,
    min: 0,
    description: 'Batches of the archive older than this are deleted permanently. 0: never.',
  },
  ...KNOWLEDGE_KEYS,
  'lock.timeoutMs': {
    type: 'integer',
    default: 30_000,
    min: 100,
    description: 'How long a writer waits for the lock before it fails with `store_locked`.',
  },
} as const
