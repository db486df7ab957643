import { spawn } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { BINARY, inWorld, type World } from './world.ts'

const R = 'resources/workspaces/k'
const FILES = {
  [`${R}/OVERVIEW.md`]: '---\nname: K\ndescription: d\ntags: []\n---\n',
  [`${R}/_plans/260208-x.md`]:
    '---\nname: X\ndescription: d\nstatus: new\ncreated: 2026-02-08\ntags: []\n---\n\nBody.\n',
}
const STATUSES = ['new', 'in_progress', 'partial', 'done', 'abandoned']

interface Learnings {
  readonly lessons: readonly { readonly content: string }[]
  readonly problems: readonly unknown[]
}

/** Starts a command and kills it after so long; resolves when it is gone. */
function killed(world: World, words: readonly string[], afterMs: number): Promise<void> {
  return new Promise(resolve => {
    const child = spawn(process.execPath, [BINARY, ...words], {
      cwd: world.root,
      env: world.environment,
      stdio: 'ignore',
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), afterMs)
    child.on('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

describe('many writers of one workspace', () => {
  it(
    'eight at once lose nothing and add nothing twice',
    inWorld(async world => {
      const learn = (at: number) =>
        world.cairn([
          'workspace',
          'learn',
          'lesson',
          `Lesson ${at % 6}`,
          '--scope',
          'k',
          '--category',
          'debugging',
        ])
      const runs = await Promise.all(Array.from({ length: 8 }, (_, at) => learn(at)))
      expect(runs.map(run => run.code)).toEqual(Array.from({ length: 8 }, () => 0))
      const { lessons, problems } = await world.json<Learnings>('retrieve', 'learnings', 'k')
      expect(lessons.map(({ content }) => content).sort()).toEqual(
        Array.from({ length: 6 }, (_, at) => `Lesson ${at}`),
      )
      expect(problems).toEqual([])
    }, FILES),
  )

  it(
    'one that is killed at any moment leaves the old text or the new one',
    inWorld(async world => {
      for (let round = 0; round < 8; round++) {
        const status = STATUSES[round % STATUSES.length] ?? ''
        await killed(world, ['workspace', 'plan', 'set', '260208-x', '--status', status], 60 + round * 45)
        const text = world.read(`${R}/_plans/260208-x.md`)
        expect(text).toMatch(
          /^---\nname: X\ndescription: d\nstatus: \w+\ncreated: 2026-02-08\ntags: \[\]\n(?:updated: \d{4}-\d{2}-\d{2}\n)?---\n\nBody\.\n$/,
        )
      }
      await world.ok('workspace', 'plan', 'set', '260208-x', '--status', 'done')
      await world.ok('workspace', 'plan', 'set', '260208-x', '--status', 'partial')
      expect(world.read(`${R}/_plans/260208-x.md`)).toContain('status: partial\n')
      expect(
        Object.keys(world.bytes())
          .filter(name => /^resources\/.*\.\w+/.test(name))
          .sort(),
      ).toEqual(Object.keys(FILES).sort())
    }, FILES),
  )

  it(
    'a migration that is killed is finished, or did not begin',
    inWorld(async world => {
      const names = Array.from(
        { length: 40 },
        (_, at) => `${R}/_plans/2602${String((at % 28) + 1).padStart(2, '0')}-p${at}.md`,
      )
      for (const name of names) world.write(name, '# P\n\nDo it.\n')
      for (const afterMs of [80, 140, 200, 260, 320])
        await killed(world, ['workspace', 'migrate', '--apply'], afterMs)
      // Whoever comes next finishes what was journaled; then everything is migrated, once.
      await world.ok('workspace', 'migrate', '--apply')
      for (const name of names)
        expect(world.read(name)).toMatch(/^---\nname: P\n[\s\S]*?\n---\n\n# P\n\nDo it\.\n$/)
      expect(await world.ok('workspace', 'migrate', '--apply')).toContain('Nothing to migrate')
    }, FILES),
  )
})
