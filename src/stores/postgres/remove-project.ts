import type { SqlConnection } from './sql-pool.ts'

/** Every row of a project, whatever table it is in, and its name; what was audited of it stays. Gives how many entries it had. */
export async function removeProjectRows(connection: SqlConnection, project: number): Promise<number> {
  const [counted] = await connection.query<{ entries: number }>(
    'SELECT count(*)::int AS entries FROM entry WHERE project = $1',
    [project],
  )
  const tables = await connection.query<{ name: string }>(
    `SELECT quote_ident(c.relname) AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = current_schema()::regnamespace
       AND a.attname = 'project' AND NOT a.attisdropped`,
  )
  for (const { name } of tables) await connection.query(`DELETE FROM ${name} WHERE project = $1`, [project])
  await connection.query('DELETE FROM token_grant WHERE place = $1', [project])
  return counted?.entries ?? 0
}
