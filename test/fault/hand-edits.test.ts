import { cpSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { composeEngine } from '../../src/compose/compose.ts'
import type { Composed } from '../../src/compose/composed.ts'
import { changeEntry, remember } from '../../src/features/entries/write-entries.ts'
import { configSetOperation } from '../../src/features/settings/verbs/config.ts'
import { type Disk, nodeDisk } from '../../src/kernel/system/disk.ts'
import { scratchProject } from '../support/scratch-project.ts'

/** How an editor saves: into the file that is there, or by a rename over it. */
const EDITORS = {
  'in place': (file: string, text: string) => writeFileSync(file, text),
  'by a rename': (file: string, text: string) => {
    writeFileSync(`${file}.editor`, text)
    renameSync(`${file}.editor`, file)
  },
} as const

/** A disk on which somebody saves a file right before the nth step. */
function diskWithEditor(
  saveAt: number,
  save: () => void,
): { disk: Disk; steps: () => number; stepNames: string[] } {
  let step = 0
  const stepNames: string[] = []
  const disk = Object.fromEntries(
    Object.entries(nodeDisk).map(([name, method]) => [
      name,
      (...values: never[]) => {
        step++
        stepNames.push(name)
        if (step === saveAt) save()
        return (method as (...all: never[]) => unknown)(...values)
      },
    ]),
  ) as unknown as Disk
  return { disk, steps: () => step, stepNames }
}

async function entriesOf(root: string) {
  const engine = composeEngine({ root })
  const { entries } = await engine.store.listEntries({ filter: {}, limit: 100, offset: 0 })
  expect(await engine.store.check()).toEqual([])
  await engine.close()
  return entries
}

const journalOf = (root: string) => readFileSync(path.join(root, '.memory/history/audit.jsonl'), 'utf8')

interface Case {
  readonly name: string
  /** The file that a person edits, and the writer writes. */
  readonly file: string
  readonly edit: (text: string) => string
  readonly act: (engine: Composed) => Promise<unknown>
  /** What both leave behind. */
  readonly check: (root: string) => Promise<void>
}

const candidate = { origin: 'agent', status: 'candidate', kind: 'decision', agent: 'dev' } as const

const CASES: readonly Case[] = [
  {
    name: 'an entry is added to the file that a person edits',
    file: 'local/dev/decisions.md',
    edit: text => text.replace('The second zebra.', 'The second zebra, as a person wrote it.'),
    act: engine => remember(engine, [{ ...candidate, content: 'The third zebra.' }]),
    async check(root) {
      const contents = (await entriesOf(root)).map(({ content }) => content).sort()
      expect(contents).toEqual([
        'The first zebra.',
        'The second zebra, as a person wrote it.',
        'The third zebra.',
      ])
    },
  },
  {
    name: 'another entry of the file is changed',
    file: 'local/dev/decisions.md',
    edit: text => text.replace('The second zebra.', 'The second zebra, as a person wrote it.'),
    async act(engine) {
      const { entries } = await engine.store.listEntries({ filter: {}, limit: 10, offset: 0 })
      const first = entries.find(({ content }) => content === 'The first zebra.')
      await changeEntry(engine, first?.id ?? '', 'update', entry => ({
        ...entry,
        content: 'The first zebra again.',
      }))
    },
    async check(root) {
      const contents = (await entriesOf(root)).map(({ content }) => content).sort()
      expect(contents).toEqual(['The first zebra again.', 'The second zebra, as a person wrote it.'])
    },
  },
  {
    name: 'the entry that a person edits is removed',
    file: 'local/dev/decisions.md',
    edit: text => text.replace('The second zebra.', 'The second zebra, as a person wrote it.'),
    async act(engine) {
      const { entries } = await engine.store.listEntries({ filter: {}, limit: 10, offset: 0 })
      const second = entries.find(({ content }) => content.startsWith('The second zebra'))
      await changeEntry(engine, second?.id ?? '', 'remove', () => null)
    },
    async check(root) {
      const contents = (await entriesOf(root)).map(({ content }) => content)
      const text = 'The second zebra, as a person wrote it.'
      expect(contents.includes(text) || journalOf(root).includes(text)).toBe(true)
    },
  },
  {
    name: 'a setting is changed beside the one that a person edits',
    file: 'config.json',
    edit: text => JSON.stringify({ ...JSON.parse(text), search: { limit: 33 } }),
    act: engine => configSetOperation.run(engine, { key: 'brief.maxTokens', value: '700' } as never, {}),
    async check(root) {
      expect(JSON.parse(readFileSync(path.join(root, '.memory/config.json'), 'utf8'))).toMatchObject({
        search: { limit: 33 },
      })
    },
  },
]

describe.each(Object.keys(EDITORS) as (keyof typeof EDITORS)[])('an editor that saves %s', how => {
  it.each(CASES)('loses nothing at any step: $name', async ({ file, edit, act, check }) => {
    const original = scratchProject()
    const engine = composeEngine({ root: original })
    await remember(engine, [
      { ...candidate, content: 'The first zebra.' },
      { ...candidate, content: 'The second zebra.' },
    ])
    await engine.close()
    for (let saveAt = 1; ; saveAt++) {
      const root = scratchProject()
      cpSync(original, root, { recursive: true })
      const target = path.join(root, '.memory', file)
      let isSaved = false
      const { disk, steps, stepNames } = diskWithEditor(saveAt, () => {
        // An editor that has no file to edit saves nothing.
        if (!existsSync(target)) return
        const before = readFileSync(target, 'utf8')
        const after = edit(before)
        if (after === before) return
        isSaved = true
        EDITORS[how](target, after)
      })
      const writer = composeEngine({ root, disk })
      await act(writer)
      await writer.close()
      if (steps() < saveAt) break
      // No call of Node swaps two files: between the last look at a file and the rename there is this one gap.
      const isGap = how === 'by a rename' && ['rename', 'remove'].includes(stepNames[saveAt - 1] ?? '')
      if (!isSaved || isGap) continue
      await check(root).catch((error: Error) => {
        throw new Error(`saved before step ${saveAt} (${stepNames[saveAt - 1]}): ${error.message}`)
      })
    }
  })
})
