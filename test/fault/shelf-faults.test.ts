import { cpSync, rmSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { composeEngine } from '../../src/compose/compose.ts'
import { remember } from '../../src/features/entries/write-entries.ts'
import { search } from '../../src/features/search/search-memory.ts'
import { failingDatabase } from '../support/failing-database.ts'
import { scratchProject } from '../support/scratch-project.ts'
import { writeLearnings, writePlan } from '../support/workspace-tree.ts'

const asked = { filter: {}, limit: 100, wordsOnly: true, documents: {} }

async function makeProject(): Promise<string> {
  const root = scratchProject()
  for (const n of [1, 2]) writePlan(root, 'devtools', `26010${n}-zebra`, { name: `Zebra ${n}` })
  writeLearnings(root, 'devtools', 'lessons', ['### [2026-01-03] Zebra\n\nIt has stripes.'])
  const engine = composeEngine({ root })
  await remember(engine, [{ content: 'The zebra is in the vault.' }])
  await engine.close()
  return root
}

/** What a healthy process finds, once it has looked. */
async function found(root: string): Promise<string[]> {
  const engine = composeEngine({ root })
  const { hits } = await search(engine, 'zebra', asked)
  expect(await engine.store.check()).toEqual([])
  const { documents } = await engine.documentSearch.state()
  await engine.close()
  expect(hits.filter(({ document }) => document !== undefined)).toHaveLength(documents)
  return hits.map(({ entry }) => entry.content).sort()
}

const CHANGES: readonly { name: string; change: (root: string) => void }[] = [
  { name: 'documents are taken in', change: () => undefined },
  {
    name: 'documents change and go',
    change: root => {
      writePlan(root, 'devtools', '260101-zebra', { name: 'Zebra moved' })
      rmSync(path.join(root, 'resources/workspaces/devtools/_plans/260102-zebra.md'))
    },
  },
  {
    name: 'all workspaces go',
    change: root => {
      rmSync(path.join(root, 'resources'), { recursive: true })
      rmSync(path.join(root, 'user'), { recursive: true })
    },
  },
]

describe.each(CHANGES)('when an index step fails while $name', ({ change, name }) => {
  it('the next process finds what the files say, and the vault is as it was', async () => {
    const original = await makeProject()
    if (name !== 'documents are taken in') await found(original)
    change(original)
    const whole = scratchProject()
    cpSync(original, whole, { recursive: true, preserveTimestamps: true })
    const counting = failingDatabase(0)
    const engine = composeEngine({ root: whole, openDatabase: counting.open })
    await search(engine, 'zebra', asked)
    await engine.close()
    const expected = await found(whole)
    expect(counting.steps()).toBeGreaterThan(10)

    for (let failAt = 1; failAt <= counting.steps(); failAt++) {
      const root = scratchProject()
      cpSync(original, root, { recursive: true, preserveTimestamps: true })
      const failing = composeEngine({ root, openDatabase: failingDatabase(failAt).open })
      // An answer that comes is whole; else it is an error, never fewer hits.
      const answer = await search(failing, 'zebra', asked).catch(() => undefined)
      await failing.close()
      if (answer !== undefined && answer.degraded.length === 0)
        expect(answer.hits, `step ${failAt}`).toHaveLength(expected.length)
      expect(await found(root), `step ${failAt}`).toEqual(expected)
    }
  })
})
