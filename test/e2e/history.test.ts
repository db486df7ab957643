import { describe, expect, it } from 'vitest'
import { composeEngine } from '../../src/compose/compose.ts'
import type { Composed } from '../../src/compose/composed.ts'
import { editOperation } from '../../src/features/entries/verbs/edit.ts'
import { forgetOperation } from '../../src/features/entries/verbs/forget.ts'
import { listOperation } from '../../src/features/entries/verbs/list.ts'
import { undoOperation } from '../../src/features/entries/verbs/undo.ts'
import { remember } from '../../src/features/entries/write-entries.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { git, gitRepository } from '../support/git-repository.ts'
import { fileSaying, typeOver, vaultFiles } from '../support/vault-files.ts'
import { contentsOf, inWorld, type World } from './world.ts'

async function contents(world: World, ...flags: string[]): Promise<string[]> {
  return contentsOf((await world.json('list', ...flags)).entries)
}

describe.concurrent('undo', () => {
  it.for([
    ['budget', '2000', 'brief.maxTokens'],
    ['auto', 'off', 'memory.auto'],
    ['preset', 'conservative', 'promotion.preset'],
  ] as const)(
    'takes back what `cairn %s` set, and nothing that came later',
    ([verb, value, key], { expect }) =>
      inWorld(async world => {
        const setting = async (name: string) => (await world.json('config', 'get', name)).setting
        const before = await setting(key)
        const { record } = await world.json(verb, value)
        await world.ok('config', 'set', 'search.limit', '7')
        expect((await setting(key)).default).toBe(false)
        expect((await world.json('undo', String(record))).undone).toMatchObject({
          id: record,
          action: 'config',
        })
        expect(await setting(key)).toEqual(before)
        expect((await setting('search.limit')).value).toBe(7)
        expect((await world.json(verb)).record).toBe(null)
      })(),
  )

  it(
    'takes back an add, an edit, a pin and a removal, one after the other, and then says that nothing is left',
    inWorld(async world => {
      const { entry } = await world.json('remember', 'First version.')
      await world.ok('edit', entry.id, '--content', 'Second version.')
      await world.ok('pin', entry.id)
      await world.ok('forget', entry.id)
      const undone: string[] = []
      const seen: unknown[] = []
      for (let n = 0; n < 4; n++) {
        undone.push((await world.json('undo')).undone.action)
        seen.push((await world.json('list')).entries.map(({ content, status }) => `${status} ${content}`))
      }
      expect(undone).toEqual(['remove', 'pin', 'update', 'add'])
      expect(seen).toEqual([
        ['pinned Second version.'],
        ['confirmed Second version.'],
        ['confirmed First version.'],
        [],
      ])
      expect(await world.failure('undo')).toMatchObject({ exit: 3, code: 'nothing_to_undo' })
    }),
  )

  it(
    'of an undo, by its name, is a redo',
    inWorld(async world => {
      await world.ok('remember', 'Here and gone and here.')
      const { record } = await world.json('undo')
      expect(await contents(world)).toEqual([])
      await world.ok('undo', record ?? '')
      expect(await contents(world)).toEqual(['Here and gone and here.'])
      expect((await world.json('log')).records.map(({ action, undone }) => `${action} ${undone}`)).toEqual([
        'undo false',
        'undo true',
        'add false',
      ])
    }),
  )

  it(
    'brings an entry back byte for byte',
    inWorld(async world => {
      await world.ok('remember', 'Older.')
      const { entry } = await world.json(
        'remember',
        'Content with\n\n---\n\n## 2026-01-01 and more  ',
        '--files',
        'a b.ts',
      )
      await world.ok('remember', 'Newer.')
      const before = vaultFiles(world.root)
      expect(Object.keys(before)).toHaveLength(3)
      await world.ok('forget', entry.id)
      expect(Object.keys(vaultFiles(world.root))).toHaveLength(2)
      await world.ok('undo')
      expect(vaultFiles(world.root)).toEqual(before)
    }),
  )

  it(
    'by name takes back an older record and leaves the newer ones',
    inWorld(async world => {
      for (const text of ['One.', 'Two.', 'Three.']) await world.ok('remember', text)
      const { records } = await world.json('log')
      const ofTwo = records.find(record => record.entries[0]?.preview === 'Two.')
      await world.ok('undo', ofTwo?.id ?? '')
      expect(await contents(world)).toEqual(['One.', 'Three.'])
    }),
  )

  it(
    'of what was changed since is refused, names it, and does nothing',
    inWorld(async world => {
      const { entry } = await world.json('remember', 'One.')
      const [added] = (await world.json('log')).records
      await world.ok('edit', entry.id, '--content', 'Another.')
      const failure = await world.failure('undo', added?.id ?? '')
      expect(failure).toMatchObject({ exit: 4, code: 'undo_conflict', details: { changed: [entry.id] } })
      expect(await contents(world)).toEqual(['Another.'])
    }),
  )

  it(
    'twice of the same record is refused',
    inWorld(async world => {
      await world.ok('remember', 'One.')
      const [added] = (await world.json('log')).records
      await world.ok('undo', added?.id ?? '')
      expect(await world.failure('undo', added?.id ?? '')).toMatchObject({ exit: 4, code: 'undo_conflict' })
    }),
  )

  it(
    '--dry-run shows what it would do and changes nothing',
    inWorld(async world => {
      await world.ok('remember', 'One.')
      const before = world.read('.memory/history/audit.jsonl')
      expect(await world.json('undo', '--dry-run')).toMatchObject({
        record: null,
        undone: { action: 'add', undone: false },
      })
      expect(world.read('.memory/history/audit.jsonl')).toBe(before)
      expect(await contents(world)).toEqual(['One.'])
      expect(await world.json('forget', 'One.', '--dry-run')).toMatchObject({ removed: false, record: null })
      expect(await contents(world)).toEqual(['One.'])
    }),
  )

  it(
    'of an import takes all of it, and only it',
    inWorld(async world => {
      await world.ok('remember', 'Before.')
      world.write(
        'in.jsonl',
        Array.from({ length: 40 }, (_, n) => JSON.stringify({ text: `Imported ${n}.` })).join('\n'),
      )
      await world.ok('import', 'in.jsonl')
      expect((await world.json('list')).total).toBe(41)
      await world.ok('undo')
      expect(await contents(world)).toEqual(['Before.'])
    }),
  )

  it(
    'of a hand edit, a hand removal and a hand-typed entry, by its record, puts the file back',
    inWorld(async world => {
      await world.ok('remember', 'One.')
      const file = fileSaying(world.root, 'One.')
      const before = world.read(file)
      const undoHandEdit = async () => {
        const [last] = (await world.json('log')).records
        expect(last?.action).toBe('observe')
        await world.ok('undo', last?.id ?? '')
      }

      world.write(file, before.replace('One.', 'Changed by hand.'))
      expect(await contents(world)).toEqual(['Changed by hand.'])
      await undoHandEdit()
      expect(world.read(file)).toBe(before)

      world.write(file, '')
      expect(await contents(world)).toEqual([])
      await undoHandEdit()
      expect(await contents(world)).toEqual(['One.'])

      world.write(file, `${world.read(file)}\n## 2026-03-01\n\nTyped.\n\n---\n`)
      expect(await contents(world)).toEqual(['One.', 'Typed.'])
      await undoHandEdit()
      expect(await contents(world)).toEqual(['One.'])
    }),
  )

  it(
    'without a record skips what an editor or git changed, and says so',
    inWorld(async world => {
      await world.ok('remember', 'One.')
      await world.ok('remember', 'Two.')
      const file = fileSaying(world.root, 'One.')
      for (const text of ['Changed by hand.', 'Changed again.']) {
        world.write(file, world.read(file).replace(/^(One|Changed).*\.$/m, text))
        await contents(world)
      }
      expect(await world.json('undo', '--dry-run')).toMatchObject({ undone: { action: 'add' }, skipped: 2 })
      const said = await world.ok('undo')
      expect(said).toMatch(/^Undone: /)
      expect(said).toContain(
        'Skipped 2 changes made outside Cairn; `cairn undo <record>` reverts one, `cairn log` has the records.\n',
      )
      expect(await contents(world)).toEqual(['Changed again.'])
    }),
  )

  it(
    'without a record does not revert a checkout of git',
    inWorld(async world => {
      gitRepository(world.root)
      await world.ok('remember', 'Ours.')
      const commit = () => {
        git(world.root, 'add', '--all')
        git(world.root, 'commit', '--quiet', '--message', 'memory')
      }
      commit()
      git(world.root, 'checkout', '--quiet', '-b', 'z1')
      await world.ok('remember', 'Theirs.')
      commit()
      git(world.root, 'checkout', '--quiet', 'main')
      expect(await contents(world)).toEqual(['Ours.'])
      expect((await world.cairn(['undo'])).stderr).toContain('cannot be undone')
      expect(git(world.root, 'status', '--porcelain')).toBe('')
    }),
  )

  it(
    'of a setting and an alias puts the document back',
    inWorld(async world => {
      await world.ok('config', 'set', 'search.limit', '7')
      await world.ok('alias', 'add', 'ledger', 'accounting')
      await world.ok('undo')
      await world.ok('undo')
      expect(JSON.parse(world.read('.memory/config.json'))).toEqual({ version: 2 })
      expect(JSON.parse(world.read('.memory/curation.json'))).toEqual({ version: 1, aliases: {} })
    }),
  )
})

describe.concurrent('log', () => {
  it(
    'tells the history of one entry, newest first, with who did it',
    inWorld(async world => {
      const { entry } = await world.json('remember', 'One.')
      await world.ok('remember', 'Two.')
      await world.cairn(['edit', entry.id, '--content', 'One, changed.'], {
        env: { CAIRN_HOST: 'codex' },
      })
      await world.ok('forget', entry.id)
      const { records } = await world.json('log', '--entry', entry.id)
      expect(
        records.map(({ action, by, entries }) => [action, by.host, entries[0]?.change, entries[0]?.preview]),
      ).toEqual([
        ['remove', 'cli', 'removed', 'One, changed.'],
        ['update', 'codex', 'changed', 'One, changed.'],
        ['add', 'cli', 'added', 'One.'],
      ])
      expect((await world.json('log', '--limit', '2')).records).toHaveLength(2)
    }),
  )

  it(
    'and undo still know what was rotated into the archive',
    inWorld(async world => {
      await world.ok('config', 'set', 'journal.maxRecords', '100')
      const memory = composeEngine({ root: world.root })
      for (let n = 0; n < 105; n++) await remember(memory, [{ content: `Record ${n}.` }])
      await memory.close()
      expect(
        Object.keys(world.bytes()).filter(name => /archive.audit-.*audit\.jsonl$/.test(name)),
      ).toHaveLength(1)
      const { records } = await world.json('log', '--limit', '1000')
      expect(records).toHaveLength(106)
      await world.ok('undo', records.at(-2)?.id ?? '')
      expect((await world.json('list', '--limit', '1000')).total).toBe(104)
    }),
  )
})

/** A clock that a test moves. */
function clockAt(iso: string) {
  let nowMs = Date.parse(iso)
  let seed = 1
  return {
    set: (moment: string) => {
      nowMs = Date.parse(moment)
    },
    nowMs: () => nowMs,
    random: (bound: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % bound
    },
    sleep: () => Promise.resolve(),
    alarm: systemClock.alarm,
  }
}

async function asOf(engine: Composed, moment: string): Promise<string[]> {
  return contentsOf((await listOperation.run(engine, { asOf: moment }, {})).entries)
}

describe.concurrent('list --as-of', () => {
  it(
    'shows the vault of that day across an add, an edit, a removal, a hand edit and an undo',
    inWorld(async world => {
      const clock = clockAt('2026-03-01T10:00:00Z')
      const engine = composeEngine({ root: world.root, clock })
      const [first] = await remember(engine, [{ content: 'Added on the first.' }])
      const id = first?.entry.id ?? ''

      clock.set('2026-03-02T10:00:00Z')
      await editOperation.run(engine, { target: id, content: 'Edited on the second.' }, {})
      await remember(engine, [{ content: 'Added on the second.' }])

      clock.set('2026-03-03T10:00:00Z')
      typeOver(world.root, 'Edited on the second.', 'By hand on the third.')
      await listOperation.run(engine, {}, {})

      clock.set('2026-03-04T10:00:00Z')
      await forgetOperation.run(engine, { target: id }, {})

      clock.set('2026-03-05T10:00:00Z')
      await undoOperation.run(engine, {}, {})

      clock.set('2026-03-06T10:00:00Z')
      expect({
        february: await asOf(engine, '2026-02-28'),
        first: await asOf(engine, '2026-03-01'),
        beforeTheEdit: await asOf(engine, '2026-03-02T09:59'),
        second: await asOf(engine, '2026-03-02'),
        third: await asOf(engine, '2026-03-03'),
        fourth: await asOf(engine, '2026-03-04'),
        fifth: await asOf(engine, '2026-03-05'),
      }).toEqual({
        february: [],
        first: ['Added on the first.'],
        beforeTheEdit: ['Added on the first.'],
        second: ['Added on the second.', 'Edited on the second.'],
        third: ['Added on the second.', 'By hand on the third.'],
        fourth: ['Added on the second.'],
        fifth: ['Added on the second.', 'By hand on the third.'],
      })
      await engine.close()
    }),
  )

  it(
    'still knows the past after the index is deleted',
    inWorld(async world => {
      const clock = clockAt('2026-03-01T10:00:00Z')
      const first = composeEngine({ root: world.root, clock })
      await remember(first, [{ content: 'Old.' }])
      clock.set('2026-03-02T10:00:00Z')
      await forgetOperation.run(first, { target: 'Old.' }, {})
      await first.close()
      const { rmSync } = await import('node:fs')
      rmSync(`${world.root}/.memory/.vault`, { recursive: true })
      const second = composeEngine({ root: world.root, clock })
      expect([await asOf(second, '2026-03-01'), await asOf(second, '2026-03-02')]).toEqual([['Old.'], []])
      await second.close()
    }),
  )

  it(
    'narrows with the filters, on the command line too',
    inWorld(async world => {
      await world.ok('remember', 'A lesson.')
      await world.ok('remember', 'A decision.', '--kind', 'decision')
      const today = new Date().toISOString().slice(0, 10)
      expect(await contents(world, 'decisions', '--as-of', today)).toEqual(['A decision.'])
      expect(await contents(world, '--as-of', '2020-01-01')).toEqual([])
    }),
  )
})
