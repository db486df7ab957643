import { existsSync, readdirSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { composeEngine } from '../../src/compose/compose.ts'
import type { Composed } from '../../src/compose/composed.ts'
import { undoOperation } from '../../src/features/entries/verbs/undo.ts'
import { remember } from '../../src/features/entries/write-entries.ts'
import { failEveryStep, WAYS_TO_FAIL } from '../support/fail-every-step.ts'
import { readIn, scratchProject } from '../support/scratch-project.ts'

const FILES = ['docs/a.md', 'docs/b.md', 'docs/deep/new.md']

/** What a process that comes later finds, after whatever it has to finish. */
async function state(root: string): Promise<string> {
  const engine = composeEngine({ root })
  const { entries } = await engine.store.listEntries({ filter: {}, limit: 10, offset: 0 })
  const problems = await engine.store.check()
  await engine.close()
  expect(problems).toEqual([])
  const texts = FILES.map(name => (existsSync(path.join(root, name)) ? readIn(root, name) : null))
  return JSON.stringify([texts, entries.map(({ content }) => content)])
}

async function makeProject(): Promise<string> {
  const root = scratchProject({ 'docs/a.md': 'one\ntwo\n', 'docs/b.md': 'gone soon\n' })
  const engine = composeEngine({ root })
  await remember(engine, [{ content: 'An entry that becomes a rule.' }])
  await engine.close()
  return root
}

const editFiles = (engine: Composed) =>
  engine.store.write(engine.actor, async view => {
    const [entry] = (await engine.search.listEntries({ filter: {}, limit: 1, offset: 0 })).entries
    const before = async (name: string) => (await view.readFile(name)) ?? null
    return {
      action: 'edit-files',
      changes: [
        { type: 'file', path: 'docs/a.md', before: await before('docs/a.md'), after: 'one\n2\n' },
        { type: 'file', path: 'docs/b.md', before: await before('docs/b.md'), after: null },
        { type: 'file', path: 'docs/deep/new.md', before: null, after: 'fresh\n' },
        { type: 'entry', before: entry ?? null, after: null },
      ],
    }
  })

const CASES: readonly {
  readonly name: string
  readonly prepare?: (engine: Composed) => Promise<unknown>
  readonly act: (engine: Composed) => Promise<unknown>
}[] = [
  { name: 'files and an entry change together', act: editFiles },
  { name: 'that is undone', prepare: editFiles, act: engine => undoOperation.run(engine, {}, {}) },
]

describe.each(CASES)('when a disk step fails while $name', ({ prepare, act }) => {
  it.each(WAYS_TO_FAIL)('%s, the next process finds the old state or the new one', async (_name, forGood) => {
    const original = await makeProject()
    const preparing = composeEngine({ root: original })
    await prepare?.(preparing)
    await preparing.close()
    await failEveryStep({
      original,
      act,
      stateOf: state,
      forGood,
      leastSteps: 6,
      afterEach: (root, found) => {
        if (found === 'after' && !forGood)
          expect(readdirSync(path.join(root, 'docs')).filter(isTemporary)).toEqual([])
      },
    })
  })
})

const isTemporary = (name: string) => name.endsWith('.cairn-tmp')
