import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readKnownProjects } from '../../src/features/projects/known-projects.ts'
import { projectRegistry } from '../../src/features/projects/project-registry.ts'
import { projectAt } from '../../src/features/projects/resolve-project.ts'
import type { ProjectRegistry } from '../../src/kernel/model/project.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { type Disk, nodeDisk } from '../../src/kernel/system/disk.ts'
import { sqliteWriterLock } from '../../src/stores/sqlite/writer-lock.ts'
import { WAYS_TO_FAIL } from '../support/fail-every-step.ts'
import { failingDisk } from '../support/failing-disk.ts'
import { scratchProject } from '../support/scratch-project.ts'

let serial = 0

function open(base: string, disk: Disk = nodeDisk): ProjectRegistry {
  return projectRegistry({
    file: path.join(base, 'user', 'projects.json'),
    disk,
    clock: systemClock,
    openLock: location => sqliteWriterLock(location, nodeDisk),
    random: digits => `${++serial}`.padStart(digits, '0'),
  })
}

function folderWithMemory(base: string, name: string): string {
  mkdirSync(path.join(base, name, '.memory'), { recursive: true })
  return path.join(base, name)
}

const rootsOf = (base: string) => {
  const known = readKnownProjects(path.join(base, 'user', 'projects.json'))
  return known === 'damaged' ? known : known.projects.map(({ root }) => path.basename(root))
}

describe('the registry of known projects', () => {
  it('is the same when a project is registered again, and keeps the first yes', async () => {
    const base = realpathSync(scratchProject())
    const registry = open(base)
    const root = folderWithMemory(base, 'api')
    const first = (await registry.register(root, { by: 'created' })).project
    const again = (await registry.register(root, { by: 'init' })).project
    expect(again).toEqual({ ...first, trustedBy: 'init', lastSeenAt: again.lastSeenAt })
    expect(rootsOf(base)).toEqual(['api'])
  })

  it('leaves in a memory that was only read nothing that git would commit', async () => {
    const base = realpathSync(scratchProject())
    const root = folderWithMemory(base, 'api')
    const { project } = await open(base).register(root, { by: 'init' })
    const local = path.join(root, '.memory/.vault')
    expect(readdirSync(local).sort()).toEqual(['.gitignore', 'project-token'])
    expect(readFileSync(path.join(local, '.gitignore'), 'utf8')).toBe('*\n')
    expect(project.root).toBe(root)
  })

  it('puts a file that it cannot read aside, and begins anew', async () => {
    const base = realpathSync(scratchProject())
    mkdirSync(path.join(base, 'user'))
    writeFileSync(path.join(base, 'user', 'projects.json'), '{ "projects": [')
    const { movedAside } = await open(base).register(folderWithMemory(base, 'api'), { by: 'init' })
    expect(readFileSync(movedAside ?? '', 'utf8')).toBe('{ "projects": [')
    expect(rootsOf(base)).toEqual(['api'])
  })

  it('leaves the file of a newer Cairn alone', async () => {
    const base = realpathSync(scratchProject())
    mkdirSync(path.join(base, 'user'))
    const text = '{"version":2,"projects":[]}'
    writeFileSync(path.join(base, 'user', 'projects.json'), text)
    await expect(open(base).register(folderWithMemory(base, 'api'), { by: 'init' })).rejects.toMatchObject({
      code: 'vault_newer',
    })
    expect(readFileSync(path.join(base, 'user', 'projects.json'), 'utf8')).toBe(text)
  })

  it('keeps at most a thousand, and lets those go first whose folder is gone', async () => {
    const base = realpathSync(scratchProject())
    mkdirSync(path.join(base, 'user'))
    const old = Array.from({ length: 1_000 }, (_, at) => ({
      id: `old-${at}`,
      name: 'old',
      root: path.join(base, at === 500 ? 'there' : `gone-${at}`),
      firstSeenAt: '2026-01-01T00:00:00.000Z',
      lastSeenAt: `2026-01-01T00:00:00.${`${at}`.padStart(3, '0')}Z`,
    }))
    folderWithMemory(base, 'there')
    writeFileSync(path.join(base, 'user', 'projects.json'), JSON.stringify({ version: 1, projects: old }))
    await open(base).register(folderWithMemory(base, 'api'), { by: 'init' })
    const roots = rootsOf(base)
    expect(roots).toHaveLength(1_000)
    expect([roots.includes('api'), roots.includes('there'), roots.includes('gone-0')]).toEqual([
      true,
      true,
      false,
    ])
  })

  it.each(WAYS_TO_FAIL)('has the old state or the new one when a step fails %s', async (_name, forGood) => {
    const worldBefore = async () => {
      const base = realpathSync(scratchProject())
      await open(base).register(folderWithMemory(base, 'old'), { by: 'init' })
      folderWithMemory(base, 'new')
      return base
    }
    const whole = failingDisk(Number.POSITIVE_INFINITY, { forGood })
    const base = await worldBefore()
    await open(base, whole.disk).register(path.join(base, 'new'), { by: 'init' })
    expect(rootsOf(base)).toEqual(['old', 'new'])
    expect(whole.steps()).toBeGreaterThan(4)
    for (let failAt = 1; failAt <= whole.steps(); failAt++) {
      const base = await worldBefore()
      const isDone = await open(base, failingDisk(failAt, { forGood }).disk)
        .register(path.join(base, 'new'), { by: 'init' })
        .then(
          () => true,
          () => false,
        )
      expect(isDone ? [['old', 'new']] : [['old'], ['old', 'new']], `step ${failAt}`).toContainEqual(
        rootsOf(base),
      )
      await open(base).register(path.join(base, 'new'), { by: 'init' })
      expect(rootsOf(base)).toEqual(['old', 'new'])
      const known = readKnownProjects(path.join(base, 'user', 'projects.json'))
      expect(projectAt(path.join(base, 'new'), known).standing).toBe('trusted')
    }
  })

  it('loses nobody when many register at once', async () => {
    const base = realpathSync(scratchProject())
    const names = Array.from({ length: 12 }, (_, at) => `p${at}`)
    await Promise.all(names.map(name => open(base).register(folderWithMemory(base, name), { by: 'init' })))
    const roots = rootsOf(base)
    expect(roots === 'damaged' ? roots : [...roots].sort()).toEqual([...names].sort())
    expect(readdirSync(path.join(base, 'user')).sort()).toEqual(['projects.json', 'projects.json.lock'])
  })

  it('never trusts what nobody registered, whatever was registered, taken back and forgotten before', async () => {
    const step = fc.record({
      does: fc.constantFrom('register' as const, 'untrust' as const, 'forget' as const),
      name: fc.constantFrom('a', 'b', 'c'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async steps => {
        const base = realpathSync(scratchProject())
        const registry = open(base)
        const trusted = new Set<string>()
        for (const name of ['a', 'b', 'c']) folderWithMemory(base, name)
        for (const { does, name } of steps) {
          const root = path.join(base, name)
          const known = await registry.read()
          const id = known === 'damaged' ? '' : (known.projects.find(one => one.root === root)?.id ?? '')
          if (does === 'register') await registry.register(root, { by: 'trust' })
          if (does === 'untrust') await registry.untrust(id)
          if (does === 'forget') await registry.forget([id])
          if (does === 'register') trusted.add(name)
          else trusted.delete(name)
        }
        const known = readKnownProjects(path.join(base, 'user', 'projects.json'))
        for (const name of ['a', 'b', 'c'])
          expect(projectAt(path.join(base, name), known).standing).toBe(
            trusted.has(name) ? 'trusted' : 'untrusted',
          )
      }),
      { numRuns: 15 },
    )
  })
})
