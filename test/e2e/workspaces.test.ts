import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { inWorld, type World } from './world.ts'

const R = 'resources/workspaces/devtools'
const PLAN =
  '---\nname: Engine\ndescription: Run graphs\nstatus: new\ncreated: 2026-02-08\ntags: [graphs]\n---\n'
const FILES = {
  [`${R}/OVERVIEW.md`]: '---\nname: DevTools\ndescription: Tools\ntags: []\n---\n',
  [`${R}/common/_plans/260208-engine.md`]: PLAN,
}

interface Plans {
  readonly plans: readonly { readonly name: string; readonly status?: string }[]
  readonly leftOut: number
  readonly problems: readonly { readonly code: string; readonly line?: number; readonly hint: string }[]
}

describe.concurrent('workspaces from the command line', () => {
  it(
    'a scope is named in one word or in parts, never in both',
    inWorld(async world => {
      const whole = await world.ok('retrieve', 'plans', 'devtools/common')
      expect(await world.ok('retrieve', 'plans', '--workspace', 'devtools', '--domain', 'common')).toBe(whole)
      expect(await world.failure('retrieve', 'plans', 'devtools', '--domain', 'common')).toMatchObject({
        exit: 2,
        code: 'scope_invalid',
      })
      expect(await world.failure('retrieve', 'plans')).toMatchObject({ exit: 2, code: 'scope_invalid' })
      expect(await world.failure('retrieve', 'plans', '../../etc')).toMatchObject({
        exit: 2,
        code: 'scope_invalid',
      })
      expect(await world.failure('retrieve', 'learnings', 'devtols')).toMatchObject({
        exit: 3,
        code: 'workspace_not_found',
        hint: expect.stringContaining('devtools'),
      })
    }, FILES),
  )

  it(
    'filters and limits are checked',
    inWorld(async world => {
      expect(
        (await world.json<Plans>('retrieve', 'plans', 'devtools', '--status', 'done,new')).plans,
      ).toHaveLength(1)
      expect((await world.json<Plans>('retrieve', 'plans', 'devtools', '--status', 'done')).plans).toEqual([])
      for (const wrong of [
        ['--status', 'doen'],
        ['--limit', '0'],
        ['--limit', '100000'],
        ['--limit', 'x'],
      ])
        expect(await world.failure('retrieve', 'plans', 'devtools', ...wrong)).toMatchObject({
          exit: 2,
          code: 'invalid_input',
        })
    }, FILES),
  )

  it(
    'what cannot be read is told with file, line and the expected form, in YAML and in JSON',
    inWorld(async world => {
      world.write(`${R}/common/_plans/260209-bad.md`, '---\nname: Bad\nstatus: [\n---\n')
      const answer = await world.json<Plans>('retrieve', 'plans', 'devtools')
      expect(answer).toMatchObject({
        plans: [{ name: 'Engine' }],
        leftOut: 1,
        problems: [{ code: 'front_matter_invalid', line: 4, hint: expect.stringContaining('Expected: ') }],
      })
      const yaml = await world.ok('retrieve', 'plans', 'devtools')
      expect(yaml).toContain('left_out: 1\n')
      expect(yaml).toContain(`file: "${R}/common/_plans/260209-bad.md"\n    line: 4\n`)
    }, FILES),
  )

  it(
    'asking writes nothing',
    inWorld(async world => {
      const before = world.bytes()
      for (const verb of ['plans', 'overview', 'learnings']) await world.ok('retrieve', verb, 'devtools')
      await world.ok('workspaces')
      await world.ok('workspace', 'migrate')
      expect(world.bytes()).toEqual(before)
    }, FILES),
  )

  it(
    'a plan, an overview and a lesson are written, shown in the log, and undone',
    inWorld(async world => {
      const before = world.read(`${R}/common/_plans/260208-engine.md`)
      await world.ok('workspace', 'plan', 'set', '260208-engine', '--status', 'done')
      expect(world.read(`${R}/common/_plans/260208-engine.md`)).toContain('status: done\n')
      const { records } = await world.json('log')
      expect(records[0]).toMatchObject({
        action: 'edit-files',
        entries: [{ id: `${R}/common/_plans/260208-engine.md` }],
      })
      await world.ok('undo')
      expect(world.read(`${R}/common/_plans/260208-engine.md`)).toBe(before)
      const run = await world.cairn(
        [
          'workspace',
          'learn',
          'lesson',
          'Long story',
          '--scope',
          'devtools',
          '--category',
          'debugging',
          '--content',
          '-',
        ],
        { input: 'It began\nwith a build.\n' },
      )
      expect(run).toMatchObject({ code: 0, stderr: '' })
      expect(world.read('user/memory/workspaces/devtools/lessons.md')).toContain(
        '\n\nIt began\nwith a build.\n\n---\n',
      )
      expect(
        await world.ok(
          'workspace',
          'learn',
          'lesson',
          'Long story',
          '--scope',
          'devtools',
          '--category',
          'x',
          '--content',
          'It began with a build.',
        ),
      ).toContain('Known already')
    }, FILES),
  )

  it(
    'a secret is taken out and told, and stands nowhere',
    inWorld(async world => {
      const token = `ghp_${'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW1xY2'}`
      const said = await world.ok(
        'workspace',
        'learn',
        'lesson',
        `Never use ${token}`,
        '--scope',
        'devtools',
        '--category',
        'x',
      )
      expect(said).toContain('Removed github_token from the title')
      const refused = await world.failure('workspace', 'overview', 'set', token, '--description', 'x')
      expect(JSON.stringify(refused)).not.toContain(token)
      for (const file of Object.keys(world.bytes()).filter(name => /\.(?:md|jsonl?)$/.test(name)))
        expect(world.read(file), file).not.toContain(token)
    }, FILES),
  )

  it(
    'migrate takes the date of the first commit where the name has none',
    inWorld(async world => {
      world.write(`${R}/_plans/engine.md`, '# Engine\n\nRun graphs.\n')
      const git = (...words: string[]) =>
        execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...words], {
          cwd: world.root,
          env: {
            ...world.environment,
            GIT_AUTHOR_DATE: '2025-03-04T12:00:00Z',
            GIT_COMMITTER_DATE: '2025-03-04T12:00:00Z',
          },
        })
      git('init', '-q')
      git('add', '.')
      git('commit', '-qm', 'first')
      const shown = await world.ok('workspace', 'migrate')
      expect(shown).toContain('+ created: 2025-03-04  (its first commit)')
      expect(shown).toContain('Nothing was written; --apply does it.')
      await world.ok('workspace', 'migrate', '--apply')
      expect(world.read(`${R}/_plans/engine.md`)).toContain('created: 2025-03-04\n')
      expect(await world.ok('workspace', 'migrate', '--apply')).toContain('Nothing to migrate')
    }, FILES),
  )

  it(
    'escape sequences in a file reach no terminal',
    inWorld(async (world: World) => {
      const sequence = '\u001b[2J\u202e'
      world.write(
        `${R}/_plans/260210-x.md`,
        `---\nname: "a${sequence}b"\ndescription: "\\e[31m"\nstatus: new\ncreated: 2026-02-10\n---\n`,
      )
      world.write(`${R}/OVERVIEW.md`, `# ${sequence}\n`)
      for (const words of [
        ['retrieve', 'plans', 'devtools'],
        ['retrieve', 'overview', 'devtools'],
        ['workspaces'],
        ['workspace', 'migrate'],
      ])
        expect(await world.ok(...words), words.join(' ')).not.toMatch(
          /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/,
        )
    }, FILES),
  )
})
