import { existsSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { composeEngine } from '../../src/compose/compose.ts'
import type { ComposedCheckout } from '../../src/compose/composed.ts'
import { undoOperation } from '../../src/features/entries/verbs/undo.ts'
import { removeEntryBlock, writeEntryBlock } from '../../src/features/state/entry-blocks.ts'
import { refreshProjections, writeProjections } from '../../src/features/state/projections.ts'
import { failEveryStep, WAYS_TO_FAIL } from '../support/fail-every-step.ts'
import { SHOP, stateText } from '../support/project-state.ts'
import { readIn, scratchProject, writeIn } from '../support/scratch-project.ts'

const NAMES = ['README.md', 'project-map.md', 'current-focus.md', 'gotchas.md', 'next-steps.md']
const FILES = ['AGENTS.md', 'CLAUDE.md', ...NAMES.map(name => `docs/agent-memory/${name}`)]
const THEIRS = { 'AGENTS.md': '# Rules\r\nBe nice.', 'CLAUDE.md': 'Short.\n' }

/** What a process that comes later finds, after whatever it has to finish. */
async function found(root: string): Promise<string> {
  const engine = composeEngine({ root })
  const problems = await engine.store.check()
  await engine.close()
  expect(problems).toEqual([])
  return JSON.stringify(FILES.map(name => (existsSync(path.join(root, name)) ? readIn(root, name) : null)))
}

async function makeProject(): Promise<string> {
  return scratchProject({
    '.memory/state.json': stateText(SHOP),
    '.memory/config.json': '{"version":1,"projections":{"auto":true}}',
    ...THEIRS,
  })
}

const all = async (engine: ComposedCheckout) => {
  await writeProjections(engine, {})
  await writeEntryBlock(engine, {})
}
const later = async (engine: ComposedCheckout) => {
  await all(engine)
  writeIn(engine.root, '.memory/state.json', stateText({ ...SHOP, nextSteps: [] }))
}

/** Recall takes what goes wrong here as told; to this test it is a failure. */
const refreshed = async (engine: ComposedCheckout) => {
  const { problems } = await refreshProjections(engine)
  if (problems.length > 0) throw new Error(problems[0]?.message)
}

const CASES: readonly {
  readonly name: string
  readonly prepare?: (engine: ComposedCheckout) => Promise<unknown>
  readonly act: (engine: ComposedCheckout) => Promise<unknown>
}[] = [
  { name: 'projections are written', act: engine => writeProjections(engine, {}) },
  { name: 'the entry block is written', act: engine => writeEntryBlock(engine, {}) },
  { name: 'the entry block is taken out', prepare: all, act: engine => removeEntryBlock(engine, {}) },
  { name: 'that is undone', prepare: all, act: engine => undoOperation.run(engine, {}, {}) },
  { name: 'recall brings the projections up to date', prepare: later, act: refreshed },
]

describe.each(CASES)('when a disk step fails while $name', ({ prepare, act }) => {
  it.each(WAYS_TO_FAIL)(
    '%s, the next process finds the old files or the new ones',
    async (_name, forGood) => {
      const original = await makeProject()
      const preparing = composeEngine({ root: original })
      await prepare?.(preparing)
      await preparing.close()
      await failEveryStep({ original, act, stateOf: found, forGood, leastSteps: 4 })
    },
  )
})
