import { unpackVector } from '../../features/search/decide/vectors.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { explainPostgres } from './explain-postgres.ts'
import { MIGRATIONS, NEAR_TABLE } from './schema.ts'
import type { SqlConnection, SqlPool } from './sql-pool.ts'
import { TENANT_ROLE } from './tenant.ts'
import { vectorText } from './vector-rows.ts'

export const SCHEMA_VERSION = MIGRATIONS.length
/** An arbitrary number that is the same on every server. */
const MIGRATION_LOCK = 7_241_961
const INSUFFICIENT_PRIVILEGE = '42501'

/** Runs numbered migrations forward, each in its own transaction. Of several servers that start together, one migrates and the others wait. */
export async function migrate(
  pool: SqlPool,
  migrations: readonly string[] = MIGRATIONS,
): Promise<{ readonly from: number; readonly to: number }> {
  try {
    await ensureRole(pool)
    const from = await pool.transaction(async connection => {
      await connection.run(
        `SELECT pg_advisory_xact_lock(${MIGRATION_LOCK}); CREATE TABLE IF NOT EXISTS schema_version (version int NOT NULL)`,
      )
      return readVersion(connection, migrations.length)
    })
    for (let version = from; version < migrations.length; version++) await step(pool, migrations, version)
    await useVectors(pool)
    return { from, to: migrations.length }
  } catch (error) {
    if (String((error as { code?: unknown }).code) === INSUFFICIENT_PRIVILEGE) throw mayNotMake(error)
    throw explainPostgres(error)
  }
}

function mayNotMake(error: unknown): CairnError {
  return new CairnError({
    code: 'store_unreachable',
    message: 'The database user lacks the rights to create the tables of a hub.',
    hint: `Let it create tables in its schema. Once, as an administrator: CREATE ROLE ${TENANT_ROLE} NOLOGIN NOINHERIT NOBYPASSRLS; GRANT ${TENANT_ROLE} TO <that user>.`,
    cause: error,
  })
}

/** Enables pgvector where the server has it, also after the tables exist. Without the right to create an extension, Cairn works without it. */
async function useVectors(pool: SqlPool): Promise<void> {
  try {
    await pool.transaction(async connection => {
      await connection.run(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`)
      const [found] = await connection.query(
        "SELECT 1 FROM pg_available_extensions WHERE name = 'vector' AND to_regclass('meaning_near') IS NULL",
      )
      if (found === undefined) return
      await connection.run(`CREATE EXTENSION IF NOT EXISTS vector; ${NEAR_TABLE}`)
      await fillNear(connection)
      await secure(connection)
    })
  } catch (error) {
    if (String((error as { code?: unknown }).code) !== INSUFFICIENT_PRIVILEGE) throw error
  }
}

/** Copies the vectors stored before pgvector was available. */
export async function fillNear(
  connection: SqlConnection,
  begin: { readonly project: number; readonly key: number } = { project: 0, key: 0 },
): Promise<void> {
  for (let from = begin; ; ) {
    const rows = await connection.query<{ project: number; key: number; code: Uint8Array }>(
      'SELECT project, key, code FROM meaning WHERE (project, key) > ($1, $2) ORDER BY project, key LIMIT 1000',
      [from.project, from.key],
    )
    const last = rows.at(-1)
    if (last === undefined) return
    await connection.query(
      `INSERT INTO meaning_near (project, key, near)
       SELECT r.project, r.key, r.near::vector FROM json_to_recordset($1::json) AS r(project int, key int, near text)
       ON CONFLICT (project, key) DO NOTHING`,
      [
        JSON.stringify(
          rows.map(({ project, key, code }) => ({
            project,
            key,
            near: vectorText(unpackVector(Uint8Array.from(code))),
          })),
        ),
      ],
    )
    from = last
  }
}

async function step(pool: SqlPool, migrations: readonly string[], version: number): Promise<void> {
  await pool.transaction(async connection => {
    await connection.run(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`)
    // Another server may have migrated while this one waited for the lock.
    if ((await readVersion(connection, migrations.length)) !== version) return
    await connection.run(migrations[version] ?? '')
    await secure(connection)
    await connection.run(`DELETE FROM schema_version; INSERT INTO schema_version VALUES (${version + 1})`)
  })
}

async function readVersion(connection: SqlConnection, known: number): Promise<number> {
  const [row] = await connection.query<{ version: number }>('SELECT version FROM schema_version')
  const version = row?.version ?? 0
  if (version > known)
    throw new CairnError({
      code: 'vault_newer',
      message: `The database was migrated by a newer Cairn (version ${version}; this one knows ${known}).`,
      hint: 'Update Cairn on this machine. Nothing was changed.',
    })
  return version
}

/** The role belongs to the whole server: it may exist already, or another database may be creating it right now. */
async function ensureRole(pool: SqlPool): Promise<void> {
  const ask = async (sql: string) =>
    (await pool.transaction(connection => connection.query(sql, [TENANT_ROLE]))).length > 0
  const isThere = () => ask('SELECT 1 FROM pg_roles WHERE rolname = $1')
  const isGranted = () => ask("SELECT 1 WHERE pg_has_role(current_user, $1, 'MEMBER')")
  const unlessDone = async (sql: string, isDone: () => Promise<boolean>) => {
    if (await isDone()) return
    try {
      await pool.transaction(connection => connection.run(sql))
    } catch (error) {
      // Of two concurrent attempts one fails, with one of several errors.
      if (!(await isDone())) throw error
    }
  }
  await unlessDone(`CREATE ROLE ${TENANT_ROLE} NOLOGIN NOINHERIT NOBYPASSRLS`, isThere)
  await unlessDone(`GRANT ${TENANT_ROLE} TO CURRENT_USER`, isGranted)
}

/** On every table of project data the role sees only the rows of the current project. */
async function secure(connection: SqlConnection): Promise<void> {
  const tables = await connection.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND a.attname = 'project' AND NOT c.relrowsecurity
       AND c.relname <> 'directory'`,
  )
  const [schema] = await connection.query<{ name: string }>('SELECT quote_ident(current_schema()) AS name')
  await connection.run(`GRANT USAGE ON SCHEMA ${schema?.name} TO ${TENANT_ROLE}`)
  for (const { name } of tables)
    await connection.run(
      `ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY;
       CREATE POLICY of_project ON ${name} TO ${TENANT_ROLE}
         USING (project = nullif(current_setting('cairn.project', true), '')::int);
       GRANT SELECT, INSERT, UPDATE, DELETE ON ${name} TO ${TENANT_ROLE}`,
    )
}
