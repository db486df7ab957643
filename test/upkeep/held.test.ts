import { expect, it } from 'vitest'
import type { Composed } from '../../src/compose/composed.ts'
import { resolveConflict, type Settlement } from '../../src/features/conflicts/resolve-conflicts.ts'
import { editOperation } from '../../src/features/entries/verbs/edit.ts'
import { undoOperation } from '../../src/features/entries/verbs/undo.ts'
import { compact } from '../../src/features/upkeep/upkeep.ts'
import { captured, DAY_MS, furnishAged, NOW_MS, openAt } from '../support/aged-vault.ts'
import { scratchProject } from '../support/scratch-project.ts'

const TWICE = 'The importer retries twice before it gives up.'
const NEVER = 'The importer never retries.'

type Work = (engine: Composed, ids: readonly [string, string]) => Promise<unknown>

/** Two old captured entries, what a person does to them a day later, and what upkeep lets go more than a year after that. */
async function lettingGoAfter(work: Work): Promise<string[]> {
  const root = scratchProject()
  const ids = (await furnishAged(root, [captured(TWICE, 400), captured(NEVER, 399)])) as [string, string]
  const then = openAt(root, NOW_MS - 398 * DAY_MS)
  await work(then, ids)
  await then.close()
  const now = openAt(root)
  await compact(now)
  const { entries } = await now.store.listEntries({ filter: {}, limit: 10, offset: 0 })
  await now.close()
  const left = new Set(entries.map(({ id }) => id))
  return ['twice', 'never'].filter((_, at) => !left.has(ids[at] ?? ''))
}

const edit = (fields: Partial<Parameters<typeof editOperation.run>[1]>): Work => {
  return (engine, [target]) => editOperation.run(engine, { target, ...fields }, {})
}
const settle = (settlement: (ids: readonly [string, string]) => Settlement): Work => {
  return (engine, ids) => resolveConflict(engine, ids, settlement(ids))
}

it.each<[string, Work, string[]]>([
  ['nothing', async () => undefined, ['twice', 'never']],
  ['other words', edit({ content: 'The importer retries three times, I measured it.' }), ['never']],
  ['status confirmed', edit({ status: 'confirmed' }), ['never']],
  ['another importance', edit({ importance: 0.6 }), ['twice', 'never']],
  ['the same words', edit({ content: TWICE }), ['twice', 'never']],
  ['keep', settle(([id]) => ({ kind: 'keep', id, removesOther: false })), ['never']],
  ['superseded', settle(([id]) => ({ kind: 'supersede', id })), ['twice']],
  ['both hold', settle(() => ({ kind: 'both' })), []],
  ['not a conflict', settle(() => ({ kind: 'not_a_conflict' })), ['twice', 'never']],
])('what a person said of a captured entry holds it: %s', async (_, work, gone) => {
  expect(await lettingGoAfter(work)).toEqual(gone)
})

it('is taken back by making it a candidate, and by undo, with the edit', async () => {
  const confirm: Work = edit({ status: 'confirmed' })
  const demoted: Work = async (engine, ids) => {
    await confirm(engine, ids)
    await edit({ status: 'candidate' })(engine, ids)
  }
  const undone: Work = async (engine, ids) => {
    await edit({ content: 'The importer retries three times.' })(engine, ids)
    await undoOperation.run(engine, {}, {})
    expect((await engine.store.findEntry(ids[0]))?.content).toBe(TWICE)
  }
  expect(await lettingGoAfter(demoted)).toEqual(['twice', 'never'])
  expect(await lettingGoAfter(undone)).toEqual(['twice', 'never'])
})

it('is taken back alone when more was said since', async () => {
  const gone = await lettingGoAfter(async (engine, [first, second]) => {
    await editOperation.run(engine, { target: first, status: 'confirmed' }, {})
    let edited: string | undefined
    for await (const { id } of engine.store.readJournal({ limit: 1 })) edited = id
    await editOperation.run(engine, { target: second, status: 'confirmed' }, {})
    await undoOperation.run(engine, { record: edited ?? '' }, {})
  })
  expect(gone).toEqual(['twice'])
})

it('says who and when, once for each captured entry, and nothing about what a person wrote', async () => {
  const root = scratchProject()
  const [id] = await furnishAged(root, [captured(TWICE, 3)])
  const [own] = await furnishAged(root, [captured(NEVER, 2, { origin: 'person', status: 'confirmed' })])
  const engine = openAt(root, NOW_MS, { actor: { host: 'claude-code', agent: 'dev' } })
  for (const target of [id, own])
    await editOperation.run(engine, { target: target ?? '', content: `About ${target}.` }, {})
  const { confirmations } = await engine.store.readDocument('curation.json')
  expect(confirmations).toEqual({
    [id ?? '']: { at: new Date(NOW_MS).toISOString(), by: 'claude-code/dev' },
  })
  await engine.close()
})
