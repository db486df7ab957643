import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { syncSources } from '../../src/addons/import/sync-sources.ts'
import { sourceAddOperation } from '../../src/addons/import/verbs/source.ts'
import { composeEngine } from '../../src/compose/compose.ts'
import type { Disk } from '../../src/kernel/system/disk.ts'
import { failingDisk } from '../support/failing-disk.ts'
import { scratchProject } from '../support/scratch-project.ts'

const LINES = ['{"text":"One lesson."}', '{"text":"Another lesson."}']

function home(base: string): void {
  const before = process.env.CAIRN_HOME
  process.env.CAIRN_HOME = path.join(base, 'home')
  onTestFinished(() => {
    if (before === undefined) delete process.env.CAIRN_HOME
    else process.env.CAIRN_HOME = before
  })
}

const open = (root: string, disk?: Disk) =>
  composeEngine({ root, actor: { host: 'test' }, ...(disk && { disk }) })

describe.each([
  ['once', false],
  ['and every step after it, as when the process dies', true],
])('when a disk step fails %s', (_name, forGood) => {
  it('while a source is synced, the registry is the old or the new one, and the next sync makes up for it', async () => {
    const base = scratchProject()
    home(base)
    const file = path.join(base, 'notes.jsonl')
    writeFileSync(file, LINES.join('\n'))
    const root = path.join(base, 'project')
    mkdirSync(root)
    const first = open(root)
    await sourceAddOperation.run(first, { path: file }, {})
    await first.close()
    const saved = path.join(base, 'saved')
    cpSync(root, saved, { recursive: true, preserveTimestamps: true })
    const again = (): void => {
      rmSync(root, { recursive: true })
      cpSync(saved, root, { recursive: true, preserveTimestamps: true })
    }
    const counting = failingDisk(Number.POSITIVE_INFINITY, { forGood })
    const whole = open(root, counting.disk)
    await syncSources(whole)
    await whole.close()
    expect(counting.steps()).toBeGreaterThan(5)
    for (let failAt = 1; failAt <= counting.steps(); failAt++) {
      again()
      const failing = open(root, failingDisk(failAt, { forGood }).disk)
      await syncSources(failing).catch(() => undefined)
      await failing.close()
      const next = open(root)
      const { sources, problems } = await next.sourceRegistry.list()
      expect([sources.map(({ id }) => id), problems], `step ${failAt}`).toEqual([['notes'], []])
      const { synced } = await syncSources(next)
      expect(synced[0]?.status, `step ${failAt}`).toBe('succeeded')
      expect((await next.store.counts()).total, `step ${failAt}`).toBe(2)
      await next.close()
    }
  })
})
