import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as api from '../../src/api.ts'
import * as format from '../../src/format.ts'
import { CONFIG_KEYS } from '../../src/model/config-keys.ts'
import { ERROR_CLASSES, ERROR_CODES } from '../../src/model/errors.ts'
import { JOURNAL_ACTIONS } from '../../src/model/journal.ts'
import { DOCUMENTS } from '../../src/pipeline/store/documents.ts'

/** Names that other people's programs use. Taking one away, or changing what it means, is a major version. */
test('the library exports these values and types', () => {
  expect(Object.keys(api).sort()).toEqual([
    'CATEGORIES',
    'CairnError',
    'ERROR_CODES',
    'KIND_HOME',
    'openMemory',
  ])
  expect(exportedNames('../../src/api.ts')).toEqual([
    'Actor',
    'AgentActivity',
    'Anchor',
    'AppendReport',
    'ArchiveBatch',
    'Backlink',
    'BriefOptions',
    'BriefResult',
    'CATEGORIES',
    'CairnError',
    'Category',
    'Checkpoint',
    'ClosedSession',
    'Compaction',
    'CompactionReport',
    'Conflict',
    'ConflictDecision',
    'ConflictReason',
    'ConflictType',
    'Conversation',
    'CurrentWork',
    'Degradation',
    'ERROR_CODES',
    'EntityRef',
    'EntityType',
    'EntityUse',
    'Entry',
    'EntryFilter',
    'EntryLinks',
    'EntryPatch',
    'ErrorCode',
    'FileChange',
    'ForkedSession',
    'Freshness',
    'FreshnessReport',
    'FreshnessState',
    'Graph',
    'GraphEdge',
    'GraphNode',
    'GraphOptions',
    'Hit',
    'ImportFailure',
    'ImportReport',
    'KIND_HOME',
    'Kind',
    'Link',
    'LinkTarget',
    'MatchSpan',
    'Memory',
    'MemoryEvent',
    'MemoryReview',
    'MemorySessions',
    'MemoryStatus',
    'Message',
    'Neighbour',
    'NeighbourReason',
    'NewEntry',
    'NewSession',
    'OpenMemoryOptions',
    'Origin',
    'PickedUp',
    'Problem',
    'Proposal',
    'Recovery',
    'RedactedPart',
    'RefinedSession',
    'Relation',
    'RelationName',
    'ResolvedConflict',
    'RestoreReport',
    'ResumedSession',
    'Reviewed',
    'RunReport',
    'SessionHead',
    'SessionName',
    'SessionOverview',
    'SessionState',
    'SkippedMessage',
    'SleptSession',
    'StartedSession',
    'Status',
    'ToolRun',
    'openMemory',
  ])
})

test('the format exports these values and types', () => {
  expect(Object.keys(format).sort()).toEqual([
    'entriesOf',
    'insertEntry',
    'newEntryId',
    'parseVaultFile',
    'removeEntry',
    'renderEntry',
    'renderVaultFile',
    'replaceEntry',
    'timeOfId',
  ])
  expect(exportedNames('../../src/format.ts')).toContain('VaultFile')
})

test('a memory has these methods', async () => {
  const { makeWorld } = await import('../e2e/world.ts')
  const world = makeWorld()
  const memory = await api.openMemory({ root: world.root })
  expect(Object.keys(memory.sessions).sort()).toEqual([
    'append',
    'checkpoint',
    'close',
    'conversations',
    'end',
    'fork',
    'get',
    'list',
    'pickUp',
    'record',
    'recover',
    'refine',
    'resume',
    'sleep',
    'start',
  ])
  expect(Object.keys(memory).sort()).toEqual([
    'agents',
    'archive',
    'brief',
    'close',
    'compact',
    'confirm',
    'conflicts',
    'embed',
    'feedback',
    'forget',
    'freshness',
    'get',
    'graph',
    'importEntries',
    'links',
    'list',
    'pin',
    'remember',
    'resolveConflict',
    'restore',
    'review',
    'search',
    'sessions',
    'status',
    'undo',
    'unpin',
    'update',
  ])
  await memory.close()
  world.remove()
})

test('error codes and their classes', () => {
  expect(ERROR_CODES).toEqual({
    invalid_input: 'usage',
    unknown_verb: 'usage',
    agent_id_invalid: 'usage',
    content_empty: 'usage',
    content_too_long: 'usage',
    query_empty: 'usage',
    session_id_invalid: 'usage',
    source_unreadable: 'usage',
    config_key_unknown: 'usage',
    config_value_invalid: 'usage',
    scope_invalid: 'usage',
    front_matter_invalid: 'usage',
    entry_not_found: 'not_found',
    entity_not_found: 'not_found',
    record_not_found: 'not_found',
    alias_not_found: 'not_found',
    file_not_found: 'not_found',
    brief_not_found: 'not_found',
    nothing_to_undo: 'not_found',
    session_not_found: 'not_found',
    finding_not_found: 'not_found',
    conflict_not_found: 'not_found',
    batch_not_found: 'not_found',
    workspace_not_found: 'not_found',
    plan_not_found: 'not_found',
    source_not_found: 'not_found',
    checkpoint_not_found: 'not_found',
    skill_not_found: 'not_found',
    template_not_found: 'not_found',
    ambiguous_match: 'conflict',
    undo_conflict: 'conflict',
    entry_changed: 'conflict',
    session_exists: 'conflict',
    restore_conflict: 'conflict',
    file_changed: 'conflict',
    file_exists: 'conflict',
    merge_conflict: 'conflict',
    not_confirmed: 'refused',
    model_off: 'refused',
    model_cap_reached: 'refused',
    vault_read_only: 'refused',
    vault_newer: 'refused',
    memory_outside_project: 'refused',
    memory_not_a_folder: 'refused',
    disk_full: 'storage',
    store_locked: 'storage',
    store_io: 'storage',
    vault_file_damaged: 'storage',
    document_damaged: 'storage',
    index_unavailable: 'storage',
    write_interrupted: 'storage',
    embedder_unavailable: 'storage',
    embedder_failed: 'storage',
    model_unavailable: 'storage',
    model_failed: 'storage',
  })
  expect(ERROR_CLASSES).toEqual({
    usage: { exitCode: 2 },
    not_found: { exitCode: 3 },
    conflict: { exitCode: 4 },
    refused: { exitCode: 5 },
    storage: { exitCode: 6 },
    internal: { exitCode: 1 },
  })
})

test('categories and the home of each kind', () => {
  expect(api.CATEGORIES).toEqual(['decisions', 'lessons', 'tasks', 'projects', 'handoffs'])
  expect(api.KIND_HOME).toMatchObject({
    decision: 'decisions',
    architecture: 'decisions',
    pattern: 'lessons',
    warning: 'lessons',
    discovery: 'lessons',
    error: 'lessons',
    preference: 'decisions',
    file_change: 'projects',
    task_progress: 'tasks',
  })
})

test('journal actions, which old journals hold', () => {
  expect(JOURNAL_ACTIONS).toEqual([
    'add',
    'merge',
    'update',
    'remove',
    'pin',
    'unpin',
    'import',
    'observe',
    'undo',
    'alias',
    'config',
    'feedback',
    'finalize',
    'promote',
    'reject',
    'confirm',
    'resolve',
    'evict',
    'restore',
    'edit-files',
  ])
})

test('versions of the documents', () => {
  expect(Object.entries(DOCUMENTS).map(([name, rule]) => [name, rule.version])).toEqual([
    ['config.json', 1],
    ['curation.json', 1],
  ])
})

test('configuration keys and their defaults', () => {
  expect(Object.fromEntries(Object.entries(CONFIG_KEYS).map(([key, rule]) => [key, rule.default]))).toEqual({
    'vault.defaultAgent': 'shared',
    'vault.maxEntriesPerFile': 30,
    'vault.keepEntries': 20,
    'vault.pageBytes': 262_144,
    'vault.maxEntryBytes': 16_384,
    'memory.auto': true,
    'promotion.preset': 'balanced',
    'search.limit': 10,
    'session.checkpointEvery': 10,
    'session.checkpointMessages': 50,
    'session.checkpointDays': 7,
    'session.idleHours': 12,
    'brief.contextTokens': 100_000,
    'brief.deadlineMs': 500,
    'brief.reranker': 'none',
    'embedder.use': 'built-in',
    'embedder.url': 'http://127.0.0.1:11434/api/embed',
    'embedder.model': 'nomic-embed-text',
    'embedder.keyVariable': 'CAIRN_EMBEDDER_KEY',
    'embedder.timeoutMs': 2_000,
    'model.use': 'off',
    'model.url': '',
    'model.name': '',
    'model.keyVariable': 'CAIRN_MODEL_KEY',
    'model.command': [
      ...['claude', '-p', '--output-format', 'json', '--tools', '', '--strict-mcp-config'],
      ...['--max-turns', '1'],
    ],
    'model.dailyTokens': 200_000,
    'model.dailyCents': 50,
    'model.inputPrice': 0,
    'model.outputPrice': 0,
    'model.timeoutMs': 60_000,
    'model.maxOutputTokens': 2_000,
    'redaction.emails': true,
    'redaction.allow': [],
    'redaction.secondNet': true,
    'journal.maxRecords': 5_000,
    'journal.maxBytes': 16_777_216,
    'upkeep.auto': true,
    'upkeep.intervalHours': 24,
    'upkeep.accesses': 50,
    'upkeep.maxEntries': 3_000,
    'upkeep.keepEntries': 2_700,
    'upkeep.conversationMessages': 20,
    'retention.enabled': true,
    'retention.history.maxAgeDays': 180,
    'retention.checkpoints.maxAgeDays': 30,
    'retention.checkpoints.keepRecent': 20,
    'retention.archive.expireAfterDays': 0,
    'recall.defaultSection': 'all',
    'recall.defaultSource': 'all',
    'recall.policy': 'balanced',
    'recall.backlogWarnThreshold': 50,
    'recall.preview.showDiffByDefault': true,
    'query.defaultOutput': 'text',
    'automation.intervalMinutes': 60,
    'automation.provider': 'rules',
    'automation.importSyncBeforeRecall': false,
    'automation.autoRecall': true,
    'projections.folder': 'docs/agent-memory',
    'projections.auto': false,
    'workspaces.resources': 'resources/workspaces',
    'workspaces.learnings': 'user/memory/workspaces',
    'hot.rules': 'agent/rules/common',
    'hot.maxLines': 300,
    'hot.maxTokens': 3_000,
    'skills.folder': 'agent/skills',
    'review.maxEntriesPerFile': 50,
    'review.unusedDays': 90,
    'lock.timeoutMs': 30_000,
  })
})

/** Types leave no trace at run time, so the names come from the source. */
function exportedNames(file: string): string[] {
  const source = readFileSync(new URL(file, import.meta.url), 'utf8')
  const lists = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    names.split(','),
  )
  const declared = [
    ...source.matchAll(/^export (?:async )?(?:interface|type|function|const|class) (\w+)/gm),
  ].map(([, name = '']) => name)
  return [...lists.map(name => name.replace(/\btype\b/, '').trim()), ...declared]
    .filter(name => name !== '')
    .sort()
}
