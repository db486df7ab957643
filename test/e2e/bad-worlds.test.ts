import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import * as path from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it } from 'vitest'
import { fileSaying } from '../support/vault-files.ts'
import { BINARY, contentsOf, inWorld, makeWorld, type World } from './world.ts'

const LESSONS = '.memory/shared/lessons.md'

async function contents(world: World): Promise<string[]> {
  return contentsOf((await world.json('list')).entries)
}

/** What is in the home folder beside the list of this user's projects. */
function ofHome(world: World): string[] {
  return readdirSync(world.home).filter(name => name !== '.cairn')
}

function inVault(world: World, name: string): string {
  return path.join(world.root, '.memory', '.vault', name)
}

/** Whether this process may mount file systems, as root in most containers may. Tried, not guessed. */
function canMount(): boolean {
  if (process.platform !== 'linux') return false
  const world = makeWorld()
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', world.root]).status === 0
  if (mounted) spawnSync('umount', [world.root])
  world.remove()
  return mounted
}

const MOUNTS = canMount()
const IS_ROOT = process.getuid?.() === 0
const PERMISSIONS_BIND = process.platform !== 'win32' && !IS_ROOT
const NO_READ_ONLY =
  MOUNTS || PERMISSIONS_BIND ? '' : ' (skipped: nothing can be made read-only for this user)'
const NO_KERNEL_FOLDERS = process.platform === 'linux' ? '' : ' (skipped: this system has no /proc)'
const NO_FULL_DISK = MOUNTS ? '' : ' (skipped: mounting a small disk is not permitted here)'

/** The project's memory, read-only while the test looks. */
async function readOnly(world: World, look: () => Promise<void>): Promise<void> {
  const memory = path.join(world.root, '.memory')
  if (MOUNTS) {
    spawnSync('mount', ['--bind', memory, memory])
    spawnSync('mount', ['-o', 'remount,ro,bind', memory])
    try {
      await look()
    } finally {
      spawnSync('umount', [memory])
    }
    return
  }
  const folders = [
    memory,
    ...readdirSync(memory, { recursive: true, encoding: 'utf8' }).map(name => path.join(memory, name)),
  ]
  for (const name of folders.reverse()) chmodSync(name, statSync(name).isDirectory() ? 0o555 : 0o444)
  try {
    await look()
  } finally {
    for (const name of folders.reverse()) chmodSync(name, statSync(name).isDirectory() ? 0o755 : 0o644)
  }
}

describe.concurrent('agent ids', () => {
  const REFUSED = [
    '../x',
    'a/b',
    'a\\b',
    '..',
    '.',
    '.hidden',
    '_private',
    'ünïcode',
    '日本',
    'x'.repeat(300),
    'CON',
    'nul.txt',
    'LPT1',
    'history',
    'Config.json',
    'dot.',
    'a b',
    '',
  ]

  it(
    'that no file system would take are refused with a suggestion, and nothing is written',
    inWorld(async world => {
      const failures = await Promise.all(
        REFUSED.map(agent => world.failure('remember', 'x', `--agent=${agent}`)),
      )
      expect(failures.map(({ exit, code }) => `${exit} ${code}`)).toEqual(
        REFUSED.map(() => '2 agent_id_invalid'),
      )
      for (const failure of failures)
        expect(failure.details?.suggestion).toMatch(/^[a-z0-9][a-z0-9._-]{0,63}$/)
      expect(world.bytes()).toEqual({})
    }),
  )

  it(
    'are one in upper and lower case',
    inWorld(async world => {
      await world.ok('remember', 'One.', '--agent', 'Dev')
      expect((await world.json('remember', 'Two.', '--agent', 'dEV')).entry.agent).toBe('dev')
      expect((await world.json('list', '--agent', 'DEV')).total).toBe(2)
    }),
  )
})

describe.concurrent('a folder that the kernel shows', () => {
  /** What spins hears no signal that it could handle. */
  const bounded = (world: World, words: readonly string[], { cwd = world.root, home = world.home } = {}) => {
    const { status, stdout } = spawnSync(process.execPath, [BINARY, ...words, '--json'], {
      cwd,
      env: { ...world.environment, CAIRN_HOME: path.join(home, '.cairn') },
      timeout: 60_000,
      killSignal: 'SIGKILL',
      encoding: 'utf8',
    })
    return { exit: status, ...(JSON.parse(stdout || '{}') as { error?: unknown }) }
  }

  it.skipIf(NO_KERNEL_FOLDERS !== '')(
    `is refused as a project by every verb, and none tries for ever${NO_KERNEL_FOLDERS}`,
    inWorld(async world => {
      for (const cwd of ['/proc', '/sys', '/proc/sys/kernel'])
        for (const words of [['status'], ['remember', 'x'], ['up', '--port', '0', '--no-open']])
          expect([cwd, ...words, bounded(world, words, { cwd })]).toEqual([
            cwd,
            ...words,
            {
              exit: 5,
              error: {
                code: 'not_a_project_folder',
                message: `${cwd} belongs to a system file system without stored files, so it cannot be a project.`,
                hint: 'Run this in the folder of your project, or name it with --root.',
              },
            },
          ])
      expect(bounded(world, ['init', '--yes', '--root', '/proc/sys'])).toMatchObject({ exit: 5 })
      expect(bounded(world, ['list', '--root', world.root], { cwd: '/proc' })).toMatchObject({ exit: 0 })
      expect(readdirSync(world.home)).toEqual([])
    }),
  )

  it.skipIf(NO_KERNEL_FOLDERS !== '')(
    `is no home either, and a link that leads nowhere is none${NO_KERNEL_FOLDERS}`,
    inWorld(async world => {
      const gone = path.join(world.home, 'gone')
      symlinkSync(path.join(world.home, 'nowhere'), gone)
      for (const home of ['/proc', gone])
        expect(bounded(world, ['token'], { home })).toMatchObject({ exit: 6, error: { code: 'store_io' } })
    }),
  )
})

describe.concurrent('a memory folder that is none', () => {
  it(
    'a file called .memory is refused and kept',
    inWorld(
      async world => {
        for (const words of [['list'], ['remember', 'x'], ['status']]) {
          expect(await world.failure(...words)).toMatchObject({ exit: 5, code: 'memory_not_a_folder' })
        }
        expect(world.read('.memory')).toBe('precious')
      },
      { '.memory': 'precious' },
    ),
  )

  it.skipIf(process.platform === 'win32')(
    'a link out of the project is refused, and nothing is written behind it',
    inWorld(async world => {
      symlinkSync(world.home, path.join(world.root, '.memory'))
      expect(await world.failure('remember', 'x')).toMatchObject({ exit: 5, code: 'memory_outside_project' })
      expect(await world.failure('list')).toMatchObject({ exit: 5, code: 'memory_outside_project' })
      expect(readdirSync(world.home)).toEqual([])
    }),
  )

  it.skipIf(process.platform === 'win32')(
    'a file of the memory that links out of the project is refused, and nothing is read or written behind it',
    inWorld(async world => {
      const files = [
        '.vault/index.db',
        '.vault/lock.db',
        'history/audit.jsonl',
        'config.json',
        'curation.json',
        'local/curation.json',
      ]
      for (const name of [...files, '_project.md', '.vault/backup']) {
        const [link, outside] = [path.join(world.root, '.memory', name), path.join(world.home, 'outside')]
        mkdirSync(path.dirname(link), { recursive: true })
        // One that leads nowhere would be made by the first write.
        symlinkSync(outside, link)
        for (const words of [['remember', 'x'], ['search', 'x'], ['brief'], ['status']]) {
          expect([name, await world.failure(...words)]).toMatchObject([
            name,
            { exit: 5, code: 'memory_outside_project' },
          ])
        }
        writeFileSync(outside, 'precious')
        expect(await world.failure('remember', 'x')).toMatchObject({ code: 'memory_outside_project' })
        expect(readdirSync(world.home)).toEqual(['outside'])
        expect(readFileSync(outside, 'utf8')).toBe('precious')
        rmSync(path.join(world.root, '.memory'), { recursive: true })
        rmSync(outside)
      }
    }),
  )

  it.skipIf(process.platform === 'win32')(
    'nothing is written through a link, whatever it is called',
    inWorld(async world => {
      await world.ok('remember', 'Inside.')
      const outside = path.join(world.home, 'outside')
      const lead = (name: string) => symlinkSync(outside, path.join(world.root, '.memory', name))
      const refused = { exit: 5, code: 'memory_outside_project' }
      lead('history/events.jsonl')
      expect(
        await world.failure('session', 'run', 's1', '--command', 'npm test', '--exit-code', '0'),
      ).toMatchObject(refused)
      expect(await world.failure('events')).toMatchObject(refused)
      lead('.vault/compact-log.json')
      expect(await world.failure('compact')).toMatchObject(refused)
      lead(`${path.relative('.memory', fileSaying(world.root, 'Inside.'))}.cairn-tmp`)
      expect(await world.failure('edit', 'inside', '--content', 'Outside.')).toMatchObject(refused)
      lead('local')
      expect(
        await world.failure('remember', 'Outside.', '--category', 'handoffs', '--kind', 'handoff'),
      ).toMatchObject(refused)
      rmSync(path.join(world.root, '.memory/local'))
      lead('config.json.cairn-tmp')
      expect(await world.failure('config', 'set', 'search.limit', '3')).toMatchObject(refused)
      rmSync(path.join(world.root, '.memory/.gitignore'))
      lead('.gitignore.cairn-tmp')
      expect(await world.failure('remember', 'Outside.')).toMatchObject(refused)
      for (const name of ['.vault/index.db-wal', '.vault/lock.db-journal', '.vault/event-hashes']) {
        rmSync(path.join(world.root, '.memory', name), { force: true })
        lead(name)
        await world.cairn(['search', 'inside'])
        await world.cairn(['remember', 'Outside.'])
      }
      expect(ofHome(world)).toEqual([])
    }),
  )

  it(
    'a lock that is not a database is made empty again, and nobody is kept from writing',
    inWorld(async world => {
      await world.ok('remember', 'Inside.')
      world.write('.memory/.vault/lock.db', 'this is no database, however long it is. '.repeat(200))
      await world.ok('remember', 'x')
      expect(await contents(world)).toEqual(['Inside.', 'x'])
    }),
  )

  it.skipIf(process.platform === 'win32')(
    'a vault that leads out of the project is reported, and neither read nor written',
    inWorld(async world => {
      await world.ok('remember', 'Inside.')
      writeFileSync(path.join(world.home, 'lessons.md'), '## 2026-01-01\n\nOutside.\n\n---\n')
      symlinkSync(world.home, path.join(world.root, '.memory', 'evil'))
      expect(await contents(world)).toEqual(['Inside.'])
      expect((await world.json('status')).problems.map(({ code }) => code)).toEqual(['vault_link_outside'])
      expect((await world.cairn(['remember', 'x', '--agent', 'evil'])).code).toBeGreaterThan(0)
      expect(ofHome(world)).toEqual(['lessons.md'])
    }),
  )

  it.skipIf(process.platform === 'win32')(
    'a vault file that links out of the project is neither read nor written through',
    inWorld(async world => {
      await world.ok('remember', 'Inside.')
      const outside = path.join(world.home, 'decisions.md')
      writeFileSync(outside, '## 2026-01-01\n\nOutside.\n\n---\n')
      symlinkSync(outside, path.join(world.root, '.memory', 'shared', 'decisions.md'))
      expect(await contents(world)).toEqual(['Inside.'])
    }),
  )
})

describe.concurrent(`a read-only memory${NO_READ_ONLY}`, () => {
  it.skipIf(NO_READ_ONLY !== '')(
    'is read and searched, says so, and refuses to be written',
    inWorld(async world => {
      await world.ok('remember', 'Sessions live in Redis.')
      const before = world.bytes()
      await readOnly(world, async () => {
        expect(await contents(world)).toEqual(['Sessions live in Redis.'])
        expect((await world.json('search', 'redis')).hits).toHaveLength(1)
        expect(await world.json('status')).toMatchObject({
          entries: 1,
          readOnly: { code: 'vault_read_only' },
        })
        for (const words of [
          ['remember', 'New.'],
          ['forget', 'Redis sessions'],
          ['config', 'set', 'search.limit', '3'],
          ['undo'],
        ]) {
          expect(await world.failure(...words)).toMatchObject({ exit: 5, code: 'vault_read_only' })
        }
      })
      expect(world.bytes()[LESSONS]).toBe(before[LESSONS])
      await world.ok('remember', 'New.')
      expect(await contents(world)).toEqual(['New.', 'Sessions live in Redis.'])
    }),
  )

  it.skipIf(NO_READ_ONLY !== '')(
    'that another tool filled and Cairn never indexed is searched all the same',
    inWorld(
      async world => {
        await readOnly(world, async () => {
          const answer = await world.json('search', 'typed')
          expect(answer.hits.map(hit => hit.entry.content)).toEqual(['Typed.'])
          expect(answer.degraded.map(({ code }) => code)).toEqual(['index_in_memory', 'vectors_waiting'])
        })
      },
      { [LESSONS]: '## 2026-01-01\n\nTyped.\n\n---\n' },
    ),
  )
})

describe.concurrent(`a full disk${NO_FULL_DISK}`, () => {
  it.skipIf(NO_FULL_DISK !== '')(
    'fails the write with disk_full, keeps every acknowledged entry, and goes on when there is room again',
    inWorld(async world => {
      spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1100k', 'none', world.root])
      try {
        const kept: string[] = []
        let failed: { exit: number | null; code: string } | undefined
        for (let n = 0; failed === undefined && n < 60; n++) {
          const text = `Entry ${n} ${'padding '.repeat(1_000)}`
          const run = await world.cairn(['remember', text, '--json'])
          if (run.code === 0) kept.push(text.trim())
          else failed = { exit: run.code, code: JSON.parse(run.stdout).error.code }
        }
        expect(failed).toEqual({ exit: 6, code: 'disk_full' })
        expect(kept.length).toBeGreaterThan(2)
        // Reading goes on, or says why it cannot.
        for (const verb of ['list', 'status', 'log']) {
          const run = await world.cairn([verb, '--json'])
          if (run.code !== 0) expect(JSON.parse(run.stdout).error).toMatchObject({ code: 'disk_full' })
        }
        spawnSync('mount', ['-o', 'remount,size=4m', world.root])
        await world.ok('remember', 'There is room again.')
        const { entries } = await world.json('list', '--limit', '100')
        expect(contentsOf(entries).map(content => content.trim())).toEqual(
          [...kept, 'There is room again.'].sort(),
        )
        expect((await world.json('doctor')).healthy).toBe(true)
      } finally {
        spawnSync('umount', ['-l', world.root])
      }
    }),
  )
})

describe.concurrent('a corrupt index', () => {
  const DAMAGE: Readonly<Record<string, (file: string) => void>> = {
    'garbage bytes': file => writeFileSync(file, 'this is not a database '.repeat(1_000)),
    'a damaged middle': file => {
      const bytes = new Uint8Array(statSync(file).size - 4_096).fill(0x5a)
      const descriptor = openSync(file, 'r+')
      writeSync(descriptor, bytes, 0, bytes.length, 4_096)
      closeSync(descriptor)
    },
    'cut in half': file => truncateSync(file, Math.floor(statSync(file).size / 2)),
    'zero length': file => truncateSync(file, 0),
    'the entry table dropped': file => alter(file, 'DROP TABLE entry'),
    'the full-text table dropped': file => alter(file, 'DROP TABLE fulltext'),
    'a column gone': file => alter(file, 'ALTER TABLE entry RENAME COLUMN content TO something'),
  }

  function alter(file: string, sql: string): void {
    const database = new DatabaseSync(file)
    database.exec(sql)
    database.close()
  }

  for (const [name, damage] of Object.entries(DAMAGE)) {
    it(
      `with ${name} is rebuilt on the way to the answer, says so, and loses nothing`,
      inWorld(async world => {
        await world.ok('remember', 'Sessions live in Redis.')
        await world.ok('remember', 'Deploys on Tuesday.')
        damage(inVault(world, 'index.db'))
        for (const suffix of ['-wal', '-shm']) rmSync(inVault(world, `index.db${suffix}`), { force: true })
        const answer = await world.json('search', 'redis')
        expect(answer.hits.map(hit => hit.entry.content)).toEqual(['Sessions live in Redis.'])
        // An empty file is a new index, not a damaged one.
        // That the vectors are to be made again is said, or not, by when the damage was met.
        const codes = answer.degraded.map(({ code }) => code).filter(code => code !== 'vectors_waiting')
        expect(codes).toEqual(name === 'zero length' ? [] : ['index_rebuilt'])
        expect(await contents(world)).toEqual(['Deploys on Tuesday.', 'Sessions live in Redis.'])
        await world.ok('remember', 'Written after.')
        expect((await world.json('doctor')).healthy).toBe(true)
        expect((await world.json('log')).records.map(({ action }) => action)).toEqual(['add', 'add', 'add'])
      }),
    )
  }

  it(
    'is rebuilt by a write as well, and doctor --fix mends one that merely says something else',
    inWorld(async world => {
      await world.ok('remember', 'One.')
      writeFileSync(inVault(world, 'index.db'), 'garbage')
      expect((await world.json('remember', 'Two.')).degraded.map(({ code }) => code)).toEqual([
        'index_rebuilt',
      ])
      alter(inVault(world, 'index.db'), "UPDATE entry SET content = 'Lies.' WHERE content = 'One.'")
      const run = await world.cairn(['doctor'])
      expect(run.code).toBe(1)
      expect(run.stdout).toContain('index_disagrees')
      expect((await world.json('doctor', '--fix')).healthy).toBe(true)
      expect(await contents(world)).toEqual(['One.', 'Two.'])
    }),
  )

  it(
    'and a lost .vault folder cost nothing but counters',
    inWorld(async world => {
      await world.ok('remember', 'One.')
      await world.ok('forget', 'One.')
      await world.ok('remember', 'Two.')
      rmSync(path.join(world.root, '.memory', '.vault'), { recursive: true })
      expect(await contents(world)).toEqual(['Two.'])
      expect((await world.json('log')).records.map(({ action }) => action)).toEqual(['add', 'remove', 'add'])
      await world.ok('undo')
      await world.ok('undo')
      expect(await contents(world)).toEqual(['One.'])
    }),
  )

  it(
    'made by a newer Cairn is left alone: the answer comes from memory, and writing is refused',
    inWorld(async world => {
      await world.ok('remember', 'One.')
      alter(inVault(world, 'index.db'), 'PRAGMA user_version = 9999')
      const answer = await world.json('search', 'one')
      expect([answer.hits.length, answer.degraded.map(({ code }) => code)]).toEqual([
        1,
        ['index_newer', 'vectors_waiting'],
      ])
      expect(await world.json('status')).toMatchObject({ entries: 1, readOnly: { code: 'vault_newer' } })
      for (const words of [
        ['remember', 'Two.'],
        ['forget', 'One.'],
        ['config', 'set', 'search.limit', '3'],
        ['doctor', '--fix'],
      ]) {
        const run = await world.cairn([...words, '--json'])
        if (words[0] !== 'doctor') expect(JSON.parse(run.stdout).error).toMatchObject({ code: 'vault_newer' })
      }
      const database = new DatabaseSync(inVault(world, 'index.db'))
      expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 9999 })
      database.close()
      expect(await contents(world)).toEqual(['One.'])
    }),
  )
})

describe.concurrent('config.json and curation.json', () => {
  it(
    'a damaged config is answered from its backup, said so, kept, and mended by the next change',
    inWorld(async world => {
      await world.ok('config', 'set', 'search.limit', '7')
      await world.ok('config', 'set', 'search.limit', '8')
      world.write('.memory/config.json', '{ "version": 2, <<<<<<<')
      const run = await world.cairn(['config', 'get', 'search.limit'])
      expect(run.stdout).toBe('search.limit = 8\n')
      expect((await world.cairn(['doctor'])).stdout).toContain('warning  config.json: ')
      await world.ok('config', 'set', 'search.limit', '9')
      expect(JSON.parse(world.read('.memory/config.json'))).toEqual({ version: 2, search: { limit: 9 } })
      expect(
        readdirSync(inVault(world, 'backup')).filter(name => name.startsWith('config.json.damaged')),
      ).toHaveLength(1)
    }),
  )

  it(
    'a damaged config without a backup refuses to write, reads go on, and the file is kept',
    inWorld(async world => {
      await world.ok('remember', 'One.')
      rmSync(inVault(world, 'backup'), { recursive: true, force: true })
      world.write('.memory/config.json', 'not json')
      expect(await contents(world)).toEqual(['One.'])
      expect(await world.failure('remember', 'Two.')).toMatchObject({ exit: 6, code: 'document_damaged' })
      expect(world.read('.memory/config.json')).toBe('not json')
      const doctor = await world.cairn(['doctor'])
      expect([doctor.code, doctor.stdout.includes('failure  config.json: ')]).toEqual([1, true])
    }),
  )

  it(
    'a newer config is obeyed as far as it is understood, and makes the memory read-only',
    inWorld(async world => {
      await world.ok('remember', 'One.')
      const newer = JSON.stringify({ version: 99, search: { limit: 4 }, brandNew: true })
      world.write('.memory/config.json', newer)
      expect(await contents(world)).toEqual(['One.'])
      expect(await world.ok('config', 'get', 'search.limit')).toBe('search.limit = 4\n')
      expect(await world.failure('remember', 'Two.')).toMatchObject({ exit: 5, code: 'vault_newer' })
      expect(await world.json('status')).toMatchObject({ readOnly: { code: 'vault_newer' } })
      expect(world.read('.memory/config.json')).toBe(newer)
    }),
  )

  it(
    'unknown keys survive a change, a version is added to a file written by hand, and a BOM does not matter',
    inWorld(
      async world => {
        await world.ok('config', 'set', 'search.limit', '5')
        expect(JSON.parse(world.read('.memory/config.json'))).toEqual({
          version: 1,
          future: { a: [1] },
          search: { other: true, limit: 5 },
        })
      },
      { '.memory/config.json': '\ufeff{"future":{"a":[1]},"search":{"other":true}}' },
    ),
  )

  it(
    'a value that makes no sense is named, with the way out, and the way out works',
    inWorld(
      async world => {
        await world.ok('search', 'x')
        const { problems } = await world.json<{ problems: { code: string; hint: string }[] }>('status')
        expect(problems.map(problem => problem.code)).toEqual(['config_value_invalid'])
        expect(problems[0]?.hint).toContain('cairn config unset search.limit')
        await world.ok('config', 'unset', 'search.limit')
        expect((await world.json<{ problems: unknown[] }>('status')).problems).toEqual([])
      },
      { '.memory/config.json': '{"version":1,"search":{"limit":"lots"}}' },
    ),
  )

  it(
    'a damaged curation.json is answered from its backup; without one, search says so or goes on with the defaults',
    inWorld(async world => {
      await world.ok('remember', 'The accounting export runs at night.')
      await world.ok('alias', 'add', 'ledger', 'accounting')
      await world.ok('alias', 'add', 'other', 'thing')
      world.write('.memory/curation.json', '')
      const answer = await world.json('search', 'ledger')
      expect([answer.hits.length, answer.degraded.map(({ code }) => code)]).toEqual([
        1,
        ['document_restored'],
      ])
      rmSync(inVault(world, 'backup'), { recursive: true })
      const run = await world.cairn(['search', 'accounting', '--json'])
      if (run.code === 0) expect(JSON.parse(run.stdout)).toMatchObject({ hits: [{}], degraded: [{}] })
      else expect(JSON.parse(run.stdout).error).toMatchObject({ code: 'document_damaged' })
    }),
  )

  it(
    'a folder where a file should be is answered in words',
    inWorld(async world => {
      mkdirSync(path.join(world.root, '.memory', 'config.json'), { recursive: true })
      const failure = await world.failure('list')
      expect(failure.exit).toBeGreaterThan(1)
      mkdirSync(path.join(world.root, '.memory', 'shared', 'lessons.md'), { recursive: true })
      expect((await world.cairn(['status', '--json'])).stderr).toBe('')
    }),
  )

  it(
    'a journal with a damaged line is used but for that line, and doctor names it',
    inWorld(async world => {
      await world.ok('remember', 'One.')
      const journal = '.memory/history/audit.jsonl'
      world.write(journal, `${world.read(journal)}{"half":\n`)
      await world.ok('remember', 'Two.')
      expect((await world.json('log')).records.map(({ action }) => action)).toEqual(['add', 'add'])
      expect((await world.cairn(['doctor'])).stdout).toContain('journal_line_damaged')
      expect(world.read(journal)).toContain('{"half":\n')
    }),
  )
})
