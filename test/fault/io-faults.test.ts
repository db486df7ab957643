import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { composeEngine } from '../../src/compose/compose.ts'
import type { Composed } from '../../src/compose/composed.ts'
import { editOperation } from '../../src/features/entries/verbs/edit.ts'
import { undoOperation } from '../../src/features/entries/verbs/undo.ts'
import { changeEntry, remember } from '../../src/features/entries/write-entries.ts'
import { rejectProposals } from '../../src/features/learning/reviewing.ts'
import { failEveryStep, WAYS_TO_FAIL } from '../support/fail-every-step.ts'
import { failingDisk } from '../support/failing-disk.ts'
import { scratchProject } from '../support/scratch-project.ts'

/** What the vault says, apart from the moments in it. */
async function contents(root: string): Promise<string> {
  const engine = composeEngine({ root })
  const { entries } = await engine.store.listEntries({ filter: {}, limit: 1000, offset: 0 })
  const { rejections = [] } = await engine.store.readDocument('curation.json')
  const problems = await engine.store.check()
  await engine.close()
  expect(problems).toEqual([])
  return [
    ...entries.map(entry => `${entry.agent}/${entry.category} ${entry.status} ${entry.content}`).sort(),
    ...(rejections as { content: string }[]).map(({ content }) => `rejected ${content}`),
  ].join('\n')
}

async function makeVault(entries: number, rejected: number): Promise<string> {
  const root = scratchProject()
  const engine = composeEngine({ root })
  await remember(
    engine,
    Array.from({ length: entries }, (_, n) => ({
      content: `Fact number ${n} about the build.`,
      kind: 'decision',
      origin: 'machine' as const,
      status: 'candidate' as const,
    })),
  )
  for (let n = 0; n < rejected; n++) await rejectProposals(engine, [await firstId(engine)])
  await engine.close()
  return root
}

interface Case {
  readonly name: string
  readonly entries: number
  /** So many of them are rejected before. */
  readonly rejected?: number
  /** What the operation changes, given an engine whose disk may fail. */
  readonly act: (engine: Composed) => Promise<unknown>
}

const firstId = async (engine: Composed) => {
  const { entries } = await engine.store.listEntries({ filter: {}, limit: 1, offset: 0 })
  return entries[0]?.id ?? ''
}

const CASES: readonly Case[] = [
  {
    name: 'saving the first entry',
    entries: 0,
    act: engine => remember(engine, [{ content: 'The very first.' }]),
  },
  {
    name: 'saving one more',
    entries: 3,
    act: engine => remember(engine, [{ content: 'One more.', kind: 'decision' }]),
  },
  {
    name: 'saving the one that rolls the file over',
    entries: 30,
    act: engine => remember(engine, [{ content: 'The last straw.', kind: 'decision' }]),
  },
  {
    name: 'saving into two files at once',
    entries: 3,
    act: engine => remember(engine, [{ content: 'A lesson.' }, { content: 'A plan.', category: 'projects' }]),
  },
  {
    name: 'updating',
    entries: 3,
    act: async engine =>
      editOperation.run(engine, { target: await firstId(engine), content: 'Changed my mind.' }, {}),
  },
  {
    name: 'moving an entry to another vault',
    entries: 3,
    act: async engine =>
      editOperation.run(engine, { target: await firstId(engine), agent: 'dev', category: 'lessons' }, {}),
  },
  {
    name: 'deleting',
    entries: 3,
    act: async engine => changeEntry(engine, await firstId(engine), 'remove', () => null),
  },
  {
    name: 'deleting the last one of a file',
    entries: 1,
    act: async engine => changeEntry(engine, await firstId(engine), 'remove', () => null),
  },
  {
    name: 'rejecting the first one, which makes a document',
    entries: 3,
    act: async engine => rejectProposals(engine, [await firstId(engine)]),
  },
  {
    name: 'rejecting another, which adds to the document',
    entries: 3,
    rejected: 2,
    act: async engine => rejectProposals(engine, [await firstId(engine)]),
  },
  {
    name: 'undoing what another rejection came after',
    entries: 3,
    rejected: 2,
    act: async engine => {
      const records: string[] = []
      for await (const { id, action } of engine.store.readJournal({}))
        if (action === 'reject') records.push(id)
      await undoOperation.run(engine, { record: records.at(-1) ?? '' }, {})
    },
  },
  { name: 'undoing', entries: 3, act: engine => undoOperation.run(engine, {}, {}) },
]

describe.each(CASES)('when a disk step fails while $name', ({ entries, rejected = 0, act }) => {
  it.each(WAYS_TO_FAIL)('%s, the next process finds the old state or the new one', async (_name, forGood) => {
    const original = await makeVault(entries, rejected)
    await failEveryStep({ original, act, stateOf: contents, forGood, leastSteps: 3 })
  })
})

describe('a write that was interrupted', () => {
  it('is finished by whoever comes next, also when the one between died over it and had seen another change', async () => {
    const whole = await makeVault(3, 0)
    let interrupted = whole
    for (let failAt = 1; ; failAt++) {
      interrupted = scratchProject()
      cpSync(whole, interrupted, { recursive: true })
      const dying = composeEngine({ root: interrupted, disk: failingDisk(failAt, { forGood: true }).disk })
      const code = await remember(dying, [{ content: 'One more.', kind: 'lesson' }]).then(
        () => 'none',
        (error: { code?: string }) => error.code,
      )
      await dying.close()
      if (code === 'write_interrupted') break
      expect(failAt).toBeLessThan(20)
    }
    const file = path.join(interrupted, '.memory/local/shared/decisions.md')
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('Fact number 1', 'Typed fact number 1'))

    for (let failAt = 1; failAt <= 12; failAt++) {
      const root = scratchProject()
      cpSync(interrupted, root, { recursive: true })
      const between = composeEngine({ root, disk: failingDisk(failAt, { forGood: true }).disk })
      await between.store.listEntries({ filter: {}, limit: 10, offset: 0 }).catch(() => undefined)
      await between.close()
      expect((await contents(root)).split('\n'), `step ${failAt}`).toEqual([
        'shared/decisions candidate Fact number 0 about the build.',
        'shared/decisions candidate Fact number 2 about the build.',
        'shared/decisions candidate Typed fact number 1 about the build.',
        'shared/lessons confirmed One more.',
      ])
    }
  })
})
