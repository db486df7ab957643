import { expect, it } from 'vitest'
import { doctorOperation } from '../../src/features/doctor/verbs/doctor.ts'
import { changeEntry, remember } from '../../src/features/entries/write-entries.ts'
import { embedWaiting } from '../../src/features/search/meaning.ts'
import { search } from '../../src/features/search/search-memory.ts'
import { validateOperation } from '../../src/features/validate/verbs/validate.ts'
import { Tenant } from '../../src/stores/postgres/tenant.ts'
import { postgresWorld } from '../support/postgres-world.ts'
import { isRealServer } from '../support/test-postgres.ts'
import { wordEmbedder } from '../support/word-embedder.ts'

const world = postgresWorld()

async function twoEntries() {
  const project = await world.project()
  const engine = world.open(project, { embedder: wordEmbedder() })
  const tenant = new Tenant(world.pool(), project.number)
  await remember(engine, [
    { content: 'Sessions live in Redis, see [[Deploys]].', tags: ['auth'] },
    { content: 'Deploys\n\nOnly on Fridays.' },
  ])
  await embedWaiting(engine)
  const faults = async () => (await engine.store.check()).map(({ path }) => path)
  const revisions = async () => [
    ...(await tenant.query('SELECT e.id, e.revision FROM entry e WHERE e.project = $1 ORDER BY e.id')),
    ...(await tenant.query('SELECT p.revision FROM project p WHERE p.project = $1')),
  ]
  return { engine, tenant, faults, revisions }
}

it.each([
  [
    'words of an entry that is gone',
    ['analysed', 'statistics', 'term'],
    "INSERT INTO analysed (project, key, language, body, tags, files, kind, date, lengths) VALUES ($1, 99, 'en', 'ghost', '', '', '', '', '1 0 0 0 0')",
  ],
  [
    'an entry without its words',
    ['analysed', 'statistics', 'term'],
    'DELETE FROM analysed a WHERE a.project = $1 AND a.key = 1',
  ],
  [
    'a wrong document frequency',
    ['term', 'posting'],
    "UPDATE term t SET df = 7 WHERE t.project = $1 AND t.token = 'redi'",
  ],
  [
    'a token that no entry has',
    ['term', 'posting'],
    "INSERT INTO term (project, token, df) VALUES ($1, 'ghost', 1)",
  ],
  ['lost postings', ['posting'], 'DELETE FROM posting p WHERE p.project = $1'],
  ['wrong statistics', ['statistics'], "UPDATE project p SET statistics = '{}' WHERE p.project = $1"],
  [
    'a link of an entry that is gone',
    ['link'],
    "INSERT INTO link (project, key, at, target, folded, text) VALUES ($1, 99, 0, 'x', 'x', 'x')",
  ],
  [
    'a conflict of entries that are gone',
    ['conflict'],
    "INSERT INTO conflict (project, older, newer, type, confidence, reason, detected_ms) VALUES ($1, 1, 99, 'x', 1, '{}', 0)",
  ],
  [
    'a lost vector',
    ['meaning', isRealServer ? 'meaning_totals' : 'meaning'],
    'DELETE FROM meaning v WHERE v.project = $1 AND v.key = 1',
  ],
])(
  'finds %s, and a rebuilt index is sound again while no entry counts as changed',
  async (_, expected, damage) => {
    const { engine, tenant, faults, revisions } = await twoEntries()
    expect(await faults()).toEqual([])
    const before = await revisions()
    await tenant.query(damage)
    expect(await faults()).toEqual(expected)
    expect(await engine.store.rebuildIndex()).toEqual({ entries: 2 })
    expect(await faults()).toEqual([])
    expect(await revisions()).toEqual(before)
    const { hits } = await search(engine, 'where do sessions live?', { filter: {}, limit: 1 })
    expect(hits.map(({ entry }) => entry.tags)).toEqual([['auth']])
  },
)

it('finds a hole in the journal, which nothing can make again', async () => {
  const { engine, tenant, faults } = await twoEntries()
  const [entry] = (await engine.store.listEntries({ filter: {}, limit: 1, offset: 0 })).entries
  for (const content of ['Once.', 'Twice.'])
    await changeEntry(engine, entry?.id ?? '', 'update', known => ({ ...known, content }))
  expect(await faults()).toEqual([])
  await tenant.query('DELETE FROM journal j WHERE j.project = $1 AND j.number = 2')
  await engine.store.rebuildIndex()
  expect(await faults()).toEqual(['journal'])
})

it('is what `doctor` says on a hub, and mends', async () => {
  const { engine, tenant } = await twoEntries()
  const about = async (input: { fix?: boolean }) => {
    const { checks } = await doctorOperation.run(engine, input, {})
    return checks.filter(({ name, result }) => name.startsWith('index') || result === 'failure')
  }
  expect(await about({})).toEqual([
    { name: 'index', result: 'ok', message: '2 entries, equal to the rows of the entries' },
  ])
  await tenant.query('DELETE FROM posting p WHERE p.project = $1')
  expect((await about({})).map(({ name }) => name)).toEqual(['index_disagrees'])
  expect(await about({ fix: true })).toEqual([
    { name: 'index', result: 'fixed', message: 'rebuilt from the rows of the entries: 2 entries' },
  ])
})

it('is what `validate` says on a hub, beside what it does not look at there', async () => {
  const { engine, tenant } = await twoEntries()
  const report = async (input: { fix?: boolean }) => {
    const answer = await validateOperation.run(engine, input, {})
    if ('workflow' in answer) throw new Error('no workflow was asked for')
    return answer
  }
  const sound = await report({})
  expect([sound.valid, sound.findings, sound.checks.map(({ name }) => name)]).toEqual([
    true,
    [],
    ['state', 'conversations', 'index'],
  ])
  expect(sound.skipped).toContainEqual({ what: 'git', why: 'it reads files, and a hub has none' })
  await tenant.query("UPDATE term t SET df = 7 WHERE t.project = $1 AND t.token = 'redi'")
  expect((await report({})).findings.map(({ code, fixable }) => [code, fixable])).toEqual([
    ['index_disagrees', true],
    ['index_disagrees', true],
  ])
  const mended = await report({ fix: true })
  expect([mended.valid, mended.fixed.length]).toEqual([true, 1])
})
