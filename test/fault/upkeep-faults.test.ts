import { cpSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Composed } from '../../src/compose/composed.ts'
import { restoreBatch } from '../../src/features/upkeep/restore.ts'
import { compact } from '../../src/features/upkeep/upkeep.ts'
import { captured, furnishAged, furnishHistory, LOCAL, openAt, treeOf } from '../support/aged-vault.ts'
import { failingDisk } from '../support/failing-disk.ts'
import { scratchProject } from '../support/scratch-project.ts'

const CONFIG =
  '{"version": 1, "vault": {"maxEntriesPerFile": 4, "keepEntries": 2}, "retention": {"checkpoints": {"keepRecent": 1}}}'

async function furnish(): Promise<string> {
  const root = scratchProject({ '.memory/config.json': CONFIG })
  await furnishAged(root, [
    ...Array.from({ length: 6 }, (_, n) => captured(`Old fact ${n}.`, 60 + n)),
    captured('Kept: fresh.', 1),
    captured('Kept: pinned.', 90, { status: 'pinned' }),
  ])
  await furnishHistory(root)
  return root
}

/** Every entry and every file with what it says, wherever it is now. */
async function holdings(
  root: string,
): Promise<{ vault: string[]; archived: Set<string>; files: Set<string> }> {
  const engine = openAt(root)
  const { entries } = await engine.store.listEntries({ filter: {}, limit: 100, offset: 0 })
  expect(await engine.store.check()).toEqual([])
  const archived = new Set<string>()
  for await (const { item } of engine.archive.entries()) archived.add(item.entry.content)
  const files = new Set<string>()
  for (const batch of (await engine.archive.list()).batches) for (const file of batch.files) files.add(file)
  await engine.close()
  return { vault: entries.map(({ content }) => content).sort(), archived, files }
}

const FILES = [
  '.vault/checkpoints/dev/lost.json',
  '.vault/checkpoints/dev/torn.json',
  'conversations/dev/old.json',
  'dev.md.bak',
  'history/checkpoints/aged.json',
  'history/checkpoints/older.json',
  'sessions/old.memory.json',
]

/** Fails every step of `act` in turn, and hands what is left to `judge`. */
async function failEveryStep(
  original: string,
  act: (engine: Composed) => Promise<unknown>,
  judge: (root: string, step: string) => Promise<void>,
  forGood: boolean,
): Promise<void> {
  const whole = scratchProject()
  cpSync(original, whole, { recursive: true, preserveTimestamps: true })
  const counting = failingDisk(Number.POSITIVE_INFINITY, { forGood })
  const engine = openAt(whole, undefined, { disk: counting.disk })
  await act(engine)
  await engine.close()
  expect(counting.steps()).toBeGreaterThan(20)
  for (let failAt = 1; failAt <= counting.steps(); failAt++) {
    const root = scratchProject()
    cpSync(original, root, { recursive: true, preserveTimestamps: true })
    const failing = openAt(root, undefined, { disk: failingDisk(failAt, { forGood }).disk })
    let failure: unknown
    await act(failing).catch(error => {
      failure = error
    })
    await failing.close()
    await judge(root, `step ${failAt}: ${String(failure)}`)
  }
}

describe.each([
  ['once', false],
  ['and every step after it, as when the process dies', true],
])('when a disk step fails %s', (_name, forGood) => {
  it('while compacting, nothing is lost and the next run finishes', async () => {
    const original = await furnish()
    const before = await holdings(original)
    await failEveryStep(
      original,
      engine => compact(engine),
      async (root, step) => {
        const found = await holdings(root)
        const missing = before.vault.filter(text => !found.vault.includes(text) && !found.archived.has(text))
        expect(missing, step).toEqual([])
        const tree = treeOf(root, LOCAL)
        expect(
          FILES.filter(file => !(file in tree) && !found.files.has(file)),
          step,
        ).toEqual([])

        const next = openAt(root)
        await compact(next)
        await next.close()
        expect((await holdings(root)).vault, step).toEqual(['Kept: fresh.', 'Kept: pinned.'])
        const after = treeOf(root, LOCAL)
        expect(
          FILES.filter(file => file in after),
          step,
        ).toEqual([])
      },
      forGood,
    )
  }, 300_000)

  it('while restoring, nothing is lost and restoring again finishes', async () => {
    const original = await furnish()
    const before = await holdings(original)
    const first = openAt(original)
    const { result } = await compact(first)
    await first.close()
    const batches = result?.batches ?? []
    const restoreAll = async (engine: Composed) => {
      for (const batch of batches) await restoreBatch(engine, batch)
    }
    await failEveryStep(
      original,
      restoreAll,
      async (root, step) => {
        const found = await holdings(root)
        expect(
          before.vault.filter(text => !found.vault.includes(text) && !found.archived.has(text)),
          step,
        ).toEqual([])
        const again = openAt(root)
        await restoreAll(again)
        await again.close()
        expect((await holdings(root)).vault, step).toEqual(before.vault)
        const tree = treeOf(root, LOCAL)
        expect(
          FILES.filter(file => !(file in tree)),
          step,
        ).toEqual([])
      },
      forGood,
    )
  }, 300_000)
})
