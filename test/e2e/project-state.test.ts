import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { SHOP, stateText } from '../support/project-state.ts'
import { inWorld, type World } from './world.ts'

const WITH_STATE = { '.memory/state.json': stateText(SHOP) }
const ESCAPE = '\u001b'

function git(world: World, ...words: string[]): string {
  return execFileSync('git', words, {
    cwd: world.root,
    env: world.environment,
    encoding: 'utf8',
    stdio: 'pipe',
  })
}

describe.concurrent('the state of the project on the command line', () => {
  it(
    'a projection that somebody edited is shown before it would be overwritten',
    inWorld(async world => {
      await world.ok('projections', 'write')
      world.write('docs/agent-memory/gotchas.md', `${world.read('docs/agent-memory/gotchas.md')}- Mine.\n`)
      const run = await world.cairn(['projections', 'write'])
      expect(run.code).toBe(4)
      expect(
        run.stderr,
      ).toBe(`cairn: docs/agent-memory/gotchas.md was edited by hand, and would be overwritten:
  @ line 7
  - - Mine.
  → Nothing was changed. Keep what matters with \`cairn remember\`, then run \`cairn projections write --overwrite\`; or move the file away.
`)
      const dry = await world.ok('projections', 'write', '--dry-run')
      expect(dry).toBe(`Nothing to write.
docs/agent-memory/gotchas.md          edited by hand
    @ line 7
    - - Mine.
`)
      await world.ok('projections', 'write', '--overwrite')
      await world.ok('undo')
      expect(world.read('docs/agent-memory/gotchas.md')).toContain('- Mine.')
    }, WITH_STATE),
  )

  it(
    'a question ends with the exit code of damage when the state cannot be read, and names the problem',
    inWorld(async world => {
      await world.ok('remember', 'Sessions are signed.')
      world.write('.memory/state.json', '{')
      const asked = await world.cairn(['query', 'sessions'])
      expect([asked.code, asked.stdout.includes('Sessions are signed.')]).toEqual([6, true])
      expect(asked.stderr).toContain('.memory/state.json cannot be used')
      const machine = await world.cairn(['query', '--json'])
      expect([machine.code, JSON.parse(machine.stdout)]).toMatchObject([
        6,
        { state: null, problems: [{ code: 'state_damaged', path: 'state.json' }] },
      ])
      await world.ok('recall')
      await world.ok('query', 'sessions')
    }),
  )

  it(
    'nothing stands outside .memory before somebody asks for it, and nothing after it was taken away',
    inWorld(async world => {
      const outside = () => Object.keys(world.bytes()).filter(name => !name.startsWith('.memory'))
      await world.ok('query')
      await world.ok('query', 'what is left to do?')
      await world.ok('projections')
      await world.ok('entry-block')
      expect(outside()).toEqual([])
      await world.ok('entry-block', 'write', '--file', 'GEMINI.md,CLAUDE.md')
      expect(outside()).toEqual(['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'])
      await world.ok('entry-block', 'remove')
      expect(outside()).toEqual([])
    }, WITH_STATE),
  )

  it(
    'git stays quiet when the same state is written again, also with autocrlf',
    inWorld(async world => {
      git(world, 'init', '-q')
      git(world, 'config', 'core.autocrlf', 'true')
      world.write('.gitignore', '.memory\n')
      await world.ok('projections', 'write')
      await world.ok('entry-block', 'write')
      git(world, 'add', '-A')
      git(world, '-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-qm', 'x')
      git(world, 'rm', '-rq', '--cached', '.')
      git(world, 'reset', '-q', '--hard')
      expect(world.read('AGENTS.md')).toContain('\r\n')
      const states = await world.json<{ files: { state: string }[] }>('projections')
      expect(new Set(states.files.map(({ state }) => state))).toEqual(new Set(['current']))
      await world.ok('projections', 'write')
      expect(await world.ok('entry-block', 'write')).toBe('Nothing to write.\n')
      expect(git(world, 'status', '--porcelain')).toBe('')
      world.write('.memory/state.json', stateText({ ...SHOP, nextSteps: [] }))
      await world.ok('entry-block', 'write')
      expect(world.read('AGENTS.md').replaceAll('\r\n', '')).not.toContain('\n')
    }, WITH_STATE),
  )

  it(
    'two processes that write at once leave one block and one set of files',
    inWorld(
      async world => {
        const verbs = [
          ['entry-block', 'write'],
          ['projections', 'write'],
        ]
        const runs = await Promise.all([...verbs, ...verbs, ...verbs].map(words => world.cairn(words)))
        expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0])
        const text = world.read('AGENTS.md')
        expect(text.startsWith('# Rules\n\n<!-- cairn:entry -->\n')).toBe(true)
        expect(text.match(/\/cairn:entry/g)?.length).toBe(1)
        const { records } = await world.json('log')
        expect(records.filter(({ action }) => action === 'edit-files').length).toBe(2)
        expect(await world.json('doctor')).toMatchObject({ healthy: true })
      },
      { ...WITH_STATE, 'AGENTS.md': '# Rules\n' },
    ),
  )

  it(
    'what the state says does not steer the terminal',
    inWorld(
      async world => {
        for (const words of [['query'], ['query', 'evil title'], ['query', '--output', 'markdown']]) {
          const { stdout } = await world.cairn([...words, '--color'])
          expect(stdout).toContain('evil')
          expect(stdout).not.toContain(`${ESCAPE}]0;`)
        }
      },
      {
        '.memory/state.json': stateText({
          ...SHOP,
          gotchas: [{ text: `evil ${ESCAPE}]0;title\u0007`, since: '2026-03-16T10:00:00.000Z', sources: [] }],
        }),
      },
    ),
  )

  it(
    'query says how to get a state when there is none, and tells a program by a code',
    inWorld(async world => {
      const run = await world.cairn(['query'])
      expect([run.code, run.stdout]).toEqual([
        0,
        'There is no state of the project to show. `cairn recall` makes one.\n',
      ])
      expect((await world.json('query', 'anything')).degraded.map(({ code }) => code)).toEqual([
        'state_not_found',
      ])
      expect(await world.failure('projections', 'write')).toMatchObject({ exit: 3, code: 'state_not_found' })
      expect(await world.failure('query', '--section', 'gotcha')).toMatchObject({
        exit: 2,
        code: 'invalid_input',
      })
    }),
  )

  it(
    'a state.json that is a link in a circle is told, and keeps nobody from status or an answer',
    inWorld(
      async world => {
        symlinkSync('state.json', path.join(world.root, '.memory/state.json'))
        const shown = await world.cairn(['query'])
        expect([shown.code, shown.stdout]).toEqual([6, expect.stringContaining('cannot be shown.\n')])
        const asked = await world.cairn(['query', 'gap', '--json'])
        expect([asked.code, JSON.parse(asked.stdout)]).toMatchObject([
          6,
          { problems: [{ code: 'memory_link_outside' }] },
        ])
        expect((await world.cairn(['status'])).stdout).toContain('state.json is a link')
        expect(await world.failure('recall')).toMatchObject({ code: 'memory_outside_project' })
      },
      { '.memory/shared/lessons.md': '' },
    ),
  )

  it(
    'query answers in the output that the project prefers',
    inWorld(async world => {
      await world.ok('config', 'set', 'query.defaultOutput', 'markdown')
      expect(await world.ok('query', '--section', 'nextSteps')).toBe(`# shop

## Next steps

- Write the migration of old sessions (2026-03-16)
- Rotate the signing key (2026-03-15)

State of 2026-03-16 11:00 UTC.
`)
      const json = JSON.parse(await world.ok('query', 'signing key', '--output', 'json'))
      expect(json.answers[0].text).toBe('Rotate the signing key')
    }, WITH_STATE),
  )
})
