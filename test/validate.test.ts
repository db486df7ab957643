import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync, rmSync, symlinkSync, utimesSync } from 'node:fs'
import * as path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { remember } from '../src/features/entries/write-entries.ts'
import { applyMends, planMends, validateMemory } from '../src/features/validate/validate-memory.ts'
import { KIND_HOME } from '../src/kernel/model/category.ts'
import { STATUSES } from '../src/kernel/model/entry.ts'
import { openAt, treeOf } from './support/aged-vault.ts'
import { readIn, scratchProject, writeIn } from './support/scratch-project.ts'
import {
  CHECKPOINT,
  CURATION,
  event,
  json,
  NOW_MS,
  PAGE,
  record,
  SESSION_MEMORY,
  SOURCE,
  STATE,
  soundMemory,
} from './support/sound-memory.ts'

async function validation(root: string, options: { deep?: boolean; only?: string[] } = {}) {
  const engine = openAt(root, NOW_MS)
  try {
    return await validateMemory(engine, options)
  } finally {
    await engine.close()
  }
}

/** `error config_damaged config.json:3`, relative to the memory. */
async function told(root: string, options: { deep?: boolean; only?: string[] } = {}): Promise<string[]> {
  const { findings } = await validation(root, options)
  return findings.map(
    ({ severity, code, path: at, line }) =>
      `${severity} ${code} ${at.replace(/^\.memory\//, '')}${line === undefined ? '' : `:${line}`}`,
  )
}

it('finds nothing in a sound memory, at a glance or thoroughly', async () => {
  const root = scratchProject(soundMemory())
  expect(await told(root)).toEqual([])
  expect(await told(root, { deep: true })).toEqual([])
})

it('has nothing to say of what hooks leave behind while they are in use', async () => {
  const root = scratchProject({
    ...soundMemory(),
    '.memory/.vault/hooks.db': '',
    '.memory/.vault/spool/s1.jsonl': '\n{"v":1,"at":"2026-03-01T10:00:00.000Z","host":"codex"}\n',
    '.memory/.vault/spool/s2.taken': '\nhalf a li',
    '.memory/.vault/spool/s2.cursor': '{"offsets":{}}',
    '.memory/.vault/spool/worker': '{"pid":1}',
    '.memory/.vault/spool/calls.json': '{}',
  })
  expect(await told(root)).toEqual([])
  expect(await told(root, { deep: true })).toEqual([])
})

it('has nothing to say where there is no memory, and of a clone that has only what git keeps', async () => {
  const empty = scratchProject()
  expect(await validation(empty)).toMatchObject({ exists: false, findings: [] })
  const local =
    /^\.memory\/(private|local|conversations|sessions|history|archive|\.vault|state\.json|sources\.json)/
  const kept = Object.fromEntries(Object.entries(soundMemory()).filter(([name]) => !local.test(name)))
  expect(await told(scratchProject(kept))).toEqual([])
})

it('has nothing to say of an entry that somebody typed, and of a page with a name of their own', async () => {
  const root = scratchProject({
    ...soundMemory(),
    '.memory/shared/tasks.md': '## 2026-03-15\n\n- [ ] Rotate the key.\n\n---\n',
    '.memory/shared/lessons/of the importer.md': PAGE.replace('p001', 'p007'),
  })
  expect(await told(root)).toEqual([])
})

const EVICT = 'archive/evict-2026-03-01T10-00-00-000Z'
const AUDIT = 'archive/audit-2026-03-01T11-00-00-000Z'
const IMPORT = 'archive/import-2026-03-01T12-00-00-000Z'
const ENTRY = (comment: string, heading = '## 2026-03-15T18:40', content = 'Something to keep.') =>
  `${comment}\n${heading}\n\n${content}\n\n---\n`
const id = (more = '') => `<!-- id:1773600000009-zzzz${more} -->`
const manifest = (more: object) =>
  json({
    version: 1,
    id: 'x',
    kind: 'evict',
    at: '2026-03-01T10:00:00.000Z',
    entries: 1,
    events: 0,
    files: [],
    ...more,
  })

type Edits = Readonly<Record<string, string | Uint8Array | null>>

/** What was done to a sound memory, the files that were written (null: removed), and what is told of it. */
const BROKEN: readonly (readonly [what: string, edits: Edits, findings: readonly string[]])[] = [
  // vaults
  [
    'a conflict that git left',
    { 'shared/tasks.md': `<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> feature\n` },
    ['error conflict_markers shared/tasks.md:1'],
  ],
  [
    'a vault file in UTF-16',
    { 'shared/tasks.md': Buffer.from('\ufeff## x', 'utf16le') },
    ['error utf16 shared/tasks.md:1'],
  ],
  [
    'a vault file in Latin-1',
    { 'shared/tasks.md': Buffer.from(ENTRY('<!-- id:1773600000009-zzzz -->', undefined, 'Café'), 'latin1') },
    ['error not_utf8 shared/tasks.md:4'],
  ],
  [
    'a date that no calendar has',
    { 'shared/tasks.md': ENTRY(id(), '## 2026-02-31T10:00') },
    ['warning bad_date shared/tasks.md:1'],
  ],
  [
    'an entry twice in a file',
    { 'shared/tasks.md': `${ENTRY(id())}\n${ENTRY(id())}` },
    ['warning duplicate_id shared/tasks.md:8'],
  ],
  [
    'a changed copy of an entry in its file',
    { 'shared/tasks.md': `${ENTRY(id())}\n${ENTRY(id(), undefined, 'Something else.')}` },
    ['error id_clash shared/tasks.md:8'],
  ],
  [
    'the same entry in two files',
    { 'dev/lessons.md': PAGE },
    // Whichever is listed first: the other one is told.
    ['warning entry_twice shared/lessons/2026-02.md:1'],
  ],
  [
    'two entries of one id in two files',
    { 'dev/lessons.md': PAGE.replace('256 KB', '128 KB') },
    ['error id_clash shared/lessons/2026-02.md:1'],
  ],
  [
    'an entry that somebody typed',
    { 'shared/tasks.md': '## 2026-03-15\n\n- [ ] Rotate the key.\n\n---\n' },
    [],
  ],
  [
    'text outside any entry',
    { 'shared/tasks.md': `${ENTRY(id())}\nSomebody wrote this.\nAnd this.\n` },
    ['warning unread_text shared/tasks.md:8'],
  ],
  [
    'an id that tools stumble over',
    { 'shared/tasks.md': ENTRY('<!-- id:a%20b -->') },
    ['warning id_malformed shared/tasks.md:1'],
  ],
  [
    'an id of a time to come',
    { 'shared/tasks.md': ENTRY('<!-- id:1990000000000-zzzz -->') },
    ['warning id_in_future shared/tasks.md:1'],
  ],
  [
    'a date to come',
    { 'shared/tasks.md': ENTRY(id(), '## 2031-01-01T10:00') },
    ['warning date_in_future shared/tasks.md:1'],
  ],
  [
    'a status that there is not',
    { 'shared/tasks.md': ENTRY(id(' status:frozen')) },
    ['warning field_invalid shared/tasks.md:1'],
  ],
  [
    'an importance above 1',
    { 'shared/tasks.md': ENTRY(id(' importance:7')) },
    ['warning field_invalid shared/tasks.md:1'],
  ],
  [
    'an origin that there is not',
    { 'shared/tasks.md': ENTRY(id(' origin:alien')) },
    ['warning field_invalid shared/tasks.md:1'],
  ],
  [
    'a confidence that is no number',
    { 'shared/tasks.md': ENTRY(id(' confidence:high')) },
    ['warning field_invalid shared/tasks.md:1'],
  ],
  [
    'a commit that is none',
    { 'shared/tasks.md': ENTRY(id(' commit:main')) },
    ['warning field_invalid shared/tasks.md:1'],
  ],
  [
    'an update at no date',
    { 'shared/tasks.md': ENTRY(id(' updated:yesterday')) },
    ['warning field_invalid shared/tasks.md:1'],
  ],
  [
    'a kind of two words',
    { 'shared/tasks.md': ENTRY(id(' kind:big%20news')) },
    ['warning kind_invalid shared/tasks.md:1'],
  ],
  [
    'a kind that is at home elsewhere',
    { 'shared/tasks.md': ENTRY(id(' kind:warning')) },
    ['note kind_elsewhere shared/tasks.md:1'],
  ],
  [
    'an entry that says nothing',
    { 'shared/tasks.md': ENTRY(id(), undefined, '') },
    ['warning entry_empty shared/tasks.md:1'],
  ],
  [
    'an entry as long as a book',
    { 'shared/tasks.md': ENTRY(id(), undefined, 'x'.repeat(16_385)) },
    ['warning entry_too_long shared/tasks.md:1'],
  ],
  [
    'a file outside the project',
    { 'shared/tasks.md': ENTRY(id(' files:../../etc/passwd')) },
    ['note file_outside shared/tasks.md:1'],
  ],
  [
    'an anchor to a file that the entry does not name',
    { 'shared/tasks.md': ENTRY(id(' files:a.ts anchors:b.ts@b2Kx9iADcf')) },
    ['warning anchor_without_file shared/tasks.md:1'],
  ],
  [
    'a print that cannot be one',
    { 'shared/tasks.md': ENTRY(id(' files:a.ts anchors:a.ts@x')) },
    ['warning anchor_invalid shared/tasks.md:1'],
  ],
  [
    'a link that leads nowhere',
    { 'shared/tasks.md': ENTRY(id(), undefined, 'First.\n\nSee [[the great plan of 1999]].') },
    ['note link_dangling shared/tasks.md:6'],
  ],
  [
    'an entry in the page of another month',
    { 'shared/lessons/2026-01.md': PAGE.replace('p001', 'p002') },
    ['warning page_wrong_month shared/lessons/2026-01.md:1'],
  ],
  [
    'a page that is too large',
    {
      'shared/lessons/2026-02.2.md': Array.from({ length: 18 }, (_, n) =>
        ENTRY(`<!-- id:1770000000${100 + n}-page -->`, '## 2026-02-02T02:40', 'x'.repeat(15_000)),
      ).join('\n'),
    },
    ['note page_too_large shared/lessons/2026-02.2.md'],
  ],
  [
    'a head file that should have rolled over',
    {
      'local/shared/tasks.md': Array.from({ length: 31 }, (_, n) =>
        ENTRY(`<!-- id:1770000000${100 + n}-head -->`, undefined, `Task ${n}.`),
      ).join('\n'),
    },
    ['note head_too_long local/shared/tasks.md'],
  ],
  [
    'two summaries in a head file',
    {
      'shared/tasks.md': [1, 2]
        .map(n =>
          ENTRY(
            `<!-- id:177000000000${n}-a-summary kind:rollover_summary -->`,
            undefined,
            'Compacted 2 older entries:',
          ),
        )
        .join('\n'),
    },
    ['warning summary_twice shared/tasks.md:8'],
  ],
  // _project.md
  [
    'a project text in Latin-1',
    { '_project.md': Buffer.from('Caf\u00e9', 'latin1') },
    ['error not_utf8 _project.md'],
  ],
  [
    'a conflict in the project text',
    { '_project.md': '# Demo\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> b\n' },
    ['error conflict_markers _project.md:2'],
  ],
  [
    'a project text of 501 words',
    { '_project.md': 'word '.repeat(501) },
    ['warning project_text_long _project.md'],
  ],
  // config.json
  [
    'a config that is not JSON',
    { 'config.json': '{\n  "version": 1,\n  "search": }\n' },
    ['error config_damaged config.json:3'],
  ],
  [
    'a config that breaks off',
    { 'config.json': '{\n  "version": 1' },
    ['error config_damaged config.json:2'],
  ],
  [
    'a config with a conflict',
    { 'config.json': '{\n<<<<<<< HEAD\n}\n' },
    ['error config_damaged config.json:2'],
  ],
  ['a config that is a list', { 'config.json': '[]' }, ['error config_damaged config.json:1']],
  ['an empty config', { 'config.json': '' }, ['error config_damaged config.json:1']],
  [
    'a version that is no number',
    { 'config.json': '{ "version": "one" }' },
    ['error config_damaged config.json:1'],
  ],
  [
    'a config of a newer Cairn',
    { 'config.json': '{ "version": 9, "later": true }' },
    ['warning config_newer config.json:1'],
  ],
  [
    'a setting that there is not',
    { 'config.json': json({ version: 1, search: { limits: 3 } }) },
    ['warning config_key_unknown config.json:4'],
  ],
  [
    'a value that cannot be',
    { 'config.json': json({ version: 1, search: { limit: 'many' } }) },
    ['error config_value_invalid config.json:4'],
  ],
  [
    'an item of a list that is not one of its choices',
    { 'config.json': json({ version: 2, vault: { share: ['candidate'] } }) },
    ['error config_value_invalid config.json:4'],
  ],
  [
    'a folder outside the project',
    { 'config.json': json({ version: 1, projections: { folder: '../elsewhere' } }) },
    ['error config_path_outside config.json:4'],
  ],
  [
    'a profile with a weight of 9',
    { 'config.json': json({ version: 1, profiles: { release: { kinds: { warning: 9 } } } }) },
    ['warning config_profile_invalid config.json:4'],
  ],
  [
    'a template without instructions',
    { 'config.json': json({ version: 1, query: { templates: { review: {} } } }) },
    ['warning config_template_invalid config.json:5'],
  ],
  // history/proposals.json
  [
    'proposals that are not JSON',
    { 'history/proposals.json': '{ "waiting": {' },
    ['error proposals_damaged history/proposals.json:1'],
  ],
  [
    'a proposal of an action that nobody knows',
    {
      'history/proposals.json': json({
        version: 1,
        waiting: { '1-a:burn': { entry: '1-a', action: 'burn', print: '0', at: '', by: 'mcp' } },
      }),
    },
    ['warning proposal_invalid history/proposals.json:4'],
  ],
  // curation.json
  [
    'a curation that is not JSON',
    { 'curation.json': '{ "aliases": {' },
    ['error curation_damaged curation.json:1'],
  ],
  [
    'aliases that are a list',
    { 'curation.json': json({ version: 1, aliases: [] }) },
    ['error curation_section_invalid curation.json:3'],
  ],
  [
    'an alias that is a text',
    { 'curation.json': json({ ...CURATION, aliases: { ledger: 'accounting' } }) },
    ['warning curation_record_invalid curation.json:4'],
  ],
  [
    'a confirmation without a date',
    { 'curation.json': json({ version: 1, confirmations: { '1773679871839-k3f9': { by: 'cli' } } }) },
    ['warning curation_record_invalid curation.json:4'],
  ],
  [
    'a decision that decides nothing',
    { 'curation.json': json({ version: 1, conflicts: [{ entryA: 'a' }] }) },
    ['warning curation_record_invalid curation.json:3'],
  ],
  [
    'feedback on an entry long gone',
    {
      'curation.json': json({
        version: 1,
        feedback: { '1600000000000-gone': { useful: 1 }, '1700000000000-gone': { useful: 1 } },
      }),
    },
    ['note curation_entry_gone curation.json:4'],
  ],
  [
    'a curation of a newer Cairn',
    { 'curation.json': '{"version": 2}' },
    ['warning curation_newer curation.json:1'],
  ],
  [
    'local confirmations without a date',
    { 'local/curation.json': json({ version: 1, confirmations: { '1773679871839-k3f9': { by: 'cli' } } }) },
    ['warning curation_record_invalid local/curation.json:4'],
  ],
  [
    'a local curation that is not JSON',
    { 'local/curation.json': '{ "feedback": {' },
    ['error curation_damaged local/curation.json:1'],
  ],
  // sources.json
  ['sources that are not JSON', { 'sources.json': '{' }, ['error sources_damaged sources.json:1']],
  ['sources without a list', { 'sources.json': '{"version": 1}' }, ['error sources_damaged sources.json:1']],
  [
    'a source without a path',
    { 'sources.json': json({ version: 1, sources: [{ ...SOURCE, path: 5 }] }) },
    ['error source_invalid sources.json'],
  ],
  [
    'a source whose last sync went as nobody knows',
    { 'sources.json': json({ version: 1, sources: [{ ...SOURCE, lastSyncStatus: 'fine' }] }) },
    ['warning source_invalid sources.json'],
  ],
  [
    'two sources of one id',
    { 'sources.json': json({ version: 1, sources: [SOURCE, SOURCE] }) },
    ['error source_twice sources.json'],
  ],
  // state.json and checkpoints
  ['a state that is not JSON', { 'state.json': '{"schemaVersion": 1' }, ['error state_damaged state.json']],
  [
    'a state of a newer Cairn',
    { 'state.json': json({ ...STATE, schemaVersion: 2 }) },
    ['warning state_newer state.json'],
  ],
  [
    'a bundle that somebody changed',
    { 'state.json': json({ ...STATE, bundle: { ...STATE.bundle, project: { name: 'other' } } }) },
    ['error state_hash_differs state.json'],
  ],
  [
    'a latest checkpoint that is gone',
    { [`history/checkpoints/${CHECKPOINT}.json`]: null },
    ['warning checkpoint_missing state.json'],
  ],
  [
    'a checkpoint that was cut',
    { [`history/checkpoints/${CHECKPOINT}.json`]: '{"schemaVersion": 1,' },
    [`error checkpoint_damaged history/checkpoints/${CHECKPOINT}.json`],
  ],
  [
    'a log of events that was lost',
    { 'history/events.jsonl': null },
    ['warning cursor_unknown state.json', 'warning events_missing state.json'],
  ],
  // history
  [
    'a line that is no JSON',
    { 'history/events.jsonl': `${event('1773900000000-e001')}\n{"id": \n${event('1773900000001-e002')}\n` },
    ['error event_line_damaged history/events.jsonl:2'],
  ],
  [
    'an event without signals',
    {
      'history/events.jsonl': `${event('1773900000000-e001')}\n${event('1773900000001-e002')}\n${event('x', { signals: {} })}\n`,
    },
    ['error event_line_damaged history/events.jsonl:3'],
  ],
  [
    'an event of a kind that there is not',
    {
      'history/events.jsonl': `${event('1773900000000-e001')}\n${event('1773900000001-e002')}\n${event('x', { kind: 'dream' })}\n`,
    },
    ['error event_line_damaged history/events.jsonl:3'],
  ],
  [
    'two events of one id',
    {
      'history/events.jsonl': `${event('1773900000000-e001')}\n${event('1773900000000-e001', { contentHash: 'other' })}\n`,
    },
    ['error event_id_twice history/events.jsonl:2'],
  ],
  [
    'an event that was made twice',
    {
      'history/events.jsonl': `${event('1773900000000-e001')}\n${event('1773900000001-e002', { contentHash: 'hash-1773900000000-e001' })}\n`,
    },
    ['warning event_twice history/events.jsonl:2'],
  ],
  [
    'a line that was never finished',
    {
      'history/events.jsonl': `${event('1773900000000-e001')}\n${event('1773900000001-e002')}\n{"id":"17739`,
    },
    ['warning event_line_unfinished history/events.jsonl:3'],
  ],
  [
    'a conflict in the events',
    {
      'history/events.jsonl': `${event('1773900000000-e001')}\n<<<<<<< HEAD\n${event('1773900000001-e002')}\n`,
    },
    ['error conflict_markers history/events.jsonl:2'],
  ],
  [
    'a line of the journal that is no record',
    { 'history/audit.jsonl': `${record('a')}\n{"id": 5}\n` },
    ['error journal_line_damaged history/audit.jsonl:2'],
  ],
  [
    'two records of one id',
    { 'history/audit.jsonl': `${record('a')}\n${record('a')}\n` },
    ['error journal_id_twice history/audit.jsonl:2'],
  ],
  [
    'a record that was never finished',
    { 'history/audit.jsonl': `${record('a')}\n{"id":"b` },
    ['warning journal_line_unfinished history/audit.jsonl:2'],
  ],
  [
    'an action of a newer Cairn',
    { 'history/audit.jsonl': `${record('a', { action: 'dream' })}\n` },
    ['note journal_action_unknown history/audit.jsonl:1'],
  ],
  // archive
  [
    'a batch without a manifest',
    { [`${EVICT}/manifest.json`]: null },
    [`error archive_manifest_missing ${EVICT}/manifest.json`],
  ],
  [
    'a manifest that is not JSON',
    { [`${EVICT}/manifest.json`]: '{' },
    [`error archive_manifest_damaged ${EVICT}/manifest.json:1`],
  ],
  [
    'a manifest of another kind',
    { [`${EVICT}/manifest.json`]: manifest({ kind: 'prune' }) },
    [`error archive_kind_differs ${EVICT}/manifest.json`],
  ],
  [
    'a manifest without a date',
    { [`${EVICT}/manifest.json`]: manifest({ at: 'then' }) },
    [`error archive_date_invalid ${EVICT}/manifest.json`],
  ],
  [
    'fewer entries than the manifest says',
    { [`${EVICT}/manifest.json`]: manifest({ entries: 2 }) },
    [`error archive_count_differs ${EVICT}/manifest.json`],
  ],
  [
    'a file that the manifest names and is gone',
    { [`${EVICT}/manifest.json`]: manifest({ files: ['a.json'] }) },
    [`error archive_file_missing ${EVICT}/manifest.json`],
  ],
  [
    'an imported file that is gone',
    { [`${IMPORT}/NOTES.md`]: null },
    [`error archive_file_missing ${IMPORT}/manifest.json`],
  ],
  [
    'a rotated journal that lost a record',
    { [`${AUDIT}/audit.jsonl`]: '' },
    [`error archive_count_differs ${AUDIT}/manifest.json`],
  ],
  [
    'a folder in the archive that is no batch',
    { 'archive/old/x.md': 'x' },
    ['note archive_unknown archive/old'],
  ],
  // sessions
  [
    'a memory of a session that was cut',
    { 'sessions/s2.memory.json': '{"version": 1,\n' },
    ['error session_memory_damaged sessions/s2.memory.json:2'],
  ],
  [
    'a memory of a session without findings',
    { 'sessions/s2.memory.json': json({ ...SESSION_MEMORY, findings: undefined }) },
    ['error session_memory_damaged sessions/s2.memory.json'],
  ],
  [
    'a memory of a session under another name',
    { 'sessions/s2.memory.json': null, 'sessions/s3.memory.json': json(SESSION_MEMORY) },
    ['warning session_memory_misplaced sessions/s3.memory.json'],
  ],
  [
    'a line of a conversation that is no message',
    { 'conversations/dev/s1.jsonl': `${soundMemory()['.memory/conversations/dev/s1.jsonl']}{"n":1,"ro\n` },
    ['warning conversation_line_damaged conversations/dev/s1.jsonl:3'],
  ],
  [
    'a closed conversation that was cut',
    { 'conversations/dev/s2.json': '{"agentId": "dev",' },
    ['error conversation_damaged conversations/dev/s2.json'],
  ],
  // .vault and git
  [
    'an index that is no database',
    { '.vault/index.db': 'not a database at all' },
    ['warning index_damaged .vault/index.db'],
  ],
  [
    'a log of upkeep that was cut',
    { '.vault/compact-log.json': '{' },
    ['warning compact_log_damaged .vault/compact-log.json:1'],
  ],
  ['no .gitignore', { '.gitignore': null }, ['error gitignore_missing .gitignore']],
  [
    'a .gitignore that forgets the private vault',
    {
      '.gitignore':
        'conversations/\nsessions/\nhistory/\narchive/\nstate.json\nsources.json\n.vault/\n*.cairn-tmp\n',
    },
    ['error gitignore_incomplete .gitignore'],
  ],
  [
    'a .gitignore that takes the private vault back',
    { '.gitignore': `${soundMemory()['.memory/.gitignore']}!private/\n` },
    ['error gitignore_incomplete .gitignore:12'],
  ],
  // files
  ['two names that are one elsewhere', { 'Shared/tasks.md': '' }, ['error names_alike shared']],
  [
    'a name that Windows cannot have',
    { 'shared/what?.txt': '' },
    ['note file_unknown shared/what?.txt', 'warning name_not_portable shared/what?.txt'],
  ],
  ['a folder that no agent can have', { 'my agent/tasks.md': '' }, ['warning agent_name_invalid my agent']],
  ['a file that nobody reads', { 'notes.txt': 'x' }, ['note file_unknown notes.txt']],
  [
    'a folder where the registry of sources should be',
    { 'sources.json': null, 'sources.json/x': '' },
    ['error unreadable sources.json'],
  ],
  [
    'a folder where the config should be',
    { 'config.json': null, 'config.json/x': '' },
    ['error unreadable config.json', ...Array<string>(3).fill('error check_failed .memory')],
  ],
  [
    'a folder where a vault file should be',
    { 'shared/tasks.md/x.txt': '' },
    ['error vault_file_is_folder shared/tasks.md', 'note file_unknown shared/tasks.md/x.txt'],
  ],
]

describe('a memory with', () => {
  it.each(BROKEN)('%s', async (_what, edits, findings) => {
    const root = scratchProject(soundMemory())
    for (const [name, content] of Object.entries(edits)) {
      if (content === null) rmSync(path.join(root, '.memory', name))
      else writeIn(root, `.memory/${name}`, content)
    }
    const seen = await told(root)
    expect([...seen].sort()).toEqual([...findings].sort())
    // Every finding says what mends it.
    for (const { fix, message } of (await validation(root)).findings) {
      expect(fix).toMatch(/\S/)
      expect(message).toMatch(/\S/)
    }
  })

  it('a link out of it, one to nowhere and one in a circle', async () => {
    const root = scratchProject(soundMemory())
    const outside = scratchProject({ 'secret.md': 'x' })
    const link = (target: string, name: string) => symlinkSync(target, path.join(root, '.memory', name))
    link(path.join(outside, 'secret.md'), 'shared/tasks.md')
    link(outside, 'dev')
    link('nowhere.md', 'shared/handoffs.md')
    link('projects.md', 'shared/projects.md')
    expect(await told(root)).toEqual([
      'error link_outside dev',
      'error link_outside shared/tasks.md',
      'warning link_broken shared/handoffs.md',
      'warning link_broken shared/projects.md',
    ])
  })

  it('what everybody may write to', async () => {
    const root = scratchProject(soundMemory())
    chmodSync(path.join(root, '.memory/config.json'), 0o666)
    expect(await told(root)).toEqual(['warning world_writable config.json'])
  })

  it('leftovers of a process that died, and not of one at work', async () => {
    const root = scratchProject({
      ...soundMemory(),
      '.memory/shared/tasks.md.cairn-tmp': 'half',
      '.memory/shared/lessons.md.cairn-tmp': 'half',
      '.memory/archive/.evict-2026-1.cairn-tmp/entries.jsonl': 'half',
    })
    const age = (name: string, ms: number) =>
      utimesSync(path.join(root, '.memory', name), ms / 1000, ms / 1000)
    age('shared/tasks.md.cairn-tmp', NOW_MS - 7_200_000)
    age('shared/lessons.md.cairn-tmp', NOW_MS - 60_000)
    age('archive/.evict-2026-1.cairn-tmp', NOW_MS - 7_200_000)
    expect(await told(root)).toEqual([
      'warning leftover archive/.evict-2026-1.cairn-tmp',
      'warning leftover shared/tasks.md.cairn-tmp',
    ])
  })

  it('a private vault that git tracks, in any format of its list', async () => {
    const root = scratchProject(soundMemory())
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...words], {
        cwd: root,
        stdio: 'pipe',
      })
    git('init', '-q')
    git('add', '.')
    expect(await told(root)).toEqual([])
    git('add', '-f', '.memory/private/lessons.md', '.memory/sessions', '.memory/history/events.jsonl')
    const expected = [
      'error local_part_tracked private',
      'warning local_part_tracked history',
      'warning local_part_tracked sessions',
    ]
    expect(await told(root)).toEqual(expected)
    for (const version of ['3', '4']) {
      git('update-index', '--index-version', version)
      expect(await told(root)).toEqual(expected)
    }
    writeIn(root, '.git/index', 'DIRC and nothing')
    const { findings, skipped } = await validation(root)
    expect([findings, skipped.map(({ what }) => what)]).toEqual([[], ['what git tracks']])
  })

  it('secrets, which only a thorough look finds, and never repeats', async () => {
    const token = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`
    const root = scratchProject({
      ...soundMemory(),
      '.memory/shared/tasks.md': ENTRY(id(), undefined, `Use ${token} to push.`),
      '.memory/history/events.jsonl': `${event('1773900000000-e001')}\n${event('1773900000001-e002', { summary: `push with ${token}` })}\n`,
    })
    expect(await told(root)).toEqual([])
    expect(await told(root, { deep: true })).toEqual([
      'error secret history/events.jsonl:2',
      'error secret shared/tasks.md:1',
    ])
    writeIn(root, `.memory/shared/${token}.txt`, 'x')
    writeIn(root, '.memory/config.json', json({ version: 1, [token]: token, search: { limit: token } }))
    const said = JSON.stringify(await validation(root, { deep: true }))
    expect(said).toContain('config_key_unknown')
    expect(said).not.toContain(token)
  })
})

it('runs the checks that are asked for', async () => {
  const root = scratchProject({ ...soundMemory(), '.memory/config.json': '{', '.memory/notes.txt': '' })
  expect(await told(root, { only: ['config'] })).toEqual(['error config_damaged config.json:1'])
  await expect(told(root, { only: ['confg'] })).rejects.toMatchObject({ code: 'invalid_input' })
})

it('leaves everything as it is, in a folder that cannot be written as well', async () => {
  const root = scratchProject(soundMemory())
  rmSync(path.join(root, '.memory/.vault'), { recursive: true })
  const before = treeOf(root, /^$/)
  for (const folder of readdirSync(path.join(root, '.memory'), { recursive: true, withFileTypes: true }))
    if (folder.isDirectory()) chmodSync(path.join(folder.parentPath, folder.name), 0o555)
  chmodSync(path.join(root, '.memory'), 0o555)
  try {
    expect(await told(root, { deep: true })).toEqual([])
    expect(treeOf(root, /^$/)).toEqual(before)
  } finally {
    execFileSync('chmod', ['-R', 'u+w', root])
  }
})

it('mends what can be mended, and no more', async () => {
  const root = scratchProject({
    ...soundMemory(),
    '.memory/.gitignore': 'conversations/\n!private/',
    '.memory/.vault/index.db': 'not a database',
    '.memory/shared/tasks.md.cairn-tmp': 'half',
    '.memory/sources.json': '{',
  })
  utimesSync(path.join(root, '.memory/shared/tasks.md.cairn-tmp'), 1, 1)
  const engine = openAt(root, NOW_MS)
  const plans = planMends((await validateMemory(engine, {})).findings)
  expect(plans.map(({ path: at, what }) => `${at}: ${what}`)).toEqual([
    '.memory/.gitignore: ignore private/, sessions/, sources.json, .vault/, history/, archive/, state.json, *.cairn-tmp',
    '.memory/.vault/index.db: rebuild the index',
    '.memory/shared/tasks.md.cairn-tmp: remove the leftover',
  ])
  await applyMends(engine, plans)
  await engine.close()
  expect(await told(root)).toEqual(['error sources_damaged sources.json:1'])
  expect(readIn(root, '.memory/.gitignore')).toBe(
    'conversations/\n!private/\nprivate/\nsessions/\nsources.json\n.vault/\nhistory/\narchive/\nstate.json\n*.cairn-tmp\n',
  )
})

it('finds nothing in whatever is remembered through the library', async () => {
  const kinds = Object.keys(KIND_HOME)
  const entries = fc.array(
    fc.record({
      content: fc
        .string({ unit: 'grapheme', minLength: 1, maxLength: 400 })
        .filter(text => !text.includes('[[')),
      kind: fc.constantFrom(...kinds),
      agent: fc.constantFrom('shared', 'dev', 'private'),
      status: fc.constantFrom(...STATUSES),
      importance: fc.double({ min: 0, max: 1, noNaN: true }),
      files: fc.array(fc.constantFrom('src/a.ts', 'docs/b.md'), { maxLength: 2 }),
      date: fc.constantFrom('2025-11-02T10:00', '2026-01-31T23:59', '2026-03-01T00:00'),
    }),
    { minLength: 1, maxLength: 90 },
  )
  await fc.assert(
    fc.asyncProperty(entries, async given => {
      const kept = given.filter(({ content }) => content.trim() !== '')
      const root = scratchProject({ 'src/a.ts': 'export const a = 1\n' })
      const engine = openAt(root, NOW_MS)
      await remember(engine, kept)
      const { findings } = await validateMemory(engine, { deep: false })
      await engine.close()
      expect(findings).toEqual([])
    }),
    { numRuns: 25 },
  )
})

it('tells of plans and lessons of workspaces, with file and field', async () => {
  const root = scratchProject({
    ...soundMemory(),
    'resources/workspaces/devtools/common/_plans/260208-engine.md': '---\ntitle: [\n---\n\n# Engine\n',
  })
  expect(await told(root)).toEqual([
    'error front_matter_invalid resources/workspaces/devtools/common/_plans/260208-engine.md:3',
  ])
})
