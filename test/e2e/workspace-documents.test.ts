import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Hit } from '../../src/api.ts'
import { writeLearnings, writeOverview, writePlan } from '../support/workspace-tree.ts'
import { BINARY, inWorld, runProcess, type World } from './world.ts'

const PLAN = 'plan:devtools/common/260208-workflow-engine'
const PLAN_FILE = 'resources/workspaces/devtools/common/_plans/260208-workflow-engine.md'

function plant(world: World): void {
  writePlan(world.root, 'devtools/common', '260208-workflow-engine', {
    name: 'Workflow Engine',
    description: 'Run task graphs',
    status: 'in_progress',
    tags: ['workflow'],
    body: 'The scheduler retries a failed node three times.',
  })
  writeOverview(world.root, 'shop', 'What customers see', 'The basket forgets nothing.')
  writeLearnings(world.root, 'shop', 'lessons', [
    '### [2026-03-01] Coupons twice\n\n**Category:** debugging\n**Tags:** coupons\n\nA retried request applied a coupon twice.',
  ])
}

const searched = (world: World, ...words: string[]) =>
  world.json<{ hits: Hit[]; degraded: { code: string }[] }>('search', '--words', ...words)

async function git(world: World, ...words: string[]): Promise<void> {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false']
  const run = await runProcess('git', [...identity, ...words], { cwd: world.root, env: world.environment })
  expect(run.code, run.stderr).toBe(0)
}

describe.concurrent('documents of workspaces', () => {
  it(
    'are shown by a search with kind, scope, date, status and path',
    inWorld(async world => {
      plant(world)
      await world.ok('remember', 'The release train leaves on Tuesday.')
      expect((await world.ok('search', '--words', 'scheduler retries')).split('\n')).toEqual([
        `0.64  ${PLAN}  plan · devtools/common · 2026-02-08 · in_progress  #workflow`,
        '      …Engine Run task graphs The scheduler retries a failed node three times.',
        `      ${PLAN_FILE}`,
        expect.stringMatching(
          /^0\.\d\d {2}lesson:shop\/2026-03-01-coupons-twice {2}lesson · shop · 2026-03-01/,
        ),
        expect.stringContaining('A retried request applied a coupon twice.'),
        '      user/memory/workspaces/shop/lessons.md:3',
        '',
      ])
    }),
  )

  it(
    'are left out with --entries-only, and alone with --scope',
    inWorld(async world => {
      plant(world)
      await world.ok('remember', 'Our own scheduler never retries.')
      const ids = async (...words: string[]) => (await searched(world, ...words)).hits.map(({ id }) => id)
      expect(await ids('retries', '--entries-only')).toEqual([expect.stringMatching(/^\d+-\w+$/)])
      expect(await ids('retries', '--scope', 'shop')).toEqual(['lesson:shop/2026-03-01-coupons-twice'])
      expect(await ids('retries', '--scope', 'devtools')).toEqual([PLAN])
      expect(await world.failure('search', 'retries', '--scope', 'shops')).toMatchObject({
        exit: 3,
        code: 'workspace_not_found',
        hint: 'There are documents in devtools/common, shop.',
      })
      for (const scope of ['../shop', 'a/b/c/d', ''])
        expect(await world.failure('search', 'retries', '--scope', scope)).toMatchObject({
          exit: 2,
          code: 'scope_invalid',
        })
      expect(await world.failure('search', 'x', '--scope', 'shop', '--archive')).toMatchObject({ exit: 2 })
    }),
  )

  it(
    'are shown by id or by words, and refused where an entry is changed',
    inWorld(async world => {
      plant(world)
      await world.ok('remember', 'The release train leaves on Tuesday.')
      const shown = await world.ok('show', PLAN)
      expect(shown.split('\n').slice(0, 5)).toEqual([
        `${PLAN}  plan · devtools/common · 2026-02-08 · in_progress`,
        '#workflow',
        PLAN_FILE,
        '',
        'Workflow Engine',
      ])
      expect(await world.ok('show', 'coupon applied twice')).toContain('lessons.md:3')
      const refused = [['forget'], ['pin'], ['confirm'], ['links'], ['edit', '--content', 'x']]
      for (const [verb = '', ...flags] of refused)
        expect(await world.failure(verb, PLAN, ...flags)).toMatchObject({
          code: 'invalid_input',
          hint: `Edit ${PLAN_FILE}; the next search sees it.`,
        })
      expect(world.read(PLAN_FILE)).toContain('The scheduler retries')
    }),
  )

  it(
    'are told in a brief, once in a session, and `why` accounts for them',
    inWorld(async world => {
      plant(world)
      await world.ok('remember', 'The release train leaves on Tuesday.')
      const asked = ['--prompt', 'how often does the scheduler retry a failed node?']
      const text = await world.ok('brief', ...asked, '--session', 's1')
      expect(text).toContain(`- [plan · 2026-02-08 · devtools/common · in_progress · ${PLAN_FILE}] Workflow`)
      expect(await world.ok('brief', ...asked, '--session', 's1')).toBe('')
      const why = await world.ok('why', asked[1] ?? '')
      expect(why).toMatch(/in {3}0\.\d\d {2}plan:devtools\/common\S+ {2}plan · devtools\/common · 2026-02-08/)
      expect(why).toContain(PLAN_FILE)
      expect(await world.ok('brief', '--start')).not.toContain('scheduler')
    }),
  )

  it(
    'are counted by status, and no entry of the vault',
    inWorld(async world => {
      plant(world)
      await world.ok('remember', 'One.')
      const status = await world.json<{ entries: number; documents: unknown }>('status')
      expect([status.entries, status.documents]).toEqual([1, { count: 3, vectors: 0, waiting: 3 }])
      expect(await world.ok('status')).toContain('3 documents of workspaces, 3 waiting for their vectors\n')
      expect(await world.json('embed')).toMatchObject({ embedded: 3, waiting: 0 })
      expect((await world.json<{ documents: unknown }>('status')).documents).toEqual({
        count: 3,
        vectors: 3,
        waiting: 0,
      })
      expect((await world.json('list')).total).toBe(1)
      expect((await world.json('doctor')).healthy).toBe(true)
    }),
  )

  it(
    'follow a checkout of git to another branch and back',
    inWorld(async world => {
      plant(world)
      await world.ok('remember', 'One.')
      await git(world, 'init', '-q', '-b', 'main')
      await git(world, 'add', '-A')
      await git(world, 'commit', '-qm', 'one')
      await git(world, 'checkout', '-qb', 'other')
      world.write(PLAN_FILE, world.read(PLAN_FILE).replace('scheduler', 'crocodile'))
      await git(world, 'commit', '-qam', 'two')
      const count = async (word: string) => (await searched(world, word)).hits.length
      expect([await count('scheduler'), await count('crocodile')]).toEqual([0, 1])
      await git(world, 'checkout', '-q', 'main')
      expect([await count('scheduler'), await count('crocodile')]).toEqual([1, 0])
      await git(world, 'checkout', '-q', 'other')
      expect([await count('scheduler'), await count('crocodile')]).toEqual([0, 1])
    }),
  )

  it(
    'are taken in once by many processes at the same time, while others write',
    inWorld(async world => {
      plant(world)
      for (let n = 0; n < 150; n++)
        writePlan(world.root, 'devtools', `2601${n}`, { name: `Plan ${n}`, body: `zanzibar${n} said` })
      await world.ok('remember', 'One.')
      const runs = await Promise.all([
        ...Array.from({ length: 4 }, () => world.cairn(['search', '--words', 'zanzibar7', '--json'])),
        ...Array.from({ length: 3 }, (_, n) => world.cairn(['remember', `Writer ${n}.`, '--json'])),
      ])
      for (const run of runs) expect([run.code, run.stderr]).toEqual([0, ''])
      const { hits, degraded } = await searched(world, 'zanzibar149')
      expect([hits.map(({ id }) => id)[0], degraded]).toEqual(['plan:devtools/2601149', []])
      const { documents } = await world.json<{ documents: { count: number } }>('status')
      expect([documents.count, (await world.json('list')).total]).toEqual([153, 4])
      expect((await world.json('doctor')).healthy).toBe(true)
    }),
  )

  it(
    'answer a cold search and brief without the whole command line when nothing changed',
    inWorld(async world => {
      plant(world)
      await world.ok('remember', 'The release train leaves on Tuesday.')
      // What was just written is compared by content; then it has settled.
      await new Promise(resolve => setTimeout(resolve, 100))
      await searched(world, 'scheduler')
      const bare = path.join(world.temporary, 'dist')
      mkdirSync(bare)
      // On older versions of Node the database comes from there.
      const modules = path.resolve(path.dirname(BINARY), '../node_modules')
      symlinkSync(modules, path.join(world.temporary, 'node_modules'))
      for (const part of ['cairn.cjs', 'search', 'brief'])
        cpSync(path.join(path.dirname(BINARY), part), path.join(bare, part), { recursive: true })
      const run = (...words: string[]) =>
        runProcess(process.execPath, [path.join(bare, 'cairn.cjs'), ...words], {
          cwd: world.root,
          env: world.environment,
        })
      const found = await run('search', '--words', 'scheduler')
      expect([found.stderr, found.stdout.includes(PLAN)]).toEqual(['', true])
      const told = await run('brief', '--prompt', 'how often does the scheduler retry a failed node?')
      expect([told.code, told.stdout.includes(PLAN_FILE)]).toEqual([0, true])
    }),
  )

  it(
    'behind a link that leads out of the project or in a circle are not read',
    inWorld(async world => {
      plant(world)
      await world.ok('remember', 'One.')
      const workspaces = path.join(world.root, 'resources/workspaces')
      symlinkSync(world.home, path.join(workspaces, 'home'))
      symlinkSync(workspaces, path.join(workspaces, 'devtools', 'loop'))
      writePlan(world.home, '.', 'x')
      const { hits } = await searched(world, 'scheduler')
      expect(hits.map(({ id }) => id)).toEqual([PLAN])
      // The second look lists the folders again: with links among them stamps do not tell.
      expect((await searched(world, 'scheduler')).hits).toHaveLength(1)
    }),
  )
})
