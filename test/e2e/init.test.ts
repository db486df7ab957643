import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { git, gitRepository } from '../support/git-repository.ts'
import { NO_TERMINAL, onTerminal } from './pseudo-terminal.ts'
import { inWorld, runProcess, type World } from './world.ts'

/** Files of hosts as people have them: comments, trailing commas, CRLF, a BOM, things of others. */
const OF_HOSTS: Readonly<Record<string, string>> = {
  '.claude/settings.json':
    '{\n  // mine\n  "model": "opus",\n  "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }], },\n}\n',
  '.claude.json': '{"numStartups":3,"mcpServers":{"other":{"command":"other"}}}',
  '.codex/config.toml': '# mine\nmodel = "x" # why\n\n[mcp_servers.other]\ncommand = "o"\n',
  '.gemini/settings.json': '\ufeff{\r\n\t"a": 1,\r\n\t/* b */ "b": [1, 2,]\r\n}\r\n',
  '.config/opencode/opencode.json': '{ "theme": "dark" }',
  '.copilot/mcp-config.json': '{"mcpServers":{}}\n',
  '.cursor/mcp.json': '',
}
const HOSTS = ['claude-code', 'codex', 'gemini', 'opencode', 'copilot', 'cursor']

function withHosts(world: World, files: Readonly<Record<string, string>> = OF_HOSTS): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(world.home, name)), { recursive: true })
    writeFileSync(path.join(world.home, name), text)
  }
}

/** Everything in the project and the home: what is in each file, where each link leads. The index is a cache. */
function tree(world: World, { without = [] as readonly string[] } = {}): Record<string, string> {
  const found: Record<string, string> = {}
  for (const base of [world.root, world.home])
    for (const name of readdirSync(base, { recursive: true, encoding: 'utf8' }).sort()) {
      const isCache =
        /\.vault\/(?:index|lock)\.db/.test(name) || /\.git\/(?:index|logs|COMMIT|ORIG)/.test(name)
      if (isCache || without.some(part => name === part || name.startsWith(`${part}/`))) continue
      const file = path.join(base, name)
      const stat = lstatSync(file)
      found[`${path.basename(base)}/${name}`] = stat.isDirectory()
        ? 'folder'
        : stat.isSymbolicLink()
          ? 'link'
          : createHash('sha256').update(readFileSync(file)).digest('hex')
    }
  return found
}

interface InitAnswer {
  readonly isInPlace: boolean
  readonly changed: readonly string[]
  readonly changes: readonly { readonly path: string; readonly diff?: readonly string[] }[]
  readonly hosts: readonly { readonly host: string; readonly does: string }[]
  readonly failures: readonly { readonly host: string; readonly code: string }[]
}

const ALL = ['init', '--yes', '--host', HOSTS.join(',')]

describe('cairn init', () => {
  it(
    'and uninstall leave every byte of every file as it was, for all hosts at once',
    inWorld(async world => {
      gitRepository(world.root, { 'CLAUDE.md': '# Rules\n\nNone.', 'src/a.ts': '' })
      withHosts(world)
      const before = tree(world)
      const done = await world.json<InitAnswer>(...ALL)
      expect(done.failures).toEqual([])
      expect(done.changed.length).toBeGreaterThan(20)
      expect(readFileSync(path.join(world.home, '.claude/settings.json'), 'utf8')).toContain('// mine')
      expect(readFileSync(path.join(world.home, '.codex/config.toml'), 'utf8')).toContain('# why')
      await world.ok('uninstall', '--yes')
      expect(tree(world, { without: ['.memory'] })).toEqual(before)
      expect(existsSync(path.join(world.root, '.memory'))).toBe(true)
    }),
  )

  it(
    'twice is once: the second run changes no byte and says that all is in place',
    inWorld(async world => {
      gitRepository(world.root)
      withHosts(world)
      await world.ok(...ALL)
      const once = tree(world)
      const again = await world.json<InitAnswer>(...ALL)
      expect(again).toMatchObject({ isInPlace: true, changed: [], changes: [] })
      expect((await world.cairn(ALL)).stdout).toMatch(/^Already set up in /)
      expect(tree(world)).toEqual(once)
    }),
  )

  it(
    'writes nothing with --dry-run, and nothing without a yes where nobody can be asked',
    inWorld(async world => {
      gitRepository(world.root)
      withHosts(world)
      const before = tree(world)
      const plan = await world.json<InitAnswer>('init', '--dry-run', '--diff', '--host', HOSTS.join(','))
      const claude = plan.changes.find(({ path: file }) => file.endsWith('.claude/settings.json'))
      expect(claude?.diff?.some(line => line.startsWith('+') && line.includes('hook claude-code Stop'))).toBe(
        true,
      )
      const run = await world.cairn(['init', '--host', 'codex'])
      expect(run.code).toBe(5)
      expect(run.stdout).toContain('~/.codex/hooks.json')
      expect(run.stderr).toContain('cairn init --yes')
      expect(await world.failure('init', '--host', 'codex')).toMatchObject({ code: 'not_confirmed', exit: 5 })
      expect(tree(world)).toEqual(before)
    }),
  )

  it(
    'does the other hosts when the file of one cannot be edited, and ends with the code of that error',
    inWorld(async world => {
      withHosts(world, { ...OF_HOSTS, '.claude/settings.json': '{ "hooks": [' })
      const run = await world.cairn(['init', '--yes', '--json', '--host', 'claude-code,codex'])
      const done = JSON.parse(run.stdout) as InitAnswer
      expect(run.code).toBe(4)
      expect(done.failures).toMatchObject([{ host: 'claude-code', code: 'host_config_damaged' }])
      expect(done.hosts.filter(({ does }) => does === 'install')).toMatchObject([{ host: 'codex' }])
      expect(readFileSync(path.join(world.home, '.claude/settings.json'), 'utf8')).toBe('{ "hooks": [')
      expect(existsSync(path.join(world.home, '.codex/hooks.json'))).toBe(true)
      expect(existsSync(path.join(world.root, '.memory/config.json'))).toBe(true)
    }),
  )

  it(
    'leaves out what it is told to leave out, and writes into the project where that is asked',
    inWorld(async world => {
      gitRepository(world.root)
      withHosts(world)
      const home = tree({ ...world, root: world.home })
      await world.ok(
        ...['init', '--yes', '--host', 'claude-code,codex', '--level', 'project'],
        ...['--no-commands', '--no-entry-block', '--no-merge-driver'],
      )
      expect(tree({ ...world, root: world.home }, { without: ['.cairn'] })).toEqual(home)
      expect(
        git(world.root, 'status', '--short', '--untracked-files=all')
          .split('\n')
          .map(line => line.slice(3))
          .sort(),
      ).toEqual(
        [
          '.claude/settings.json',
          '.codex/config.toml',
          '.codex/hooks.json',
          '.mcp.json',
          '.memory/.gitignore',
          '.memory/config.json',
        ].sort(),
      )
      await world.ok('uninstall', '--yes', '--forget-memory')
      expect(git(world.root, 'status', '--short', '--untracked-files=all')).toBe('')
    }),
  )

  it(
    'works where there is no repository and no host, and says so',
    inWorld(async world => {
      const run = await world.cairn(['init', '--yes'], { env: { PATH: path.dirname(process.execPath) } })
      expect(run.code).toBe(0)
      expect(run.stdout).toContain('not a git repository')
      expect(run.stdout).toContain('none found on this machine')
      expect(existsSync(path.join(world.root, '.memory/config.json'))).toBe(true)
    }),
  )

  it(
    'keeps the link where a file of a host is one',
    inWorld(async world => {
      mkdirSync(path.join(world.home, 'dotfiles'))
      mkdirSync(path.join(world.home, '.claude'))
      writeFileSync(path.join(world.home, 'dotfiles/claude.json'), '{}\n')
      symlinkSync('../dotfiles/claude.json', path.join(world.home, '.claude/settings.json'))
      const before = tree(world)
      await world.ok('init', '--yes', '--host', 'claude-code', '--no-entry-block')
      expect(lstatSync(path.join(world.home, '.claude/settings.json')).isSymbolicLink()).toBe(true)
      expect(readFileSync(path.join(world.home, 'dotfiles/claude.json'), 'utf8')).toContain(
        'UserPromptSubmit',
      )
      await world.ok('uninstall', '--yes', '--forget-memory')
      expect(tree(world, { without: ['.cairn'] })).toEqual(before)
    }),
  )

  it(
    'refuses a host that there is none of, and two flags that say the opposite',
    inWorld(async world => {
      expect(await world.failure('init', '--host', 'emacs')).toMatchObject({ code: 'host_unknown', exit: 2 })
      expect(await world.failure('init', '--own', '--share')).toMatchObject({ code: 'invalid_input' })
      expect(await world.failure('init', '--share')).toMatchObject({ code: 'project_not_found' })
    }),
  )

  it.skipIf(NO_TERMINAL !== undefined)(
    'asks once on a terminal, and about the memory of the host itself with no as the default',
    inWorld(async world => {
      withHosts(world)
      const words = ['init', '--host', 'claude-code']
      const no = await onTerminal(world, words, { say: [['Apply these changes?', 'n\n']], width: 100 })
      expect(no.code).toBe(5)
      expect(existsSync(path.join(world.root, '.memory'))).toBe(false)
      const yes = await onTerminal(world, words, {
        say: [
          ['Apply these changes?', '\n'],
          ['Switch that off', '\n'],
        ],
        width: 100,
      })
      expect(yes).toMatchObject({ code: 0 })
      expect(readFileSync(path.join(world.home, '.claude/settings.json'), 'utf8')).not.toContain('autoMemory')
      await world.ok('init', '--yes', '--host', 'claude-code', '--switch-off-auto-memory')
      expect(readFileSync(path.join(world.home, '.claude/settings.json'), 'utf8')).toContain(
        'autoMemoryEnabled',
      )
      await world.ok('uninstall', '--yes')
      expect(readFileSync(path.join(world.home, '.claude/settings.json'), 'utf8')).toBe(
        OF_HOSTS['.claude/settings.json'],
      )
    }),
  )

  it(
    'and uninstall clear away the copy of a host’s file that one who was killed left beside it',
    inWorld(async world => {
      withHosts(world)
      const before = tree(world)
      const left = (name: string) => path.join(world.home, `${name}.1a2b3c.cairn-tmp`)
      writeFileSync(left('.claude/settings.json'), '{ "hal')
      writeFileSync(path.join(world.home, '.claude/settings.json.mine'), '')
      await world.ok('init', '--yes', '--host', 'claude-code,codex', '--no-entry-block')
      expect(existsSync(left('.claude/settings.json'))).toBe(false)
      writeFileSync(left('.codex/hooks.json'), '{ "hal')
      await world.ok('uninstall', '--yes', '--forget-memory')
      expect(existsSync(path.join(world.home, '.claude/settings.json.mine'))).toBe(true)
      rmSync(path.join(world.home, '.claude/settings.json.mine'))
      expect(tree(world, { without: ['.cairn'] })).toEqual(before)
    }),
  )

  it(
    'that is killed at any moment is done by the next one, and taken back by uninstall',
    inWorld(async world => {
      gitRepository(world.root)
      withHosts(world)
      const before = tree(world)
      for (const afterMs of [60, 120, 180, 240, 320, 420]) {
        await killed(world, ALL, afterMs)
        const done = await world.json<InitAnswer>(...ALL)
        expect(done.failures, `${afterMs} ms`).toEqual([])
        expect(await world.json<InitAnswer>(...ALL)).toMatchObject({ isInPlace: true })
        await killed(world, ['uninstall', '--yes'], afterMs)
        await world.ok('uninstall', '--yes', '--everything')
        rmSync(path.join(world.root, '.memory'), { recursive: true, force: true })
        expect(tree(world, { without: ['.cairn'] }), `${afterMs} ms`).toEqual(before)
      }
    }),
  )
})

/** Starts it and kills it, without a chance to tidy up. */
async function killed(world: World, words: readonly string[], afterMs: number): Promise<void> {
  const { BINARY } = await import('./world.ts')
  const script = `const c=require('node:child_process').spawn(process.execPath,${JSON.stringify([BINARY, ...words])},{stdio:'ignore'});setTimeout(()=>c.kill('SIGKILL'),${afterMs});c.on('close',()=>process.exit(0))`
  await runProcess(process.execPath, ['-e', script], { cwd: world.root, env: world.environment })
}

describe('cairn uninstall', () => {
  it(
    'leaves what is set up for the user while another trusted project is there, and says for whose sake',
    inWorld(async world => {
      withHosts(world)
      const other = path.join(path.dirname(world.root), 'other')
      mkdirSync(other)
      await world.ok('init', '--yes', '--host', 'codex')
      await world.ok('init', '--yes', '--host', 'codex', '--root', other)
      expect(await world.ok('uninstall', '--yes')).toContain('stays, because it is used by')
      expect(existsSync(path.join(world.home, '.codex/hooks.json'))).toBe(true)
      expect(await world.json('projects')).toMatchObject({ projects: [{ name: 'other', state: 'trusted' }] })
      await world.ok('uninstall', '--yes', '--root', other)
      expect(existsSync(path.join(world.home, '.codex/hooks.json'))).toBe(false)
      expect(existsSync(path.join(world.home, '.cairn'))).toBe(false)
    }),
  )

  it(
    'takes everything out of every project with --everything, and leaves the user’s own memory',
    inWorld(async world => {
      withHosts(world)
      const other = path.join(path.dirname(world.root), 'other')
      mkdirSync(other)
      writeFileSync(path.join(other, 'AGENTS.md'), '# Mine\n')
      const before = tree(world)
      await world.ok('remember', '--user', 'Answer in short sentences.')
      await world.ok('init', '--yes', '--host', 'claude-code,codex')
      await world.ok('init', '--yes', '--host', 'codex', '--level', 'project', '--root', other)
      await world.ok('uninstall', '--yes', '--everything')
      expect(tree(world, { without: ['.memory', '.cairn'] })).toEqual(before)
      expect(readFileSync(path.join(other, 'AGENTS.md'), 'utf8')).toBe('# Mine\n')
      expect(readdirSync(other).sort()).toEqual(['.memory', 'AGENTS.md'])
      expect(readdirSync(path.join(world.home, '.cairn'))).toEqual(['.memory'])
    }),
  )

  it(
    'puts the memory away and init brings it back, entry for entry',
    inWorld(async world => {
      await world.ok('remember', 'Deploys go through the queue.')
      const before = tree(world, { without: ['.memory/history', '.memory/.vault'] })
      const gone = await world.json<{ memory: { putIn: string } }>('uninstall', '--yes', '--forget-memory')
      expect(existsSync(path.join(world.root, '.memory'))).toBe(false)
      expect(gone.memory.putIn.startsWith(path.join(world.home, '.cairn/forgotten/project-'))).toBe(true)
      await world.ok('init', '--yes', '--bring-back', '--no-entry-block', '--host', 'codex')
      await world.ok('uninstall', '--yes', '--host', 'codex')
      expect((await world.json('list')).entries.map(({ content }) => content)).toEqual([
        'Deploys go through the queue.',
      ])
      expect(Object.keys(tree(world, { without: ['.memory/history', '.memory/.vault', '.cairn'] }))).toEqual(
        Object.keys(before).filter(name => !name.startsWith('home/.cairn')),
      )
    }),
  )

  it(
    'where nothing is set up says so',
    inWorld(async world => {
      expect(await world.ok('uninstall', '--yes')).toContain('Cairn is not set up')
    }),
  )
})
