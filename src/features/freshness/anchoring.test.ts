import { afterEach, expect, it } from 'vitest'
import { makeWorld, type World } from '../../../test/e2e/world.ts'
import { composeEngine } from '../../compose/compose.ts'
import type { Composed } from '../../compose/composed.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { systemClock } from '../../kernel/system/clock.ts'
import { confirmOperation } from '../entries/verbs/confirm.ts'
import { remember } from '../entries/write-entries.ts'
import { freshnessMarks, freshnessOf } from './anchoring.ts'
import type { ProjectFiles } from './decide/ports.ts'

let world: World
let engine: Composed
const asked = { seen: 0, read: 0, listed: 0, renames: 0 }

afterEach(async () => {
  await engine.close()
  world.remove()
})

/** A project whose files are counted as they are looked at, an hour after they were written. */
function open(files: Readonly<Record<string, string>>): Composed {
  world = makeWorld(files)
  const composed = composeEngine({
    root: world.root,
    clock: { ...systemClock, nowMs: () => Date.now() + 3_600_000 },
  })
  const counted: ProjectFiles = {
    see: names => {
      asked.seen += names.length
      return composed.projectFiles.see(names)
    },
    read: name => {
      asked.read++
      return composed.projectFiles.read(name)
    },
    commit: () => composed.projectFiles.commit(),
    readAt: (commit, file) => composed.projectFiles.readAt(commit, file),
    list: most => {
      asked.listed++
      return composed.projectFiles.list(most)
    },
    renames: () => {
      asked.renames++
      return composed.projectFiles.renames()
    },
  }
  engine = { ...composed, projectFiles: counted }
  return engine
}

function counts(): typeof asked {
  const now = { ...asked }
  Object.assign(asked, { seen: 0, read: 0, listed: 0, renames: 0 })
  return now
}

const text = (word: string, lines = 50) =>
  Array.from({ length: lines }, (_, n) => `${word}${n} = ${word}(${n})`).join('\n')

async function keep(content: string, files: readonly string[]): Promise<Entry> {
  const [kept] = await remember(engine, [{ content, files }])
  if (kept === undefined) throw new Error('nothing was kept')
  return kept.entry
}

it('looks at a file that is as it was with one question, and does not read it', async () => {
  open({ 'a.ts': text('a'), 'b.ts': text('b') })
  const first = await keep('About both.', ['a.ts', 'b.ts'])
  const second = await keep('About one.', ['a.ts'])
  counts()
  await freshnessOf(engine, [first, second])
  expect(counts()).toEqual({ seen: 2, read: 2, listed: 0, renames: 0 })
  await freshnessOf(engine, [first, second])
  expect(counts()).toEqual({ seen: 2, read: 0, listed: 0, renames: 0 })
  world.write('a.ts', text('c'))
  const found = await freshnessOf(engine, [first, second])
  expect([...found.values()].map(({ state }) => state)).toEqual(['drifted', 'drifted'])
  expect(counts()).toEqual({ seen: 2, read: 1, listed: 0, renames: 0 })
  await freshnessOf(engine, [first, second])
  expect(counts().read).toBe(0)
})

it('looks at no file for entries without anchors', async () => {
  open({ 'a.ts': text('a') })
  const { id } = await keep('About nothing in particular.', [])
  counts()
  expect(await engine.sources.marks([id])).toEqual(new Map())
  expect(await freshnessMarks(engine, [id])).toEqual(new Map())
  expect(counts()).toEqual({ seen: 0, read: 0, listed: 0, renames: 0 })
})

it('looks for a lost file once, reads few others, and never asks git in a read', async () => {
  const others = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`src/o${n}.ts`, text(`o${n}`)]))
  open({ 'src/lost.ts': text('lost'), ...others })
  const entry = await keep('About it.', ['src/lost.ts'])
  const { rmSync } = await import('node:fs')
  rmSync(`${world.root}/src/lost.ts`)
  counts()
  expect((await freshnessOf(engine, [entry])).get(entry.id)?.state).toBe('orphaned')
  expect(counts()).toEqual({ seen: 1, read: 12, listed: 1, renames: 0 })
  await freshnessOf(engine, [entry])
  expect(counts()).toEqual({ seen: 1, read: 0, listed: 0, renames: 0 })
})

it('reads a bounded number of files at once, and the others the next time', async () => {
  const names = Array.from({ length: 60 }, (_, n) => `f${n}.ts`)
  open(Object.fromEntries(names.map(name => [name, text(name.slice(0, -3))])))
  const entries: Entry[] = []
  for (const name of names) entries.push(await keep(`About ${name}.`, [name]))
  counts()
  await freshnessOf(engine, entries)
  expect(counts().read).toBe(48)
  await freshnessOf(engine, entries)
  expect(counts().read).toBe(12)
})

it('marks what changed and what is gone', async () => {
  open({ 'a.ts': text('a'), 'b.md': text('b') })
  const { id } = await keep('About both.', ['a.ts', 'b.md'])
  world.write('a.ts', text('x'))
  const { rmSync } = await import('node:fs')
  rmSync(`${world.root}/b.md`)
  expect(await freshnessMarks(engine, [id])).toEqual(
    new Map([[id, { changedFiles: ['a.ts'], goneFiles: ['b.md'] }]]),
  )
})

it('notes what a person confirmed', async () => {
  open({ 'a.ts': text('a') })
  const { id } = await keep('About it.', ['a.ts'])
  const noted = async () => (await engine.store.readDocument('curation.json')).confirmations
  expect(await noted()).toBeUndefined()
  await confirmOperation.run(engine, { target: id }, {})
  expect(await noted()).toMatchObject({ [id]: { by: expect.any(String) } })
})

it('claims nothing of a file that was taken out of the entry by hand', async () => {
  open({ 'a.ts': text('a') })
  const entry = await keep('About it.', ['a.ts'])
  world.write('a.ts', text('x'))
  expect((await freshnessOf(engine, [{ ...entry, files: [] }])).get(entry.id)?.state).toBe('fresh')
})
