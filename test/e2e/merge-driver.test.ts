import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileSaying } from '../support/vault-files.ts'
import { inWorld, type Run, runProcess, type World } from './world.ts'

const WHO = {
  GIT_AUTHOR_NAME: 'Ana',
  GIT_AUTHOR_EMAIL: 'ana@example.invalid',
  GIT_COMMITTER_NAME: 'Ana',
  GIT_COMMITTER_EMAIL: 'ana@example.invalid',
  GIT_CONFIG_NOSYSTEM: '1',
}

function git(world: World, ...words: string[]): Promise<Run> {
  return runProcess('git', words, { cwd: world.root, env: { ...world.environment, ...WHO } })
}

async function gitOk(world: World, ...words: string[]): Promise<string> {
  const run = await git(world, ...words)
  expect(run, `git ${words.join(' ')}`).toMatchObject({ code: 0 })
  return run.stdout
}

async function commit(world: World, message: string): Promise<void> {
  await gitOk(world, 'add', '-A')
  await gitOk(world, 'commit', '-q', '-m', message)
}

/** A repository with one entry, on main, and the driver in it. */
async function repository(world: World): Promise<string> {
  await gitOk(world, 'init', '-q', '-b', 'main')
  const { entry } = await world.json('remember', 'Sessions live in Redis for one hour.', '--kind', 'decision')
  await world.ok('merge-driver', 'install')
  await commit(world, 'start')
  return entry.id
}

async function onBranch(world: World, name: string, work: () => Promise<unknown>): Promise<void> {
  await gitOk(world, 'switch', '-q', '-c', name, 'main')
  await work()
  await commit(world, name)
}

const contents = async (world: World) =>
  (await world.json('list')).entries.map(({ content }) => content).sort()

describe('the merge driver', () => {
  it(
    'merges two branches that add, edit and delete entries of one file',
    inWorld(async world => {
      const id = await repository(world)
      const { entry: doomed } = await world.json(
        'remember',
        'Deploys go out on Fridays.',
        '--kind',
        'decision',
      )
      await commit(world, 'more')
      await onBranch(world, 'ours', async () => {
        await world.ok('remember', 'Queues are kept in Postgres.', '--kind', 'decision')
        await world.ok('edit', id, '--tags', 'redis')
      })
      await onBranch(world, 'theirs', async () => {
        await world.ok('remember', 'The API answers in JSON.', '--kind', 'decision')
        await world.ok('forget', doomed.id)
        await world.ok('edit', id, '--content', 'Sessions live in Redis for two hours.')
      })
      await gitOk(world, 'switch', '-q', 'ours')
      await gitOk(world, 'merge', '-q', '--no-edit', 'theirs')
      expect(await contents(world)).toEqual([
        'Queues are kept in Postgres.',
        'Sessions live in Redis for two hours.',
        'The API answers in JSON.',
      ])
      expect((await world.json('show', id)).entry.tags).toEqual(['redis'])
      expect((await world.json('status')).problems).toEqual([])
    }),
  )

  it(
    'works in a rebase and a cherry-pick',
    inWorld(async world => {
      await repository(world)
      await onBranch(world, 'ours', () =>
        world.ok('remember', 'Queues are kept in Postgres.', '--kind', 'decision'),
      )
      await onBranch(world, 'theirs', () =>
        world.ok('remember', 'The API answers in JSON.', '--kind', 'decision'),
      )
      await onBranch(world, 'third', () =>
        world.ok('remember', 'Logs are kept for a week.', '--kind', 'decision'),
      )
      await gitOk(world, 'switch', '-q', 'ours')
      await gitOk(world, 'rebase', '-q', 'theirs')
      await gitOk(world, 'cherry-pick', 'third')
      expect(await contents(world)).toEqual([
        'Logs are kept for a week.',
        'Queues are kept in Postgres.',
        'Sessions live in Redis for one hour.',
        'The API answers in JSON.',
      ])
    }),
  )

  it(
    'shows an entry that both changed as a conflict, and everything stays readable until it is resolved',
    inWorld(async world => {
      const id = await repository(world)
      await onBranch(world, 'ours', () =>
        world.ok('edit', id, '--content', 'Sessions live in Redis for two hours.'),
      )
      await onBranch(world, 'theirs', async () => {
        await world.ok('edit', id, '--content', 'Sessions live in memory.')
        await world.ok('remember', 'The API answers in JSON.', '--kind', 'decision')
      })
      await gitOk(world, 'switch', '-q', 'ours')
      const merge = await git(world, 'merge', '--no-edit', 'theirs')
      expect(merge.code).toBe(1)
      const file = fileSaying(world.root, id)
      expect(merge.stderr).toContain(`cairn: ${file}: conflict: ${id} was changed on both sides`)
      expect(await gitOk(world, 'diff', '--name-only', '--diff-filter=U')).toBe(`${file}\n`)
      expect(await contents(world)).toEqual([
        'Sessions live in Redis for two hours.',
        'Sessions live in memory.',
        'The API answers in JSON.',
      ])
      const { problems } = await world.json<{ problems: { code: string; message: string }[] }>('status')
      expect(problems).toMatchObject([
        { code: 'conflict_markers', message: expect.stringContaining(`about ${id}`) },
      ])
      expect((await world.cairn(['doctor'])).stdout).toContain(`about ${id}`)

      world.write(file, world.read(file).replace(/<<<<<<< .*\n[\s\S]*?=======\n([\s\S]*?)>>>>>>> .*\n/, '$1'))
      await commit(world, 'resolved')
      expect(await contents(world)).toEqual(['Sessions live in memory.', 'The API answers in JSON.'])
      expect((await world.json('status')).problems).toEqual([])
    }),
  )

  it(
    'merges settings and what people decided',
    inWorld(async world => {
      const id = await repository(world)
      await onBranch(world, 'ours', async () => {
        await world.ok('config', 'set', 'search.limit', '7')
        await world.ok('feedback', id, 'useful')
        await world.ok('feedback', id, 'useful')
        await world.ok('alias', 'add', 'ledger', 'accounting')
      })
      await onBranch(world, 'theirs', async () => {
        await world.ok('config', 'set', 'vault.keepEntries', '10')
        await world.ok('feedback', id, 'useful')
        await world.ok('alias', 'add', 'ledger', 'bookkeeping')
      })
      await gitOk(world, 'merge', '-q', '--no-edit', 'ours')
      expect(JSON.parse(world.read('.memory/config.json'))).toEqual({
        version: 2,
        search: { limit: 7 },
        vault: { keepEntries: 10 },
      })
      const { aliases, feedback } = JSON.parse(world.read('.memory/curation.json'))
      expect(aliases.ledger.toSorted()).toEqual(['accounting', 'bookkeeping'])
      expect(feedback).toBeUndefined()
    }),
  )

  it(
    'shows a setting that both changed as a conflict, and nothing writes over it',
    inWorld(async world => {
      await repository(world)
      await onBranch(world, 'ours', () => world.ok('config', 'set', 'search.limit', '7'))
      await onBranch(world, 'theirs', () => world.ok('config', 'set', 'search.limit', '9'))
      expect((await git(world, 'merge', '--no-edit', 'ours')).code).toBe(1)
      const text = world.read('.memory/config.json')
      for (const part of ['<<<<<<<', '"limit": 9', '"limit": 7', '>>>>>>>']) expect(text).toContain(part)
      expect(await world.failure('config', 'set', 'vault.keepEntries', '12')).toMatchObject({
        exit: 4,
        code: 'merge_conflict',
      })
      await world.ok('remember', 'The API answers in JSON.', '--kind', 'decision')
      expect(world.read('.memory/config.json')).toBe(text)
      const { degraded } = await world.json<{ degraded: unknown }>('status')
      expect(degraded).toMatchObject([{ code: 'document_in_conflict' }])
      expect((await world.cairn(['doctor'])).stdout).toContain('Keep one side of each conflict')
      // A clone has no version that was good before.
      rmSync(path.join(world.root, '.memory/.vault/backup'), { recursive: true })
      expect(await world.failure('remember', 'x y z')).toMatchObject({ code: 'merge_conflict' })

      world.write(
        '.memory/config.json',
        text.replace(/<<<<<<< .*\n([\s\S]*?)=======\n[\s\S]*?>>>>>>> .*\n/, '$1'),
      )
      await world.ok('config', 'set', 'vault.keepEntries', '12')
      expect(JSON.parse(world.read('.memory/config.json'))).toMatchObject({
        search: { limit: 9 },
        vault: { keepEntries: 12 },
      })
    }),
  )

  it(
    'keeps their side when a version cannot be taken apart',
    inWorld(async world => {
      await repository(world)
      await onBranch(world, 'ours', async () =>
        world.write('.memory/config.json', '{ "version": 1, "search": '),
      )
      await onBranch(world, 'theirs', () => world.ok('config', 'set', 'search.limit', '7'))
      await gitOk(world, 'switch', '-q', 'ours')
      const merge = await git(world, 'merge', '--no-edit', 'theirs')
      expect(merge.code).toBe(1)
      expect(merge.stderr).toContain(
        'cairn: .memory/config.json: merged as text, check the result: one of its versions',
      )
      expect(world.read('.memory/config.json')).toContain('"limit": 7')
      expect(world.read('.memory/config.json')).toContain('"search": ')
    }),
  )

  it.each([
    ['is gone from the machine', undefined, 'cairn is not there'],
    ['does not start', 'import nothing from nowhere', 'SyntaxError'],
    ['is killed', 'process.kill(process.pid, "SIGKILL")', 'Killed'],
  ])('leaves the merge to git where Cairn %s', (_name, program, said) =>
    inWorld(async world => {
      const id = await repository(world)
      const script = path.join(world.home, "an 'old' cairn.cjs")
      if (program !== undefined) writeFileSync(script, program)
      const command = (await gitOk(world, 'config', 'merge.cairn.driver')).trim()
      await gitOk(
        world,
        'config',
        'merge.cairn.driver',
        command.replaceAll(/s='[^']*'/g, () => `s='${script.replaceAll("'", "'\\''")}'`),
      )
      await onBranch(world, 'ours', () => world.ok('edit', id, '--content', 'Sessions live in Postgres.'))
      await onBranch(world, 'theirs', () => world.ok('edit', id, '--content', 'Sessions live in JSON.'))
      await gitOk(world, 'switch', '-q', 'ours')
      const merge = await git(world, 'merge', '--no-edit', 'theirs')
      expect(merge.code).toBe(1)
      expect(merge.stderr).toContain(said)
      const file = fileSaying(world.root, id)
      expect(merge.stderr).toContain(`cairn did not merge ${file}, git merges it as text`)
      const text = world.read(file)
      for (const part of ['<<<<<<<', 'Postgres', 'JSON', '>>>>>>>']) expect(text).toContain(part)
    })(),
  )

  it(
    'takes a file called like a flag for a file',
    inWorld(async world => {
      for (const [name, text] of [
        ['o', ''],
        ['a', '{"a":1}'],
        ['b', '{"b":2}'],
      ] as const)
        world.write(name, text)
      const run = await world.cairn(['merge-driver', 'o', 'a', 'b', '7', '--json/.memory/config.json'])
      expect(run).toMatchObject({ code: 0, stderr: '' })
      expect(JSON.parse(world.read('a'))).toEqual({ a: 1, b: 2 })
    }),
  )

  it(
    'fails the merge when nothing can be read or written, and leaves our file as it was',
    inWorld(async world => {
      world.write('o', '')
      world.write('a', '{"a":1}')
      const absent = await world.cairn(['merge-driver', 'o', 'a', 'nowhere', '7', '.memory/config.json'])
      expect(absent.code).toBe(129)
      expect(world.read('a')).toBe('{"a":1}')
      expect((await world.cairn(['merge-driver', 'o', 'a', 'b'])).code).toBe(129)
      expect(await world.failure('merge-driver')).toMatchObject({ exit: 2, code: 'invalid_input' })
      if (process.getuid?.() === 0) return
      world.write('b', '{"b":1}')
      chmodSync(world.root, 0o555)
      const readOnly = await world.cairn(['merge-driver', 'o', 'a', 'b', '7', '.memory/config.json'])
      chmodSync(world.root, 0o755)
      expect(readOnly.code).toBe(129)
      expect(world.read('a')).toBe('{"a":1}')
    }),
  )

  it(
    'writes nothing but the merged file, and needs no memory',
    inWorld(async world => {
      for (const name of ['o', 'a', 'b']) world.write(name, '')
      const before = world.bytes()
      await world.cairn(['merge-driver', 'o', 'a', 'b', '7', '.memory/dev/decisions.md'])
      expect(world.bytes()).toEqual(before)
    }),
  )
})

describe('cairn merge-driver install', () => {
  it(
    'changes two places, once, and uninstall brings both back byte for byte',
    inWorld(
      async world => {
        await gitOk(world, 'init', '-q')
        await world.ok('remember', 'x y z')
        const config = readFileSync(path.join(world.root, '.git/config'))
        const attributes = world.read('.memory/.gitattributes')
        const before = world.bytes()
        expect(await world.json('merge-driver', 'install', '--dry-run')).toMatchObject({
          installed: false,
          changed: ['.memory/.gitattributes', 'git config merge.cairn'],
        })
        expect(world.bytes()).toEqual(before)
        expect(await world.json('merge-driver', 'install')).toMatchObject({
          installed: true,
          config: 'current',
          attributes: 'current',
        })
        const after = world.bytes()
        expect(await world.json('merge-driver', 'install')).toMatchObject({ changed: [] })
        expect(world.bytes()).toEqual(after)
        expect(world.read('.memory/.gitattributes').endsWith(attributes)).toBe(true)
        expect(await gitOk(world, 'check-attr', 'merge', '.memory/dev/decisions.md')).toBe(
          '.memory/dev/decisions.md: merge: cairn\n',
        )
        expect(await world.json('merge-driver', 'status')).toMatchObject({ installed: true })
        expect(await world.json('merge-driver', 'uninstall')).toMatchObject({ installed: false })
        expect(readFileSync(path.join(world.root, '.git/config')).equals(config)).toBe(true)
        expect(world.read('.memory/.gitattributes')).toBe(attributes)
        expect(await world.json('merge-driver', 'uninstall')).toMatchObject({ changed: [] })
      },
      { '.memory/.gitattributes': '*.md text\r\n# no end' },
    ),
  )

  it(
    'leaves what somebody else wrote about the driver when it goes',
    inWorld(async world => {
      await gitOk(world, 'init', '-q')
      await world.ok('merge-driver', 'install')
      await gitOk(world, 'config', 'merge.cairn.recursive', 'binary')
      await gitOk(world, 'config', '--unset', 'merge.cairn.name')
      expect(await world.json('merge-driver', 'uninstall')).toMatchObject({ installed: false })
      expect(await gitOk(world, 'config', '--get-regexp', '^merge\\.')).toBe('merge.cairn.recursive binary\n')
    }),
  )

  it(
    'removes the file again that it has made',
    inWorld(async world => {
      await gitOk(world, 'init', '-q')
      await world.ok('merge-driver', 'install')
      await world.ok('merge-driver', 'uninstall')
      expect(existsSync(path.join(world.root, '.memory/.gitattributes'))).toBe(false)
    }),
  )

  it(
    'refuses where there is no repository, and writes through no link',
    inWorld(async world => {
      expect(await world.failure('merge-driver', 'install')).toMatchObject({
        exit: 3,
        code: 'file_not_found',
      })
      await gitOk(world, 'init', '-q')
      await world.ok('remember', 'x y z')
      const outside = path.join(world.home, 'attributes')
      writeFileSync(outside, 'mine\n')
      symlinkSync(outside, path.join(world.root, '.memory/.gitattributes'))
      expect(await world.failure('merge-driver', 'install')).toMatchObject({ code: 'memory_outside_project' })
      expect(readFileSync(outside, 'utf8')).toBe('mine\n')
      rmSync(path.join(world.root, '.memory/.gitattributes'))
    }),
  )

  it(
    'is needed once in every clone: the attributes alone make git run nothing',
    inWorld(async world => {
      await repository(world)
      await gitOk(world, 'clone', '-q', '.', 'clone')
      const run = await runProcess('git', ['config', '--get', 'merge.cairn.driver'], {
        cwd: path.join(world.root, 'clone'),
        env: { ...world.environment, ...WHO },
      })
      expect(run.code).toBe(1)
      const status = await world.cairn([
        '--json',
        'merge-driver',
        'status',
        '--root',
        path.join(world.root, 'clone'),
      ])
      expect(JSON.parse(status.stdout)).toMatchObject({
        installed: false,
        config: 'missing',
        attributes: 'current',
      })
    }),
  )
})
