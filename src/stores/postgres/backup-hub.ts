import type { BackupLine } from '../../addons/backup/decide/backup-line.ts'
import type { BackupRowsRequest } from '../../addons/backup/decide/backup-rows.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { explainPostgres } from './explain-postgres.ts'
import type { SqlConnection, SqlPool } from './sql-pool.ts'
import { columnsByTable, quoted, TOKEN_TABLES } from './table-columns.ts'

const ROWS_AT_ONCE = 500
/** A line is about so long: rows are small, and a few are large. */
const LINE_CHARACTERS = 256 * 1024

type WriteLine = (line: BackupLine) => Promise<void>
type Row = readonly (string | null)[]

/**
 * Writes every row as text, which is how PostgreSQL reads every type back exactly. One transaction that sees the database as it was when it
 * began; rows come through a cursor, so that neither side holds more than a handful.
 */
export async function writeHubRows(pool: SqlPool, wish: BackupRowsRequest, line: WriteLine): Promise<void> {
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
