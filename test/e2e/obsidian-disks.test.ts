import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { BINARY, contentsOf, inWorld, makeWorld, type World } from './world.ts'

interface Synced {
  readonly totals: Readonly<Record<string, number>>
  readonly conflicts: readonly unknown[]
  readonly problems: readonly { readonly code: string; readonly path: string }[]
  readonly went: readonly unknown[]
}

const sync = (world: World, ...words: string[]) => world.json<Synced>('obsidian', 'sync', ...words)
const mount = (...words: string[]) => spawnSync('mount', words).status === 0

/** Whether this process may mount file systems, as root in most containers may. Tried, not guessed. */
function canMount(): boolean {
  if (process.platform !== 'linux') return false
  const world = makeWorld()
  const isMounted = mount('-t', 'tmpfs', '-o', 'size=64k', 'none', world.root)
  if (isMounted) spawnSync('umount', [world.root])
  world.remove()
  return isMounted
}

const WHY_NOT = canMount() ? '' : ' (skipped: mounting a disk is not permitted here)'

function unmount(folder: string): void {
  spawnSync('umount', ['-l', folder])
}

/** A vault of its own, and so many entries: each leads to the next, the last to the first. */
async function manyEntries(
  world: World,
  count: number,
): Promise<{ vault: string; folder: string; contents: string[] }> {
  const vault = path.join(world.home, 'Notes')
  mkdirSync(path.join(vault, '.obsidian'), { recursive: true })
  await world.ok('remember', 'The first of all.', '--agent', 'dev')
  const id = (n: number) =>
    `1773679871${String(100 + (n % count)).padStart(3, '0')}-k${String(100 + (n % count))}`
  const blocks = Array.from(
    { length: count },
    (_, n) =>
      `<!-- id:${id(n)} kind:decision -->\n## 2026-03-16T16:51\n\nRule ${n} of the build, see [[${id(n + 1)}|the next]]. ${'Why so. '.repeat(400)}\n\n---\n`,
  )
  writeFileSync(path.join(world.root, '.memory/dev/decisions.md'), blocks.join('\n'))
  const { entries } = await world.json('list', '--limit', '1000')
  expect(entries).toHaveLength(count + 1)
  await world.ok('obsidian', 'link', vault)
  return { vault, folder: path.join(vault, 'Cairn/project'), contents: contentsOf(entries) }
}

function notesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.md'))
}

/** Everything is there once, and nothing of a sync that was broken off is left. */
async function expectWhole(world: World, folder: string, contents: readonly string[]): Promise<void> {
  const { entries } = await world.json('list', '--limit', '1000')
  expect(contentsOf(entries)).toEqual(contents)
  const ids = notesIn(folder).map(
    name => /^cairn: "(.*)"$/m.exec(readFileSync(path.join(folder, name), 'utf8'))?.[1],
  )
  expect(ids.sort()).toEqual(entries.map(entry => entry.id).sort())
  expect(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.includes('cairn-tmp')),
  ).toEqual([])
  expect(await sync(world)).toMatchObject({ went: [], conflicts: [], problems: [] })
}

describe.concurrent(`a vault on a disk${WHY_NOT}`, () => {
  it.skipIf(WHY_NOT !== '')(
    'that is full in the middle of the first sync is told with how far it came, and the next sync does the rest',
    { timeout: 240_000 },
    inWorld(async world => {
      const { vault, folder, contents } = await manyEntries(world, 120)
      mount('-t', 'tmpfs', '-o', 'size=300k', 'none', vault)
      try {
        mkdirSync(path.join(vault, '.obsidian'))
        const failure = await world.failure('obsidian', 'sync')
        const { length } = notesIn(folder)
        expect(length).toBeGreaterThan(20)
        expect(failure).toMatchObject({ exit: 6, code: 'disk_full', details: { written: length, of: 121 } })
        expect(failure.message).toContain(`${length} of 121 notes were written.`)
        expect(failure.hint).toContain('continues where it stopped')
        expect(failure.message).not.toContain('nothing was changed')
        expect(await world.failure('obsidian', 'sync')).toMatchObject({ code: 'disk_full' })
        mount('-o', 'remount,size=8m', vault)
        expect((await sync(world)).totals).toMatchObject({ create_note: 121 - length, keep_both: 0 })
        await expectWhole(world, folder, contents)
      } finally {
        unmount(vault)
      }
    }),
  )

  it.skipIf(WHY_NOT !== '')(
    'that is read-only is told, an edit made before is taken in, and it goes on when it can be written',
    { timeout: 240_000 },
    inWorld(async world => {
      const { vault, folder, contents } = await manyEntries(world, 3)
      mount('--bind', vault, vault)
      mount('-o', 'remount,ro,bind', vault)
      try {
        const failure = await world.failure('obsidian', 'sync')
        expect(failure).toMatchObject({ exit: 5, code: 'vault_read_only' })
        expect(failure.hint).toContain('mounted for writing')
        mount('-o', 'remount,rw,bind', vault)
        await sync(world)
        await expectWhole(world, folder, contents)
        writeFileSync(path.join(folder, 'Mine.md'), 'Deploys wait for smoke tests.\n')
        mount('-o', 'remount,ro,bind', vault)
        for (let n = 0; n < 2; n++)
          expect(await world.failure('obsidian', 'sync')).toMatchObject({ code: 'vault_read_only' })
        expect((await world.json('list')).total).toBe(5)
        mount('-o', 'remount,rw,bind', vault)
        await sync(world)
        await expectWhole(world, folder, [...contents, 'Deploys wait for smoke tests.'].sort())
      } finally {
        unmount(vault)
      }
    }),
  )

  it.skipIf(WHY_NOT !== '')(
    'and a project that is read-only: nothing is written to the notes, nothing is lost',
    { timeout: 240_000 },
    inWorld(async world => {
      const { vault, folder, contents } = await manyEntries(world, 3)
      await sync(world)
      const [note = ''] = notesIn(folder)
      const file = path.join(folder, note)
      writeFileSync(file, `${readFileSync(file, 'utf8')}\nAnd more.\n`)
      const before = readFileSync(file, 'utf8')
      const memory = path.join(world.root, '.memory')
      mount('--bind', memory, memory)
      mount('-o', 'remount,ro,bind', memory)
      try {
        expect(await world.failure('obsidian', 'sync')).toMatchObject({ exit: 5, code: 'vault_read_only' })
        expect(readFileSync(file, 'utf8')).toBe(before)
      } finally {
        unmount(memory)
      }
      expect((await sync(world)).totals).toMatchObject({ update_entry: 1, keep_both: 0, create_note: 0 })
      expect((await world.json('list')).total).toBe(contents.length)
      expect(existsSync(vault)).toBe(true)
    }),
  )

  it.skipIf(WHY_NOT !== '')(
    'and a project whose disk is full: the notes are written, and known again when there is room',
    { timeout: 240_000 },
    inWorld(async world => {
      const { folder, contents } = await manyEntries(world, 40)
      const data = path.join(world.root, '.memory/.vault/obsidian')
      mkdirSync(data, { recursive: true })
      mount('-t', 'tmpfs', '-o', 'size=4k', 'none', data)
      try {
        expect(await world.failure('obsidian', 'sync')).toMatchObject({ exit: 6, code: 'disk_full' })
        mount('-o', 'remount,size=1m', data)
        expect((await sync(world)).totals).toMatchObject({ create_note: 0, keep_both: 0 })
        await expectWhole(world, folder, contents)
      } finally {
        unmount(data)
      }
    }),
  )

  it.skipIf(WHY_NOT !== '')(
    'that is unmounted is never taken for deleted notes, with an .obsidian folder or without, changed entries or not',
    { timeout: 240_000 },
    inWorld(async world => {
      const { vault, folder, contents } = await manyEntries(world, 1)
      rmSync(path.join(vault, '.obsidian'), { recursive: true })
      mount('-t', 'tmpfs', '-o', 'size=4m', 'none', vault)
      try {
        await world.ok('obsidian', 'link', vault)
        await sync(world)
        const edit = async (word: string) => {
          for (const { id } of (await world.json('list')).entries)
            await world.ok('edit', id, '--importance', word)
        }
        unmount(vault)
        expect(await world.failure('obsidian', 'sync')).toMatchObject({
          exit: 5,
          code: 'obsidian_deletions_held',
        })
        await edit('0.9')
        expect(await world.failure('obsidian', 'sync')).toMatchObject({
          exit: 5,
          code: 'obsidian_deletions_held',
        })
        expect(readdirSync(vault)).toEqual([])
        expect(contentsOf((await world.json('list')).entries)).toEqual(contents)

        mkdirSync(path.join(vault, '.obsidian'))
        await world.ok('obsidian', 'link', vault, '--folder', 'Other')
        await sync(world)
        renameSync(vault, `${vault}-away`)
        mkdirSync(vault)
        await edit('0.8')
        expect(await world.failure('obsidian', 'sync')).toMatchObject({
          exit: 5,
          code: 'obsidian_vault_missing',
        })
        expect(readdirSync(vault)).toEqual([])
        rmSync(vault, { recursive: true })
        renameSync(`${vault}-away`, vault)
        await sync(world)
        await expectWhole(world, path.join(vault, 'Other'), contents)
        expect(existsSync(folder)).toBe(false)
      } finally {
        unmount(vault)
      }
    }),
  )

  it.skipIf(WHY_NOT !== '')(
    'of which the synced folder is one of its own: a forgotten entry moves its note to the trash all the same',
    { timeout: 240_000 },
    inWorld(async world => {
      const { vault, folder } = await manyEntries(world, 3)
      mkdirSync(folder, { recursive: true })
      mount('-t', 'tmpfs', '-o', 'size=4m', 'none', folder)
      try {
        await sync(world)
        await world.ok('forget', 'first of all')
        expect((await sync(world)).totals).toMatchObject({ trash_note: 1 })
        expect(notesIn(path.join(vault, '.trash'))).toHaveLength(1)
        expect(notesIn(folder)).toHaveLength(3)
      } finally {
        unmount(folder)
      }
    }),
  )
})

describe.concurrent('a sync', () => {
  it(
    'that is killed in the middle of the first one, again and again, is followed by one that loses and doubles nothing',
    { timeout: 240_000 },
    inWorld(async world => {
      const { folder, contents } = await manyEntries(world, 150)
      for (const most of [10, 50, 100]) {
        const running = spawn(process.execPath, [BINARY, 'obsidian', 'sync'], {
          cwd: world.root,
          env: world.environment,
          stdio: 'ignore',
        })
        onTestFinished(() => void running.kill('SIGKILL'))
        const ended = new Promise(resolve => running.once('exit', resolve))
        while (notesIn(folder).length < most && running.exitCode === null)
          await new Promise(resolve => setTimeout(resolve, 2))
        running.kill('SIGKILL')
        await ended
      }
      const { length } = notesIn(folder)
      expect((await sync(world)).totals).toMatchObject({
        create_note: 151 - length,
        keep_both: 0,
        add_entry: 0,
      })
      await expectWhole(world, folder, contents)
    }),
  )

  it(
    'that meets two others makes each note once',
    { timeout: 240_000 },
    inWorld(async world => {
      const { folder, contents } = await manyEntries(world, 40)
      mkdirSync(folder, { recursive: true })
      writeFileSync(path.join(folder, 'Mine.md'), 'Deploys wait for smoke tests.\n')
      const runs = await Promise.all([1, 2, 3].map(() => world.cairn(['obsidian', 'sync', '--json'])))
      for (const { code, stdout } of runs)
        if (code !== 0) expect(JSON.parse(stdout).error).toMatchObject({ code: 'store_locked' })
      expect(runs.some(({ code }) => code === 0)).toBe(true)
      await expectWhole(world, folder, [...contents, 'Deploys wait for smoke tests.'].sort())
    }),
  )

  it(
    'waits for a note that is being written, and never takes half of it',
    { timeout: 240_000 },
    inWorld(async world => {
      const { folder } = await manyEntries(world, 2)
      await sync(world)
      const note = path.join(folder, notesIn(folder).find(name => name.includes('first of all')) ?? '')
      const whole = readFileSync(note, 'utf8').replace(
        /\nThe first of all\.\n$/,
        '\nOne.\n\nTwo.\n\nThree.\n',
      )
      // As an editor does it that is slow: empty, half of the properties, half of the text, all of it.
      const pieces = [0, 20, whole.indexOf('\n\nTwo'), whole.indexOf('\n\nThree'), whole.length]
      const running = sync(world)
      for (const end of pieces) {
        writeFileSync(note, whole.slice(0, end))
        await new Promise(resolve => setTimeout(resolve, 120))
      }
      await running
      await sync(world)
      const { records } = await world.json('log', '--limit', '50')
      const texts = records.flatMap(({ action, entries }) => (action === 'sync' ? entries : []))
      expect(texts.map(({ preview }) => preview)).toEqual(['One. Two. Three.'])
      expect((await world.json('list')).total).toBe(3)
    }),
  )

  it(
    'knows a renamed note, one that differs in case, and forgets nothing behind a folder that became a link',
    { timeout: 240_000 },
    inWorld(async world => {
      const { folder, contents } = await manyEntries(world, 12)
      await sync(world)
      const [first = '', second = ''] = notesIn(folder)
      renameSync(path.join(folder, first), path.join(folder, 'Renamed in Obsidian.md'))
      renameSync(
        path.join(folder, second),
        path.join(folder, second.toUpperCase().replace('.MD', '.md').split('/').at(-1) ?? ''),
      )
      expect((await sync(world)).totals).toMatchObject({ create_note: 0, remove_entry: 0, add_entry: 0 })
      await expectWhole(world, folder, contents)

      const outside = path.join(world.home, 'Elsewhere')
      renameSync(path.join(folder, 'dev/decisions'), outside)
      symlinkSync(outside, path.join(folder, 'dev/decisions'))
      const { totals, problems } = await sync(world)
      expect(totals).toMatchObject({ remove_entry: 0, create_note: 0 })
      expect(problems).toMatchObject([{ code: 'link_left', path: 'dev/decisions' }])
      expect(contentsOf((await world.json('list', '--limit', '100')).entries)).toEqual(contents)
      // A new entry of that folder is not written through the link, and does not keep others from being written.
      await world.ok('remember', 'A new decision.', '--agent', 'dev', '--kind', 'decision')
      await world.ok('remember', 'A new lesson.', '--agent', 'dev')
      expect((await sync(world)).totals).toMatchObject({ create_note: 1 })
      expect(readdirSync(outside).filter(name => name.includes('new'))).toEqual([])
      rmSync(path.join(folder, 'dev/decisions'))
      renameSync(outside, path.join(folder, 'dev/decisions'))
      await sync(world)
      await expectWhole(world, folder, [...contents, 'A new decision.', 'A new lesson.'].sort())
    }),
  )
})
