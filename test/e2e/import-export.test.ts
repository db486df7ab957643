import * as path from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it } from 'vitest'
import { openMemory } from '../../src/api.ts'
import { type EntryAnswer, inWorld, makeWorld, type World } from './world.ts'

const LINES = [
  {
    text: 'Sessions live in Redis. #redis',
    metadata: { kind: 'decision', date: '2026-01-02T10:00', files: ['src/session.ts'] },
  },
  {
    text: 'A warning.\n\n---\n\n## 2026-01-01\n\nwith a line that looks like an entry',
    metadata: { category: 'warning', importance: 0.8 },
  },
  {
    text: '- [ ] Rotate the key',
    metadata: { category: 'tasks', agent: 'Dev', session: 's1', tags: ['Key Rotation'] },
  },
  { text: 'Sessões e emoji 🎉', metadata: { kind: 'idea', date: '2026-02-03' } },
]

function jsonl(lines: readonly unknown[]): string {
  return `${lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')}\n`
}

/** All that an export carries: not the id, nor when it was last touched. */
function carried(entries: readonly EntryAnswer[]): unknown[] {
  return entries.map(({ id: _id, updated: _updated, ...rest }) => rest)
}

async function exported(world: World): Promise<string> {
  return world.ok('export')
}

describe.concurrent('import and export', () => {
  it(
    'an export taken in by a new project gives the same entries, but for their ids',
    inWorld(async world => {
      world.write('in.jsonl', jsonl(LINES))
      await world.ok('import', 'in.jsonl')
      await world.ok('pin', 'Sessions Redis')
      await world.ok('remember', 'Only a candidate.', '--status', 'candidate', '--private')
      const other = makeWorld({ 'out.jsonl': await exported(world) })
      try {
        expect(await other.json('import', 'out.jsonl')).toMatchObject({ read: 5, added: 5, failed: 0 })
        const [here, there] = await Promise.all([world.json('list'), other.json('list')])
        expect(carried(there.entries)).toEqual(carried(here.entries))
        expect(await exported(other)).toBe(await exported(world))
      } finally {
        other.remove()
      }
    }),
  )

  it(
    'each line keeps its metadata, and a category that is no vault file is a kind',
    inWorld(async world => {
      world.write('in.jsonl', jsonl(LINES))
      await world.ok('import', 'in.jsonl')
      const { entries } = await world.json('list')
      const byText = (text: string) => entries.find(entry => entry.content.startsWith(text))
      expect(byText('Sessions')).toMatchObject({
        category: 'decisions',
        kind: 'decision',
        date: '2026-01-02T10:00',
        tags: ['redis'],
        files: ['src/session.ts'],
      })
      expect(byText('A warning')).toMatchObject({
        category: 'lessons',
        kind: 'warning',
        importance: 0.8,
        content: LINES[1]?.text,
      })
      expect(byText('- [ ]')).toMatchObject({
        category: 'tasks',
        agent: 'dev',
        session: 's1',
        tags: ['key-rotation'],
      })
      expect(byText('Sessões')).toMatchObject({ kind: 'idea', date: '2026-02-03T00:00' })
    }),
  )

  it(
    'bad lines are reported with their numbers, and the rest is taken',
    inWorld(async world => {
      world.write(
        'in.jsonl',
        jsonl([
          { text: 'Good one.' },
          'not json',
          '',
          { text: '  ' },
          { text: 42 },
          { metadata: {} },
          { text: 'Bad agent.', metadata: { agent: '../x' } },
          { text: 'Bad date.', metadata: { date: 'someday' } },
          { text: 'Too long. '.repeat(2_000) },
          { text: 'Null fields.', metadata: { kind: null, tags: null, date: null } },
          '[]',
          'null',
          { text: 'Good two.', unknown: true },
        ]),
      )
      const report = await world.json<{ failures: { line: number; code: string }[] }>('import', 'in.jsonl')
      expect(report).toMatchObject({ read: 12, added: 3, duplicates: 0, failed: 9 })
      expect(report.failures.map(({ line, code }) => [line, code])).toEqual([
        [2, 'invalid_input'],
        [4, 'content_empty'],
        [5, 'invalid_input'],
        [6, 'invalid_input'],
        [7, 'agent_id_invalid'],
        [8, 'invalid_input'],
        [9, 'content_too_long'],
        [11, 'invalid_input'],
        [12, 'invalid_input'],
      ])
      const screen = await world.ok('import', 'in.jsonl')
      expect(screen).toContain('Read 12 lines: 0 added, 3 known already, 9 not taken.\n  line 2: ')
    }),
  )

  it(
    'the same file twice adds nothing',
    inWorld(async world => {
      world.write('in.jsonl', jsonl(LINES))
      await world.ok('import', 'in.jsonl')
      expect(await world.json('import', 'in.jsonl')).toMatchObject({
        read: 4,
        added: 0,
        duplicates: 4,
        failed: 0,
      })
      expect((await world.json('list')).total).toBe(4)
    }),
  )

  it(
    '--dry-run checks every line and writes not one byte, in a new project and in an old one',
    inWorld(async world => {
      world.write('in.jsonl', jsonl([...LINES, 'not json']))
      const empty = world.bytes()
      expect(await world.json('import', 'in.jsonl', '--dry-run')).toMatchObject({
        dryRun: true,
        read: 5,
        added: 4,
        duplicates: 0,
        failed: 1,
      })
      expect(world.bytes()).toEqual(empty)
      await world.ok('import', 'in.jsonl')
      world.write('in.jsonl', jsonl([...LINES, { text: 'One more.' }, { text: 'One more.' }]))
      // The first reader after a write leaves in the index that it has compared everything.
      await world.ok('list')
      const before = world.bytes()
      expect(await world.json('import', 'in.jsonl', '--dry-run')).toMatchObject({
        read: 6,
        added: 1,
        duplicates: 5,
        failed: 0,
        went: [{ what: 'entries', to: 'vault', count: 1 }],
      })
      expect(await world.ok('import', 'in.jsonl', '--dry-run')).toBe(
        'Read 6 lines: 1 would be added, 5 known already, 0 not taken. Nothing was written.\n',
      )
      expect(world.bytes()).toEqual(before)
    }),
  )

  it(
    'of the same file again confirms nothing: nobody has read it',
    inWorld(async world => {
      const line = {
        text: 'The cache is cold after a deploy.',
        metadata: { status: 'candidate', origin: 'machine' },
      }
      world.write('in.jsonl', jsonl([line]))
      await world.ok('import', 'in.jsonl')
      const first = (await world.json('list')).entries
      for (let n = 0; n < 3; n++)
        expect(await world.json('import', 'in.jsonl')).toMatchObject({ added: 0, duplicates: 1 })
      expect((await world.json('list')).entries).toEqual(first)
      const database = new DatabaseSync(`${world.root}/.memory/.vault/index.db`)
      expect(database.prepare('SELECT coalesce(sum(count), 0) AS n FROM access').get()).toEqual({ n: 0 })
      database.close()
    }),
  )

  it(
    'standard input, CRLF, a BOM, blank lines and a missing last line break are all taken',
    inWorld(async world => {
      const input = '\ufeff{"text":"One."}\r\n\r\n{"text":"Two."}\r\n{"text":"Three."}'
      const run = await world.cairn(['import', '-', '--agent', 'dev', '--json'], { input })
      expect(JSON.parse(run.stdout)).toMatchObject({ read: 3, added: 3, failed: 0 })
      expect((await world.json('list', '--agent', 'dev')).total).toBe(3)
    }),
  )

  it(
    'a file of binary noise, an empty file and a folder are answered in words',
    inWorld(async world => {
      world.write(
        'noise.bin',
        Uint8Array.from({ length: 5_000 }, (_, n) => (n * 7919) % 256),
      )
      world.write('empty.jsonl', '')
      expect(await world.json('import', 'noise.bin')).toMatchObject({ added: 0 })
      expect(await world.json('import', 'empty.jsonl')).toMatchObject({ read: 0, added: 0 })
      const failure = await world.failure('import', '.')
      expect(failure.exit).toBeGreaterThan(1)
      expect(failure.message).toContain('does not contain a format')
    }),
  )

  it(
    'the library takes entries from any iterable, and reports by position',
    inWorld(async world => {
      const memory = await openMemory({ root: world.root })
      const progress: number[] = []
      const report = await memory.importEntries([{ content: 'One.' }, { content: '' }, { content: 'One.' }], {
        onProgress: done => progress.push(done),
      })
      await memory.close()
      expect(report).toMatchObject({
        read: 3,
        added: 1,
        duplicates: 1,
        failed: 1,
        failures: [{ line: 2, code: 'content_empty' }],
      })
      expect([report.ids[0] === report.ids[2], report.ids[1], progress]).toEqual([true, null, [3]])
    }),
  )

  it(
    'export takes the filters of list',
    inWorld(async world => {
      world.write('in.jsonl', jsonl(LINES))
      await world.ok('import', 'in.jsonl')
      expect((await world.ok('export', '--agent', 'dev')).split('\n')).toHaveLength(2)
      expect(await world.ok('export', '--kind', 'nothing')).toBe('')
    }),
  )

  it(
    'export --seed writes a memory of one file for each category, and never into a folder with files',
    inWorld(async world => {
      world.write('in.jsonl', jsonl(LINES))
      await world.ok('import', 'in.jsonl')
      await world.ok('export', '--seed', 'copy/.memory')
      const copy = path.join(world.root, 'copy')
      expect(await world.ok('export', '--root', copy)).toBe(await exported(world))
      expect(await world.failure('export', '--seed', 'copy/.memory')).toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('is not an empty folder; nothing was written.'),
      })
    }),
  )
})
