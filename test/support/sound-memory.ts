import { createHash } from 'node:crypto'
import { canonicalJson } from '../../src/kernel/model/json-value.ts'

export const NOW_MS = Date.parse('2026-03-20T12:00:00Z')

const BUNDLE = {
  project: { name: 'demo' },
  projectMap: { languages: [], packages: [], entryPoints: [], scripts: [], folders: [] },
  currentFocus: [],
  gotchas: [],
  nextSteps: [],
  validationCommands: [],
}
const HASH = createHash('sha256').update(canonicalJson(BUNDLE)).digest('hex')
export const CHECKPOINT = '2026-03-19T10-00-00-000Z-k3f9'

export const STATE = {
  schemaVersion: 1,
  generatorVersion: '0.1.0',
  provider: 'rules',
  generatedAt: '2026-03-19T10:00:00.000Z',
  bundleHash: HASH,
  bundle: BUNDLE,
  maintenance: {
    lastRecalledAt: '2026-03-19T10:00:00.000Z',
    lastRecalledEventId: '1773900000000-e001',
    latestCheckpointId: CHECKPOINT,
    historyEventCount: 2,
    importSourceCount: 1,
    recallCursors: { 'session:s1': { id: '1773900000000-e001', at: '2026-03-19T06:00:00.000Z' } },
  },
}

export function event(id: string, more: object = {}): string {
  return JSON.stringify({
    id,
    kind: 'tool_run',
    sourceId: 'session:s1',
    createdAt: '2026-03-19T06:00:00.000Z',
    contentHash: `hash-${id}`,
    summary: '`npm test` failed',
    signals: {
      decisions: [],
      gotchas: ['npm test: "x" is not defined'],
      nextStepHints: [],
      keyPaths: ['src/a.ts'],
      validationObservations: [{ command: 'npm test', outcome: 'failed' }],
    },
    sourceRef: 'conversations/dev/s1#0',
    ...more,
  })
}

export const record = (id: string, more: object = {}) =>
  JSON.stringify({
    id,
    at: '2026-03-16T16:51:11.839Z',
    action: 'add',
    by: { host: 'cli' },
    changes: [{ type: 'entry', before: null, after: null }],
    ...more,
  })

export const SESSION_MEMORY = {
  version: 1,
  sessionId: 's2',
  agentId: 'dev',
  findings: [],
  summary: 'The build was slow.',
  createdAt: 1773679871000,
  finalizedAt: 1773679872000,
}

export const SOURCE = {
  id: 'notes',
  type: 'flat',
  path: 'NOTES.md',
  createdAt: '2026-03-16T10:00:00.000Z',
  updatedAt: '2026-03-16T10:00:00.000Z',
  lastSyncedAt: null,
  lastSyncStatus: null,
  lastSyncError: null,
  lastImportedCount: null,
}

export const CURATION = {
  version: 1,
  aliases: { ledger: ['accounting'] },
  feedback: { '1773679871839-k3f9': { useful: 2, wrong: 0 } },
  confirmations: { '1773679871839-k3f9': { at: '2026-03-16T16:51:11.839Z', by: 'cli' } },
  conflicts: [
    {
      entryA: '1773679871839-k3f9',
      entryB: '1773679860000-a1b2',
      conflictType: 'superseded',
      detectedAt: 1773679872000,
      resolvedAt: 1773679872100,
      resolution: 'superseded',
      holds: '1773679871839-k3f9',
      said: ['64f2a1daf6bcd70c', 'ae7f9d6589103689'],
      by: 'cairn',
    },
  ],
  rejections: [{ fingerprint: '64f2a1daf6bcd70c' }],
}

export const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** Lines 1 to 6 are the first entry, 8 to 13 the second. */
export const DECISIONS = `<!-- id:1773679871839-k3f9 files:src/auth.ts status:pinned importance:0.8 -->
## 2026-03-16T16:51 · #auth

Never modify the auth middleware directly. See [[1773679860000-a1b2]].

---

<!-- id:1773679860000-a1b2 kind:architecture origin:machine confidence:0.9 -->
## 2026-03-16T16:51

Sessions live in Redis.

---
`

export const PAGE = `<!-- id:1770000000000-p001 kind:warning -->
## 2026-02-02T02:40

The queue drops messages over 256 KB.

---
`

/** Every kind of file that a memory has, and nothing wrong with any of them. Relative to the project. */
export function soundMemory(): Record<string, string> {
  const memory: Record<string, string> = {
    '.gitignore': `# Written by Cairn.
private/
conversations/
sessions/
history/
archive/
state.json
sources.json
.vault/
*.md.bak
*.cairn-tmp
`,
    '_project.md': '# Demo\n\nA shop for ledgers.\n',
    'config.json': json({
      version: 1,
      search: { limit: 5 },
      profiles: { release: { match: 'release|roll out', kinds: { warning: 1.3 } } },
      query: { templates: { review: { instructions: 'Answer as a checklist.' } } },
    }),
    'curation.json': json(CURATION),
    'sources.json': json({ version: 1, sources: [SOURCE] }),
    'state.json': json(STATE),
    [`history/checkpoints/${CHECKPOINT}.json`]: json({
      schemaVersion: 1,
      id: CHECKPOINT,
      createdAt: '2026-03-19T10:00:00.000Z',
      bundleHash: HASH,
      reason: 'recall',
      bundle: BUNDLE,
    }),
    'history/events.jsonl': `${event('1773900000000-e001')}\n${event('1773900000001-e002')}\n`,
    'history/audit.jsonl': `${record('1773679871839-k3f9')}\n${record('1773679871840-k3f9')}\n`,
    'shared/decisions.md': DECISIONS,
    'shared/lessons.md': PAGE.replace('1770000000000-p001', '1773600000000-l001').replace(
      '2026-02-02T02:40',
      '2026-03-15T18:40',
    ),
    'shared/lessons/2026-02.md': PAGE,
    'shared/lessons/2026-02-03-one-entry-has-a-file-of-its-own-p003.md': PAGE.replace('p001', 'p003'),
    'shared/lessons/2026-02-k3f9.md': PAGE.replace('p001', 'p004'),
    'local/.gitignore': '*\n',
    'local/dev/lessons.md': PAGE.replace('p001 kind:warning', 'p005 status:candidate origin:agent'),
    'local/dev/lessons/2026-02.md': PAGE.replace('p001 kind:warning', 'p006 status:candidate origin:machine'),
    'private/lessons.md': PAGE.replace('1770000000000-p001', '1773600000001-l002').replace(
      '2026-02-02T02:40',
      '2026-03-15T18:40',
    ),
    'archive/evict-2026-03-01T10-00-00-000Z/entries.jsonl': `${JSON.stringify({
      entry: {
        id: '1700000000000-gone',
        agent: 'dev',
        category: 'lessons',
        kind: 'discovery',
        content: 'x',
        tags: [],
        files: [],
      },
      reason: 'expired',
      accessCount: 0,
    })}\n`,
    'archive/evict-2026-03-01T10-00-00-000Z/manifest.json': json({
      version: 1,
      id: 'evict-2026-03-01T10-00-00-000Z',
      kind: 'evict',
      at: '2026-03-01T10:00:00.000Z',
      entries: 1,
      events: 0,
      files: [],
    }),
    'archive/audit-2026-03-01T11-00-00-000Z/audit.jsonl': `${record('1700000000000-aaaa')}\n`,
    'archive/audit-2026-03-01T11-00-00-000Z/manifest.json': json({
      version: 1,
      type: 'audit',
      createdAt: '2026-03-01T11:00:00.000Z',
      records: 1,
    }),
    'archive/import-2026-03-01T12-00-00-000Z/NOTES.md': 'Notes.\n',
    'archive/import-2026-03-01T12-00-00-000Z/manifest.json': json({
      version: 1,
      kind: 'import',
      at: '2026-03-01T12:00:00.000Z',
      from: 'flat',
      files: ['NOTES.md'],
    }),
    'sessions/s2.memory.json': json(SESSION_MEMORY),
    'conversations/dev/s1.jsonl': [
      '{"head":{"session":"s1","agent":"dev","host":"codex","startedAt":"2026-03-19T05:00:00.000Z"},"n":0,"seen":0}',
      '{"n":0,"seen":1,"headAt":0,"role":"user","text":"Why is the build slow?","at":"2026-03-19T05:00:04.112Z"}',
      '',
    ].join('\n'),
    'conversations/dev/s2.json': json({
      agentId: 'dev',
      savedAt: '2026-03-16T11:00:00.000Z',
      sessionId: 's2',
      host: 'codex',
      startedAt: '2026-03-16T10:00:00.000Z',
      closedAt: '2026-03-16T11:00:00.000Z',
      trimmed: 0,
      count: 1,
      seen: 1,
      messages: [{ role: 'user', text: 'Why is the build slow?', at: '2026-03-16T10:00:04.112Z' }],
    }),
    '.vault/compact-log.json': '{"earlier": []}\n',
  }
  return Object.fromEntries(Object.entries(memory).map(([name, text]) => [`.memory/${name}`, text]))
}
