import { pathToFileURL } from 'node:url'
import { CairnError } from '../../kernel/model/errors.ts'
import { type Disk, errnoOf, pauseMs } from '../../kernel/system/disk.ts'
import { DamagedRow } from '../sql/stored-value.ts'
import { loadSqlite, SQLITE, type SqliteDatabase, sqliteErrorCode } from './driver.ts'
import { INDEX_VERSION, migrate, readVersion } from './schema.ts'
import { SqliteIndex } from './sqlite-index.ts'

interface OpenIndexOptions {
  /** A file, or `:memory:`. */
  readonly location: string
  readonly busyTimeoutMs: number
  /** Another way to open a database, for tests that make it fail. */
  readonly openDatabase?: ((location: string) => SqliteDatabase) | undefined
}

/** A higher number is damage: no released version wrote it. */
const MAX_VERSIONS_AHEAD = 10_000

/** undefined: a newer Cairn wrote it, and this one must not use it. */
export function openSqliteIndex(options: OpenIndexOptions): SqliteIndex | undefined {
  const open = options.openDatabase ?? (location => new (loadSqlite().DatabaseSync)(location))
  const database = open(options.location)
  try {
    database.exec(`PRAGMA busy_timeout = ${options.busyTimeoutMs}`)
    const version = readVersion(database)
    if (version < 0 || version > INDEX_VERSION + MAX_VERSIONS_AHEAD)
      throw new DamagedRow(`its version (${version})`)
    if (version > INDEX_VERSION) {
      database.close()
      return undefined
    }
    // Readers never wait for a writer; a commit needs no fsync, since a lost tail is rebuilt from the files.
    if (version < INDEX_VERSION)
      whileBusy(options.busyTimeoutMs, () => {
        database.exec('PRAGMA journal_mode = WAL')
        migrate(database)
      })
    database.exec('PRAGMA synchronous = NORMAL')
    return new SqliteIndex(database, options.location)
  } catch (error) {
    database.close()
    throw error
  }
}

const PAUSE_MS = 5

/** SQLite refuses to switch to WAL next to a writer immediately, whatever its timeout: without retries several first processes would fail. */
function whileBusy(timeoutMs: number, work: () => void): void {
  for (let leftMs = timeoutMs; ; leftMs -= PAUSE_MS) {
    try {
      work()
      return
    } catch (error) {
      if (sqliteErrorCode(error) !== SQLITE.BUSY || leftMs <= 0) throw error
      pauseMs(PAUSE_MS)
    }
  }
}

/** A writer locks it only for a moment; a query over many memories cannot wait for one. */
const READ_TIMEOUT_MS = 200

/**
 * Opens the index of another memory for reading: nothing is migrated, rebuilt or written, and no file is created. Without a log it is
 * opened as immutable; with a log, its files exist already.
 */
export function openIndexToRead(location: string, disk: Disk): SqliteIndex {
  const stamp = disk.stamp(location)
  if (stamp === undefined || stamp.size === 0) throw unread('it has no index yet')
  let database: SqliteDatabase | undefined
  try {
    const hasLog = (disk.stamp(`${location}-wal`)?.size ?? 0) > 0
    const opened = hasLog ? location : `${pathToFileURL(location).href}?immutable=1`
    database = new (loadSqlite().DatabaseSync)(opened, { readOnly: true })
    database.exec(`PRAGMA busy_timeout = ${READ_TIMEOUT_MS}`)
    const version = readVersion(database)
    if (version > INDEX_VERSION) throw unread('a newer Cairn wrote its index')
    if (version < INDEX_VERSION) throw unread('an older Cairn wrote its index')
    return new SqliteIndex(database, location)
  } catch (error) {
    database?.close()
    throw explainUnread(error)
  }
}

/** Translates an error for the user of another project. A bug of Cairn is returned as it is. */
export function explainUnread(error: unknown): unknown {
  if (error instanceof CairnError) return error
  const code = sqliteErrorCode(error)
  const message = error instanceof Error ? error.message : ''
  if (code === SQLITE.NOTADB || code === SQLITE.CORRUPT || /no such (table|column)|malformed/.test(message))
    return unread('its index is damaged', error)
  if (code === SQLITE.BUSY) return unread('another process is writing to it', error)
  if (code === undefined && errnoOf(error) === undefined) return error
  return unread(`its index could not be opened (${errnoOf(error) ?? code})`, error)
}

function unread(why: string, cause?: unknown): CairnError {
  return new CairnError({
    code: 'store_io',
    message: `not searched, since ${why}; \run \`cairn status\` there.`,
    hint: 'Run `cairn status` in that project.',
    cause,
  })
}
