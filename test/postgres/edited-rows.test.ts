import { expect, it } from 'vitest'
import type { Composed } from '../../src/compose/composed.ts'
import { editOperation } from '../../src/features/entries/verbs/edit.ts'
import { forgetOperation } from '../../src/features/entries/verbs/forget.ts'
import { remember } from '../../src/features/entries/write-entries.ts'
import { Tenant } from '../../src/stores/postgres/tenant.ts'
import { postgresWorld } from '../support/postgres-world.ts'

const world = postgresWorld()

const open = async () => {
  const project = await world.project()
  return { engine: world.open(project), tenant: new Tenant(world.pool(), project.number) }
}
const edit = (engine: Composed, target: string, content: string) =>
  editOperation.run(engine, { target, content }, {})

const TABLES = {
  posting: 'p.token, p.block, (SELECT array_agg(v ORDER BY v) FROM unnest(p.packed) AS v) AS packed',
  analysed: 'p.*',
  term: 'p.*',
  title: 'p.*',
  link: 'p.*',
  about: 'p.*',
  entity_use: 'p.*',
}
const rowsOf = async (tenant: Tenant) => {
  const rows: Record<string, string[]> = {}
  for (const [table, columns] of Object.entries(TABLES)) {
    const found = await tenant.query(`SELECT ${columns} FROM ${table} p WHERE p.project = $1`)
    rows[table] = found.map(row => JSON.stringify(row)).sort()
  }
  return rows
}

it('what is looked up of edited entries is what it would be if they had come as they are', async () => {
  const { engine, tenant } = await open()
  const kept = await remember(engine, [
    { content: 'Redis keeps the sessions of [[Deploy plan]] for one hour.', tags: ['auth'] },
    { content: 'Deploy plan\n\nThe deploy of `src/server.ts` runs on Fridays, on Fridays only.' },
    { content: 'Postgres replaced MySQL in March.' },
    { content: 'The tests of `src/server.ts` need Redis.' },
  ])
  const [sessions = '', plan = '', database = '', tests = ''] = kept.map(({ entry }) => entry.id)
  // A word for another; more words; fewer, and other ties; and one that goes.
  await edit(engine, sessions, 'Redis keeps the sessions of [[Deploy plan]] for one day.')
  await edit(engine, plan, 'Deploy plan\n\nThe deploy of `src/server.ts` runs on Fridays and on Mondays now.')
  await edit(engine, database, 'SQLite is enough.')
  await forgetOperation.run(engine, { target: tests }, {})
  const edited = await rowsOf(tenant)
  await engine.store.rebuildIndex()
  expect(edited).toEqual(await rowsOf(tenant))
  expect(await engine.store.check()).toEqual([])
  await engine.close()
})

it('an edit that takes one word for another writes the postings of these two, and no tie', async () => {
  const { engine, tenant } = await open()
  const content = 'The cache of `src/server.ts` is emptied by the worker on every first Monday.'
  const [kept] = await remember(engine, [{ content }])
  const stamps = async () => {
    const rows = await tenant.query<{ row: string; stamp: string }>(
      `SELECT 'posting ' || p.token AS row, p.xmin::text AS stamp FROM posting p WHERE p.project = $1
       UNION ALL SELECT 'title ' || t.head, t.xmin::text FROM title t WHERE t.project = $1
       UNION ALL SELECT 'about', a.xmin::text FROM about a WHERE a.project = $1
       UNION ALL SELECT 'use ' || u.entity, u.xmin::text FROM entity_use u WHERE u.project = $1`,
    )
    return new Map(rows.map(({ row, stamp }) => [row, stamp]))
  }
  const before = await stamps()
  expect(before.size).toBeGreaterThan(10)
  await edit(engine, kept?.entry.id ?? '', content.replace('Monday', 'Tuesday'))
  const after = await stamps()
  const written = [...after].filter(([row, stamp]) => before.get(row) !== stamp)
  expect(written.map(([row]) => row.split(' ')[0])).toEqual(['posting'])
  expect(after.size).toBe(before.size)
  await engine.close()
})
