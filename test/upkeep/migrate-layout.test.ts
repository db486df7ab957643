import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { presentMigrated } from '../../src/addons/import/present-import.ts'
import { migrateOperation } from '../../src/addons/import/verbs/migrate.ts'
import { composeEngine } from '../../src/compose/compose.ts'
import type { Composed } from '../../src/compose/composed.ts'
import { undoOperation } from '../../src/features/entries/verbs/undo.ts'
import { remember } from '../../src/features/entries/write-entries.ts'
import { openTerminal } from '../../src/kernel/system/terminal.ts'
import { failEveryStep, WAYS_TO_FAIL } from '../support/fail-every-step.ts'
import { scratchProject } from '../support/scratch-project.ts'

const entry = (id: string, heading: string, content: string, fields = '') =>
  `<!-- id:${id}${fields} -->\n## ${heading}\n\n${content}\n\n---\n`

/** As 0.1.0 wrote it: all entries of a category in one file, the older ones in pages, and a summary of those. */
const FILES_OF_010 = {
  '.memory/config.json': '{\n  "version": 1\n}\n',
  '.memory/.gitignore':
    'private/\nconversations/\nsessions/\nhistory/\narchive/\nstate.json\n.vault/\n*.cairn-tmp\n',
  '.memory/shared/decisions.md': [
    '# Decisions\n',
    entry(
      '1773679871839-k3f9',
      '2026-03-16T16:51 · #redis',
      'Unit tests never touch Redis; they use the fake.',
    ),
    entry(
      '1773679871001-a1b2',
      '2026-03-16T16:51',
      'The queue is drained at night.',
      ' status:candidate origin:agent',
    ),
    entry('1773500000000-m2p7', '2026-03-14T14:53', 'Invoices are kept for ten years.', ' status:pinned'),
    entry(
      '1770000000000-q8w1-summary',
      '2026-03-16T16:51 · #compacted',
      'Compacted 2 older entries:\n- [2026-02-02T02:40] Dates are stored in UTC.\n- [2026-02-01T02:40] The API is versioned by path.\n\nAll of them are in `decisions/`, a page for each month, and searches find them.',
      ' kind:rollover_summary origin:machine',
    ),
  ].join('\n'),
  '.memory/shared/decisions/2026-02.md': [
    entry('1770000000000-q8w1', '2026-02-02T02:40', 'Dates are stored in UTC.'),
    entry('1769913600000-z9x8', '2026-02-01T02:40', 'The API is versioned by path.'),
  ].join('\n'),
  '.memory/Dev/handoffs.md': [
    entry('1773679880000-h1h1', '2026-03-16T16:51 · #handoff', 'Asked: mend the login.\n\nLeft: the tests.'),
    entry('1773679879000-h2h2', '2026-03-16T16:51 · #handoff', 'Asked: read the logs.'),
  ].join('\n'),
  '.memory/shared/lessons.md': entry(
    '1773679890000-s1s1',
    '2026-03-16T16:51',
    'The build may be slow.',
    ' status:candidate origin:machine',
  ),
}

function memoryOf010(more: Record<string, string> = {}): string {
  const root = scratchProject({ ...FILES_OF_010, ...more })
  git(root, 'init', '-q')
  git(root, 'add', '-A')
  git(root, '-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', 'memory of 0.1.0')
  return root
}

function git(root: string, ...words: string[]): string {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' })
}

/** The vault files with their bytes. */
function vaultOf(root: string): Record<string, string> {
  const memory = path.join(root, '.memory')
  const names = readdirSync(memory, { recursive: true, encoding: 'utf8' }).filter(
    name => name.endsWith('.md') && !/^(?:archive|\.vault)/.test(name),
  )
  return Object.fromEntries(names.sort().map(name => [name, readFileSync(path.join(memory, name), 'utf8')]))
}

async function entriesOf(engine: Composed): Promise<string[]> {
  const { entries } = await engine.store.listEntries({ filter: {}, limit: 100, offset: 0 })
  expect(await engine.store.check()).toEqual([])
  return entries.map(({ id, agent, status, content }) => `${id} ${agent} ${status} ${content}`).sort()
}

const open = (root: string) => composeEngine({ root, actor: { host: 'cli' } })

describe('a memory of 0.1.0', () => {
  it('is read as it is, and reading it changes no file that git tracks', async () => {
    const root = memoryOf010()
    const engine = open(root)
    expect(await entriesOf(engine)).toHaveLength(8)
    await engine.close()
    expect(git(root, 'status', '--porcelain')).toBe('')
  })

  it('gets new entries beside its files: a person’s in a file of its own, an agent’s out of sight of git', async () => {
    const root = memoryOf010()
    const engine = open(root)
    await remember(engine, [{ content: 'Deploys need two people.', kind: 'decision' }])
    await remember(engine, [{ content: 'The cache is cold at night.', origin: 'agent', status: 'candidate' }])
    await engine.close()
    expect(git(root, 'status', '--porcelain', '-uall')).toMatch(
      /^\?\? \.memory\/shared\/decisions\/\d{4}-\d\d-\d\d-deploys-need-two-people-[0-9a-z]{4}\.md\n$/,
    )
  })
})

describe('cairn migrate', () => {
  it('only shows what it would do with --dry-run', async () => {
    const root = memoryOf010()
    const before = vaultOf(root)
    const engine = open(root)
    const { layout, trust } = await migrateOperation.run(engine, { dryRun: true }, {})
    await engine.close()
    expect(layout.toLocal.map(({ id, to }) => `${id} ${to}`).sort()).toEqual([
      '1773679871001-a1b2 local/shared/decisions.md',
      '1773679879000-h2h2 local/Dev/handoffs.md',
      '1773679880000-h1h1 local/Dev/handoffs.md',
      '1773679890000-s1s1 local/shared/lessons.md',
    ])
    expect(layout.toFiles.map(({ to }) => to).sort()).toEqual([
      'shared/decisions/2026-02-01-the-api-is-versioned-by-path-z9x8.md',
      'shared/decisions/2026-02-02-dates-are-stored-in-utc-q8w1.md',
      'shared/decisions/2026-03-14-invoices-are-kept-for-ten-years-m2p7.md',
      'shared/decisions/2026-03-16-unit-tests-never-touch-redis-k3f9.md',
    ])
    expect(layout.git).toEqual(['git add -A .memory', 'git commit -m "Cairn memory: format 2"'])
    expect(trust.record).toBeNull()
    expect(vaultOf(root)).toEqual(before)
    expect(git(root, 'status', '--porcelain')).toBe('')
  })

  it('moves every entry, says what git must be told, and is done after once; undo puts the files back', async () => {
    const root = memoryOf010()
    const before = vaultOf(root)
    const engine = open(root)
    const entries = await entriesOf(engine)
    const { trust } = await migrateOperation.run(engine, {}, {})
    expect(trust.record).not.toBeNull()
    expect(await entriesOf(engine)).toEqual(entries)
    expect(Object.keys(vaultOf(root))).toEqual([
      'local/Dev/handoffs.md',
      'local/shared/decisions.md',
      'local/shared/lessons.md',
      'shared/decisions.md',
      'shared/decisions/2026-02-01-the-api-is-versioned-by-path-z9x8.md',
      'shared/decisions/2026-02-02-dates-are-stored-in-utc-q8w1.md',
      'shared/decisions/2026-03-14-invoices-are-kept-for-ten-years-m2p7.md',
      'shared/decisions/2026-03-16-unit-tests-never-touch-redis-k3f9.md',
    ])
    // What a person typed above the entries stays; the summary goes with the pages that it summed up.
    expect(vaultOf(root)['shared/decisions.md']?.trim()).toBe('# Decisions')
    expect(await engine.store.readDocument('config.json')).toMatchObject({ version: 2 })
    git(root, 'add', '-A', '.memory')
    expect(git(root, 'diff', '--cached', '--name-status', '--no-renames').trim().split('\n')).toEqual([
      'D\t.memory/Dev/handoffs.md',
      'M\t.memory/config.json',
      'M\t.memory/shared/decisions.md',
      'A\t.memory/shared/decisions/2026-02-01-the-api-is-versioned-by-path-z9x8.md',
      'A\t.memory/shared/decisions/2026-02-02-dates-are-stored-in-utc-q8w1.md',
      'D\t.memory/shared/decisions/2026-02.md',
      'A\t.memory/shared/decisions/2026-03-14-invoices-are-kept-for-ten-years-m2p7.md',
      'A\t.memory/shared/decisions/2026-03-16-unit-tests-never-touch-redis-k3f9.md',
      'D\t.memory/shared/lessons.md',
    ])

    const again = await migrateOperation.run(engine, { dryRun: true }, {})
    expect([again.layout.toLocal, again.layout.toFiles]).toEqual([[], []])

    await undoOperation.run(engine, {}, {})
    expect(await entriesOf(engine)).toEqual(entries)
    await engine.close()
    const after = vaultOf(root)
    expect(Object.keys(after)).toEqual(Object.keys(before))
    for (const name of ['Dev/handoffs.md', 'shared/lessons.md', 'shared/decisions/2026-02.md'])
      expect(after[name], name).toBe(before[name])
    // The summary is made again, with the moment of the undo.
    const undated = (text = '') => text.replace(/^## .* · #compacted$/m, '')
    expect(undated(after['shared/decisions.md'])).toBe(undated(before['shared/decisions.md']))
  })

  it('prints what it would do, what it did, and how to commit it', async () => {
    const engine = open(memoryOf010())
    const print = async (dryRun: boolean) => {
      const printed: string[] = []
      const terminal = { ...openTerminal({ colour: false }), out: (text: string) => void printed.push(text) }
      presentMigrated(await migrateOperation.run(engine, { dryRun }, {}), terminal)
      return printed
        .join('')
        .split('\n')
        .filter(line => !/^ +\d{13}-/.test(line))
    }
    expect(await print(true)).toEqual([
      'Would move 4 unconfirmed entries and handoffs to .memory/local/ (ignored by git)',
      'Would move 4 entries to files of their own, so that branches merge without conflicts',
      'After migrating, commit with:',
      '  git add -A .memory',
      '  git commit -m "Cairn memory: format 2"',
      '',
    ])
    expect(await print(false)).toEqual([
      '4 unconfirmed entries and handoffs moved to .memory/local/ (ignored by git)',
      '4 entries moved to files of their own, so that branches merge without conflicts',
      '`cairn undo` reverts this.',
      'Git still tracks the old files. To commit the change:',
      '  git add -A .memory',
      '  git commit -m "Cairn memory: format 2"',
      '',
    ])
    expect(await print(false)).toEqual(['Nothing to migrate: this memory is up to date.', ''])
    await engine.close()
  })

  it('names the commit after the move where the format stays', async () => {
    const root = scratchProject({
      '.memory/config.json': '{"version": 2}',
      '.memory/Dev/handoffs.md': entry('1773679880000-h1h1', '2026-03-16T16:51', 'Left: the tests.'),
    })
    git(root, 'init', '-q')
    git(root, 'add', '-A')
    const engine = open(root)
    const { layout } = await migrateOperation.run(engine, {}, {})
    await engine.close()
    expect(layout.git).toEqual(['git add -A .memory', 'git commit -m "Cairn memory: move entries"'])
  })

  it('leaves the files of an agent that is called local, which git would not see elsewhere', async () => {
    const root = memoryOf010({
      '.memory/local/decisions.md': [
        entry('1773679871900-l1l1', '2026-03-16T16:51', 'Deploys need two people.'),
        entry('1773679871800-l2l2', '2026-03-16T16:51', 'Backups are tested.', ' status:pinned'),
      ].join('\n'),
      '.memory/local/decisions/2026-02.md': entry(
        '1770000000001-l3l3',
        '2026-02-02T02:40',
        'Logs are kept for a week.',
        ' status:candidate origin:agent',
      ),
    })
    const before = vaultOf(root)
    const engine = open(root)
    const { layout } = await migrateOperation.run(engine, {}, {})
    expect(layout.toFiles).toHaveLength(4)
    expect(await entriesOf(engine)).toHaveLength(11)
    await engine.close()
    git(root, 'add', '-A', '.memory')
    expect(git(root, 'diff', '--cached', '--name-only')).not.toContain('local')
    expect(git(root, 'ls-files', '.memory/local')).toBe(
      '.memory/local/decisions.md\n.memory/local/decisions/2026-02.md\n',
    )
    for (const name of ['local/decisions.md', 'local/decisions/2026-02.md'])
      expect(vaultOf(root)[name], name).toBe(before[name])
  })

  it.each(WAYS_TO_FAIL)('keeps every entry once when a disk step fails %s', async (_name, forGood) => {
    await failEveryStep({
      original: memoryOf010(),
      act: engine => migrateOperation.run(engine, {}, {}),
      stateOf: async root => {
        const engine = open(root)
        const entries = await entriesOf(engine)
        const { layout } = await migrateOperation.run(engine, { dryRun: true }, {})
        await engine.close()
        return JSON.stringify([entries, layout.toLocal.length, layout.toFiles.length])
      },
      forGood,
      leastSteps: 12,
    })
  })
})

it('reads a memory of a later format and refuses to write to it, as 0.1.0 does with format 2', async () => {
  const root = scratchProject({ ...FILES_OF_010, '.memory/config.json': '{"version": 3}' })
  const before = vaultOf(root)
  const engine = open(root)
  expect(await entriesOf(engine)).toHaveLength(8)
  await expect(remember(engine, [{ content: 'Deploys need two people.' }])).rejects.toMatchObject({
    code: 'vault_newer',
  })
  await expect(migrateOperation.run(engine, {}, {})).rejects.toMatchObject({ code: 'vault_newer' })
  await engine.close()
  expect(vaultOf(root)).toEqual(before)
})
