import { checkedRow, DamagedRow, type Stored, storedJson } from '../sql/stored-value.ts'
import type { SqliteDatabase } from './driver.ts'
import { TEXT_COLUMNS, type TextRows } from './remove-entries.ts'
import { type Collection, DOCUMENTS_COLLECTION, ENTRIES_COLLECTION, TokenCounts } from './text-rows.ts'

/** Columns with JSON. */
const JSON_COLUMNS: readonly (readonly [table: string, column: string, what: Stored])[] = [
  ['entry', 'extra', 'the extra fields of an entry'],
  ['entry', 'anchors', 'the anchors of an entry'],
  ['doc_entry', 'extra', 'the extra fields of an entry'],
  ['doc_entry', 'anchors', 'the anchors of an entry'],
  ['file', 'problems', 'the problems of a file'],
  ['doc_file', 'problems', 'the problems of a file'],
  ['conflict', 'reason', 'the reason of a conflict'],
  ['about', 'packed', 'the entities of an entry'],
  ['given_brief', 'packed', 'a brief'],
  ['finding', 'packed', 'a finding of a session'],
  ['latency', 'samples', 'the time that searches took'],
]
const META: readonly (readonly [key: string, what: Stored])[] = [
  ['survey', 'the survey of the files'],
  ['doc_survey', 'the survey of the documents'],
  ['statistics', 'the word statistics'],
  ['doc_statistics', 'the word statistics'],
]
const TYPES: Readonly<Record<string, readonly string[]>> = {
  TEXT: ['text'],
  INTEGER: ['integer', 'real'],
  REAL: ['real', 'integer'],
  BLOB: ['blob'],
}

/** Lookup tables of entries, and the columns with their keys. */
const LOOKED_UP: readonly (readonly [table: string, column: string])[] = [
  ['title', 'key'],
  ['link', 'key'],
  ['about', 'key'],
  ['entity_use', 'key'],
  ['uncompared', 'key'],
  ['conflict', 'older'],
  ['conflict', 'newer'],
]

/**
 * Throws `DamagedRow`, or SQLite's own error, if pages or tables are inconsistent or a row has a value that Cairn never writes.
 */
export function checkIndex(database: SqliteDatabase, countsWords: boolean): void {
  const { integrity_check: result } = database.prepare('PRAGMA integrity_check(1)').get() as {
    integrity_check: string
  }
  if (result !== 'ok') throw new DamagedRow(result.replaceAll('\n', ' '))
  for (const table of ['fulltext', 'doc_fulltext'])
    database.exec(`INSERT INTO ${table} (${table}, rank) VALUES ('integrity-check', 1)`)
  checkTypes(database)
  for (const row of rowsOf(database, 'SELECT DISTINCT category, status, origin FROM entry')) checkedRow(row)
  for (const [table, column, what] of JSON_COLUMNS)
    for (const { packed } of rowsOf(
      database,
      `SELECT ${column} AS packed FROM ${table} WHERE ${column} IS NOT NULL`,
    ))
      storedJson(what, packed)
  for (const [key, what] of META)
    for (const { packed } of rowsOf(database, `SELECT value AS packed FROM meta WHERE key = '${key}'`))
      storedJson(what, packed)
  database.exec('BEGIN')
  try {
    checkTables(database)
    for (const collection of [ENTRIES_COLLECTION, DOCUMENTS_COLLECTION])
      if (countsWords && !areCounted(database, collection))
        throw new DamagedRow('the number of entries with a word')
  } finally {
    database.exec('COMMIT')
  }
}

/** Rows without their entry, and entries without their rows: search would miss them. */
function checkTables(database: SqliteDatabase): void {
  const none = (sql: string, what: string) => {
    if (database.prepare(`${sql} LIMIT 1`).get() !== undefined) throw new DamagedRow(what)
  }
  const notIn = (table: string) => `NOT IN (SELECT key FROM ${table})`
  for (const [table, column] of LOOKED_UP)
    none(`SELECT 1 FROM ${table} WHERE ${column} ${notIn('entry')}`, `a row of ${table} without its entry`)
  for (const collection of [ENTRIES_COLLECTION, DOCUMENTS_COLLECTION]) {
    for (const table of ['analysed', 'vector', 'unembedded'])
      none(
        `SELECT 1 FROM ${collection}${table} WHERE key ${notIn(`${collection}entry`)}`,
        `a row of ${collection}${table} without its entry`,
      )
    none(
      `SELECT 1 FROM ${collection}entry WHERE key ${notIn(`${collection}analysed`)}`,
      'an entry without its words',
    )
    none(
      `SELECT 1 FROM ${collection}entry WHERE key ${notIn(`${collection}vector`)} AND key ${notIn(`${collection}unembedded`)}`,
      'an entry without its vector',
    )
  }
}

function areCounted(database: SqliteDatabase, collection: Collection): boolean {
  const counts = new TokenCounts(collection)
  const rows = database.prepare(`SELECT ${TEXT_COLUMNS} FROM ${collection}analysed`).iterate() as TextRows
  for (const text of rows) counts.add(text, 1)
  return counts.areIn({ statement: sql => database.prepare(sql) })
}

/** Every column has a declared type, which SQLite itself does not enforce. */
function checkTypes(database: SqliteDatabase): void {
  const tables = rowsOf(
    database,
    `SELECT t.name AS "table", c.name AS "column", c.type, c."notnull" AS required, c.pk
     FROM sqlite_master t JOIN pragma_table_info(t.name) c
     WHERE t.type = 'table' AND t.name NOT LIKE '%fulltext%' AND t.name NOT LIKE 'sqlite%'`,
  )
  for (const { table, column, type, required, pk } of tables) {
    const types = TYPES[String(type)]
    if (types === undefined) continue
    const allowed = [
      ...types,
      ...(required === 1 || pk !== 0 ? [] : ['null']),
      // Content with a NUL is stored as bytes.
      ...(column === 'content' ? ['blob'] : []),
    ]
    const wrong = database
      .prepare(
        `SELECT 1 FROM "${table}" WHERE typeof("${column}") NOT IN (${allowed.map(name => `'${name}'`)}) LIMIT 1`,
      )
      .get()
    if (wrong !== undefined) throw new DamagedRow(`a value of ${table}.${column}`)
  }
}

function rowsOf(database: SqliteDatabase, sql: string): Iterable<Record<string, unknown>> {
  return database.prepare(sql).iterate() as Iterable<Record<string, unknown>>
}
