import type { BackupLine } from '../../addons/backup/decide/backup-line.ts'
import type {
  BackupRows,
  BackupRowsRequest,
  RestoredRows,
  RestoreRowsRequest,
} from '../../addons/backup/decide/backup-rows.ts'
import { parseProjectName } from '../../addons/hub/decide/project-name.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { explainPostgres } from './explain-postgres.ts'
import { fillNear, SCHEMA_VERSION } from './migrate.ts'
import type { SqlConnection, SqlPool } from './sql-pool.ts'

interface TableColumn {
  readonly name: string
  /** In the syntax of a cast. */
  readonly type: string
}

/** The vectors again, for the operators of pgvector: derived from `meaning`, where the server has the extension. */
const MADE_ANEW = 'meaning_near'

/** Every table of project data with its columns except the project number, read from the catalog so that new migrations are included. */
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

/** An identifier of the catalog, quoted for a statement. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Tables that belong to no project, for a backup with tokens. A grant stores the name of its project, whose number differs on another server. */
const TOKEN_TABLES: Readonly<
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

const ROWS_AT_ONCE = 500
/** Typical length of a line: most rows are small, a few are large. */
const LINE_CHARACTERS = 256 * 1024

type WriteLine = (line: BackupLine) => Promise<void>
type Row = readonly (string | null)[]

/**
 * Writes every row as text, from which PostgreSQL restores every type exactly. One read-only transaction gives a consistent snapshot; a
 * cursor bounds the memory on both sides.
 */
async function writeHubRows(pool: SqlPool, wish: BackupRowsRequest, line: WriteLine): Promise<void> {
  try {
    await pool.transaction(async connection => {
      await connection.run(
        "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1",
      )
      const tables = await columnsByTable(connection)
      let rows = 0
      const counting: WriteLine = async each => {
        if (each.is === 'rows') rows += each.rows.length
        await line(each)
        if (each.is === 'rows') wish.onProgress?.(rows)
      }
      for (const { name, project, created_ms } of await projectsOf(connection, wish.project)) {
        await counting({ is: 'project', name, createdMs: created_ms })
        for (const [table, columns] of tables) {
          const list = columns.map(column => `${quoted(column.name)}::text AS ${quoted(column.name)}`)
          const select = `SELECT ${list.join(', ') || '1'} FROM ${quoted(table)} WHERE project = ${project}`
          await writeTable(
            connection,
            { table, columns: columns.map(({ name: each }) => each), select },
            counting,
          )
        }
      }
      if (!wish.withTokens) return
      await line({ is: 'hub' })
      for (const [table, { columns, select }] of Object.entries(TOKEN_TABLES))
        await writeTable(connection, { table, columns, select }, counting)
    })
  } catch (error) {
    throw explainPostgres(error)
  }
}

interface Listed {
  readonly name: string
  readonly project: number
  readonly created_ms: number
}

async function projectsOf(connection: SqlConnection, name: string | undefined): Promise<readonly Listed[]> {
  const rows = await connection.query<Listed>(
    'SELECT name, project, created_ms FROM directory WHERE $1::text IS NULL OR name = $1 ORDER BY name',
    [name ?? null],
  )
  if (name !== undefined && rows.length === 0)
    throw new CairnError({
      code: 'project_not_found',
      message: `There is no project "${name.slice(0, 100)}" on this hub.`,
      hint: '`cairn hub projects` lists them.',
    })
  return rows
}

interface Table {
  readonly table: string
  readonly columns: readonly string[]
  readonly select: string
}

async function writeTable(
  connection: SqlConnection,
  { table, columns, select }: Table,
  line: WriteLine,
): Promise<void> {
  await line({ is: 'table', name: table, columns: [...columns] })
  let count = 0
  let waiting: (string | null)[][] = []
  let characters = 0
  const flush = async () => {
    if (waiting.length > 0) await line({ is: 'rows', rows: waiting })
    waiting = []
    characters = 0
  }
  await connection.run(`DECLARE backup_rows NO SCROLL CURSOR FOR ${select}`)
  for (;;) {
    const rows = await connection.query<Record<string, string | null>>(
      `FETCH ${ROWS_AT_ONCE} FROM backup_rows`,
    )
    if (rows.length === 0) break
    for (const row of rows) {
      const values = columns.map(column => row[column] ?? null)
      count++
      waiting.push(values)
      characters += lengthOf(values)
      if (characters > LINE_CHARACTERS) await flush()
    }
  }
  await flush()
  await connection.run('CLOSE backup_rows')
  await line({ is: 'tableEnd', rows: count })
}

function lengthOf(row: Row): number {
  return row.reduce((sum, value) => sum + (value?.length ?? 4), 0)
}

const EVERYWHERE = 0
/**
 * Identifies the project to linked repositories. A restored project gets a new one: its clones may have agreed on more than the backup
 * contains, and two projects with one identity could not be told apart.
 */
const IDENTITY = 'sync_identity'
/** A value that a column rejects, and a duplicate key. */
const NO_SUCH_VALUE = /^(?:22|23)/

/** Everything in one transaction: an interrupted restore changes nothing and can be repeated. */
async function restoreHubRows(
  pool: SqlPool,
  lines: AsyncIterable<BackupLine>,
  wish: RestoreRowsRequest,
): Promise<RestoredRows> {
  try {
    return await pool.transaction(async connection => {
      const restoring = new Restoring(connection, await columnsByTable(connection), wish)
      for await (const line of lines) await restoring.take(line)
      return await restoring.done()
    })
  } catch (error) {
    const code = (error as { code?: unknown }).code
    if (typeof code === 'string' && NO_SUCH_VALUE.test(code))
      throw unfit('one of its rows does not fit the tables', error)
    throw explainPostgres(error)
  }
}

interface Open {
  readonly name: string
  /** undefined: its rows are skipped. */
  readonly insert?: (rows: readonly (readonly (string | null)[])[]) => Promise<void>
}

class Restoring {
  readonly #connection: SqlConnection
  readonly #tables: ReadonlyMap<string, readonly TableColumn[]>
  readonly #wish: RestoreRowsRequest
  readonly #restored: { name: string; number: number; entries: number; hasRow: boolean }[] = []
  #part: 'wanted' | 'left' | 'hub' = 'left'
  #open: Open | undefined
  #rows = 0
  #tokens = 0

  constructor(
    connection: SqlConnection,
    tables: ReadonlyMap<string, readonly TableColumn[]>,
    wish: RestoreRowsRequest,
  ) {
    this.#connection = connection
    this.#tables = tables
    this.#wish = wish
  }

  async take(line: BackupLine): Promise<void> {
    if (line.is === 'project') await this.#begin(line.name, line.createdMs)
    else if (line.is === 'hub') this.#part = 'hub'
    else if (line.is === 'table') this.#open = this.#openTable(line.name, line.columns)
    else if (line.is === 'rows' && this.#open?.insert !== undefined) {
      await this.#open.insert(line.rows)
      this.#rows += line.rows.length
      this.#count(this.#open.name, line.rows.length)
      this.#wish.onProgress?.(this.#rows)
    }
  }

  async done(): Promise<RestoredRows> {
    const { project } = this.#wish
    if (project !== undefined && this.#restored.length === 0)
      throw new CairnError({
        code: 'project_not_found',
        message: `The backup has no project "${project.slice(0, 100)}".`,
        hint: '`cairn backup check` lists what it has.',
      })
    for (const { name, number, hasRow } of this.#restored) {
      if (!hasRow) throw unfit(`the project ${name} has no row in the backup`)
      await this.#makeNear(number)
    }
    return {
      projects: this.#restored.map(({ name, entries }) => ({ name, entries })),
      rows: this.#rows,
      tokens: this.#tokens,
    }
  }

  /** The project gets a new number, whatever it was in the backup. */
  async #begin(from: string, createdMs: number): Promise<void> {
    const { project, as } = this.#wish
    this.#part = project === undefined || project === from ? 'wanted' : 'left'
    if (this.#part === 'left') return
    const name = parseProjectName(as ?? from)
    const [row] = await this.#connection.query<{ project: number }>(
      `INSERT INTO directory (name, project, created_ms) VALUES ($1, nextval('project_number'), $2)
       ON CONFLICT (name) DO NOTHING RETURNING project`,
      [name, createdMs],
    )
    if (row === undefined)
      throw new CairnError({
        code: 'project_exists',
        message: `A project "${name.slice(0, 100)}" already exists on this hub. Nothing was changed.`,
        hint: 'Restore it under another name with --as, or rename the existing one (`cairn hub rename`).',
      })
    this.#restored.push({ name, number: row.project, entries: 0, hasRow: false })
  }

  #openTable(name: string, columns: readonly string[]): Open {
    if (this.#part === 'left') return { name }
    if (this.#part === 'hub') return this.#openTokens(name, columns)
    if (name === IDENTITY) return { name }
    const known = this.#tables.get(name)
    const number = this.#restored.at(-1)?.number
    // Only names from the catalog go into the statement.
    const types = columns.map(column => known?.find(each => each.name === column)?.type)
    const unknown = columns.find((_, at) => types[at] === undefined)
    if (known === undefined || unknown !== undefined || new Set(columns).size !== columns.length)
      throw unfit(`this hub has no table ${name} with these columns`)
    const list = ['project', ...columns].map(quoted).join(', ')
    const values = types.map((type, at) => `(r ->> ${at})::${type}`)
    const sql = `INSERT INTO ${quoted(name)} (${list}) SELECT ${[`$2::int`, ...values].join(', ')} FROM json_array_elements($1::json) AS r`
    return {
      name,
      insert: async rows => {
        await this.#connection.query(sql, [JSON.stringify(rows), number])
      },
    }
  }

  #openTokens(name: string, columns: readonly string[]): Open {
    if (!this.#wish.withTokens) return { name }
    const known = Object.hasOwn(TOKEN_TABLES, name) ? TOKEN_TABLES[name] : undefined
    if (known?.columns.join() !== columns.join())
      throw unfit(`this hub has no table ${name} with these columns`)
    return {
      name,
      insert: async rows => {
        await this.#connection.query(TOKEN_INSERTS[name] ?? '', [JSON.stringify(rows)])
      },
    }
  }

  #count(table: string, rows: number): void {
    if (this.#part === 'hub') {
      if (table === 'token') this.#tokens += rows
      return
    }
    const current = this.#restored.at(-1)
    if (current === undefined) return
    if (table === 'entry') current.entries += rows
    if (table === 'project') current.hasRow = true
  }

  async #makeNear(number: number): Promise<void> {
    const [near] = await this.#connection.query("SELECT 1 WHERE to_regclass('meaning_near') IS NOT NULL")
    if (near !== undefined) await fillNear(this.#connection, { project: number, key: 0 })
  }
}

/** Existing principals do not change. A grant in a project that was not restored is left out. */
const TOKEN_INSERTS: Readonly<Record<string, string>> = {
  principal: `INSERT INTO principal (name, kind, created_ms, disabled_ms)
    SELECT r ->> 0, r ->> 1, (r ->> 2)::bigint, (r ->> 3)::bigint FROM json_array_elements($1::json) AS r ON CONFLICT (name) DO NOTHING`,
  token: `INSERT INTO token (id, principal, digest, created_ms, expires_ms, revoked_ms, used_ms, per_second)
    SELECT r ->> 0, r ->> 1, r ->> 2, (r ->> 3)::bigint, (r ->> 4)::bigint, (r ->> 5)::bigint, (r ->> 6)::bigint, (r ->> 7)::double precision
    FROM json_array_elements($1::json) AS r ON CONFLICT (id) DO NOTHING`,
  token_grant: `INSERT INTO token_grant (token, place, scope)
    SELECT r ->> 0, CASE r ->> 1 WHEN '*' THEN ${EVERYWHERE} ELSE d.project END, r ->> 2
    FROM json_array_elements($1::json) AS r LEFT JOIN directory d ON d.name = r ->> 1
    WHERE r ->> 1 = '*' OR d.project IS NOT NULL ON CONFLICT (token, place) DO NOTHING`,
}

function unfit(why: string, cause?: unknown): CairnError {
  return new CairnError({
    code: 'backup_damaged',
    message: `The backup cannot be restored here: ${why}.`,
    hint: 'Nothing was changed. Restore it into an empty database with the Cairn version that made it, then update.',
    ...(cause !== undefined && { cause }),
  })
}

export function backupRows(pool: SqlPool): BackupRows {
  return {
    schema: SCHEMA_VERSION,
    write: (wish, line) => writeHubRows(pool, wish, line),
    restore: (lines, wish) => restoreHubRows(pool, lines, wish),
  }
}
