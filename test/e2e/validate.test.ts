import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { soundMemory } from '../support/sound-memory.ts'
import { inWorld, type World } from './world.ts'

interface Report {
  readonly valid: boolean
  readonly totals: { readonly error: number; readonly warning: number; readonly note: number }
  readonly findings: readonly { readonly code: string; readonly path: string; readonly line?: number }[]
  readonly fixed: readonly { readonly path: string; readonly what: string }[]
}

const WARNING = { '.memory/_project.md': 'word '.repeat(501) }
const ERROR = { '.memory/config.json': '{ "version": 1,' }

async function ends(world: World, ...words: string[]): Promise<number | null> {
  const run = await world.cairn(['validate', ...words])
  expect(run.stderr).toBe('')
  return run.code
}

describe.concurrent('cairn validate', () => {
  it(
    'ends with 0 when all is sound or only warned of, with 7 for errors, and for warnings when it is strict',
    inWorld(async world => {
      expect(await ends(world)).toBe(0)
      for (const [name, text] of Object.entries(soundMemory())) world.write(name, text)
      expect(await ends(world, '--strict')).toBe(0)
      for (const [name, text] of Object.entries(WARNING)) world.write(name, text)
      expect([await ends(world), await ends(world, '--strict')]).toEqual([0, 7])
      for (const [name, text] of Object.entries(ERROR)) world.write(name, text)
      expect([await ends(world), await ends(world, '--json')]).toEqual([7, 7])
      expect([await ends(world, '--only', 'project'), await ends(world, '--only', 'config')]).toEqual([0, 7])
    }),
  )

  it(
    'shows findings by file, the worst first, with line, code and fix',
    inWorld(
      async world => {
        const run = await world.cairn(['validate'])
        expect(run.stdout.replace(/\d+ checks/, 'N checks')).toBe(
          [
            '.memory/config.json',
            '  error  1: the file cannot be read: it is not JSON  config_damaged',
            '         → Mend the file by hand, or move it away to begin with the defaults.',
            '',
            '.memory/_project.md',
            '  warn   501 words; above 500 every brief cuts it  project_text_long',
            '         → Keep what every agent must know, and make entries of the rest: `cairn remember "…"`.',
            '',
            'Not checked: .memory/.vault/checkpoints (read with --deep)',
            'Not valid: 1 error, 1 warning, 0 notes in 29 files, N checks.',
            '',
          ].join('\n'),
        )
      },
      { ...soundMemory(), '.memory/.vault/checkpoints/dev/x.json': '{}', ...WARNING, ...ERROR },
    ),
  )

  it(
    'leaves a clone as it is: no index, no folder, no byte',
    inWorld(async world => {
      for (const [name, text] of Object.entries(soundMemory())) {
        const isLocal =
          /private|conversations|sessions|history|archive|\.vault|state\.json|sources\.json/.test(name)
        if (!isLocal) world.write(name, text)
      }
      const before = world.bytes()
      await world.ok('validate', '--strict')
      await world.ok('validate', '--strict', '--deep')
      await world.ok('validate', '--fix')
      expect(world.bytes()).toEqual(before)
      // With an index beside it, too.
      await world.ok('list')
      const indexed = world.bytes()
      await world.ok('validate')
      expect(world.bytes()).toEqual(indexed)
    }),
  )

  it(
    'mends with --fix what it showed with --dry-run',
    inWorld(
      async world => {
        const shown = await world.cairn(['validate', '--fix', '--dry-run', '--json'])
        const plan = JSON.parse(shown.stdout) as Report
        expect([shown.code, plan.fixed.length, world.read('.memory/.gitignore')]).toEqual([
          7,
          2,
          'history/\n',
        ])
        const done = await world.json<Report>('validate', '--fix')
        expect([done.valid, done.fixed, done.totals]).toEqual([
          true,
          plan.fixed,
          { error: 0, warning: 0, note: 0 },
        ])
        expect(await world.failure('validate', '--dry-run')).toMatchObject({ exit: 2, code: 'invalid_input' })
      },
      { ...soundMemory(), '.memory/.gitignore': 'history/\n', '.memory/.vault/index.db': 'no database' },
    ),
  )

  it(
    'annotates in GitHub Actions on standard error, from the root of the checkout, and lets no file command',
    inWorld(async world => {
      const evil = 'x%0A::error::y,line=1:##[group]z\n::set-output name=a::b'
      world.write('packages/api/.memory/.gitignore', soundMemory()['.memory/.gitignore'] ?? '')
      world.write('packages/api/.memory/config.json', JSON.stringify({ version: 1, [evil]: 1 }, null, 2))
      world.write('packages/api/.memory/shared/##[group]a\nb.txt', '')
      const env = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: world.root }
      const cwd = path.join(world.root, 'packages/api')
      for (const words of [['validate'], ['validate', '--json']]) {
        const run = await world.cairn(words, { env, cwd })
        expect(run.code).toBe(0)
        expect(`${run.stdout}`).not.toContain('##[')
        expect(run.stdout.split('\n').filter(line => line.trimStart().startsWith('::'))).toEqual([])
        const lines = run.stderr.trimEnd().split('\n')
        expect(lines.map(line => line.slice(0, 90).replace(/title=.*/, ''))).toEqual([
          '::warning file=packages/api/.memory/config.json,line=3,',
          '::notice file=packages/api/.memory/shared/##[group]a%0Ab.txt,',
        ])
      }
    }),
  )

  it(
    'shows hostile names without obeying them, and no secret',
    inWorld(async world => {
      const token = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`
      for (const [name, text] of Object.entries(soundMemory())) world.write(name, text)
      world.write(`.memory/shared/\u001b[31mred\u202e${token}.txt`, '')
      world.write('.memory/shared/tasks.md', `<!-- id:a%0Ab%1B[31m -->\n## 2026-03-15\n\nx\n\n---\n`)
      const { stdout, code } = await world.cairn(['validate'])
      expect(code).toBe(0)
      expect(stdout).not.toContain('\u001b')
      expect(stdout).not.toContain('\u202e')
      expect(stdout).not.toContain(token)
      expect(stdout).toContain('id_malformed')
    }),
  )

  it(
    'prints a workflow for GitHub Actions, the one that the guide shows',
    inWorld(async world => {
      const workflow = await world.ok('validate', '--github-action')
      const guide = readFileSync(
        fileURLToPath(new URL('../../docs/guide/validate.md', import.meta.url)),
        'utf8',
      )
      expect(guide).toContain(`\`\`\`yaml\n${workflow}\`\`\``)
      const { version } = JSON.parse(
        readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8'),
      ) as { version: string }
      expect(workflow).toContain(`npx --yes cairn-memory@${version} validate --strict --deep --json`)
      expect(workflow).not.toMatch(/secrets\.|write/)
      expect(await world.json('validate', '--github-action')).toEqual({ workflow })
    }),
  )

  it(
    'says what git tracks of the private vault in a subfolder of the checkout',
    inWorld(async world => {
      world.write('app/.memory/.gitignore', soundMemory()['.memory/.gitignore'] ?? '')
      world.write('app/.memory/private/lessons.md', '')
      const git = (...words: string[]) =>
        execFileSync('git', words, { cwd: world.root, env: world.environment, stdio: 'pipe' })
      git('init', '-q')
      git('add', '-f', 'app/.memory/private/lessons.md')
      const run = await world.cairn(['validate', '--json', '--root', path.join(world.root, 'app')])
      expect([run.code, (JSON.parse(run.stdout) as Report).findings.map(({ code }) => code)]).toEqual([
        7,
        ['local_part_tracked'],
      ])
    }),
  )
})
