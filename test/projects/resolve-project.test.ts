import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readKnownProjects } from '../../src/features/projects/known-projects.ts'
import { projectRegistry } from '../../src/features/projects/project-registry.ts'
import { resolveProject } from '../../src/features/projects/resolve-project.ts'
import type { ProjectRegistry } from '../../src/kernel/model/project.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { nodeDisk } from '../../src/kernel/system/disk.ts'
import { sqliteWriterLock } from '../../src/stores/sqlite/writer-lock.ts'
import { git, gitRepository } from '../support/git-repository.ts'
import { scratchProject } from '../support/scratch-project.ts'

interface Place {
  readonly base: string
  readonly registry: ProjectRegistry
  at(...names: string[]): string
  /** A folder with a memory, known and trusted. */
  trusted(...names: string[]): Promise<string>
  memory(...names: string[]): string
  /** What is answered in a folder: where the memory is, relative to all this, and how it stands. */
  ask(...names: string[]): { root: string; standing: string; by: string; why?: string }
}

let serial = 0

function place(): Place {
  const base = realpathSync(scratchProject())
  const file = path.join(base, 'user', 'projects.json')
  const registry = projectRegistry({
    file,
    disk: nodeDisk,
    clock: systemClock,
    openLock: location => sqliteWriterLock(location, nodeDisk),
    random: digits => (++serial).toString(16).padStart(digits, '0'),
  })
  const at = (...names: string[]) => path.join(base, ...names)
  const memory = (...names: string[]) => {
    mkdirSync(at(...names, '.memory'), { recursive: true })
    return at(...names)
  }
  return {
    base,
    registry,
    at,
    memory,
    async trusted(...names) {
      await registry.register(memory(...names), { by: 'init' })
      return at(...names)
    },
    ask(...names) {
      const { root, standing, by, why } = resolveProject(at(...names), readKnownProjects(file))
      return { root: path.relative(base, root), standing, by, ...(why !== undefined && { why }) }
    },
  }
}

describe('whose memory is meant', () => {
  it('is the nearest memory up to the top of the checkout', async () => {
    const { trusted, ask, at } = place()
    gitRepository(at('mono'), { 'packages/api/src/a.ts': '', 'packages/web/a.ts': '' })
    await trusted('mono')
    await trusted('mono', 'packages', 'api')
    expect(ask('mono', 'packages', 'api', 'src')).toEqual({
      root: 'mono/packages/api',
      standing: 'trusted',
      by: 'folder',
    })
    expect(ask('mono', 'packages', 'web')).toEqual({ root: 'mono', standing: 'trusted', by: 'folder' })
  })

  it('is none where a repository inside another has none', async () => {
    const { trusted, ask, at } = place()
    gitRepository(at('outer'))
    await trusted('outer')
    gitRepository(at('outer', 'vendor', 'inner'))
    expect(ask('outer', 'vendor', 'inner')).toEqual({
      root: 'outer/vendor/inner',
      standing: 'none',
      by: 'folder',
    })
  })

  it('does not trust a memory that lies in a subfolder of a trusted project', async () => {
    const { trusted, memory, ask, at } = place()
    gitRepository(at('app'))
    await trusted('app')
    memory('app', 'vendor', 'copied')
    expect(ask('app', 'vendor', 'copied')).toEqual({
      root: 'app/vendor/copied',
      standing: 'untrusted',
      by: 'folder',
      why: 'unknown',
    })
  })

  it('is the same through a link to the folder, and another for a name that differs in case', async () => {
    const { trusted, memory, ask, at } = place()
    await trusted('api')
    symlinkSync(at('api'), at('link'))
    expect(ask('link')).toEqual({ root: 'api', standing: 'trusted', by: 'folder' })
    if (existsSync(at('API'))) return
    memory('API')
    expect(ask('API')).toMatchObject({ root: 'API', standing: 'untrusted' })
  })

  it('is not one that everybody may write to, further up', () => {
    const { memory, ask, at } = place()
    memory('everybody')
    mkdirSync(at('everybody', 'project'), { mode: 0o755 })
    expect(ask('everybody', 'project').root).toBe('everybody')
    chmodSync(at('everybody'), 0o1777)
    expect(ask('everybody', 'project')).toEqual({
      root: 'everybody/project',
      standing: 'none',
      by: 'folder',
    })
  })

  it('trusts nothing while the registry cannot be read', async () => {
    const { trusted, ask, at } = place()
    await trusted('api')
    for (const text of ['', '{', '[]', '{"version":2,"projects":[]}', '{"version":1,"projects":[{}]}']) {
      writeFileSync(at('user', 'projects.json'), text)
      expect(ask('api'), text).toEqual({ root: 'api', standing: 'untrusted', by: 'folder', why: 'registry' })
    }
  })

  it('answers where .memory is a file, or .git a folder that is not ours to read', () => {
    const { ask, at } = place()
    mkdirSync(at('api', '.git'), { recursive: true })
    writeFileSync(at('api', '.memory'), 'precious')
    chmodSync(at('api', '.git'), 0)
    expect(ask('api')).toMatchObject({ root: 'api', standing: 'untrusted' })
    chmodSync(at('api', '.git'), 0o755)
  })

  it('does not run in a circle of links', () => {
    const { ask, at } = place()
    mkdirSync(at('api'))
    symlinkSync(at('api', 'b'), at('api', 'a'))
    symlinkSync(at('api', 'a'), at('api', 'b'))
    symlinkSync('.memory', at('api', '.memory'))
    symlinkSync('.git', at('api', '.git'))
    expect(ask('api', 'a')).toMatchObject({ standing: 'none' })
    expect(ask('api')).toMatchObject({ root: 'api', standing: 'none' })
  })
})

describe('a linked worktree', () => {
  it('uses the memory of the main checkout, also where a copy of it was checked out', async () => {
    const { trusted, ask, at } = place()
    gitRepository(at('api'), { '.memory/shared/decisions.md': '' })
    await trusted('api')
    git(at('api'), 'worktree', 'add', '--quiet', at('feature'))
    expect(existsSync(at('feature', '.memory', 'shared', 'decisions.md'))).toBe(true)
    expect(ask('feature')).toEqual({ root: 'api', standing: 'trusted', by: 'worktree' })
  })

  it('uses that of the same subfolder of a monorepo', async () => {
    const { trusted, at, ask, base } = place()
    gitRepository(at('mono'), { 'packages/api/src/a.ts': '' })
    await trusted('mono')
    await trusted('mono', 'packages', 'api')
    git(at('mono'), 'worktree', 'add', '--quiet', at('feature'))
    expect(ask('feature', 'packages', 'api', 'src')).toMatchObject({ root: 'mono/packages/api' })
    expect(
      path.relative(
        base,
        resolveProject(at('feature', 'packages', 'api', 'src'), { version: 1, projects: [] }).checkout,
      ),
    ).toBe('feature/packages/api')
    expect(ask('feature')).toMatchObject({ root: 'mono' })
  })

  it('keeps its own where the user said so', async () => {
    const { trusted, at, ask, registry, memory } = place()
    gitRepository(at('api'))
    await trusted('api')
    git(at('api'), 'worktree', 'add', '--quiet', at('feature'))
    await registry.register(memory('feature'), { by: 'init', isOwn: true })
    expect(ask('feature')).toEqual({ root: 'feature', standing: 'trusted', by: 'folder' })
  })

  it('is not what a .git file in an archive claims to be', async () => {
    const { trusted, at, ask, memory } = place()
    gitRepository(at('api'))
    await trusted('api')
    git(at('api'), 'worktree', 'add', '--quiet', at('feature'))
    const pointer = readFileSync(at('feature', '.git'), 'utf8')
    memory('archive')
    writeFileSync(at('archive', '.git'), pointer)
    expect(ask('archive')).toMatchObject({ root: 'archive', standing: 'untrusted' })
    // With an administration of its own, which names the repository but does not lie in it.
    mkdirSync(at('archive', 'fake', 'worktrees', 'x'), { recursive: true })
    writeFileSync(at('archive', 'fake', 'worktrees', 'x', 'commondir'), at('api', '.git'))
    writeFileSync(at('archive', 'fake', 'worktrees', 'x', 'gitdir'), at('archive', '.git'))
    writeFileSync(at('archive', '.git'), 'gitdir: fake/worktrees/x\n')
    expect(ask('archive')).toMatchObject({ root: 'archive', standing: 'untrusted' })
  })

  it('of a bare repository uses the memory that another worktree was initialised with', async () => {
    const { at, ask, registry, memory } = place()
    gitRepository(at('seed'))
    git(at('seed'), 'clone', '--quiet', '--bare', at('seed'), at('repo.git'))
    git(at('repo.git'), 'worktree', 'add', '--quiet', at('one'), 'main')
    git(at('repo.git'), 'worktree', 'add', '--quiet', at('two'))
    await registry.register(memory('one'), { by: 'init', gitFolder: at('repo.git') })
    expect(ask('two')).toEqual({ root: 'one', standing: 'trusted', by: 'worktree' })
    expect(ask('one')).toEqual({ root: 'one', standing: 'trusted', by: 'folder' })
  })

  it('would have its memory made in the main checkout', () => {
    const { at, ask } = place()
    gitRepository(at('api'))
    git(at('api'), 'worktree', 'add', '--quiet', at('feature'))
    expect(ask('feature')).toEqual({ root: 'api', standing: 'none', by: 'worktree' })
  })

  it('is no submodule, which has its own', async () => {
    const { trusted, at, ask } = place()
    gitRepository(at('lib'))
    gitRepository(at('app'))
    git(at('app'), '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', at('lib'), 'lib')
    await trusted('app')
    expect(ask('app', 'lib')).toEqual({ root: 'app/lib', standing: 'none', by: 'folder' })
  })

  it('with a submodule that was not fetched there does not look into the one of the main checkout', async () => {
    const { trusted, at, ask } = place()
    gitRepository(at('lib'))
    gitRepository(at('app'))
    git(at('app'), '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', at('lib'), 'lib')
    git(at('app'), 'commit', '--quiet', '--message', 'lib')
    await trusted('app')
    await trusted('app', 'lib')
    git(at('app'), 'worktree', 'add', '--quiet', at('feature'))
    expect(ask('feature', 'lib')).toMatchObject({ root: 'app' })
  })
})

describe('a folder that moved', () => {
  it('is recognised by its token, and brought up to date by the next writer', async () => {
    const { trusted, at, ask, registry } = place()
    await trusted('before')
    renameSync(at('before'), at('after'))
    expect(ask('after')).toEqual({ root: 'after', standing: 'trusted', by: 'folder' })
    await registry.note(at('after'))
    const known = await registry.read()
    expect(known !== 'damaged' && known.projects.map(({ root, name }) => [root, name])).toEqual([
      [at('after'), 'after'],
    ])
  })

  it('is not its copy, to which nobody said yes', async () => {
    const { trusted, at, ask } = place()
    await trusted('one')
    cpSync(at('one'), at('copy'), { recursive: true })
    expect(ask('one')).toMatchObject({ standing: 'trusted' })
    expect(ask('copy')).toMatchObject({ root: 'copy', standing: 'untrusted', why: 'unknown' })
  })

  it('leaves its place to nobody: another memory there is not trusted', async () => {
    const { trusted, at, ask, memory } = place()
    await trusted('api')
    rmSync(at('api'), { recursive: true })
    memory('api')
    expect(ask('api')).toMatchObject({ standing: 'untrusted', why: 'replaced' })
    mkdirSync(at('api', '.memory', '.vault'))
    writeFileSync(at('api', '.memory', '.vault', 'project-token'), `${'0'.repeat(32)}\n`)
    expect(ask('api')).toMatchObject({ standing: 'untrusted', why: 'replaced' })
  })

  it('is trusted still when .vault was deleted, and gets its token back from the next writer', async () => {
    const { trusted, at, ask, registry } = place()
    await trusted('api')
    const token = readFileSync(at('api', '.memory', '.vault', 'project-token'), 'utf8')
    rmSync(at('api', '.memory', '.vault'), { recursive: true })
    expect(ask('api')).toMatchObject({ standing: 'trusted' })
    await registry.note(at('api'))
    expect(readFileSync(at('api', '.memory', '.vault', 'project-token'), 'utf8')).toBe(token)
  })

  it('never takes over a token that came with a clone', async () => {
    const { at, ask, registry, memory } = place()
    memory('clone')
    mkdirSync(at('clone', '.memory', '.vault'))
    const brought = 'a'.repeat(32)
    writeFileSync(at('clone', '.memory', '.vault', 'project-token'), brought)
    await registry.register(at('clone'), { by: 'trust' })
    expect(readFileSync(at('clone', '.memory', '.vault', 'project-token'), 'utf8')).not.toContain(brought)
    rmSync(at('clone'), { recursive: true })
    memory('evil')
    mkdirSync(at('evil', '.memory', '.vault'))
    writeFileSync(at('evil', '.memory', '.vault', 'project-token'), brought)
    expect(ask('evil')).toMatchObject({ standing: 'untrusted' })
  })
})

describe('a clone', () => {
  it('is told nothing before somebody says that it shares the memory, and shares it then', async () => {
    const { trusted, at, ask, registry } = place()
    gitRepository(at('api'), { '.memory/shared/decisions.md': '' })
    await trusted('api')
    git(at(), 'clone', '--quiet', at('api'), at('clone'))
    expect(ask('clone')).toMatchObject({ root: 'clone', standing: 'untrusted', why: 'unknown' })
    const known = await registry.read()
    const id = known === 'damaged' ? '' : (known.projects[0]?.id ?? '')
    await registry.share(id, at('clone'))
    expect(ask('clone')).toEqual({ root: 'api', standing: 'trusted', by: 'sharing' })
    git(at('clone'), 'worktree', 'add', '--quiet', at('worktree-of-clone'))
    expect(ask('worktree-of-clone')).toMatchObject({ root: 'api', standing: 'trusted' })
    await registry.unshare(at('clone'))
    expect(ask('clone')).toMatchObject({ root: 'clone', standing: 'untrusted' })
  })

  it('in the place of one that shared it shares nothing', async () => {
    const { trusted, at, ask, registry } = place()
    gitRepository(at('api'))
    await trusted('api')
    git(at(), 'clone', '--quiet', at('api'), at('clone'))
    const known = await registry.read()
    await registry.share(known === 'damaged' ? '' : (known.projects[0]?.id ?? ''), at('clone'))
    renameSync(at('clone'), at('old-clone'))
    gitRepository(at('clone'))
    expect(ask('clone')).toEqual({ root: 'clone', standing: 'none', by: 'folder' })
  })

  it('that is a fork, or made from the same template, is a project of its own', async () => {
    const { trusted, at, ask } = place()
    gitRepository(at('template'), { '.memory/shared/decisions.md': '' })
    for (const name of ['one', 'two']) git(at(), 'clone', '--quiet', at('template'), at(name))
    git(at('two'), 'remote', 'set-url', 'origin', 'https://example.com/fork.git')
    await trusted('one')
    expect(ask('two')).toMatchObject({ root: 'two', standing: 'untrusted' })
  })
})
