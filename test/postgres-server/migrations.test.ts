import { randomBytes } from 'node:crypto'
import { afterEach, expect, it } from 'vitest'
import { migrate } from '../../src/stores/postgres/migrate.ts'
import { openPool } from '../../src/stores/postgres/node-postgres.ts'
import { numberOfProject } from '../../src/stores/postgres/postgres-directory.ts'
import { MIGRATIONS } from '../../src/stores/postgres/schema.ts'
import type { SqlPool } from '../../src/stores/postgres/sql-pool.ts'
import { Tenant } from '../../src/stores/postgres/tenant.ts'
import { freshServerDatabase } from '../support/test-postgres.ts'

const undo: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each()
})

/** As many servers as are wanted, each with connections of its own, on one database. */
async function servers(count: number): Promise<SqlPool[]> {
  const { url, pool, drop } = await freshServerDatabase()
  const others = await Promise.all(Array.from({ length: count - 1 }, () => openPool({ url, most: 2 })))
  const all = [pool, ...others]
  undo.push(drop, ...all.map(each => () => each.close()))
  return all
}

const versionOf = (pool: SqlPool) =>
  pool.transaction(connection => connection.query('SELECT version FROM schema_version'))
const tablesOf = async (pool: SqlPool) =>
  pool.transaction(connection =>
    connection.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1",
    ),
  )

it('is done once by eight servers that start at once on an empty database', async () => {
  const all = await servers(8)
  const done = await Promise.all(all.map(pool => migrate(pool)))
  expect(done.map(({ to }) => to)).toEqual(Array(8).fill(MIGRATIONS.length))
  const [pool] = all as [SqlPool]
  expect(await versionOf(pool)).toEqual([{ version: MIGRATIONS.length }])
  expect((await tablesOf(pool)).map(({ name }) => name)).toEqual(expect.arrayContaining(['entry', 'posting']))
})

it('is done once by eight servers that start at once on an older one, while it is used', async () => {
  const all = await servers(8)
  const [pool] = all as [SqlPool]
  await migrate(pool, MIGRATIONS.slice(0, 1))
  await pool.transaction(connection => connection.run('INSERT INTO project (project) VALUES (1)'))
  const later = [
    ...MIGRATIONS,
    'ALTER TABLE project ADD COLUMN runs int NOT NULL DEFAULT 0; UPDATE project SET runs = runs + 1',
  ]
  const done = await Promise.all(all.map(each => migrate(each, later)))
  expect(done.map(({ to }) => to)).toEqual(Array(8).fill(later.length))
  expect(await pool.transaction(connection => connection.query('SELECT runs FROM project'))).toEqual([
    { runs: 1 },
  ])
})

it('leaves the version before, and nothing of itself, when it fails half way', async () => {
  const [pool] = (await servers(1)) as [SqlPool]
  await migrate(pool)
  const before = await tablesOf(pool)
  const half =
    'CREATE TABLE half (project int PRIMARY KEY); SELECT 1 / 0; CREATE TABLE whole (project int PRIMARY KEY)'
  await expect(migrate(pool, [...MIGRATIONS, half])).rejects.toMatchObject({ code: '22012' })
  expect(await versionOf(pool)).toEqual([{ version: MIGRATIONS.length }])
  expect(await tablesOf(pool)).toEqual(before)
  expect(await migrate(pool, [...MIGRATIONS, half.replace('1 / 0', '1')])).toEqual({
    from: MIGRATIONS.length,
    to: MIGRATIONS.length + 1,
  })
})

it('refuses a database that a newer Cairn has made, and changes nothing', async () => {
  const [pool] = (await servers(1)) as [SqlPool]
  await migrate(pool)
  const before = await tablesOf(pool)
  await expect(migrate(pool, MIGRATIONS.slice(0, -1))).rejects.toMatchObject({
    code: 'vault_newer',
    message: `The database was migrated by a newer Cairn (version ${MIGRATIONS.length}; this one knows ${MIGRATIONS.length - 1}).`,
  })
  expect(await versionOf(pool)).toEqual([{ version: MIGRATIONS.length }])
  expect(await tablesOf(pool)).toEqual(before)
})

it('makes the role once, also for eight databases at once', async () => {
  const databases = await Promise.all(Array.from({ length: 8 }, () => servers(1)))
  const done = await Promise.all(databases.flat().map(pool => migrate(pool)))
  expect(done.map(({ from }) => from)).toEqual(Array(8).fill(0))
})

it('needs no superuser: an owner who may make roles is enough', async () => {
  const { url, pool, drop } = await freshServerDatabase()
  const owner = `owner_${randomBytes(6).toString('hex')}`
  const database = new URL(url).pathname.slice(1)
  await pool.transaction(connection =>
    connection.run(
      `CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD '${owner}'; ALTER DATABASE ${database} OWNER TO ${owner};
       ALTER SCHEMA public OWNER TO ${owner}`,
    ),
  )
  const address = new URL(url)
  address.username = owner
  address.password = owner
  const all = await Promise.all(Array.from({ length: 4 }, () => openPool({ url: address.href, most: 2 })))
  undo.push(
    () =>
      pool
        .transaction(connection =>
          connection.run(
            `REASSIGN OWNED BY ${owner} TO CURRENT_USER; DROP OWNED BY ${owner}; DROP ROLE ${owner}`,
          ),
        )
        .finally(() => pool.close())
        .finally(drop),
    ...all.map(each => () => each.close()),
  )
  await Promise.all(all.map(each => migrate(each)))
  const [first] = all as [SqlPool]
  const project = await numberOfProject(first, 'one', 0)
  expect(
    await new Tenant(first, project).query('SELECT p.revision FROM project p WHERE p.project = $1'),
  ).toEqual([{ revision: 0 }])
})
