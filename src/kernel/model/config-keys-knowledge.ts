/** The keys of project knowledge other than entries: the bundle, workspaces, hot memory, reviews. */
export const KNOWLEDGE_KEYS = {
  'recall.defaultSection': {
    type: 'choice',
    default: 'all',
    choices: ['all', 'project', 'projectMap', 'currentFocus', 'gotchas', 'nextSteps', 'validationCommands'],
    description: 'Which section of the bundle `cairn recall` renews when the caller does not say.',
  },
  'recall.defaultSource': {
    type: 'text',
    default: 'all',
    description:
      'Whose events `cairn recall` folds in when the caller does not say: all, sessions, imports, entries, or the id of one source.',
  },
  'recall.policy': {
    type: 'choice',
    default: 'balanced',
    choices: ['conservative', 'balanced', 'eager'],
    description:
      'What may enter the bundle: only what a person said or two sources agree on (conservative), also what one session says plainly (balanced), or all that was found (eager).',
  },
  'recall.backlogWarnThreshold': {
    type: 'integer',
    default: 50,
    min: 0,
    description: 'With more unrecalled events than this, `cairn status` warns. 0: never.',
  },
  'recall.preview.showDiffByDefault': {
    type: 'boolean',
    default: true,
    description: 'Whether `cairn recall --dry-run` shows what would change line by line.',
  },
  'query.defaultOutput': {
    type: 'choice',
    default: 'text',
    choices: ['text', 'markdown', 'json', 'prompt'],
    description: 'How `cairn query` answers when the caller does not say.',
  },
  'automation.intervalMinutes': {
    type: 'integer',
    default: 60,
    min: 0,
    description: 'Automatic recall is due this long after the last one. 0: after every session that closes.',
  },
  'automation.provider': {
    type: 'choice',
    default: 'rules',
    choices: ['rules', 'model'],
    description:
      'Who folds when recall runs automatically: rules alone, or a model too, where one is configured and allowed (`cairn model allow`).',
  },
  'automation.importSyncBeforeRecall': {
    type: 'boolean',
    default: false,
    description:
      'Whether `cairn recall` first takes in what is new in the import sources (`cairn source list`). Automatic recall imports nothing.',
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
      'Whether the agent of a session is asked, once, what it learned: never; with the next prompt or the start of the next session, which costs no extra turn (next); or with one extra turn when a turn ends, in hosts where that was tried (stop).',
  },
  'hooks.prompts': {
    type: 'boolean',
    default: true,
    description: 'Whether every prompt of an agent gets its brief. Off: only the start of a session does.',
  },
  'hooks.promptDeadlineMs': {
    type: 'integer',
    default: 300,
    min: 50,
    max: 5_000,
    description:
      'How long a prompt waits for its brief at most, from the start of the hook on. What is not ready by then is not told, and `cairn status` says so.',
  },
  'hooks.toolRuns': {
    type: 'boolean',
    default: true,
    description: 'Whether what agents run becomes events of their session.',
  },
  'hooks.fileWarnings': {
    type: 'boolean',
    default: false,
    description:
      'Whether an agent that reads or changes a file is told the warnings that name it, once a session.',
  },
  'cold.keep': {
    type: 'boolean',
    default: false,
    description:
      'Whether `cairn import sync` keeps compressed copies of transcripts in your own folder, since hosts delete old ones. They hold everything that was said, without secrets.',
  },
  'projections.folder': {
    type: 'text',
    default: 'docs/agent-memory',
    description: 'Where `cairn projections write` puts the bundle as Markdown, relative to the project.',
  },
  'projections.auto': {
    type: 'boolean',
    default: false,
    description:
      'Whether `cairn recall` keeps projections up to date where they were written before. Automatic recall changes no file outside .memory/.',
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
      'The folder with the rule files that every conversation begins with, relative to the project.',
  },
  'hot.maxLines': {
    type: 'integer',
    default: 300,
    min: 1,
    description: 'How many lines all rule files together may have before `cairn hot lint` reports it.',
  },
  'hot.maxTokens': {
    type: 'integer',
    default: 3_000,
    min: 1,
    description: 'How many tokens all rule files together may have before `cairn hot lint` reports it.',
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
    description: '`cairn review --stale` names entries that are older than so many days and were never used.',
  },
} as const
