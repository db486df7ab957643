import type { SqlConnection } from './sql-pool.ts'

export interface TableColumn {
  readonly name: string
  /** As a cast takes it. */
  readonly type: string
}

/** The vectors once more, for the operators of pgvector: made from `meaning`, where the server has them. */
const MADE_ANEW = 'meaning_near'

/** Every table with a project that is no list of projects, and its columns but the project: whatever migration made it. */
export async function columnsByTable(
  connection: SqlConnection,
): Promise<ReadonlyMap<string, readonly TableColumn[]>> {
  const rows = await connection.query<{ table: string; column: string; type: string }>(
    `SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = current_schema()::regnamespace
       AND a.attnum > 0 AND NOT a.attisdropped AND c.relname <> 'directory' AND c.relname <> '${MADE_ANEW}'
       AND EXISTS (SELECT 1 FROM pg_attribute p WHERE p.attrelid = c.oid AND p.attname = 'project' AND NOT p.attisdropped)
     ORDER BY c.relname, a.attnum`,
  )
  const columns = new Map<string, TableColumn[]>()
  for (const { table, column, type } of rows) {
    const known = columns.get(table) ?? []
    columns.set(table, known)
    if (column !== 'project') known.push({ name: column, type })
  }
  return columns
}

/** A name of the catalog, for a statement. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Of those that belong to no project: what a backup with tokens has of them. A grant has the name of its project, which has another number elsewhere. */
export const TOKEN_TABLES: Readonly<
  Record<string, { readonly columns: readonly string[]; readonly select: string }>
> = {
  principal: {
    columns: ['name', 'kind', 'created_ms', 'disabled_ms'],
    select: 'SELECT name, kind, created_ms::text, disabled_ms::text FROM principal ORDER BY name',
  },
  token: {
    columns: ['id', 'principal', 'digest', 'created_ms', 'expires_ms', 'revoked_ms', 'used_ms', 'per_second'],
    select: `SELECT id, principal, digest, created_ms::text, expires_ms::text, revoked_ms::text, used_ms::text, per_second::text
             FROM token ORDER BY id`,
  },
  token_grant: {
    columns: ['token', 'project', 'scope'],
    select: `SELECT g.token, CASE g.place WHEN 0 THEN '*' ELSE d.name END AS project, g.scope
             FROM token_grant g LEFT JOIN directory d ON d.project = g.place WHERE g.place = 0 OR d.name IS NOT NULL
             ORDER BY g.token, project`,
  },
}
