import { readdirSync, statSync } from 'node:fs'
import * as path from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, test } from 'vitest'
import { composeEngine } from '../../src/compose/compose.ts'
import type { Composed } from '../../src/compose/composed.ts'
import { aliasAddOperation } from '../../src/features/entries/verbs/alias.ts'
import { editOperation } from '../../src/features/entries/verbs/edit.ts'
import { forgetOperation } from '../../src/features/entries/verbs/forget.ts'
import { pinOperation } from '../../src/features/entries/verbs/pin.ts'
import { taskAddOperation, taskDoneOperation } from '../../src/features/entries/verbs/task.ts'
import { undoOperation } from '../../src/features/entries/verbs/undo.ts'
import { remember } from '../../src/features/entries/write-entries.ts'
import { rejectProposals } from '../../src/features/learning/reviewing.ts'
import { configSetOperation } from '../../src/features/settings/verbs/config.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { makeWorld, type World } from '../e2e/world.ts'

/**
 * What lies on disk, byte for byte. Other people's repositories hold these bytes: a change here is a change of the
 * format, and needs a migration and a line in the changelog.
 */
async function inFixedWorld(work: (engine: Composed, world: World) => Promise<void>): Promise<void> {
  const world = makeWorld()
  const nowMs = Date.parse('2026-03-16T16:51:11.839Z')
  let drawn = 0
  const clock = {
    nowMs: () => nowMs,
    random: (bound: number) => drawn++ % bound,
    sleep: () => Promise.resolve(),
    alarm: systemClock.alarm,
  }
  const engine = composeEngine({
    root: world.root,
    clock,
    actor: { host: 'test', agent: 'dev', session: 's1' },
  })
  try {
    await work(engine, world)
  } finally {
    await engine.close()
    world.remove()
  }
}

function filesOf(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(name => statSync(path.join(root, name)).isFile() && !/\.vault.(?:index|lock)\.db/.test(name))
    .map(name => name.split(path.sep).join('/'))
    .sort()
}

test('entries as they stand in a vault file', () =>
  inFixedWorld(async (engine, world) => {
    const [first] = await remember(engine, [{ content: 'Use SSE, not WebSockets. #sse', kind: 'decision' }])
    await remember(engine, [
      {
        content: 'Never edit the middleware.\n\n---\n\n## 2026-01-01\n\nlooks like an entry',
        kind: 'choice',
        category: 'decisions',
        tags: ['Auth Team'],
        files: ['src/auth.ts', 'a b.ts'],
        importance: 0.8,
        confidence: 0.7,
        session: 'ab12',
        status: 'candidate',
        origin: 'machine',
      },
    ])
    await pinOperation.run(engine, { target: first?.entry.id ?? '', off: false }, {})
    await remember(engine, [{ content: 'Dated long ago.', kind: 'decision', date: '2026-01-02T03:04' }])
    expect(
      world.read('.memory/local/shared/decisions.md'),
    ).toBe(`<!-- id:1773679871840-89ab kind:choice status:candidate origin:machine importance:0.8 confidence:0.7 files:src/auth.ts,a%20b.ts session:ab12 -->
## 2026-03-16T16:51 · Never edit the middleware · #auth-team

Never edit the middleware.

\\---

\\## 2026-01-01

looks like an entry

---
`)
    expect(world.read('.memory/local/.gitignore')).toBe('*\n')
    expect(
      world.read('.memory/shared/decisions/2026-03-16-use-sse-not-websockets-0123.md'),
    ).toBe(`<!-- id:1773679871839-0123 status:pinned -->
## 2026-03-16T16:51 · Use SSE, not WebSockets · #sse

Use SSE, not WebSockets. #sse

---
`)
    expect(
      world.read('.memory/shared/decisions/2026-01-02-dated-long-ago-klmn.md'),
    ).toBe(`<!-- id:1767323040000-klmn -->
## 2026-01-02T03:04 · Dated long ago

Dated long ago.

---
`)
  }))

test('an edit and a task leave these marks', () =>
  inFixedWorld(async (engine, world) => {
    const { entry } = await taskAddOperation.run(engine, { text: 'Rotate the key' }, {})
    await taskDoneOperation.run(engine, { target: entry.id }, {})
    await editOperation.run(engine, { target: entry.id, importance: 1 }, {})
    expect(world.read('.memory/dev/tasks/2026-03-16-rotate-the-key-0123.md')).toBe(
      `<!-- id:${entry.id} importance:1 updated:2026-03-16T16:51:11 -->\n## 2026-03-16T16:51 · Rotate the key\n\n- [x] Rotate the key\n\n---\n`,
    )
  }))

test('the journal, line by line', () =>
  inFixedWorld(async (engine, world) => {
    await remember(engine, [{ content: 'One.', files: ['a.ts'] }])
    await forgetOperation.run(engine, { target: 'One.' }, {})
    await undoOperation.run(engine, {}, {})
    const entry =
      '{"id":"ID","agent":"shared","category":"lessons","kind":"lesson","status":"confirmed","origin":"person","content":"One.","tags":[],"files":["a.ts"],"importance":0.5,"date":"2026-03-16T16:51"}'
    const by = '"by":{"host":"test","agent":"dev","session":"s1"}'
    const lines = world.read('.memory/history/audit.jsonl').trimEnd().split('\n')
    const [add = '', remove = '', undo = ''] = lines.map(line => line.replace(/\d{13}-[0-9a-z]{4}/g, 'ID'))
    expect(lines).toHaveLength(3)
    expect(add).toBe(
      `{"id":"ID","at":"2026-03-16T16:51:11.839Z","action":"add",${by},"changes":[{"type":"entry","before":null,"after":${entry}}]}`,
    )
    // Read back from the index, the fields of an entry come in another order; they are the same fields.
    expect(JSON.parse(remove)).toEqual({
      id: 'ID',
      at: '2026-03-16T16:51:11.839Z',
      action: 'remove',
      by: { host: 'test', agent: 'dev', session: 's1' },
      changes: [{ type: 'entry', before: JSON.parse(entry), after: null }],
    })
    expect(JSON.parse(undo)).toMatchObject({
      action: 'undo',
      undoes: 'ID',
      changes: [{ before: null, after: JSON.parse(entry) }],
    })
  }))

test('the journal of a document: what changed in it', () =>
  inFixedWorld(async (engine, world) => {
    const [kept] = await remember(engine, [{ content: 'One.', origin: 'machine', status: 'candidate' }])
    const journal = () => world.read('.memory/history/audit.jsonl').trimEnd().split('\n')
    const start = journal().length
    await aliasAddOperation.run(engine, { word: 'Ledger', meanings: ['accounting'] }, {})
    await aliasAddOperation.run(engine, { word: 'Ledger', meanings: ['book keeping'] }, {})
    await configSetOperation.run(engine, { key: 'search.limit', value: '20' }, {})
    await configSetOperation.run(engine, { key: 'search.limit', value: '30' }, {})
    await rejectProposals(engine, [kept?.entry.id ?? ''])
    await undoOperation.run(engine, {}, {})
    const documents = journal()
      .slice(start)
      .map(line => {
        const { changes } = JSON.parse(line) as { changes: { type: string }[] }
        return JSON.stringify(changes.filter(({ type }) => type === 'document'))
      })
    const rejection =
      '[{"fingerprint":"a5dd66d1ec805d9f","content":"One.","kind":"lesson","at":"2026-03-16T16:51:11.839Z"}]'
    expect(documents).toEqual([
      '[{"type":"document","name":"curation.json","edits":[{"path":["aliases","ledger"],"after":["accounting"]}]}]',
      '[{"type":"document","name":"curation.json","edits":[{"path":["aliases","ledger"],"at":1,"of":1,"removed":[],"added":["book keeping"]}]}]',
      '[{"type":"document","name":"config.json","edits":[{"path":["search"],"after":{"limit":20}}]}]',
      '[{"type":"document","name":"config.json","edits":[{"path":["search","limit"],"before":20,"after":30}]}]',
      `[{"type":"document","name":"curation.json","edits":[{"path":["rejections"],"after":${rejection}}]}]`,
      `[{"type":"document","name":"curation.json","edits":[{"path":["rejections"],"before":${rejection}}]}]`,
    ])
  }))

test('the files of a new memory', () =>
  inFixedWorld(async (engine, world) => {
    await remember(engine, [{ content: 'One.' }])
    expect(filesOf(world.root)).toEqual([
      '.memory/.gitignore',
      '.memory/config.json',
      '.memory/history/audit.jsonl',
      '.memory/shared/lessons/2026-03-16-one-0123.md',
    ])
    expect(world.read('.memory/config.json')).toBe('{\n  "version": 2\n}\n')
    expect(
      world.read('.memory/.gitignore'),
    ).toBe(`# Written by Cairn. Vaults, _project.md, config.json and curation.json are meant to be committed.
private/
local/
conversations/
sessions/
history/
archive/
state.json
state.json.damaged-*
sources.json
sources.json.damaged-*
.vault/
*.md.bak
*.cairn-tmp
`)
  }))

test('config.json and curation.json after a change', () =>
  inFixedWorld(async (engine, world) => {
    await configSetOperation.run(engine, { key: 'search.limit', value: '20' }, {})
    await configSetOperation.run(engine, { key: 'redaction.allow', value: 'one,two' }, {})
    await aliasAddOperation.run(engine, { word: 'Ledger', meanings: ['accounting', 'book keeping'] }, {})
    expect(world.read('.memory/config.json')).toBe(`{
  "version": 2,
  "search": {
    "limit": 20
  },
  "redaction": {
    "allow": [
      "one",
      "two"
    ]
  }
}
`)
    expect(world.read('.memory/curation.json')).toBe(`{
  "version": 1,
  "aliases": {
    "ledger": [
      "accounting",
      "book keeping"
    ]
  }
}
`)
    expect(filesOf(world.root).filter(name => name.includes('backup'))).toEqual([
      '.memory/.vault/backup/config.json',
      '.memory/.vault/backup/curation.json',
    ])
  }))

test('the 31st local entry rolls the oldest over into the page of its month', () =>
  inFixedWorld(async (engine, world) => {
    await remember(
      engine,
      Array.from({ length: 31 }, (_, n) => ({
        content: `Fact ${n}.`,
        kind: 'decision',
        origin: 'agent' as const,
        status: 'candidate' as const,
        date: `2026-02-${String(n < 28 ? n + 1 : 28).padStart(2, '0')}`,
      })),
    )
    expect(filesOf(world.root).filter(name => name.endsWith('.md'))).toEqual([
      '.memory/local/shared/decisions.md',
      '.memory/local/shared/decisions/2026-02.md',
    ])
    const head = world.read('.memory/local/shared/decisions.md')
    const page = world.read('.memory/local/shared/decisions/2026-02.md')
    expect([head.match(/^Fact \d+\.$/gm)?.length, page.match(/^Fact \d+\.$/gm)?.length]).toEqual([20, 11])
    const summary = head.slice(head.lastIndexOf('<!-- id:')).replace(/\d{13}-[0-9a-z]{4}/g, 'ID')
    expect(summary).toBe(`<!-- id:ID-summary kind:rollover_summary origin:machine -->
## 2026-03-16T16:51 · Compacted 11 older entries · #compacted

Compacted 11 older entries:
${Array.from({ length: 11 }, (_, n) => `- [2026-02-${String(11 - n).padStart(2, '0')}T00:00] Fact ${10 - n}.`).join('\n')}

All of them are in \`decisions/\`, a page for each month, and searches find them.

---
`)
  }))

test('the index says its version in user_version, and is this one', async () => {
  const { INDEX_VERSION } = await import('../../src/stores/sqlite/schema.ts')
  expect(INDEX_VERSION).toBe(10)
  await inFixedWorld(async (engine, world) => {
    await remember(engine, [{ content: 'One.' }])
    await engine.close()
    const database = new DatabaseSync(path.join(world.root, '.memory', '.vault', 'index.db'))
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 10 })
    database.close()
  })
})
