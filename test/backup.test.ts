import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import * as path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { writeBackup } from '../src/addons/backup/backup-archive.ts'
import { checkBackup } from '../src/addons/backup/check-backup.ts'
import { BINARY, inWorld, type World } from './e2e/world.ts'

/** A memory with something of everything: entries of three vaults, one that went, a session, an alias, a setting, a checkpoint. */
async function furnish(world: World): Promise<void> {
  await world.ok('remember', 'Sessions live in Redis for one hour. #redis')
  await world.ok('remember', '--agent', 'private', 'My own token expires in May.')
  await world.ok('remember', '--agent', 'dev', 'The cache is filled at night.')
  await world.ok('forget', 'cache is filled at night')
  await world.ok('alias', 'add', 'ledger', 'accounting')
  await world.ok('config', 'set', 'search.limit', '7')
  await world.ok('session', 'start', 's1', '--agent', 'dev')
  await world.cairn(['session', 'append', 's1', '--agent', 'dev'], {
    input: JSON.stringify({ role: 'user', text: 'Why is the build slow?' }),
  })
  await world.ok('session', 'checkpoint', 's1', '--agent', 'dev')
  world.write('.memory/_project.md', '# Shop\n')
}

async function furnishMany(world: World, count: number): Promise<void> {
  world.write(
    'many.jsonl',
    Array.from({ length: count }, (_, n) =>
      JSON.stringify({ text: `Fact ${n}: the ${n % 97} is a ${n}.`, metadata: { kind: 'lesson' } }),
    ).join('\n'),
  )
  await world.ok('import', 'many.jsonl')
}

const REBUILT =
  /^\.memory\/\.vault(?:$|\/(?:index|lock|hooks|obsidian)\.db|\/project-token|\/backup|\/event-hashes)/

/** Every file that is no cache, with a digest of its bytes. */
function kept(world: World): Record<string, string> {
  return Object.fromEntries(
    Object.entries(world.bytes()).filter(
      ([name, digest]) => name.startsWith('.memory/') && digest !== 'folder' && !REBUILT.test(name),
    ),
  )
}

describe.concurrent('a backup of a memory', () => {
  it(
    'brings back every file, and what was there before the restore can be restored in turn',
    inWorld(async world => {
      await furnish(world)
      const before = kept(world)
      const entries = await world.json('list')
      const log = await world.json('log')
      const made = await world.json<{ files: number; size: number }>('backup', 'shop.cairn')
      expect(made.files).toBe(Object.keys(before).length)
      expect(statSync(path.join(world.root, 'shop.cairn'))).toMatchObject({ size: made.size })
      expect(statSync(path.join(world.root, 'shop.cairn')).mode & 0o777).toBe(0o600)
      await world.ok('forget', 'Sessions live in Redis')
      await world.ok('remember', 'Something newer.')
      const newer = kept(world)
      const restored = await world.json<{ before: string; isTrusted: boolean }>(
        'backup',
        'restore',
        'shop.cairn',
        '--yes',
      )
      expect(restored.isTrusted).toBe(true)
      expect(kept(world)).toEqual(before)
      expect((await world.json('list')).entries).toEqual(entries.entries)
      expect((await world.json('log')).records).toEqual(log.records)
      expect((await world.json('search', 'redis')).hits.length).toBe(1)
      expect((await world.json<{ project: { standing: string } }>('status')).project.standing).toBe('trusted')
      expect(await world.ok('validate')).toContain('Valid')
      await world.ok('backup', 'restore', restored.before, '--yes')
      expect(kept(world)).toEqual(newer)
    }),
  )

  it(
    'goes into another folder, whose agents are told of it when their user said yes',
    inWorld(async world => {
      await furnish(world)
      await world.ok('backup', 'shop.cairn')
      const other = path.join(world.home, 'other')
      mkdirSync(other)
      const there = (...words: string[]) => world.json(...words, '--root', other)
      expect(await there('backup', 'restore', 'shop.cairn')).toMatchObject({
        root: other,
        name: 'project',
        before: null,
        isTrusted: false,
        isDone: true,
      })
      expect((await there('list')).entries).toEqual((await world.json('list')).entries)
      expect((await there('status')) as unknown).toMatchObject({ project: { standing: 'untrusted' } })
    }),
  )

  it(
    'replaces neither a file nor a memory without a yes, and shows both first',
    inWorld(async world => {
      await furnish(world)
      expect(await world.json('backup', 'shop.cairn', '--dry-run')).toMatchObject({ size: 0, isDryRun: true })
      expect(existsSync(path.join(world.root, 'shop.cairn'))).toBe(false)
      await world.ok('backup', 'shop.cairn')
      expect(await world.failure('backup', 'shop.cairn')).toMatchObject({ code: 'file_exists' })
      await world.ok('backup', 'shop.cairn', '--yes')
      const before = world.bytes()
      expect(await world.failure('backup', 'restore', 'shop.cairn')).toMatchObject({ code: 'not_confirmed' })
      expect(await world.json('backup', 'restore', 'shop.cairn', '--dry-run')).toMatchObject({
        isDone: false,
      })
      expect(await world.failure('backup', '.memory/mine.cairn')).toMatchObject({ code: 'invalid_input' })
      expect(world.bytes()).toEqual(before)
    }),
  )

  it(
    'follows no link, and says which it left',
    inWorld(async world => {
      await furnish(world)
      symlinkSync('/etc/hostname', path.join(world.root, '.memory', 'shared', 'elsewhere.md'))
      expect(await world.json('backup', 'shop.cairn')).toMatchObject({ left: ['shared/elsewhere.md'] })
    }),
  )

  it(
    'leaves nothing where the disk is full',
    inWorld(async world => {
      await furnish(world)
      // Random text, so that it does not fit even compressed.
      writeFileSync(
        path.join(world.root, '.memory', 'conversations', 'long.md'),
        Buffer.from(Array.from({ length: 200_000 }, () => Math.random() * 256)),
      )
      const run = spawnSync(
        'sh',
        [
          '-c',
          `trap '' XFSZ; ulimit -f 32; exec "$0" "$@"`,
          process.execPath,
          BINARY,
          'backup',
          'x.cairn',
          '--json',
        ],
        { cwd: world.root, env: world.environment, encoding: 'utf8' },
      )
      expect(run.status).toBe(6)
      expect(JSON.parse(run.stdout)).toMatchObject({ error: { code: 'store_io' } })
      expect(readdirSync(world.root).filter(name => name.startsWith('x.cairn'))).toEqual([])
    }),
  )

  it(
    'is refused when it was cut off, changed or is something else, and nothing is changed',
    inWorld(async world => {
      await furnish(world)
      await world.ok('backup', 'shop.cairn')
      const file = path.join(world.root, 'shop.cairn')
      const whole = readFileSync(file)
      const lines = gunzipSync(whole).toString().trimEnd().split('\n')
      const text = (given: readonly string[]) => gzipSync(`${given.join('\n')}\n`)
      const damaged: [string, Uint8Array][] = [
        ['empty', Buffer.alloc(0)],
        ['text', Buffer.from('{"is":"head"}\n')],
        ['of another program', gzipSync('hello\n')],
        ['without the last line end', gzipSync(lines.join('\n'))],
        ['more behind it', Buffer.concat([whole, gzipSync('{"is":"gone","path":"a.md"}\n')])],
        ...lines.map((_, at): [string, Uint8Array] => [`${at} lines`, text(lines.slice(0, at))]),
        ...lines.map((_, at): [string, Uint8Array] => [`without line ${at}`, text(lines.toSpliced(at, 1))]),
        ...lines.map((_, at): [string, Uint8Array] => [
          `line ${at} twice`,
          text(lines.toSpliced(at, 0, lines[at] ?? '')),
        ]),
        ...Array.from({ length: 40 }, (_, n): [string, Uint8Array] => [
          `${n} fortieths of the bytes`,
          whole.subarray(0, Math.floor((whole.length * n) / 40)),
        ]),
        ...Array.from({ length: 40 }, (_, n): [string, Uint8Array] => {
          const flipped = Buffer.from(whole)
          const at = 10 + Math.floor(((whole.length - 10) * n) / 40)
          flipped[at] = (flipped[at] ?? 0) ^ 0x10
          return [`a bit of byte ${at}`, flipped]
        }),
      ]
      const other = path.join(world.root, 'other.cairn')
      for (const [what, bytes] of damaged) {
        writeFileSync(other, bytes)
        await expect(checkBackup(other), what).rejects.toMatchObject({ code: 'backup_damaged' })
      }
      const before = world.bytes()
      expect(await world.failure('backup', 'restore', 'other.cairn', '--yes')).toMatchObject({
        exit: 6,
        code: 'backup_damaged',
      })
      expect(world.bytes()).toEqual(before)
      writeFileSync(other, text([(lines[0] ?? '').replace('"format":1', '"format":2'), ...lines.slice(1)]))
      await expect(checkBackup(other)).rejects.toMatchObject({ code: 'vault_newer' })
    }),
  )

  it(
    'writes nowhere but into the memory, whatever it says',
    inWorld(async world => {
      const hostile = [
        '../outside.md',
        '/etc/passwd',
        'a/../../b',
        'C:\\x',
        'a\\..\\b',
        '.vault/index.db',
        '.vault/lock.db-wal',
        'a//b',
        'x\u0000y',
      ]
      for (const each of hostile) {
        const file = path.join(world.root, 'hostile.cairn')
        const head = { of: 'memory', version: '0', at: new Date(0).toISOString(), name: 'x' } as const
        await writeBackup(file, head, async ({ write }) => {
          await write({ is: 'file', path: each })
          await write({
            is: 'fileEnd',
            size: 0,
            sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
          })
        })
        await expect(checkBackup(file), each).rejects.toMatchObject({ code: 'backup_damaged' })
      }
    }),
  )

  it(
    'holds ten thousand entries, each as it was',
    inWorld(async world => {
      await furnishMany(world, 10_000)
      await world.ok('backup', 'many.cairn')
      const other = path.join(world.home, 'other')
      mkdirSync(other)
      await world.ok('backup', 'restore', 'many.cairn', '--root', other)
      const all = (...words: string[]) => world.ok('export', ...words)
      expect(await all('--root', other)).toBe(await all())
    }),
    240_000,
  )

  it(
    'is of one moment, while others write',
    inWorld(async world => {
      await furnishMany(world, 200)
      let isOver = false
      const writing = (async () => {
        for (let n = 0; !isOver; n++) await world.cairn(['remember', `Written meanwhile, number ${n}.`])
      })()
      try {
        for (let n = 0; n < 3; n++) {
          await world.ok('backup', 'busy.cairn', '--yes')
          const other = path.join(world.home, `copy-${n}`)
          mkdirSync(other)
          await world.ok('backup', 'restore', 'busy.cairn', '--root', other)
          // Every record of the journal stands for what is in the files, and the other way round.
          expect(await world.ok('validate', '--root', other)).toContain('Valid')
          const { entries } = await world.json('list', '--limit', '2000', '--root', other)
          const { records } = await world.json('log', '--limit', '2000', '--root', other)
          expect(records.filter(({ action }) => action !== 'import').length).toBe(entries.length - 200)
        }
      } finally {
        isOver = true
        await writing
      }
    }),
    240_000,
  )

  it(
    'takes what is in a database of the memory as it is between two transactions',
    inWorld(async world => {
      await furnish(world)
      const { DatabaseSync } = (await import('../src/stores/sqlite/driver.ts')).loadSqlite()
      const database = new DatabaseSync(path.join(world.root, '.memory', '.vault', 'work.db'))
      database.exec(
        'PRAGMA journal_mode = WAL; CREATE TABLE task (id TEXT); INSERT INTO task VALUES (1), (2)',
      )
      database.exec('BEGIN; INSERT INTO task VALUES (3)')
      await world.ok('backup', 'shop.cairn')
      database.exec('ROLLBACK')
      database.close()
      const other = path.join(world.home, 'other')
      mkdirSync(other)
      await world.ok('backup', 'restore', 'shop.cairn', '--root', other)
      const copy = new DatabaseSync(path.join(other, '.memory', '.vault', 'work.db'))
      expect(copy.prepare('SELECT count(*) AS n FROM task').get()).toEqual({ n: 2 })
      copy.close()
    }),
  )
})

describe('a backup that is read while it grows', () => {
  it(
    'is damaged, and not half of one',
    inWorld(async world => {
      await furnish(world)
      await world.ok('backup', 'shop.cairn')
      appendFileSync(path.join(world.root, 'shop.cairn'), 'x')
      await expect(checkBackup(path.join(world.root, 'shop.cairn'))).rejects.toMatchObject({
        code: 'backup_damaged',
      })
    }),
  )
})
