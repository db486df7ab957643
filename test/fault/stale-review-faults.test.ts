import { cpSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Composed } from '../../src/compose/composed.ts'
import { undoOperation } from '../../src/features/entries/verbs/undo.ts'
import { applyProposals } from '../../src/features/review/apply-proposals.ts'
import { reviewStale } from '../../src/features/review/stale-review.ts'
import { captured, furnishAged, openAt } from '../support/aged-vault.ts'
import { failingDisk } from '../support/failing-disk.ts'
import { scratchProject } from '../support/scratch-project.ts'

const CONFIG =
  '{"version": 1, "vault": {"maxEntriesPerFile": 0, "keepEntries": 1}, "review": {"maxEntriesPerFile": 3}}'

/** Seven entries of three months in one file, and one that nobody ever used. */
async function furnish(): Promise<string> {
  const fruits = ['apples', 'pears', 'plums', 'figs', 'grapes', 'dates', 'limes']
  const entries = fruits.map(
    (fruit, n) =>
      `<!-- id:178000000000${n}-aaaa -->\n## 2026-0${6 + (n % 3)}-0${1 + n}T10:00\n\nAbout ${fruit}.\n\n---\n`,
  )
  const root = scratchProject({
    '.memory/config.json': CONFIG,
    '.memory/dev/lessons.md': entries.reverse().join('\n'),
  })
  await furnishAged(root, [captured('The cache is warm.', 200)])
  return root
}

async function holdings(root: string): Promise<string[]> {
  const engine = openAt(root)
  const { entries } = await engine.store.listEntries({ filter: {}, limit: 100, offset: 0 })
  expect(await engine.store.check()).toEqual([])
  const held = entries.map(({ content }) => content)
  for await (const { item } of engine.archive.entries())
    if (!held.includes(item.entry.content)) held.push(item.entry.content)
  await engine.close()
  return held.sort()
}

const splitsLeft = async (root: string) => {
  const engine = openAt(root)
  const { proposals } = await reviewStale(engine)
  await engine.close()
  return proposals.filter(({ kind }) => kind === 'split').length
}

describe.each([
  ['once', false],
  ['and every step after it, as when the process dies', true],
])('when a disk step fails %s', (_name, forGood) => {
  it.each<[string, (engine: Composed) => Promise<unknown>]>([
    ['splitting', engine => applyProposals(engine, { allOf: 'split' })],
    ['archiving', engine => applyProposals(engine, { allOf: 'archive' })],
    [
      'undoing a split',
      async engine => {
        await applyProposals(engine, { allOf: 'split' })
        await undoOperation.run(engine, {}, {})
      },
    ],
  ])('while %s, every entry is there once, and doing it again finishes', async (_what, act) => {
    const original = await furnish()
    const all = await holdings(original)
    const whole = scratchProject()
    cpSync(original, whole, { recursive: true, preserveTimestamps: true })
    const counting = failingDisk(Number.POSITIVE_INFINITY, { forGood })
    const engine = openAt(whole, undefined, { disk: counting.disk })
    await act(engine)
    await engine.close()
    expect(counting.steps()).toBeGreaterThan(5)
    for (let failAt = 1; failAt <= counting.steps(); failAt++) {
      const root = scratchProject()
      cpSync(original, root, { recursive: true, preserveTimestamps: true })
      const failing = openAt(root, undefined, { disk: failingDisk(failAt, { forGood }).disk })
      await act(failing).catch(() => undefined)
      await failing.close()
      expect(await holdings(root), `step ${failAt}`).toEqual(all)
      const next = openAt(root)
      await applyProposals(next, { allOf: 'split' })
      await next.close()
      expect(await splitsLeft(root), `step ${failAt}`).toBe(0)
      expect(await holdings(root), `step ${failAt}`).toEqual(all)
    }
  })
})
