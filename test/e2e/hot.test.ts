import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { inWorld, type World } from './world.ts'

interface Results {
  readonly results: readonly { readonly path: string; readonly outcome: string }[]
}

const rules = (world: World, text = '<!-- budget: 50 lines -->\n- One.\n') =>
  world.write('agent/rules/common/a.md', text)

describe.concurrent('hot memory', () => {
  it(
    'is laid out, linked, checked, moved and taken back, from the command line alone',
    inWorld(async world => {
      for (const host of ['.claude', '.cursor', '.gemini']) mkdirSync(path.join(world.root, host))
      expect(await world.ok('hot')).toContain('`cairn hot init`')
      await world.ok('hot', 'init')
      expect(await world.ok('hot', 'link')).toContain('Gemini reads no folder of rules')
      expect(await world.ok('hot', 'list')).toBe(await world.ok('hot'))
      expect(readlinkSync(path.join(world.root, '.claude/rules/user-profile.md'))).toBe(
        '../../agent/rules/common/user-profile.md',
      )
      const { entry } = await world.json('remember', '--kind', 'decision', 'Dates are stored in UTC.')
      await world.ok('hot', 'promote', entry.id)
      const lint = await world.cairn(['hot', 'lint'])
      expect([lint.code, lint.stdout]).toEqual([1, expect.stringContaining('is behind its source')])
      await world.ok('hot', 'link')
      await world.ok('hot', 'lint')
      await world.ok('hot', 'demote', 'stored in UTC')
      await world.ok('undo')
      await world.ok('undo')
      expect(world.read('agent/rules/common/global-conventions.md')).not.toContain('UTC')
      await world.ok('hot', 'unlink')
      // What was remembered, then what was laid out.
      await world.ok('undo')
      await world.ok('undo')
      expect(Object.keys(world.bytes()).filter(name => name.startsWith('agent/'))).toEqual([])
    }),
  )

  it(
    'ends with exit code 1 when something is wrong, with --strict also for warnings, and says so in JSON',
    inWorld(async world => {
      rules(world, `<!-- budget: 10 lines -->\n${'- Rule.\n'.repeat(8)}`)
      const codes = async (...words: string[]) => (await world.cairn(['hot', 'lint', ...words])).code
      expect([await codes(), await codes('--strict')]).toEqual([0, 1])
      rules(world, `<!-- budget: 5 lines -->\n${'- Rule.\n'.repeat(8)}`)
      const run = await world.cairn(['hot', 'lint', '--json'])
      expect(run.code).toBe(1)
      expect(JSON.parse(run.stdout)).toMatchObject({ passed: false, findings: [{ code: 'over_budget' }] })
    }),
  )

  it(
    'is linked once when several processes link at the same time',
    inWorld(async world => {
      for (const host of ['.claude', '.cursor', '.codex']) mkdirSync(path.join(world.root, host))
      await world.ok('hot', 'init')
      const runs = await Promise.all(Array.from({ length: 4 }, () => world.json<Results>('hot', 'link')))
      const outcomes = runs.flatMap(({ results }) => results)
      expect(outcomes).toHaveLength(4 * 9)
      expect(outcomes.filter(({ outcome }) => outcome === 'linked' || outcome === 'copied')).toHaveLength(9)
      expect(outcomes.filter(({ outcome }) => outcome === 'kept')).toHaveLength(27)
      for (const folder of ['.claude/rules', '.codex', '.cursor/rules'])
        expect(readdirSync(path.join(world.root, folder))).toHaveLength(3)
    }),
  )

  it(
    'shows hostile names and texts without obeying them',
    inWorld(async world => {
      rules(world, '<!-- budget: 50 lines -->\n- Ring \u001b]0;title\u0007 the \u202ebell.\n')
      const shown = await world.ok('hot', '--rules')
      expect(shown).not.toContain('\u001b')
      expect(shown).not.toContain('\u202e')
    }),
  )
})

describe.concurrent('skills', () => {
  it(
    'come from standard input, a file or the line itself, and are linked',
    inWorld(async world => {
      mkdirSync(path.join(world.root, '.claude'))
      await world.cairn(['skill', 'save', 'from-pipe', '--description', 'Piped.', '-'], { input: 'Do it.\n' })
      world.write('notes/how.md', 'Step one.\n')
      await world.ok('skill', 'save', 'from-file', '--description', 'Filed.', '--file', 'notes/how.md')
      await world.ok('skill', 'save', 'from-words', '--description', 'Said.', 'Just', 'do', 'it.')
      expect(readdirSync(path.join(world.root, '.claude/skills'))).toEqual([
        'from-file',
        'from-pipe',
        'from-words',
      ])
      expect(world.read('.claude/skills/from-file/SKILL.md')).toContain('\nStep one.\n')
      expect(world.read('.claude/skills/from-pipe/SKILL.md')).toContain('\nDo it.\n')
      expect(
        await world.failure('skill', 'save', 'x', '--description', 'X.', '--file', '../out.md'),
      ).toMatchObject({
        code: 'memory_outside_project',
      })
    }),
  )
})

describe.concurrent('the memory of the person', () => {
  it(
    'is kept with --user, told in another project, and refused where it makes no sense',
    inWorld(async world => {
      const { entry } = await world.json('remember', '--user', 'Answer in German.')
      expect([entry.kind, entry.agent]).toEqual(['preference', 'shared'])
      expect(readdirSync(world.root)).toEqual([])
      const own = path.join(world.home, '.cairn')
      expect((statSync(own).mode & 0o777).toString(8)).toBe('700')
      await world.ok('remember', 'A note of the project.')
      expect(await world.ok('brief', '--start')).toContain(`[preference · #${entry.id}] Answer in German.`)
      expect(await world.ok('why', 'anything')).toContain('Answer in German.')
      expect((await world.json('list')).total).toBe(1)
      expect((await world.json('list', '--user')).entries.map(({ id }) => id)).toEqual([entry.id])
      expect((await world.json('search', '--user', 'german')).hits).toHaveLength(1)
      expect(await world.ok('status', '--user')).toContain('1 entry in ')
      for (const words of [['hot'], ['sessions'], ['brief', '--start'], ['skill', 'list']])
        expect(await world.failure(...words, '--user')).toMatchObject({ code: 'invalid_input', exit: 2 })
      expect(await world.failure('list', '--user', '--root', '.')).toMatchObject({ code: 'invalid_input' })
      await world.ok('undo', '--user')
      expect(await world.ok('brief', '--start')).not.toContain('German')
      expect((await world.json('list')).total).toBe(1)
    }),
  )

  it(
    'reaches no file of the project, whatever is done with briefs there',
    inWorld(async world => {
      await world.ok('remember', '--user', '--status', 'pinned', 'My word is rhododendron.')
      await world.ok('remember', 'A note of the project.')
      await world.ok('brief', '--prompt', 'a note?', '--session', 's1')
      await world.ok('why', '--brief', (await world.json<Given>('briefs')).briefs[0]?.id ?? '')
      await world.ok('log')
      for (const name of readdirSync(world.root, { recursive: true, encoding: 'utf8' })) {
        const file = path.join(world.root, name)
        if (lstatSync(file).isFile())
          expect([name, readFileSync(file).includes('rhododendron')]).toEqual([name, false])
      }
    }),
  )

  it(
    'is written by two processes at once without losing anything, and a brief reads what is there',
    inWorld(async world => {
      await Promise.all(
        Array.from({ length: 6 }, (_, n) => world.ok('remember', '--user', `Preference number ${n}.`)),
      )
      expect((await world.json('list', '--user')).total).toBe(6)
      const briefs = await Promise.all(Array.from({ length: 3 }, () => world.ok('brief', '--start')))
      for (const brief of briefs) expect(brief).toContain('Preference number')
    }),
  )

  it(
    'with a file that is no vault in it still lets a brief be told',
    inWorld(async world => {
      await world.ok('remember', '--user', 'Answer in German.')
      const vault = path.join(world.home, '.cairn/.memory/shared/decisions.md')
      writeFileSync(vault, new Uint8Array([0xff, 0xfe, 0x00, 0xd8, 0x0a]))
      await world.ok('remember', '--kind', 'warning', 'A note of the project.')
      expect(await world.ok('brief', '--start')).toContain('A note of the project.')
    }),
  )
})

interface Given {
  readonly briefs: readonly { readonly id: string }[]
}
