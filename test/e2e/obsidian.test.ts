import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { BINARY, inWorld, type World } from './world.ts'

interface Synced {
  readonly totals: Readonly<Record<string, number>>
  readonly went: readonly {
    readonly does: string
    readonly way: string
    readonly id: string
    readonly note: string
  }[]
  readonly conflicts: readonly { readonly id: string; readonly path: string }[]
  readonly problems: readonly { readonly code: string; readonly path: string }[]
  readonly record: string | null
}

const sync = (world: World, ...words: string[]) => world.json<Synced>('obsidian', 'sync', ...words)

/** A vault beside the project, linked. */
async function linked(world: World): Promise<{ folder: string; note: (part: string) => string }> {
  const vault = path.join(world.home, 'Notes')
  writeIn(vault, '.obsidian/app.json', '{}')
  writeIn(vault, 'Diary.md', 'Dear diary.\n')
  await world.ok('remember', 'Sessions live in Redis. #redis', '--kind', 'decision', '--agent', 'dev')
  await world.ok('remember', 'Never edit the auth middleware.', '--kind', 'warning', '--agent', 'dev')
  await world.ok('obsidian', 'link', vault)
  const folder = path.join(vault, 'Cairn/project')
  const note = (part: string) => {
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
      name.includes(part),
    )
    expect(found, part).toHaveLength(1)
    return path.join(folder, found[0] as string)
  }
  return { folder, note }
}

function writeIn(folder: string, name: string, text: string): void {
  const file = path.join(folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const edit = (file: string, from: string, to: string) =>
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))

describe('cairn obsidian', () => {
  it(
    'carries a day of work both ways, and undo takes back what came from the notes',
    inWorld(async world => {
      const { folder, note } = await linked(world)
      expect((await sync(world)).totals).toMatchObject({ create_note: 2 })
      const redis = note('Redis')
      expect(readFileSync(redis, 'utf8')).toMatch(
        /^---\ncairn: "\d+-\w{4}"\nagent: dev\ncategory: decisions\nkind: decision\nstatus: confirmed\n/,
      )
      edit(redis, '\nSessions live in Redis.', '\nSessions live in Postgres.')
      writeIn(folder, 'dev/lessons/Mine.md', 'Deploys wait for smoke tests.\n')
      renameSync(note('auth'), path.join(folder, 'Middleware.md'))
      await world.ok('edit', 'auth middleware', '--importance', '0.9')
      const { went, record } = await sync(world)
      expect(went.map(({ does }) => does).sort()).toEqual([
        'add_entry',
        'update_entry',
        'update_note',
        'update_note',
      ])
      expect(readFileSync(path.join(folder, 'Middleware.md'), 'utf8')).toContain('importance: 0.9')
      expect((await world.json('show', 'Postgres')).entry.content).toBe('Sessions live in Postgres. #redis')
      expect((await sync(world)).went).toEqual([])
      await world.ok('undo', record ?? '')
      expect((await world.json('list')).total).toBe(2)
      await sync(world)
      expect(readFileSync(redis, 'utf8')).toContain('Sessions live in Redis.')
      expect(readFileSync(path.join(world.home, 'Notes/Diary.md'), 'utf8')).toBe('Dear diary.\n')
    }),
  )

  it(
    'keeps both where both sides changed, shows it, and settles it',
    inWorld(async world => {
      const { note } = await linked(world)
      await sync(world)
      const redis = note('Redis')
      edit(redis, '\nSessions live in Redis.', '\nSessions live in Postgres.')
      const { id } = (await world.json('edit', 'Redis', '--content', 'Sessions live in files.')).entry
      const { conflicts } = await sync(world)
      expect(conflicts).toMatchObject([{ id }])
      expect(await world.ok('obsidian', 'status')).toContain('Changed on both sides')
      await world.ok('obsidian', 'resolve', id, '--keep', 'note')
      expect((await world.json('show', id)).entry.content).toContain('Postgres')
      expect(readFileSync(redis, 'utf8')).toContain('\nSessions live in Postgres.')
    }),
  )

  it(
    'refuses an empty folder and a vault that is gone, and says what to do',
    inWorld(async world => {
      const { folder } = await linked(world)
      await sync(world)
      rmSync(folder, { recursive: true })
      expect(await world.failure('obsidian', 'sync')).toMatchObject({
        exit: 5,
        code: 'obsidian_deletions_held',
      })
      renameSync(path.join(world.home, 'Notes'), path.join(world.home, 'Away'))
      expect(await world.failure('obsidian', 'sync')).toMatchObject({
        exit: 5,
        code: 'obsidian_vault_missing',
      })
      expect((await world.json('list')).total).toBe(2)
      await world.ok('obsidian', 'unlink')
      expect(await world.failure('obsidian', 'sync')).toMatchObject({ exit: 5, code: 'obsidian_not_linked' })
    }),
  )

  it(
    'writes nothing of a memory that came from elsewhere, and a project cannot name a place',
    inWorld(async world => {
      await linked(world)
      await world.ok('untrust')
      expect(await world.failure('obsidian', 'sync')).toMatchObject({ exit: 5, code: 'not_trusted' })
      expect(existsSync(path.join(world.home, 'Notes/Cairn'))).toBe(false)
      const files = readdirSync(world.root, { recursive: true, withFileTypes: true })
        .filter(item => item.isFile())
        .map(item => path.join(item.parentPath, item.name))
        .filter(file => readFileSync(file).includes('Notes'))
      expect(files).toEqual([])
    }),
  )

  it(
    'watches until it is ended, and a watch that is killed loses nothing',
    { timeout: 60_000 },
    inWorld(async world => {
      const { note } = await linked(world)
      for (const signal of ['SIGKILL', 'SIGINT'] as const) {
        const watch = spawn(process.execPath, [BINARY, 'obsidian', 'watch'], {
          cwd: world.root,
          env: world.environment,
        })
        onTestFinished(() => void watch.kill('SIGKILL'))
        const ended = new Promise<number | null>(resolve => watch.once('exit', code => resolve(code)))
        await until(async () => (await noteWith(world, 'auth')) && (await noteWith(world, 'Redis')))
        const redis = note('Redis')
        const [before, text] =
          signal === 'SIGKILL'
            ? ['Sessions live in Redis. #redis', 'Sessions live in Postgres.']
            : ['Sessions live in Postgres.', 'Sessions live in files.']
        edit(redis, `\n${before}`, `\n${text}`)
        await until(async () => (await world.json('list')).entries.some(({ content }) => content === text))
        watch.kill(signal)
        expect(await ended).toBe(signal === 'SIGKILL' ? null : 0)
      }
      expect((await sync(world)).totals).toMatchObject({ keep_both: 0, add_entry: 0, remove_entry: 0 })
      expect((await world.json('list')).total).toBe(2)
    }),
  )
})

async function noteWith(world: World, part: string): Promise<boolean> {
  const folder = path.join(world.home, 'Notes/Cairn')
  if (!existsSync(folder)) return false
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).some(name => name.includes(part))
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise(resolve => setTimeout(resolve, 100))
}
