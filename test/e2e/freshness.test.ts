import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileSaying, vaultFiles } from '../support/vault-files.ts'
import { inWorld, makeWorld, type World } from './world.ts'

interface FreshAnswer {
  readonly entries: readonly {
    readonly entry: { readonly id: string; readonly files: readonly string[] }
    readonly freshness: {
      readonly state: string
      readonly files: readonly { readonly file: string; readonly what: string; readonly to?: string }[]
    }
  }[]
  readonly checked: number
  readonly unanchored: number
  readonly fixed: number
  readonly degraded: readonly unknown[]
}

/** Code of some length about one subject: another subject is another file. */
function code(subject: string): string {
  return Array.from(
    { length: 40 },
    (_, n) =>
      `export function ${subject}Step${n}(${subject}: Input) {\n  return ${subject}.part${n} + ${n}\n}\n`,
  ).join('\n')
}

async function stateOf(world: World, id: string): Promise<string | undefined> {
  const { freshness } = await world.json<{ freshness?: { state: string } }>('show', id)
  return freshness?.state
}

async function remember(world: World, content: string, file: string): Promise<string> {
  return (await world.json('remember', content, '--kind', 'decision', '--files', file)).entry.id
}

function git(world: World, ...words: string[]): void {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org']
  execFileSync('git', [...identity, ...words], { cwd: world.root, env: world.environment, stdio: 'pipe' })
}

function inGit(test: (world: World) => Promise<void>) {
  return inWorld(async world => {
    git(world, 'init', '-q')
    world.write('src/parse.ts', code('parse'))
    git(world, 'add', '.')
    git(world, 'commit', '-qm', 'first')
    await test(world)
  })
}

describe.concurrent('an entry that names a file', () => {
  it(
    'stays fresh while the file changes a little, and drifts when it is rewritten',
    inWorld(async world => {
      world.write('src/parse.ts', code('parse'))
      const id = await remember(world, 'Parsing goes step by step.', 'src/parse.ts')
      expect(await stateOf(world, id)).toBe('fresh')
      world.write('src/parse.ts', `// A comment at the top.\n${code('parse').replace('part3', 'part33')}`)
      expect(await stateOf(world, id)).toBe('fresh')
      world.write('src/parse.ts', code('render'))
      expect(await stateOf(world, id)).toBe('drifted')
    }),
  )

  it(
    'is shown as drifted in search, list, show, why and briefs, and comes after an equal one that is fresh',
    inWorld(async world => {
      world.write('src/a.ts', code('alpha'))
      world.write('src/b.ts', code('beta'))
      const alpha = await remember(world, 'The retry limit of uploads is five.', 'src/a.ts')
      const beta = await remember(world, 'The retry limit of downloads is five.', 'src/b.ts')
      const order = async () =>
        (await world.json('search', 'retry limit five')).hits.map(({ id }) =>
          id === alpha ? 'alpha' : 'beta',
        )
      for (const [drifted, file, subject, other] of [
        ['alpha', 'src/a.ts', 'gamma', 'beta'],
        ['beta', 'src/b.ts', 'delta', 'alpha'],
      ] as const) {
        world.write(file, code(subject))
        expect(await order()).toEqual([other, drifted])
        world.write('src/a.ts', code('alpha'))
        world.write('src/b.ts', code('beta'))
      }
      world.write('src/b.ts', code('delta'))
      const said = 'drifted: src/b.ts changed a lot'
      expect(await world.ok('search', 'retry limit')).toContain(said)
      expect(await world.ok('list')).toContain(said)
      expect(await world.ok('show', beta)).toContain(said)
      const why = await world.ok('why', 'what is the retry limit?')
      expect(why).toContain(said)
      expect(why).toContain('× drift 0.80')
      expect(await world.ok('brief', '--prompt', 'what is the retry limit?')).toContain(
        '[⚠ DRIFT] Files changed since: src/b.ts.',
      )
      await world.ok('pin', beta)
      expect(await world.ok('brief', '--start')).toContain('[⚠ DRIFT] Files changed since: src/b.ts.')
    }),
  )

  it(
    'is fresh again when a person confirms it, and undo takes that back',
    inWorld(async world => {
      world.write('src/parse.ts', code('parse'))
      const id = await remember(world, 'Parsing goes step by step.', 'src/parse.ts')
      await world.ok('edit', id, '--status', 'candidate')
      world.write('src/parse.ts', code('render'))
      const before = vaultFiles(world.root)
      const { entry } = await world.json('confirm', id)
      expect([entry.status, await stateOf(world, id)]).toEqual(['confirmed', 'fresh'])
      expect(JSON.parse(world.read('.memory/local/curation.json')).confirmations).toEqual({
        [id]: { at: expect.stringMatching(/^\d{4}-.*Z$/), by: 'cli' },
      })
      expect((await world.json('log')).records[0]?.action).toBe('confirm')
      await world.ok('undo')
      expect(vaultFiles(world.root)).toEqual(before)
      expect(JSON.parse(world.read('.memory/local/curation.json')).confirmations).toBeUndefined()
      expect(await stateOf(world, id)).toBe('drifted')
    }),
  )

  it(
    'is orphaned when the file is gone, until it is confirmed or the file is back',
    inWorld(async world => {
      world.write('src/parse.ts', code('parse'))
      const id = await remember(world, 'Parsing goes step by step.', 'src/parse.ts')
      rmSync(path.join(world.root, 'src/parse.ts'))
      expect(await stateOf(world, id)).toBe('orphaned')
      expect(await world.ok('search', 'parsing')).toContain('orphaned: src/parse.ts is gone')
      expect(await world.ok('brief', '--prompt', 'how does parsing go?')).toContain(
        '[⚠ DRIFT] Files that are gone: src/parse.ts.',
      )
      world.write('src/parse.ts', code('parse'))
      expect(await stateOf(world, id)).toBe('fresh')
      rmSync(path.join(world.root, 'src/parse.ts'))
      await world.ok('confirm', id)
      expect(await stateOf(world, id)).toBeUndefined()
      expect((await world.json('show', id)).entry.files).toEqual(['src/parse.ts'])
    }),
  )

  it(
    'follows the file without git: to another folder, to another name, and with a small change',
    inWorld(async world => {
      world.write('src/parse.ts', code('parse'))
      const id = await remember(world, 'Parsing goes step by step.', 'src/parse.ts')
      mkdirSync(path.join(world.root, 'lib/deep'), { recursive: true })
      const move = (from: string, to: string) =>
        renameSync(path.join(world.root, from), path.join(world.root, to))
      move('src/parse.ts', 'lib/deep/parse.ts')
      expect(await world.ok('show', id)).toContain('fresh: src/parse.ts moved to lib/deep/parse.ts')
      move('lib/deep/parse.ts', 'src/parser.ts')
      world.write('src/parser.ts', `${code('parse')}\nexport const added = 1\n`)
      expect(await world.ok('show', id)).toContain('fresh: src/parse.ts moved to src/parser.ts')
      const planned = await world.json<FreshAnswer>('fresh', '--fix-renames', '--dry-run')
      expect(planned.fixed).toBe(1)
      expect((await world.json('show', id)).entry.files).toEqual(['src/parse.ts'])
      await world.ok('fresh', '--fix-renames')
      expect((await world.json('show', id)).entry.files).toEqual(['src/parser.ts'])
      expect((await world.json<FreshAnswer>('fresh')).entries).toEqual([])
      await world.ok('undo')
      expect((await world.json('show', id)).entry.files).toEqual(['src/parse.ts'])
    }),
  )

  it(
    'follows a rename that only git knows, after `cairn fresh` has asked it',
    inGit(async world => {
      const id = await remember(world, 'Parsing goes step by step.', 'src/parse.ts')
      git(world, 'mv', 'src/parse.ts', 'reading.mts')
      git(world, 'commit', '-qm', 'move')
      world.write('reading.mts', code('render'))
      expect(await stateOf(world, id)).toBe('orphaned')
      const { entries, degraded } = await world.json<FreshAnswer>('fresh')
      expect(entries[0]?.freshness).toEqual({
        state: 'drifted',
        files: [{ file: 'src/parse.ts', what: 'changed', to: 'reading.mts' }],
      })
      expect(degraded).toEqual([])
      expect(await stateOf(world, id)).toBe('drifted')
      await world.ok('confirm', id)
      expect((await world.json('show', id)).entry.files).toEqual(['reading.mts'])
      expect(await stateOf(world, id)).toBe('fresh')
    }),
  )

  it(
    'carries the commit of the project, also in a worktree and with packed refs',
    inGit(async world => {
      const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: world.root, encoding: 'utf8' }).slice(
        0,
        12,
      )
      const kept = async () =>
        (
          await world.json<{ entry: { commit?: string } }>(
            'remember',
            `Note ${Math.random()}`,
            '--files',
            'src/parse.ts',
          )
        ).entry.commit
      expect(await kept()).toBe(commit)
      git(world, 'pack-refs', '--all')
      expect(await kept()).toBe(commit)
      git(world, 'worktree', 'add', '-q', '../tree')
      const run = await world.cairn(['remember', 'In a worktree.', '--files', 'src/parse.ts', '--json'], {
        cwd: path.join(world.root, '../tree'),
      })
      expect(JSON.parse(run.stdout).entry.commit).toBe(commit)
    }),
  )
})

describe.concurrent('anchors', () => {
  it(
    'stand in the vault file: the deletion of .vault loses nothing, and nothing else is rewritten',
    inWorld(async world => {
      world.write('src/parse.ts', code('parse'))
      const id = await remember(world, 'Parsing goes step by step.', 'src/parse.ts')
      const file = fileSaying(world.root, 'Parsing goes step by step.')
      const bytes = world.read(file)
      expect(bytes).toMatch(/ anchors:src\/parse\.ts@[\w-]{10,26} -->/)
      rmSync(path.join(world.root, '.memory/.vault'), { recursive: true })
      expect(await stateOf(world, id)).toBe('fresh')
      world.write('src/parse.ts', code('render'))
      expect(await stateOf(world, id)).toBe('drifted')
      expect(vaultFiles(world.root)).toEqual({ [file]: bytes })
      expect((await world.json('doctor')).healthy).toBe(true)
    }),
  )

  it(
    'travel through git: a clone elsewhere, with other line ends, judges the same',
    inGit(async world => {
      world.write('src/other.ts', code('other'))
      const fresh = await remember(world, 'Parsing goes step by step.', 'src/parse.ts')
      const drifted = await remember(world, 'Others go step by step.', 'src/other.ts')
      world.write('src/other.ts', code('render'))
      git(world, 'add', '.')
      git(world, 'commit', '-qm', 'memory')
      git(world, 'clone', '-q', '-c', 'core.autocrlf=true', '.', '../clone')
      const clone = { cwd: path.join(world.root, '../clone') }
      const ask = async (id: string) =>
        JSON.parse((await world.cairn(['show', id, '--json'], clone)).stdout).freshness
      expect((await ask(fresh)).state).toBe('fresh')
      expect((await ask(drifted)).state).toBe('drifted')
    }),
  )

  it(
    'go through export and import',
    inWorld(async world => {
      world.write('src/parse.ts', code('parse'))
      await remember(world, 'Parsing goes step by step.', 'src/parse.ts')
      const lines = await world.ok('export')
      const other = makeWorld({ 'in.jsonl': lines, 'src/parse.ts': code('render') })
      await other.ok('import', 'in.jsonl')
      expect(await other.ok('list')).toContain('drifted: src/parse.ts changed a lot')
      other.remove()
    }),
  )

  it(
    'are not claimed for what a person typed, until it is confirmed',
    inWorld(async world => {
      world.write('src/parse.ts', code('parse'))
      const bytes = '<!-- id:7 files:src/parse.ts -->\n## 2026-03-16\n\nTyped by hand.\n'
      world.write('.memory/shared/decisions.md', bytes)
      expect(await stateOf(world, '7')).toBeUndefined()
      const report = await world.json<FreshAnswer>('fresh')
      expect([report.checked, report.unanchored]).toEqual([0, 1])
      expect(world.read('.memory/shared/decisions.md')).toBe(bytes)
      await world.ok('confirm', '7')
      expect(await stateOf(world, '7')).toBe('fresh')
    }),
  )

  it(
    'are taken anew when the files or the text are edited, and stay otherwise',
    inWorld(async world => {
      world.write('src/a.ts', code('alpha'))
      world.write('src/b.ts', code('beta'))
      const id = await remember(world, 'Alpha goes step by step.', 'src/a.ts')
      world.write('src/a.ts', code('gamma'))
      await world.ok('edit', id, '--importance', '0.9')
      expect(await stateOf(world, id)).toBe('drifted')
      await world.ok('edit', id, '--files', 'src/b.ts')
      expect(await stateOf(world, id)).toBe('fresh')
      expect(world.read(fileSaying(world.root, 'Alpha goes step by step.'))).not.toContain('a.ts')
    }),
  )

  it(
    'are only for files inside the project',
    inWorld(async world => {
      const outside = path.join(world.root, '../outside.ts')
      writeFileSync(outside, code('secret'))
      mkdirSync(path.join(world.root, 'src'))
      symlinkSync(outside, path.join(world.root, 'src/link.ts'))
      for (const [n, file] of [
        'src/link.ts',
        '../outside.ts',
        outside,
        '.memory/config.json',
        'src',
        'none.ts',
      ].entries())
        expect(await stateOf(world, await remember(world, `Rule number ${n} of many.`, file))).toBeUndefined()
      world.write('src/real.ts', code('real'))
      symlinkSync('real.ts', path.join(world.root, 'src/inner.ts'))
      const id = await remember(world, 'About a link inside.', 'src/inner.ts')
      expect(await stateOf(world, id)).toBe('fresh')
      rmSync(path.join(world.root, 'src/inner.ts'))
      rmSync(path.join(world.root, 'src/real.ts'))
      symlinkSync(outside, path.join(world.root, 'src/inner.ts'))
      expect(await stateOf(world, id)).toBe('orphaned')
    }),
  )

  it(
    'are judged by content, whatever the time of a file says',
    inWorld(async world => {
      world.write('src/parse.ts', code('parse'))
      const id = await remember(world, 'Parsing goes step by step.', 'src/parse.ts')
      utimesSync(path.join(world.root, 'src/parse.ts'), 1, 1)
      expect(await stateOf(world, id)).toBe('fresh')
      // Nothing but the content tells the two apart, and a fresh index has no memory of the first.
      world.write('src/parse.ts', code('drops'))
      utimesSync(path.join(world.root, 'src/parse.ts'), 1, 1)
      rmSync(path.join(world.root, '.memory/.vault'), { recursive: true })
      expect(await stateOf(world, id)).toBe('drifted')
    }),
  )
})
