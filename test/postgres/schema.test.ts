import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '../../src/stores/postgres/migrate.ts'
import type { SqlConnection, SqlPool } from '../../src/stores/postgres/sql-pool.ts'
import { TENANT_ROLE, Tenant } from '../../src/stores/postgres/tenant.ts'
import { tablesOf } from '../support/judged-pool.ts'
import { freshDatabase } from '../support/test-postgres.ts'

let pool: SqlPool
let distributed: string[] = []
let reference: string[] = []
beforeAll(async () => {
  pool = await freshDatabase()
  await migrate(pool)
  const tables = await pool.transaction(tablesOf)
  distributed = [...tables.distributed]
  reference = [...tables.reference]
}, 120_000)
afterAll(() => pool.close())

const ask = <Row>(sql: string, ...values: unknown[]) =>
  pool.transaction(connection => connection.query<Row>(sql, values))

describe('the tables of a project', () => {
  it('are all that have its number, and not the directory', async () => {
    expect(distributed).toEqual(expect.arrayContaining(['entry', 'journal', 'posting', 'project', 'term']))
    const others = await ask<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'project'
       WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND NOT c.relrowsecurity`,
    )
    // Who may do what in which project is asked before a project is served.
    expect(others.map(({ name }) => name).sort()).toEqual(OF_THE_HUB_WITH_PROJECT)
  })

  it('have the number first in every key and index', async () => {
    const rows = await ask<{ table: string; index: string; first: string }>(
      `SELECT t.relname AS table, i.relname AS index, a.attname AS first FROM pg_index x
       JOIN pg_class t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
       JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = x.indkey[0]
       WHERE t.relname = ANY ($1::text[]) AND t.relnamespace = current_schema()::regnamespace`,
      distributed,
    )
    expect(new Set(rows.map(({ table }) => table))).toEqual(new Set(distributed))
    expect(rows.filter(({ first }) => first !== 'project')).toEqual([])
  })

  it('have no key that Citus would refuse: nothing refers to another table, nothing counts by a sequence, nothing is triggered', async () => {
    const keys = await ask(
      `SELECT c.conname FROM pg_constraint c WHERE c.connamespace = current_schema()::regnamespace AND c.contype IN ('f', 'x')`,
    )
    const defaults = await ask<{ table: string }>(
      `SELECT t.relname AS table FROM pg_attrdef d JOIN pg_class t ON t.oid = d.adrelid
       WHERE t.relname = ANY ($1::text[]) AND t.relnamespace = current_schema()::regnamespace
         AND pg_get_expr(d.adbin, d.adrelid) LIKE '%nextval%'`,
      distributed,
    )
    const triggers = await ask(
      `SELECT g.tgname FROM pg_trigger g JOIN pg_class t ON t.oid = g.tgrelid WHERE t.relname = ANY ($1::text[])
         AND t.relnamespace = current_schema()::regnamespace`,
      distributed,
    )
    expect([keys, defaults, triggers]).toEqual([[], [], []])
  })

  it('have one policy each, for the role that serves projects, about every row and every verb', async () => {
    const rows = await ask<{
      table: string
      roles: string
      verb: string
      shown: string
      checked: string | null
    }>(
      `SELECT t.relname AS table, p.polcmd::text AS verb, pg_get_expr(p.polqual, p.polrelid) AS shown,
         pg_get_expr(p.polwithcheck, p.polrelid) AS checked,
         (SELECT string_agg(r.rolname, ',') FROM pg_roles r WHERE r.oid = ANY (p.polroles)) AS roles
       FROM pg_policy p JOIN pg_class t ON t.oid = p.polrelid WHERE t.relnamespace = current_schema()::regnamespace ORDER BY 1`,
    )
    const rule = `(project = (NULLIF(current_setting('cairn.project'::text, true), ''::text))::integer)`
    expect(rows).toEqual(
      distributed.map(table => ({ table, roles: TENANT_ROLE, verb: '*', shown: rule, checked: null })),
    )
  })

  it('are shut to a project that is not theirs, read or written, each of them', async () => {
    await pool.transaction(async connection => {
      for (const table of distributed) await fillRow(connection, table, 2)
    })
    // A pool that judges would not let these statements through.
    const asTenant = async <T>(project: number, work: (connection: SqlConnection) => Promise<T>) =>
      pool.transaction(async connection => {
        await connection.query(`SET LOCAL ROLE ${TENANT_ROLE}`)
        await connection.query(`SET LOCAL cairn.project = '${project}'`)
        return work(connection)
      })
    for (const table of distributed) {
      const seen = await asTenant(1, connection => connection.query(`SELECT * FROM ${table}`))
      const seenByName = await asTenant(1, connection =>
        connection.query(`SELECT * FROM ${table} WHERE project = 2`),
      )
      const changed = await asTenant(1, connection =>
        connection.query(`UPDATE ${table} SET project = project RETURNING project`),
      )
      const removed = await asTenant(1, connection =>
        connection.query(`DELETE FROM ${table} RETURNING project`),
      )
      expect({ table, seen, seenByName, changed, removed }).toEqual({
        table,
        seen: [],
        seenByName: [],
        changed: [],
        removed: [],
      })
      await expect(asTenant(1, connection => fillRow(connection, table, 3))).rejects.toMatchObject({
        code: '42501',
      })
      await expect(
        asTenant(2, connection => connection.query(`UPDATE ${table} SET project = 3`)),
      ).rejects.toMatchObject({ code: '42501' })
      await expect(asTenant(1, connection => connection.query(`TRUNCATE ${table}`))).rejects.toMatchObject({
        code: '42501',
      })
      expect(await ask(`SELECT project FROM ${table}`)).toEqual([{ project: 2 }])
    }
  })

  it('are empty for the role as long as nobody said which project is served', async () => {
    for (const table of distributed)
      for (const setting of ['', "SET LOCAL cairn.project = ''"]) {
        const rows = await pool.transaction(async connection => {
          await connection.query(`SET LOCAL ROLE ${TENANT_ROLE}`)
          if (setting !== '') await connection.query(setting)
          return connection.query(`SELECT * FROM ${table}`)
        })
        expect({ table, rows }).toEqual({ table, rows: [] })
      }
  })
})

describe('the role that serves projects', () => {
  it('may nothing but read and write the tables of projects', async () => {
    const [role] = await ask(
      `SELECT r.rolsuper, r.rolcreaterole, r.rolcreatedb, r.rolcanlogin, r.rolreplication, r.rolbypassrls,
         (SELECT count(*)::int FROM pg_auth_members m WHERE m.member = r.oid) AS member_of,
         (SELECT count(*)::int FROM pg_class c WHERE c.relowner = r.oid) AS owns
       FROM pg_roles r WHERE r.rolname = $1`,
      TENANT_ROLE,
    )
    expect(role).toEqual({
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolcanlogin: false,
      rolreplication: false,
      rolbypassrls: false,
      member_of: 0,
      owns: 0,
    })
    const rights = await ask<{ table: string; verb: string }>(
      `SELECT t.name AS table, v.verb FROM unnest($2::text[]) AS t(name)
       CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) AS v(verb)
       WHERE has_table_privilege($1, t.name::regclass, v.verb)`,
      TENANT_ROLE,
      reference,
    )
    expect(rights).toEqual([])
  })

  it('is left again with the transaction: a connection that is lent again is nobody’s', async () => {
    await new Tenant(pool, 7).query('SELECT $1::int')
    const [after] = await ask(
      `SELECT current_user = $1 AS is_tenant, current_setting('cairn.project', true) AS project`,
      TENANT_ROLE,
    )
    expect(after).toEqual({ is_tenant: false, project: expect.toBeOneOf([null, '']) })
  })
})

describe('the ADR about Citus', () => {
  it('has the calls for every table there is', async () => {
    const path = fileURLToPath(new URL('../../docs/adr/0047-citus.md', import.meta.url))
    // The last is there only where the server has pgvector.
    const others = [...new Set([...distributed, 'meaning_near'])].filter(table => table !== 'project').sort()
    const calls = [
      ...reference
        .filter(table => !OF_THE_COORDINATOR.includes(table))
        .map(table => `SELECT create_reference_table('${table}');`),
      `SELECT create_distributed_table('project', 'project');`,
      ...others.map(
        table => `SELECT create_distributed_table('${table}', 'project', colocate_with => 'project');`,
      ),
    ]
    const adr = readFileSync(path, 'utf8')
    const block = /(?<=<!-- made by .*-->\n)```sql\n[^`]*```/
    expect(adr).toMatch(block)
    await expect(adr.replace(block, () => `\`\`\`sql\n${calls.join('\n')}\n\`\`\``)).toMatchFileSnapshot(path)
  })
})

/** Written often, or by one server at its start, and never asked together with rows of a project. */
const OF_THE_COORDINATOR = ['audit', 'schema_version']

/** Tables of the hub that tell something of a project, and are not the project's. */
const OF_THE_HUB_WITH_PROJECT = ['directory']

/** A row with something in every column that must have something. */
async function fillRow(connection: SqlConnection, table: string, project: number): Promise<void> {
  const columns = await connection.query<{ name: string; type: string }>(
    `SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type FROM pg_attribute a
     WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attnotnull AND a.attname <> 'project'`,
    [table],
  )
  const values = columns.map(({ type }) => SAMPLES[type] ?? `no sample for ${type}`)
  await connection.query(
    `INSERT INTO ${table} (${['project', ...columns.map(({ name }) => `"${name}"`)].join(', ')})
     VALUES (${[project, ...values].join(', ')})`,
  )
}

const SAMPLES: Readonly<Record<string, string>> = {
  integer: '1',
  bigint: '1',
  smallint: '1',
  real: '1',
  'double precision': '1',
  boolean: 'true',
  'timestamp with time zone': 'now()',
  text: "'x'",
  bytea: "'\\x00'",
  'bit varying': "B'1'",
  vector: "'[1]'",
  'integer[]': "'{1}'",
  'text[]': "'{x}'",
  jsonb: "'{}'",
  json: "'{}'",
}
