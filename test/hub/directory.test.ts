import { afterEach, expect, test } from 'vitest'
import { hubDesk } from '../../src/addons/hub/hub-desk.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { migrate } from '../../src/stores/postgres/migrate.ts'
import { postgresDirectory } from '../../src/stores/postgres/postgres-directory.ts'
import type { SqlPool } from '../../src/stores/postgres/sql-pool.ts'
import { freshDatabase } from '../support/test-postgres.ts'

const NOW_MS = Date.UTC(2026, 2, 16, 10)
const clock = { ...systemClock, nowMs: () => NOW_MS }
let pool: SqlPool | undefined
afterEach(async () => {
  await pool?.close()
  pool = undefined
})

async function openDirectory() {
  pool = await freshDatabase()
  await migrate(pool)
  const directory = postgresDirectory(pool)
  return { pool, directory, desk: hubDesk(directory, clock, { principal: 'ana' }) }
}

test('of a token only the digest of its secret is in the database', async () => {
  const { pool, desk } = await openDirectory()
  await desk.addProject('shop')
  const { token, listed } = await desk.addToken({
    name: 'ci-bot',
    kind: 'agent',
    grants: [{ project: 'shop', scope: 'write' }],
    validMs: 60_000,
  })
  expect(token).toMatch(/^cairn_[0-9a-f]{16}_[0-9a-f]{64}$/)
  expect(listed).toEqual({
    id: token.split('_')[1],
    principal: 'ci-bot',
    kind: 'agent',
    grants: [{ project: 'shop', scope: 'write' }],
    createdMs: NOW_MS,
    expiresMs: NOW_MS + 60_000,
  })
  const rows = await pool.transaction(connection =>
    connection.query<{ all: string }>('SELECT row_to_json(t)::text AS all FROM token t'),
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]?.all).not.toContain(token.split('_')[2])
})

test('a renamed project keeps its tokens, its number and its audit', async () => {
  const { directory, desk } = await openDirectory()
  const { number } = await desk.addProject('pay')
  await desk.addToken({ name: 'bot', kind: 'agent', grants: [{ project: 'pay', scope: 'read' }] })
  expect(await desk.renameProject('pay', 'payments')).toMatchObject({ name: 'payments', number })
  expect((await desk.tokens()).map(({ grants }) => grants)).toEqual([
    [{ project: 'payments', scope: 'read' }],
  ])
  expect((await desk.audit({ project: 'payments', limit: 10 })).map(({ action }) => action)).toEqual([
    'hub rename',
    'hub add-project',
  ])
  expect(await directory.findProject('pay')).toBe(undefined)
  await expect(desk.renameProject('pay', 'other')).rejects.toMatchObject({ code: 'project_not_found' })
  await desk.addProject('pay')
  await expect(desk.renameProject('pay', 'payments')).rejects.toMatchObject({ code: 'project_exists' })
})

test('only an archived project can be removed, and then nothing of it is left', async () => {
  const { pool, desk } = await openDirectory()
  const { number } = await desk.addProject('old')
  await desk.addToken({ name: 'bot', kind: 'agent', grants: [{ project: 'old', scope: 'read' }] })
  await pool.transaction(connection =>
    connection.query('INSERT INTO document (project, name, body) VALUES ($1, $2, $3)', [
      number,
      'config.json',
      '{}',
    ]),
  )
  await expect(desk.removeProject('old')).rejects.toMatchObject({ code: 'not_confirmed' })
  await desk.archiveProject('old')
  await desk.restoreProject('old')
  await expect(desk.removeProject('old')).rejects.toMatchObject({ code: 'not_confirmed' })
  await desk.archiveProject('old')
  expect(await desk.removeProject('old')).toEqual({ entries: 0 })
  expect(await desk.projects()).toEqual([])
  expect((await desk.tokens()).map(({ grants }) => grants)).toEqual([[]])
  const left = await pool.transaction(connection => connection.query('SELECT 1 FROM document'))
  expect(left).toEqual([])
})

test('of two first servers one makes the first token', async () => {
  const { desk } = await openDirectory()
  const made = await Promise.all([desk.addFirstToken(), desk.addFirstToken()])
  expect(made.filter(each => each !== undefined)).toHaveLength(1)
  expect(await desk.tokens()).toMatchObject([
    { principal: 'admin', grants: [{ project: '*', scope: 'admin' }] },
  ])
})

test('the audit keeps what is young enough, and not more than it may', async () => {
  const { directory } = await openDirectory()
  await directory.record(
    Array.from({ length: 12 }, (_, n) => ({
      atMs: NOW_MS + n,
      principal: 'ana',
      action: `act ${n}`,
      outcome: 'done',
    })),
  )
  expect(await directory.forgetAudit(NOW_MS + 4, 100)).toBe(4)
  expect(await directory.forgetAudit(NOW_MS, 3)).toBe(5)
  expect((await directory.audit({ limit: 10 })).map(({ action }) => action)).toEqual([
    'act 11',
    'act 10',
    'act 9',
  ])
})

test('neither refusals nor writes push out of the audit what was administered', async () => {
  const { directory } = await openDirectory()
  const records = (action: string, outcome: string, count: number) =>
    Array.from({ length: count }, (_, n) => ({ atMs: NOW_MS + n, action, outcome }))
  await directory.record([
    ...records('hub token add', 'done', 3),
    ...records('remember', 'done', 30),
    ...records('list', 'token_missing', 30),
  ])
  expect(await directory.forgetAudit(NOW_MS - 1, 20)).toBe(10 + 28)
  const kept = (await directory.audit({ limit: 100 })).map(({ action }) => action)
  const of = (action: string) => kept.filter(each => each === action).length
  expect([of('hub token add'), of('remember'), of('list')]).toEqual([3, 20, 2])
})

test('names that would not do in an address are refused, and the refusal is on record without a secret', async () => {
  const { desk } = await openDirectory()
  const secret = `ghp_${'a1B2c3D4'.repeat(5)}`
  for (const name of ['', '../etc', 'Shop', 'a b', '.x', 'x.', 'a..b', secret])
    await expect(desk.addProject(name)).rejects.toMatchObject({ code: 'invalid_input' })
  const records = await desk.audit({ limit: 20 })
  expect(records.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 8 }, () => 'invalid_input'))
  expect(JSON.stringify(records)).not.toContain(secret)
})
