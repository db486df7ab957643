/** The keys of project knowledge other than entries: the bundle, workspaces, hot memory, reviews. */
export const KNOWLEDGE_KEYS = {
  'recall.defaultSection': {
    type: 'choice',
    default: 'all',
    choices: ['all', 'project', 'projectMap', 'currentFocus', 'gotchas', 'nextSteps', 'validationCommands'],
    description: 'Which section of the bundle `cairn recall` updates by default.',
  },
  'recall.defaultSource': {
    type: 'text',
    default: 'all',
    description:
      'Which events `cairn recall` folds in by default: all, sessions, imports, entries, or the id of one source.',
  },
  'recall.policy': {
    type: 'choice',
    default: 'balanced',
    choices: ['conservative', 'balanced', 'eager'],
    description:
      'What may enter the bundle: only statements of a person or of two sources (conservative), also clear statements of one session (balanced), or all findings (eager).',
  },
  'recall.backlogWarnThreshold': {
    type: 'integer',
    default: 50,
    min: 0,
    description: '`cairn status` warns if there are more unrecalled events than this. 0: never.',
  },
  'recall.preview.showDiffByDefault': {
    type: 'boolean',
    default: true,
    description: 'Whether `cairn recall --dry-run` shows the changes line by line.',
  },
  'query.defaultOutput': {
    type: 'choice',
    default: 'text',
    choices: ['text', 'markdown', 'json', 'prompt'],
    description: 'How `cairn query` answers by default.',
  },
  'automation.intervalMinutes': {
    type: 'integer',
    default: 60,
    min: 0,
    description: 'Automatic recall is due this long after the last one. 0: after every closed session.',
  },
  'automation.provider': {
    type: 'choice',
    default: 'rules',
    choices: ['rules', 'model'],
    description:
      'What automatic recall uses: rules only, or also a model, if one is configured and allowed (`cairn model allow`).',
  },
  'automation.importSyncBeforeRecall': {
    type: 'boolean',
    default: false,
    description:
      'Whether `cairn recall` first imports what is new in the import sources (`cairn source list`). Automatic recall imports nothing.',
  },
  'automation.autoRecall': {
    type: 'boolean',
    default: true,
    description: 'Whether recall runs automatically, after a session was closed and when it is due.',
  },
  agentSaves: {
    type: 'choice',
    default: 'next',
    choices: ['off', 'next', 'stop'],
    description:
      'Whether the agent of a session is asked, once, what it learned: never; with the next prompt or the start of the next session, which costs no extra turn (next); or with one extra turn when a turn ends, in hosts where this was tested (stop).',
  },
  'hooks.prompts': {
    type: 'boolean',
    default: true,
    description: 'Whether every prompt of an agent gets a brief. If off, only the start of a session does.',
  },
  'hooks.promptDeadlineMs': {
    type: 'integer',
    default: 300,
    min: 50,
    max: 5_000,
    description:
      'The maximum time that a prompt waits for its brief, from the start of the hook on. Memories that are not ready by then are not injected, and `cairn status` reports it.',
  },
  'hooks.toolRuns': {
    type: 'boolean',
    default: true,
    description: 'Whether commands of agents become events of their session.',
  },
  'hooks.fileWarnings': {
    type: 'boolean',
    default: false,
    description:
      'Whether an agent that reads or changes a file gets the warnings that name it, once per session.',
  },
  'cold.keep': {
    type: 'boolean',
    default: false,
    description:
      'Whether `cairn import sync` stores compressed copies of transcripts in your own folder, because hosts delete old ones. They contain the whole text, without secrets.',
  },
  'projections.folder': {
    type: 'text',
    default: 'docs/agent-memory',
    description: 'Where `cairn projections write` writes the bundle as Markdown, relative to the project.',
  },
  'projections.auto': {
    type: 'boolean',
    default: false,
    description:
      'Whether `cairn recall` updates projections that were written before. Automatic recall changes no file outside .memory/.',
  },
  'workspaces.resources': {
    type: 'text',
    default: 'resources/workspaces',
    description: 'The folder with the overviews and plans of workspaces, relative to the project.',
  },
  'workspaces.learnings': {
    type: 'text',
    default: 'user/memory/workspaces',
    description: 'The folder with the decisions and lessons of workspaces, relative to the project.',
  },
  'hot.rules': {
    type: 'text',
    default: 'agent/rules/common',
    description:
      'The folder with the rule files that are loaded into every conversation, relative to the project.',
  },
  'hot.maxLines': {
    type: 'integer',
    default: 300,
    min: 1,
    description: 'The maximum number of lines of all rule files together; `cairn hot lint` reports more.',
  },
  'hot.maxTokens': {
    type: 'integer',
    default: 3_000,
    min: 1,
    description: 'The maximum number of tokens of all rule files together; `cairn hot lint` reports more.',
  },
  'skills.folder': {
    type: 'text',
    default: 'agent/skills',
    description: 'The folder with the skills that agents saved, relative to the project.',
  },
  'review.maxEntriesPerFile': {
    type: 'integer',
    default: 50,
    min: 1,
    description: '`cairn review --stale` proposes to split a file with more entries than this.',
  },
  'review.unusedDays': {
    type: 'integer',
    default: 90,
    min: 1,
    description:
      '`cairn review --stale` lists entries that are older than this many days and were never used.',
  },
} as const
