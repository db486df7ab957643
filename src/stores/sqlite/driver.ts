import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import * as path from 'node:path'
import { CairnError, type ErrorCode } from '../../kernel/model/errors.ts'
import { DamagedRow } from '../sql/stored-value.ts'

/** The part of SQLite's synchronous API that both drivers share and we use. */
export interface SqliteStatement {
  run(...values: SqliteValue[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  get(...values: SqliteValue[]): unknown
  all(...values: SqliteValue[]): unknown[]
  iterate(...values: SqliteValue[]): Iterable<unknown>
}
export interface SqliteDatabase {
  exec(sql: string): void
  prepare(sql: string): SqliteStatement
  close(): void
}
/** Prepares statements once and returns them again. */
export interface StatementSource {
  statement(sql: string): SqliteStatement
}

export type SqliteValue = string | number | bigint | null | Uint8Array

interface SqliteModule {
  DatabaseSync: new (location: string, options?: { readOnly?: boolean }) => SqliteDatabase
}

/** The bundled command line has `__filename`; reading the URL there would load a module for nothing. In `node -e` it is not a path. */
const nodeRequire = createRequire(
  typeof __filename === 'string' && path.isAbsolute(__filename) ? __filename : import.meta.url,
)
let loaded: SqliteModule | undefined

/**
 * SQLite comes with Node from 22.13 on. On Node 20 it is the prebuilt addon of @photostructure/sqlite, which has the
 * same API. The addon is loaded directly where it is found: its JavaScript wrapper costs a third of a cold start
 * (7 of 26 ms of CPU, ADR 0003), and we need none of what it adds.
 */
export function loadSqlite(): SqliteModule {
  loaded ??= builtInSqlite() ?? prebuiltAddon() ?? packagedSqlite()
  return loaded
}

function builtInSqlite(): SqliteModule | undefined {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 22 || (major === 22 && minor < 13)) return undefined
  return withoutExperimentalWarning(() => nodeRequire('node:sqlite') as SqliteModule)
}

function withoutExperimentalWarning<T>(load: () => T): T {
  const emitWarning = process.emitWarning
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (String(warning).includes('SQLite is an experimental feature')) return
    ;(emitWarning as (...values: unknown[]) => void).call(process, warning, ...rest)
  }) as typeof process.emitWarning
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}

function prebuiltAddon(): SqliteModule | undefined {
  const musl = process.platform === 'linux' && isMusl()
  for (const modules of nodeRequire.resolve.paths('@photostructure/sqlite') ?? []) {
    const folder = path.join(
      modules,
      '@photostructure',
      'sqlite',
      'prebuilds',
      `${process.platform}-${process.arch}`,
    )
    const names = filesIn(folder)
    const name = names.length > 1 ? names.find(n => n.includes(musl ? '.musl.' : '.glibc.')) : names[0]
    if (name === undefined) continue
    const target = { exports: {} as SqliteModule }
    process.dlopen(target, path.join(folder, name))
    return target.exports
  }
  return undefined
}

/** Node's own report has it too, but costs 4 ms. */
function isMusl(): boolean {
  return existsSync('/etc/alpine-release')
}

function filesIn(folder: string): string[] {
  // Checked first: most of these folders do not exist, and an exception costs more than the check.
  if (!existsSync(folder)) return []
  try {
    return readdirSync(folder).filter(name => name.endsWith('.node'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return []
    throw error
  }
}

function packagedSqlite(): SqliteModule {
  try {
    return nodeRequire('@photostructure/sqlite') as SqliteModule
  } catch (cause) {
    throw new CairnError({
      code: 'index_unavailable',
      message: `No SQLite for Node ${process.versions.node} on ${process.platform}-${process.arch}.`,
      hint: 'Use Node 22.13 or newer, or install without --omit=optional.',
      cause,
    })
  }
}

/** With the `-journal` that SQLite adds: its limit is 512 bytes with the end. */
const MAX_PATH_BYTES = 503

export function isTooLong(location: string): boolean {
  return Buffer.byteLength(location) > MAX_PATH_BYTES
}

export function pathTooLong(location: string, cause: unknown): CairnError {
  return new CairnError({
    code: 'store_io',
    message: `The path ${location} is longer than SQLite allows (${MAX_PATH_BYTES} bytes).`,
    hint: 'Move the project to a folder with a shorter path. Until then this memory cannot be changed.',
    cause,
  })
}

/** SQLite's own result code, from either driver. */
export function sqliteErrorCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'errcode' in error ? error.errcode : 'sqliteCode' in error ? error.sqliteCode : undefined
  if (typeof code === 'number') return code & 0xff
  // The addon gives no number if a statement fails at a later row.
  if (!('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return undefined
  return CODE_BY_TEXT[error.message] ?? SQLITE.ERROR
}

/** SQLite has rolled back already if the disk is full or the file is damaged; the first error is reported. */
export function rollBack(database: SqliteDatabase): void {
  try {
    database.exec('ROLLBACK')
  } catch (error) {
    if (!String(error).includes('no transaction is active')) throw error
  }
}

export const SQLITE = {
  ERROR: 1,
  BUSY: 5,
  LOCKED: 6,
  NOMEM: 7,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  TOOBIG: 18,
  CONSTRAINT: 19,
  MISMATCH: 20,
  RANGE: 25,
  NOTADB: 26,
} as const

const CODE_BY_TEXT: Readonly<Record<string, number>> = {
  'database is locked': SQLITE.BUSY,
  'attempt to write a readonly database': SQLITE.READONLY,
  'disk I/O error': SQLITE.IOERR,
  'database disk image is malformed': SQLITE.CORRUPT,
  'database or disk is full': SQLITE.FULL,
  'unable to open database file': SQLITE.CANTOPEN,
  'file is not a database': SQLITE.NOTADB,
}

const ADVICE: Readonly<Record<number, readonly [code: ErrorCode, message: string, hint: string]>> = {
  [SQLITE.FULL]: [
    'disk_full',
    'No space left for the index.',
    'Free some space and try again; the vault files are whole.',
  ],
  [SQLITE.READONLY]: [
    'vault_read_only',
    'The index cannot be written.',
    'Check the permissions of the .memory folder.',
  ],
  [SQLITE.BUSY]: ['store_locked', 'The index is busy with another process.', 'Try again in a moment.'],
}

/** Translates a SQLite error; any other error is returned as it is. */
export function explainSqlite(error: unknown): unknown {
  const code = sqliteErrorCode(error)
  if (code === undefined) return error
  const [name, message, hint] = ADVICE[code] ?? [
    'store_io',
    `The index failed: ${(error as Error).message}.`,
    'Run `cairn doctor`; the vault files are whole, and `cairn doctor --fix` rebuilds the index from them.',
  ]
  return new CairnError({ code: name, message, hint, cause: error })
}

/** Copies a database in a consistent state, also while other processes use it. */
export function copyDatabase(from: string, to: string): void {
  const database = new (loadSqlite().DatabaseSync)(from)
  try {
    database.exec(`PRAGMA busy_timeout = 5000; VACUUM INTO '${to.replaceAll("'", "''")}'`)
  } finally {
    database.close()
  }
}

/** Errors of a value of another type, or of a table that contradicts its index. A bug of Cairn may cause them too, so the index is checked. */
export function isSuspect(error: unknown): boolean {
  if (error instanceof CairnError) return false
  const code = sqliteErrorCode(error)
  if (code !== undefined) return SUSPECT_CODES.has(code)
  return error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError
}

const SUSPECT_CODES: ReadonlySet<number> = new Set([
  SQLITE.ERROR,
  SQLITE.NOMEM,
  SQLITE.TOOBIG,
  SQLITE.CONSTRAINT,
  SQLITE.MISMATCH,
  SQLITE.RANGE,
])

/** The file is not a database, or tables are missing: waiting would not help. */
export function isDamaged(error: unknown): boolean {
  const code = sqliteErrorCode(error)
  if (code === SQLITE.CORRUPT || code === SQLITE.NOTADB || error instanceof DamagedRow) return true
  return (
    error instanceof Error &&
    !(error instanceof CairnError) &&
    /no such (table|column)|has no column named|malformed/.test(error.message)
  )
}
