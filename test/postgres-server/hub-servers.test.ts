import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool } from '../../src/stores/postgres/node-postgres.ts'
import { type HubWorld, hubWorld } from '../support/hub-world.ts'
import { freshServerDatabase } from '../support/test-postgres.ts'

const CAIRN = fileURLToPath(new URL('../../dist/cairn.cjs', import.meta.url))
let database: Awaited<ReturnType<typeof freshServerDatabase>>
let scratch: string
let first: HubWorld
let second: HubWorld
beforeAll(async () => {
  scratch = mkdtempSync(path.join(tmpdir(), 'cairn-hub-'))
  database = await freshServerDatabase()
  first = await hubWorld({ projects: ['shop'], pool: database.pool })
  second = await hubWorld({ pool: await openPool({ url: database.url }) })
}, 120_000)
afterAll(async () => {
  await first?.end()
  await second?.end()
  await database?.drop()
  rmSync(scratch, { recursive: true, force: true })
}, 60_000)

/** The command line, with what it printed on either side. */
function cairn(
  words: readonly string[],
  store?: string,
): Promise<{ code: number; out: string; err: string }> {
  const env = {
    ...process.env,
    CAIRN_HOME: path.join(scratch, 'user'),
    NO_COLOR: '1',
    CAIRN_STORE: store ?? '',
  }
  return new Promise(resolve => {
    execFile(process.execPath, [CAIRN, ...words], { cwd: scratch, env, timeout: 60_000 }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    )
  })
}

test('what one server takes back, the other refuses at the next request', async () => {
  const token = await first.token('write', 'shop', { name: 'will' })
  const onSecond = () => second.ask('list', { project: 'shop', token })
  expect((await onSecond()).status).toBe(200)
  const kept = await first.ask('remember', {
    project: 'shop',
    token,
    fields: { content: 'Said to one server.' },
  })
  expect(kept.status).toBe(200)
  expect((await onSecond()).body).toMatchObject({ total: 1 })
  await first.desk.setGrants(token.split('_')[1] ?? '', [{ project: 'shop', scope: 'read' }])
  expect(
    (await second.ask('remember', { project: 'shop', token, fields: { content: 'No.' } })).body.code,
  ).toBe('scope_missing')
  const stream = await second.send('/p/shop/api/live', { headers: { authorization: `Bearer ${token}` } })
  const heard = stream.text()
  await first.desk.revokeToken(token.split('_')[1] ?? '')
  expect((await onSecond()).status).toBe(401)
  expect(await heard).toContain('event: bye')
}, 30_000)

test('the command line administers the same database, by a variable or a file, and needs no repository', async () => {
  const { code, out } = await cairn(['hub', 'add-project', 'typed', '--json'], database.url)
  expect([code, JSON.parse(out).project.name]).toEqual([0, 'typed'])
  const file = path.join(scratch, 'store')
  writeFileSync(file, `${database.url}\n`)
  const made = await cairn([
    'hub',
    'token',
    'add',
    'tina',
    '--project',
    'typed',
    '--json',
    '--store-file',
    file,
  ])
  const { token } = JSON.parse(made.out) as { token: string }
  expect((await first.ask('list', { project: 'typed', token })).status).toBe(200)
  const audit = await cairn(['hub', 'audit', '--principal', 'command line', '--json'], database.url)
  expect(JSON.parse(audit.out).records.map(({ action }: { action: string }) => action)).toEqual([
    'hub token add',
    'hub add-project',
  ])
}, 120_000)

test('what is wrong with a database is said, and no password with it', async () => {
  const wrong = 'geheim-und-lang'
  const at = (change: (url: URL) => void) => {
    const url = new URL(database.url)
    change(url)
    return url.href
  }
  const told = async (store: string) => {
    const { code, out, err } = await cairn(['hub', 'projects', '--json'], store)
    const { password } = new URL(store)
    if (password !== '') expect(`${out}${err}`).not.toContain(password)
    return [code, JSON.parse(out).error.code, JSON.parse(out).error.message]
  }
  expect(await told(at(url => (url.port = '1')))).toEqual([
    6,
    'store_unreachable',
    expect.stringContaining('cannot be reached'),
  ])
  expect(await told(at(url => (url.pathname = '/not_there_at_all')))).toEqual([
    6,
    'store_unreachable',
    expect.stringContaining('the database that --store names does not exist'),
  ])
  const isAsked = new URL(database.url).password !== ''
  if (isAsked)
    expect(await told(at(url => (url.password = wrong)))).toEqual([
      6,
      'store_unreachable',
      expect.stringContaining('rejects this user and password'),
    ])
  expect(await told(`mysql://root:${wrong}@127.0.0.1/x`)).toEqual([2, 'invalid_input', expect.anything()])
  expect((await cairn(['hub', 'projects', '--json'])).out).toContain('The database of the hub is missing')
  const listening = await cairn(['up', '--host', '0.0.0.0', '--json', '--no-open'], database.url)
  expect([listening.code, JSON.parse(listening.out).error.code]).toEqual([5, 'request_refused'])
}, 120_000)
