import { expect, test } from 'vitest'
import { inWorld, runProcess } from '../e2e/world.ts'
import { headFile } from '../support/vault-files.ts'

/** Every key of an answer: `entries[].id` is the id of each entry; a list of plain values goes by its name. */
function shapeOf(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return value.length === 0 ? [at] : value.flatMap(item => shapeOf(item, `${at}[]`))
  if (typeof value !== 'object' || value === null) return [at]
  return Object.entries(value).flatMap(([key, inner]) => shapeOf(inner, at === '' ? key : `${at}.${key}`))
}

const ENTRY = [
  'agent',
  'category',
  'content',
  'date',
  'files',
  'id',
  'importance',
  'kind',
  'origin',
  'status',
  'tags',
]

function shape(answer: unknown): string[] {
  return [...new Set(shapeOf(answer).map(name => name.replace(/\[\]$/, '')))].sort()
}

function entry(prefix: string, ...more: string[]): string[] {
  return [...ENTRY, ...more].map(key => `${prefix}.${key}`)
}

const RECORD = [
  'action',
  'at',
  'by.host',
  'changes',
  'entries[].change',
  'entries[].id',
  'entries[].preview',
  'id',
  'undone',
]
const HEAD = ['agent', 'chat', 'host', 'model', 'parent', 'session', 'startedAt']
const MESSAGE = [
  ...['at', 'role', 'text'],
  ...['command', 'exitCode', 'files', 'isEdit', 'ok', 'output', 'tool'].map(key => `run.${key}`),
].map(key => `messages[].${key}`)
const STATE = [
  ...['events', 'isOver', 'isWhole', 'threshold'].map(key => `backlog.${key}`),
  ...['events', 'source'].map(key => `backlog.sources[].${key}`),
  ...['count', 'latest.at', 'latest.id'].map(key => `checkpoints.${key}`),
  ...['commits', 'entries', 'events', 'files', 'sections'].map(key => `drift.${key}`),
  'events',
  'generatedAt',
  ...['entriesMonth', 'entriesWeek', 'eventsWeek'].map(key => `growth.${key}`),
  'handEdited',
  'kind',
  'provider',
  ...['auto', 'due', 'lastAt'].map(key => `recall.${key}`),
]
const COMPACTION = [
  'timestamp',
  'checkpointsCleaned',
  'conversationsTrimmed',
  'vaultEntriesMerged',
  'indexRebuilt',
  'legacyFilesCleaned',
  'entriesExpired',
  'entriesFaded',
  'entriesEvicted',
  'entriesConfirmed',
  'eventsPruned',
  'sessionsArchived',
  'snapshotsArchived',
  'batches',
  'batchesExpired',
  'ms',
  'isPartial',
]
const BUNDLE = [
  ...['currentFocus', 'gotchas'].flatMap(section =>
    ['files', 'since', 'sources', 'text'].map(key => `${section}[].${key}`),
  ),
  ...['nextSteps', 'project.name'],
  ...['entryPoints', 'folders', 'languages', 'packages', 'scripts'].map(part => `projectMap.${part}`),
  ...['command', 'lastOutcome', 'lastRunAt', 'sources'].map(key => `validationCommands[].${key}`),
].map(key => `bundle.${key}`)
const SETTING = ['setting.default', 'setting.description', 'setting.key', 'setting.value']
const MODEL = [
  'caps.cents',
  'caps.moneyCounted',
  'caps.reached',
  'caps.tokens',
  'lastFailure',
  'name',
  'state',
  'today.calls',
  'today.inputTokens',
  'today.microUsd',
  'today.outputTokens',
  'use',
]
const CLOSED = [
  'added',
  'agents',
  'degraded',
  'handoffs',
  'messages',
  'problems',
  'record',
  'replaced',
  'session',
  'strengthened',
  'summary',
  'wasClosed',
  ...[
    'agent',
    'category',
    'confidence',
    'content',
    'file',
    'id',
    'importance',
    'message',
    'promotedEntryId',
    'promotedToProjectMemory',
    'signals',
    'speaker',
  ].map(key => `findings[].${key}`),
].sort()
const PROPOSAL = [
  'agent',
  'category',
  'confidence',
  'content',
  'date',
  'files',
  'id',
  'importance',
  'kind',
  'level',
  'session',
  'signals',
  'speaker',
  'stage',
  'writer',
]
const REVIEWED = ['degraded', 'record', ...entry('reviewed[].entry', 'session'), 'reviewed[].id'].sort()
const DRIVER = ['attributes', 'command', 'config', 'installed']
const TASK = ['agent', 'date', 'done', 'id', 'text']

const EVENT = {
  id: 'e1',
  kind: 'tool_run',
  sourceId: 'session:s1',
  createdAt: '2026-03-16T16:51:00.000Z',
  contentHash: 'h1',
  summary: '`npm test` passed',
  signals: {
    decisions: [],
    gotchas: [],
    nextStepHints: [],
    keyPaths: [],
    validationObservations: [{ command: 'npm test', outcome: 'passed' }],
  },
  sourceRef: 'conversations/dev/s1#4',
}

test(
  'the answers about what is stale, and about import sources, have these keys',
  inWorld(async world => {
    const lines = Array.from({ length: 52 }, (_, n) => ({
      text: `Rule of ${n}${String.fromCharCode(97 + (n % 26))}.`,
      metadata: { kind: 'decision', agent: 'dev', date: '2026-01-01T10:00' },
    }))
    world.write('old.jsonl', lines.map(line => JSON.stringify(line)).join('\n'))
    await world.json('import', 'old.jsonl')
    const typed = lines.map(({ text, metadata: { date } }) => ({ content: `Old ${text}`, date }))
    world.write('.memory/dev/decisions.md', headFile(typed))
    const answerOf = async (...words: string[]) => {
      const answer = await world.json(...words)
      return [answer, shape(answer)] as const
    }
    const proposal = (prefix: string) =>
      [
        'byNameOnly',
        ...['file', 'kind', 'moves[].count', 'moves[].entries', 'moves[].to', 'of', 'stays'].map(
          key => `does.${key}`,
        ),
        ...['id', 'kind', 'reasons[].code', 'reasons[].entries', 'reasons[].most', 'text', 'what'],
      ].map(key => `${prefix}.${key}`)
    const [listed, shapeOfList] = await answerOf('review', '--stale', '--kind', 'split')
    expect(shapeOfList).toEqual(
      [
        'archived',
        'candidates',
        'changes',
        'degraded',
        'proposals',
        'stale.dismissed',
        'stale.entries',
        'stale.problems',
        ...proposal('stale.proposals[]'),
        ...['archive', 'confirm', 'settle', 'split'].map(kind => `stale.totals.${kind}`),
        'total',
      ].sort(),
    )
    const { id } = (listed as unknown as { stale: { proposals: { id: string }[] } }).stale.proposals[0] ?? {
      id: '',
    }
    expect((await answerOf('review', 'apply', id, '--dry-run'))[1]).toEqual(
      [
        ...proposal('applied[].proposal'),
        'applied[].record',
        'batch',
        'degraded',
        'isDryRun',
        'left',
        'toBeNamed',
      ].sort(),
    )
    expect((await answerOf('review', 'dismiss', id))[1]).toEqual(
      ['degraded', ...proposal('dismissed[]'), 'record'].sort(),
    )
    const source = [
      'allowed',
      'createdAt',
      'id',
      'lastImportedCount',
      'lastSyncError',
      'lastSyncStatus',
      'lastSyncedAt',
      'path',
      'type',
      'updatedAt',
    ]
    expect((await answerOf('source', 'add', 'old.jsonl'))[1]).toEqual([
      'degraded',
      'isNew',
      ...source.map(key => `source.${key}`),
    ])
    expect((await answerOf('source', 'sync'))[1]).toEqual([
      'degraded',
      'dryRun',
      'problems',
      ...[
        'added',
        'duplicates',
        'error',
        'failed',
        'failures',
        'files.read',
        'files.seen',
        'id',
        'record',
        'redacted',
        'status',
      ].map(key => `synced[].${key}`),
    ])
    expect((await answerOf('source', 'list'))[1]).toEqual([
      'degraded',
      'problems',
      ...source.map(key => `sources[].${key}`),
    ])
    expect((await answerOf('source', 'allow'))[1]).toEqual([
      'allowed',
      'code',
      'degraded',
      'problems',
      'waiting',
    ])
    expect((await answerOf('source', 'remove', 'old'))[1]).toEqual([
      'degraded',
      ...source.map(key => `removed.${key}`),
    ])
  }),
)

/** Programs read these. A key may be added; one that is taken away or renamed breaks them. */
test(
  'the answer of every verb has these keys',
  inWorld(async world => {
    const shapes: Record<string, string[]> = {}
    const call = async (...words: string[]) => {
      const run = await world.cairn([...words, '--json'])
      const answer = JSON.parse(run.stdout)
      shapes[
        words
          .filter(word => /^[a-z][a-z-]*$/.test(word))
          .slice(
            0,
            /^(task|alias|config|conflicts|embedder|merge-driver|model|session|review|checkpoint|import)$/.test(
              words[0] ?? '',
            )
              ? 2
              : 1,
          )
          .join(' ')
      ] = shape(answer)
      return answer
    }
    // How soon is for the bench to say; a test machine may be busy.
    await world.ok('config', 'set', 'brief.deadlineMs', '10000')
    const token = `${'ghp'}_abcdefghijklmnopqrstuvwxyz0123456789`
    const { entry: kept } = await call(
      'remember',
      `Sessions live in Redis ${token}. #redis`,
      '--files',
      'a.ts',
      '--session',
      's1',
    )
    await call('search', 'redis')
    await call('list')
    await call('show', kept.id)
    await call('links', kept.id)
    await call('graph')
    await call('embed')
    await call('embedder', 'status')
    await call('embedder', 'allow')
    await call('embedder', 'forbid')
    await call('model', 'status')
    await call('model', 'allow')
    await call('model', 'forbid')
    await call('model', 'try', '--dry-run')
    await call('brief', '--prompt', 'redis sessions', '--session', 's1')
    await call('briefs')
    await call('why', 'redis sessions')
    await call('feedback', kept.id, 'useful')
    await call('confirm', kept.id)
    await call('fresh')
    await call('edit', kept.id, '--importance', '0.9')
    await call('pin', kept.id)
    await call('session', 'start', 's1', '--agent', 'dev', '--chat', 'c1', '--model', 'm1', '--parent', 's0')
    await call('session', 'append', 's1', '--text', 'Why is it slow?')
    await call('session', 'run', 's1', '--command', 'npm test', '--no-ok', '--output', 'Error: boom')
    await call(
      'session',
      'run',
      's1',
      '--command',
      'npm test',
      '--exit-code',
      '0',
      '--files',
      'a.ts',
      '--edit',
    )
    await call('session', 'checkpoint', 's1')
    await call('session', 'recover', '--agent', 'dev')
    await call('session', 'sleep', 's1')
    await call('session', 'resume', 's1')
    await call('session', 'show', 's1')
    await call('session', 'fork', 's1')
    await call('sessions')
    await call('agents', 'dev')
    await call('session', 'end', 's1')
    await call('task', 'add', 'Write')
    await call('task', 'done', 'Write')
    await call('task', 'list', '--all')
    await call('alias', 'add', 'ledger', 'accounting')
    await call('alias', 'list')
    await call('alias', 'remove', 'ledger')
    world.write('in.jsonl', '{"text":"Imported."}\nnot json')
    await call('import', 'in.jsonl')
    await call('import', 'discover')
    world.write('.memory/old.md', '## Notes\nFlat.')
    await call('migrate')
    world.write('events.jsonl', `${JSON.stringify(EVENT)}\n`)
    await world.json('import', 'events.jsonl')
    await call('events')
    await call('export')
    await runProcess('git', ['init', '-q'], { cwd: world.root, env: world.environment })
    await call('merge-driver', 'install')
    await call('merge-driver', 'status')
    await call('merge-driver', 'uninstall')
    await world.json('remember', 'Asked: fix it', '--category', 'handoffs', '--files', 'src/a.ts')
    await call('recall', '--dry-run')
    await call('recall')
    await call('checkpoints')
    await call('checkpoint', 'show', 'latest')
    await call('compact')
    await call('restore')
    await call('forget', 'Imported.')
    await call('undo')
    await call('log', '--limit', '1')
    await call('status')
    await call('validate')
    await call('doctor')
    await call('budget', '3000')
    await call('auto')
    await call('preset')
    await call('config', 'list')
    await call('config', 'get', 'search.limit')
    await call('config', 'set', 'search.limit', '3')
    await call('config', 'unset', 'search.limit')

    await world.json(
      'session',
      'append',
      's4',
      '--text',
      '#remember Always sign the images, because the registry checks signatures.',
    )
    await world.json('session', 'end', 's4')
    await call('session', 'pick-up')
    const said = 'Never deploy on Fridays, because support is away.'
    await world.json('session', 'append', 's3', '--text', said)
    await world.json('session', 'append', 's3', '--text', '#remember Support is away on Fridays.')
    await call('session', 'close', 's3')
    const statements = ['The registry is mirrored in Lisbon.', 'The mirror is filled at night.']
    const entries = statements.map(statement => ({ statement, why: 'Seen in its configuration.' }))
    world.write('saved.json', JSON.stringify({ entries }))
    await world.json('save', 'saved.json', '--session', 's3')
    await call('session', 'refine', 's3')
    const { proposals } = await call('review')
    await call('review', 'edit', proposals[0].id, 'Never deploy on Fridays: support is away.')
    await call('review', 'accept', proposals[2].id)
    await call('review', 'reject', proposals[1].id)

    const one = await world.json('remember', 'The audit port is 7001.')
    const other = await world.json('remember', 'The audit port is 7002.')
    await call('conflicts')
    await call('conflicts', 'resolve', one.entry.id, other.entry.id, '--keep', one.entry.id)

    const more = ['session', 'updated']
    expect(shapes).toEqual({
      remember: [
        'degraded',
        'duplicate',
        ...entry('entry', 'session'),
        'record',
        ...['column', 'field', 'length', 'line', 'type'].map(key => `redacted[].${key}`),
      ].sort(),
      search: [
        'degraded',
        ...entry('hits[].entry', 'session'),
        'hits[].id',
        'hits[].matches[].end',
        'hits[].matches[].start',
        'hits[].score',
        'hits[].snippet',
      ].sort(),
      list: ['degraded', ...entry('entries[]', 'session'), 'total'].sort(),
      show: ['backlinks', 'degraded', ...entry('entry', 'session')].sort(),
      links: [
        'backlinks',
        'degraded',
        ...entry('entry', 'session'),
        ...['entries', 'name', 'text', 'type'].map(key => `entities[].${key}`),
        'links',
        'related',
        'relations',
      ].sort(),
      conflicts: [
        ...['confidence', 'detectedAt', 'id', 'reason.code', 'reason.sides[]', 'reason.words', 'type'].map(
          key => `conflicts[].${key}`,
        ),
        ...entry('conflicts[].newer'),
        ...entry('conflicts[].older'),
        'degraded',
        'waiting',
      ].sort(),
      'conflicts resolve': [
        'degraded',
        'id',
        ...entry('newer'),
        ...entry('older'),
        'record',
        'removed',
        ...[
          'by',
          'conflictType',
          'detectedAt',
          'entryA',
          'entryB',
          'holds',
          'resolution',
          'resolvedAt',
          'said',
        ].map(key => `resolved.${key}`),
      ].sort(),
      graph: [
        'degraded',
        'drawing',
        ...['from', 'relation', 'to'].map(key => `edges[].${key}`),
        'entity',
        'format',
        ...['degree', 'entity.name', 'entity.type', 'id', 'kind', 'label', 'node'].map(
          key => `nodes[].${key}`,
        ),
        ...['dangling', 'entities', 'entries', 'links'].map(key => `totals.${key}`),
      ].sort(),
      embed: ['degraded', 'embedded', 'model', 'waiting'],
      'embedder status': ['code', 'since', 'state', 'terms', 'use'],
      'embedder allow': ['code', 'since', 'state', 'terms', 'use'],
      'embedder forbid': ['forbidden'],
      'model status': [...MODEL, 'code', 'since', 'terms'].sort(),
      'model allow': [...MODEL, 'code', 'since', 'terms'].sort(),
      'model forbid': ['forbidden'],
      'model try': ['answer', 'model', 'request.content', 'request.instruction', 'state'],
      brief: [
        'degraded',
        ...['id', 'score', 'tier', 'tokens'].map(key => `included[].${key}`),
        'left',
        'profile',
        'text',
        'tokens',
      ],
      briefs: [
        ...['at', 'degraded', 'files', 'host', 'id'].map(key => `briefs[].${key}`),
        ...['id', 'score', 'tier', 'tokens'].map(key => `briefs[].included[].${key}`),
        ...['kind', 'left', 'ms', 'profile', 'prompt', 'session', 'tokens'].map(key => `briefs[].${key}`),
        'degraded',
      ],
      why: [
        ...['date'].map(key => `candidates[].${key}`),
        ...['access', 'drift', 'feedback', 'files', 'importance', 'kind', 'recency', 'status'].map(
          key => `candidates[].factors.${key}`,
        ),
        ...['id', 'kind', 'meaning', 'preview', 'relevance', 'score', 'told', 'words'].map(
          key => `candidates[].${key}`,
        ),
        'degraded',
        'floor',
        'general',
        'items',
        'preferences',
        'profile',
        'prompt',
        'tokens',
      ],
      feedback: ['degraded', ...entry('entry', 'session'), 'record', 'useful', 'wrong'].sort(),
      confirm: ['degraded', ...entry('entry', 'session'), 'record', 'was'].sort(),
      fresh: ['checked', 'degraded', 'entries', 'fixed', 'record', 'unanchored', 'written'],
      edit: ['degraded', ...entry('entry', ...more), 'record', 'redacted'].sort(),
      pin: ['degraded', ...entry('entry', ...more), 'pinned', 'record'].sort(),
      'session start': [...HEAD, 'degraded', 'isNew'].sort(),
      'session append': [
        'added',
        'agent',
        'checkpoint',
        'count',
        'cut',
        'degraded',
        'problems',
        'redacted',
        'seen',
        'session',
        'skipped',
      ],
      'session run': [
        'added',
        'agent',
        'count',
        'degraded',
        'events[].id',
        'events[].summary',
        'redacted',
        'session',
      ],
      'session checkpoint': ['agent', 'degraded', 'messages', 'savedAt', 'session'],
      'session recover': [
        'agent',
        ...['agent', 'chat', ...MESSAGE, 'model', 'savedAt', 'session'].map(key => `checkpoint.${key}`),
        'degraded',
        'problems',
        'reason',
      ].sort(),
      'session sleep': [
        'agent',
        'degraded',
        ...entry('handoff', 'session'),
        'messages',
        'record',
        'session',
      ].sort(),
      'session end': ['agent', 'degraded', 'session', 'state'],
      'session pick-up': [...CLOSED.map(key => `closed[].${key}`), 'degraded', 'problems'],
      'session close': CLOSED,
      'session refine': [
        'degraded',
        ...['added', 'costMicroUsd', 'isRefined', 'record', 'replaced', 'session', 'tokens'].map(
          key => `refined[].${key}`,
        ),
      ],
      review: [
        'archived',
        'candidates',
        'changes',
        'degraded',
        ...PROPOSAL.map(key => `proposals[].${key}`),
        'total',
      ],
      'review accept': [...REVIEWED, 'reviewed[].entry.confidence', 'reviewed[].entry.extra.lineage'].sort(),
      'review edit': [...REVIEWED, 'reviewed[].entry.updated'].sort(),
      'review reject': REVIEWED,
      'session fork': ['agents[].agent', 'agents[].messages', 'degraded', 'parent', 'session'],
      'session resume': [
        ...[...HEAD, ...MESSAGE, 'reason', 'was'].map(key => `conversations[].${key}`),
        'degraded',
        'problems',
        'session',
      ].sort(),
      'session show': [
        ...[...HEAD, ...MESSAGE, 'activeAt', 'state', 'total', 'trimmed'].map(
          key => `conversations[].${key}`,
        ),
        'degraded',
        'findings',
        'handoff.content',
        'handoff.id',
        'problems',
        'session',
        'summary',
      ].sort(),
      sessions: [
        'degraded',
        'problems',
        ...['activeAt', 'agents', 'chats.dev', 'doing', 'host', 'messages', 'parent', 'session'].map(
          key => `sessions[].${key}`,
        ),
        'sessions[].startedAt',
        'sessions[].state',
        'total',
      ].sort(),
      agents: [
        'agents[].agent',
        'agents[].open',
        ...[
          'activeAt',
          'host',
          'lastRun.at',
          'lastRun.command',
          'lastRun.ok',
          'lastRun.tool',
          'messages',
        ].map(key => `agents[].doing[].${key}`),
        ...['request', 'session', 'since', 'state'].map(key => `agents[].doing[].${key}`),
        ...['entries', 'files', 'lastActiveAt', 'lastHandoff.content', 'lastHandoff.date'].map(
          key => `agents[].done.${key}`,
        ),
        ...['lastHandoff.id', 'messages', 'sessions'].map(key => `agents[].done.${key}`),
        'degraded',
        'problems',
      ].sort(),
      'task add': ['degraded', 'duplicate', ...entry('entry'), 'record'].sort(),
      'task done': ['degraded', 'record', ...TASK.map(key => `task.${key}`)].sort(),
      'task list': ['degraded', ...TASK.map(key => `tasks[].${key}`)].sort(),
      'alias add': ['alias.default', 'alias.meanings', 'alias.word', 'degraded', 'record'],
      'alias list': ['aliases[].default', 'aliases[].meanings', 'aliases[].word', 'degraded'],
      'alias remove': ['degraded', 'left', 'record', 'word'],
      import: [
        'added',
        'degraded',
        'dryRun',
        'duplicates',
        'failed',
        'failures[].code',
        'failures[].file',
        'failures[].line',
        'failures[].message',
        'from',
        'read',
        'record',
        'redacted',
        'remarks',
        'vectors.made',
        'vectors.waiting',
        'went[].count',
        'went[].to',
        'went[].what',
      ],
      'import discover': ['degraded', 'found'],
      migrate: [
        'degraded',
        'dryRun',
        'files[].agent',
        'files[].entries',
        'files[].file',
        'files[].record',
        ...['copies', 'git', 'toFiles', 'toLocal', 'untracked'].map(key => `layout.${key}`),
        'migrated',
        'skipped',
        ...['archived', 'record', 'toAgent', 'toSuggestion'].map(key => `trust.${key}`),
      ],
      events: [
        'degraded',
        ...['contentHash', 'createdAt', 'id', 'kind'].map(key => `events[].${key}`),
        ...['decisions', 'gotchas', 'keyPaths', 'nextStepHints', 'validationObservations'].map(
          key => `events[].signals.${key}`,
        ),
        ...['command', 'outcome'].map(key => `events[].signals.validationObservations[].${key}`),
        ...['sourceId', 'sourceRef', 'summary'].map(key => `events[].${key}`),
        'problems',
      ],
      'merge-driver status': DRIVER,
      'merge-driver install': [...DRIVER, 'changed', 'dryRun'].sort(),
      'merge-driver uninstall': [...DRIVER, 'changed', 'dryRun'].sort(),
      export: [...entry('entries[]', ...more)].sort(),
      recall: [
        ...BUNDLE,
        ...['backlog', 'bundleHash', 'checkpoint', 'degraded', 'imported'],
        ...['change', 'section', 'text', 'why'].map(key => `changes[].${key}`),
        ...['entries', 'events', 'sources'].map(key => `folded.${key}`),
        ...['isChanged', 'isDiffWanted', 'isDryRun', 'model', 'problems', 'provider', 'restored'],
      ].sort(),
      checkpoints: [
        ...['createdAt', 'id', 'isLatest', 'path'].map(key => `checkpoints[].${key}`),
        ...['degraded', 'problems', 'total'],
      ].sort(),
      'checkpoint show': [
        ...BUNDLE,
        ...['bundleHash', 'changes', 'createdAt', 'degraded', 'id', 'problems', 'reason'],
      ].sort(),
      compact: [
        'degraded',
        'isDryRun',
        ...['count', 'does', 'items[].because.code', 'items[].what', 'items[].why'].map(
          key => `plan[].${key}`,
        ),
        'problems',
        ...COMPACTION.map(key => `result.${key}`),
      ].sort(),
      restore: [
        ...['at', 'entries', 'events', 'files', 'id', 'kind'].map(key => `batches[].${key}`),
        'degraded',
        'isDryRun',
        'problems',
        'restored',
      ],
      forget: ['degraded', ...entry('entry'), 'record', 'removed'].sort(),
      undo: ['degraded', 'record', ...RECORD.map(key => `undone.${key}`)].sort(),
      log: ['degraded', ...[...RECORD, 'undoes'].map(key => `records[].${key}`)].sort(),
      status: [
        ...['count', 'vectors', 'waiting'].map(key => `documents.${key}`),
        ...['answered', 'asked', 'mode', 'tokens'].map(key => `agentSaves.${key}`),
        'agents[].agent',
        'agents[].counts.decisions',
        'agents[].counts.handoffs',
        'agents[].counts.lessons',
        'agents[].counts.projects',
        'agents[].counts.tasks',
        'briefs.given',
        'briefs.last.at',
        'briefs.last.tokens',
        'briefs.silent',
        'briefs.tokens',
        'degraded',
        'entries',
        'exists',
        'index.bytes',
        'index.mode',
        'index.version',
        'journal.bytes',
        'journal.last.action',
        'journal.last.at',
        'journal.last.id',
        'kinds.handoff',
        'kinds.lesson',
        'kinds.task',
        'link',
        ...MODEL.map(key => `model.${key}`),
        'openTasks',
        'problems',
        'readOnly',
        'retrieval.p95Ms',
        'retrieval.samples',
        'retrieval.state',
        'root',
        'health.causes',
        'health.reasons',
        'health.state',
        ...['by', 'checkout', 'standing', 'why'].map(key => `project.${key}`),
        'hooks.calls',
        'hooks.failures',
        'hooks.waiting',
        'projectWords',
        'server',
        'sessions',
        'sources',
        ...STATE.map(key => `state.${key}`),
        'workspaces',
        'statuses.confirmed',
        'statuses.pinned',
        'upkeep.failure',
        'upkeep.isDue',
        ...COMPACTION.map(key => `upkeep.last.${key}`),
        'vectors.count',
        'vectors.model',
        'vectors.waiting',
        'waiting.conflicts',
        'waiting.review',
        'waiting.sessionsLeft',
        'waiting.upgrade',
      ].sort(),
      validate: [
        'checks[].findings',
        'checks[].name',
        'deep',
        'dryRun',
        'exists',
        'files',
        'findings',
        'fixed',
        'more',
        'root',
        ...['what', 'why'].map(key => `skipped[].${key}`),
        'strict',
        ...['error', 'note', 'warning'].map(key => `totals.${key}`),
        'valid',
      ],
      doctor: ['checks[].hint', 'checks[].message', 'checks[].name', 'checks[].result', 'healthy'],
      'config list': [
        'degraded',
        'settings[].default',
        'settings[].description',
        'settings[].key',
        'settings[].value',
      ],
      budget: [
        'briefs.count',
        'briefs.last[].at',
        'briefs.last[].kind',
        'briefs.last[].tokens',
        'briefs.mean',
        'briefs.most',
        'changed',
        'default',
        'degraded',
        'maxTokens',
        'record',
      ],
      auto: ['auto', 'changed', 'degraded', 'record'],
      preset: ['changed', 'degraded', 'points', 'preset', 'record'],
      'config get': ['degraded', ...SETTING],
      'config set': ['degraded', 'record', ...SETTING],
      'config unset': ['degraded', 'record', ...SETTING],
    })
  }),
)

test(
  'what is asked of a workspace is answered with these keys',
  inWorld(
    async world => {
      const keys = async (...words: string[]) => shape(await world.json(...words))
      const PROBLEM = ['code', 'hint', 'line', 'message', 'path'].map(key => `problems[].${key}`)
      const META = ['_meta.document_id', '_meta.document_path']
      const REST = ['leftOut', 'total']
      expect(await keys('retrieve', 'plans', 'k')).toEqual(
        [
          ...['created', 'description', 'name', 'scope', 'status', 'tags', 'updated', ...META].map(
            key => `plans[].${key}`,
          ),
          ...REST,
          ...PROBLEM,
        ].sort(),
      )
      expect(await keys('retrieve', 'overview', 'k')).toEqual(
        [
          ...['abstract', 'content', 'scope', 'tier', ...META].map(key => `overviews[].${key}`),
          ...REST,
          'problems',
        ].sort(),
      )
      expect(await keys('retrieve', 'learnings', 'k')).toEqual(
        [
          ...['category', 'content', 'date', 'scope', 'tags', ...META].map(key => `decisions[].${key}`),
          ...['lessons', 'problems', 'scope', ...REST],
        ].sort(),
      )
    },
    {
      'resources/workspaces/k/OVERVIEW.md': '---\nname: K\ndescription: d\n---\n',
      'resources/workspaces/k/d/OVERVIEW.md': '---\nname: D\ndescription: d\n---\n',
      'resources/workspaces/k/_plans/260208-x.md':
        '---\nname: X\ndescription: d\nstatus: new\ncreated: 2026-02-08\nupdated: 2026-02-09\ntags: [a]\n---\n',
      'resources/workspaces/k/_plans/260209-bad.md': '---\nname: [\n---\n',
      'user/memory/workspaces/k/decisions.md': '### [2026-02-08] T\n\n**Category:** c\n**Tags:** a\n',
    },
  ),
)

test(
  'an error has these keys',
  inWorld(async world => {
    const plain = await world.cairn(['show', 'nothing', '--json'])
    expect(shape(JSON.parse(plain.stdout))).toEqual(['error.code', 'error.hint', 'error.message'])
    await world.ok('remember', 'One thing.')
    await world.ok('remember', 'Another thing.')
    const several = await world.cairn(['forget', 'thing', '--json'])
    expect(shape(JSON.parse(several.stdout))).toEqual([
      'error.code',
      'error.details.candidates[].id',
      'error.details.candidates[].score',
      'error.details.candidates[].snippet',
      'error.hint',
      'error.message',
    ])
  }),
)
