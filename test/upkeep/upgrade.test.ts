import { readdirSync, readFileSync } from 'node:fs'
import * as path from 'node:path'
import { expect, it } from 'vitest'
import { migrateOperation } from '../../src/addons/import/verbs/migrate.ts'
import { composeEngine } from '../../src/compose/compose.ts'
import { confirmOperation } from '../../src/features/entries/verbs/confirm.ts'
import { undoOperation } from '../../src/features/entries/verbs/undo.ts'
import { remember } from '../../src/features/entries/write-entries.ts'
import { countUpgrade } from '../../src/features/upkeep/upgrade.ts'
import { scratchProject } from '../support/scratch-project.ts'

const SAVED = 'The invoice worker needs the legacy queue until March.'
const SAVED_AND_CONFIRMED = 'Refunds are booked by hand on Mondays.'
const TYPED = 'Releases are cut from the branch stable.'
/** A rule that a person stated is no exception. */
const BY_USE = 'Never start the nightly job when the disk is full.'

/** A memory as 0.1.0 left it: everything an agent saved is a person's, and use alone confirmed a candidate. */
async function memoryOf010(suggestions: number) {
  const root = scratchProject()
  const agent = composeEngine({ root, actor: { host: 'mcp' } })
  await remember(agent, [{ content: SAVED }])
  const [confirmed] = await remember(agent, [{ content: SAVED_AND_CONFIRMED }])
  await agent.close()
  const person = composeEngine({ root, actor: { host: 'cli' } })
  await remember(person, [{ content: TYPED }])
  await confirmOperation.run(person, { target: confirmed?.entry.id ?? '' }, {})
  const [used] = await remember(person, [
    { content: BY_USE, kind: 'warning', origin: 'machine', status: 'candidate' },
  ])
  await person.store.write(person.actor, async view => {
    const before = await view.findEntry(used?.entry.id ?? '')
    if (before === undefined) throw new Error('it was just written')
    return {
      action: 'confirm',
      changes: [{ type: 'entry', before, after: { ...before, status: 'confirmed' } }],
    }
  })
  for (let at = 0; at < suggestions; at++)
    await remember(person, [
      {
        content: `Suggestion number ${at} from a talk.`,
        origin: 'machine',
        status: 'candidate',
        importance: 0.3 + at / 1000,
      },
    ])
  await person.close()
  return { root, engine: composeEngine({ root, actor: { host: 'cli' } }) }
}

const filesOf = (root: string) =>
  Object.fromEntries(
    readdirSync(path.join(root, '.memory/shared'), { recursive: true, withFileTypes: true })
      .filter(item => item.isFile())
      .map(({ parentPath, name }) => [name, readFileSync(path.join(parentPath, name), 'utf8')]),
  )

it('shows first, then makes only what a person said count as confirmed, and one undo reverts it', async () => {
  const { root, engine } = await memoryOf010(2)
  const before = filesOf(root)
  const shown = await migrateOperation.run(engine, { dryRun: true }, {})
  expect(shown.trust).toMatchObject({
    toAgent: [{ text: SAVED }],
    toSuggestion: [{ text: BY_USE }],
    archived: [],
  })
  expect(filesOf(root)).toEqual(before)
  expect(await countUpgrade(engine)).toBe(2)

  const { trust } = await migrateOperation.run(engine, {}, {})
  const { entries } = await engine.store.listEntries({ filter: {}, limit: 50, offset: 0 })
  const stateOf = (content: string) => {
    const { origin, status } = entries.find(entry => entry.content === content) ?? {}
    return `${origin} ${status}`
  }
  expect(stateOf(SAVED)).toBe('agent candidate')
  expect(stateOf(SAVED_AND_CONFIRMED)).toBe('person confirmed')
  expect(stateOf(TYPED)).toBe('person confirmed')
  expect(stateOf(BY_USE)).toBe('machine candidate')
  expect(await countUpgrade(engine)).toBe(0)
  expect((await migrateOperation.run(engine, {}, {})).trust.record).toBeNull()

  expect((await undoOperation.run(engine, {}, {})).undone.id).toBe(trust.record)
  expect(filesOf(root)).toEqual(before)
  await engine.close()
})

it('finds the same entries again after an undo', async () => {
  const { engine } = await memoryOf010(0)
  const { trust: first } = await migrateOperation.run(engine, {}, {})
  await undoOperation.run(engine, {}, {})
  const { trust: second } = await migrateOperation.run(engine, {}, {})
  expect(second).toMatchObject({ toAgent: [{ text: SAVED }], toSuggestion: [{ text: BY_USE }] })
  expect(second.toAgent).toEqual(first.toAgent)
  await engine.close()
})

it('archives suggestions over the cap, where they can be restored', async () => {
  const { engine } = await memoryOf010(35)
  const { trust } = await migrateOperation.run(engine, {}, {})
  expect(trust.archived.map(({ text }) => text)).toEqual(
    [0, 1, 2, 3, 4, 5].map(at => `Suggestion number ${at} from a talk.`),
  )
  const archived: string[] = []
  for await (const { item } of engine.archive.entries()) archived.push(item.entry.content)
  expect(archived.sort()).toEqual(trust.archived.map(({ text }) => text).sort())
  await undoOperation.run(engine, {}, {})
  const { total } = await engine.store.listEntries({ filter: {}, limit: 1, offset: 0 })
  expect(total).toBe(39)
  await engine.close()
})
