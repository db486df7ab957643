import { expect, test } from 'vitest'
import { inWorld } from '../e2e/world.ts'

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
const SETTING = ['setting.default', 'setting.description', 'setting.key', 'setting.value']
const TASK = ['agent', 'date', 'done', 'id', 'text']

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
          .filter(word => /^[a-z]+$/.test(word))
          .slice(0, /^(task|alias|config)$/.test(words[0] ?? '') ? 2 : 1)
          .join(' ')
      ] = shape(answer)
      return answer
    }
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
    await call('brief', '--prompt', 'redis sessions', '--session', 's1')
    await call('briefs')
    await call('why', 'redis sessions')
    await call('feedback', kept.id, 'useful')
    await call('edit', kept.id, '--importance', '0.9')
    await call('pin', kept.id)
    await call('task', 'add', 'Write')
    await call('task', 'done', 'Write')
    await call('task', 'list', '--all')
    await call('alias', 'add', 'ledger', 'accounting')
    await call('alias', 'list')
    await call('alias', 'remove', 'ledger')
    world.write('in.jsonl', '{"text":"Imported."}\nnot json')
    await call('import', 'in.jsonl')
    await call('export')
    await call('compact')
    await call('restore')
    await call('forget', 'Imported.')
    await call('undo')
    await call('log', '--limit', '1')
    await call('status')
    await call('doctor')
    await call('config', 'list')
    await call('config', 'get', 'search.limit')
    await call('config', 'set', 'search.limit', '3')
    await call('config', 'unset', 'search.limit')

    const more = ['session', 'updated']
    expect(shapes).toEqual({
      remember: [
        'degraded',
        'duplicate',
        ...entry('entry', 'session'),
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
        'profile',
        'prompt',
        'tokens',
      ],
      feedback: ['degraded', ...entry('entry', 'session'), 'useful', 'wrong'].sort(),
      edit: ['degraded', ...entry('entry', ...more), 'redacted'].sort(),
      pin: ['degraded', ...entry('entry', ...more), 'pinned'].sort(),
      'task add': ['degraded', 'duplicate', ...entry('entry')].sort(),
      'task done': ['degraded', ...TASK.map(key => `task.${key}`)].sort(),
      'task list': ['degraded', ...TASK.map(key => `tasks[].${key}`)].sort(),
      'alias add': ['alias.default', 'alias.meanings', 'alias.word'],
      'alias list': ['aliases[].default', 'aliases[].meanings', 'aliases[].word'],
      'alias remove': ['left', 'word'],
      import: [
        'added',
        'degraded',
        'duplicates',
        'failed',
        'failures[].code',
        'failures[].line',
        'failures[].message',
        'read',
        'redacted',
        'vectors.made',
        'vectors.waiting',
      ],
      export: [...entry('entries[]', ...more)].sort(),
      compact: ['degraded', 'isDryRun', 'plan', 'problems', ...COMPACTION.map(key => `result.${key}`)].sort(),
      restore: ['batches', 'degraded', 'isDryRun', 'problems', 'restored'],
      forget: ['degraded', ...entry('entry'), 'record', 'removed'].sort(),
      undo: ['degraded', 'record', ...RECORD.map(key => `undone.${key}`)].sort(),
      log: ['degraded', ...[...RECORD, 'undoes'].map(key => `records[].${key}`)].sort(),
      status: [
        'agents[].agent',
        'agents[].counts.decisions',
        'agents[].counts.handoffs',
        'agents[].counts.lessons',
        'agents[].counts.projects',
        'agents[].counts.tasks',
        'briefs.given',
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
        'kinds.lesson',
        'kinds.task',
        'openTasks',
        'problems',
        'readOnly',
        'retrieval.p95Ms',
        'retrieval.samples',
        'retrieval.state',
        'root',
        'statuses.confirmed',
        'statuses.pinned',
        'upkeep.failure',
        'upkeep.isDue',
        ...COMPACTION.map(key => `upkeep.last.${key}`),
        'vectors.count',
        'vectors.model',
        'vectors.waiting',
      ].sort(),
      doctor: ['checks[].message', 'checks[].name', 'checks[].result', 'healthy'],
      'config list': ['settings[].default', 'settings[].description', 'settings[].key', 'settings[].value'],
      'config get': SETTING,
      'config set': SETTING,
      'config unset': SETTING,
    })
  }),
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
