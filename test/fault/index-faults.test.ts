import { cpSync, rmSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { composeEngine } from '../../src/compose/compose.ts'
import type { Composed } from '../../src/compose/composed.ts'
import { undoOperation } from '../../src/features/entries/verbs/undo.ts'
import { changeEntry, remember } from '../../src/features/entries/write-entries.ts'
import { search } from '../../src/features/search/search-memory.ts'
import { failingDatabase } from '../support/failing-database.ts'
import { scratchProject } from '../support/scratch-project.ts'

async function makeVault(): Promise<string> {
  const root = scratchProject()
  const engine = composeEngine({ root })
  await remember(
    engine,
    Array.from({ length: 4 }, (_, n) => ({
      content: `Fact number ${n} about the zebra build.`,
      kind: 'decision',
    })),
  )
  await engine.close()
  return root
}

async function contents(root: string): Promise<string[]> {
  const engine = composeEngine({ root })
  const { entries } = await engine.store.listEntries({ filter: {}, limit: 1000, offset: 0 })
  const { hits } = await search(engine, 'zebra', { filter: {}, limit: 100 })
  expect(await engine.store.check()).toEqual([])
  await engine.close()
  expect(hits).toHaveLength(entries.length)
  return entries.map(entry => entry.content).sort()
}

const CASES: readonly {
  name: string
  prepare?: (root: string) => void
  act: (engine: Composed) => Promise<unknown>
}[] = [
  { name: 'saving', act: engine => remember(engine, [{ content: 'One more zebra.' }]) },
  {
    name: 'deleting',
    act: async engine => {
      const { entries } = await engine.store.listEntries({ filter: {}, limit: 1, offset: 0 })
      return changeEntry(engine, entries[0]?.id ?? '', 'remove', () => null)
    },
  },
  { name: 'undoing', act: engine => undoOperation.run(engine, {}, {}) },
  { name: 'searching', act: engine => search(engine, 'zebra', { filter: {}, limit: 10 }) },
  { name: 'compacting the index', act: engine => engine.store.compactIndex() },
  { name: 'rebuilding the index', act: engine => engine.store.rebuildIndex() },
  {
    name: 'migrating a fresh index',
    prepare: root => rmSync(path.join(root, '.memory', '.vault'), { recursive: true }),
    act: engine => engine.store.refresh(),
  },
]

describe.each(CASES)('when an index step fails while $name', ({ prepare, act }) => {
  it('the next process finds the old state or the new one, and the index equals the files', async () => {
    const original = await makeVault()
    const before = await contents(original)
    prepare?.(original)
    const succeeded = scratchProject()
    cpSync(original, succeeded, { recursive: true })
    const counting = failingDatabase(0)
    const engine = composeEngine({ root: succeeded, openDatabase: counting.open })
    await act(engine)
    await engine.close()
    const after = await contents(succeeded)
    expect(counting.steps()).toBeGreaterThan(2)

    for (let failAt = 1; failAt <= counting.steps(); failAt++) {
      const root = scratchProject()
      cpSync(original, root, { recursive: true })
      const failing = composeEngine({ root, openDatabase: failingDatabase(failAt).open })
      const acknowledged = await act(failing).then(
        () => true,
        () => false,
      )
      await failing.close()
      const found = await contents(root)
      const state = `step ${failAt}, ${acknowledged ? 'acknowledged' : 'refused'}: ${JSON.stringify(found)}`
      if (acknowledged) expect(found, state).toEqual(after)
      else expect([JSON.stringify(before), JSON.stringify(after)], state).toContain(JSON.stringify(found))
    }
  })
})
