import { pauseMs } from '../../kernel/system/disk.ts'
import { DamagedRow } from '../sql/stored-value.ts'
import { loadSqlite, SQLITE, type SqliteDatabase, sqliteErrorCode } from './driver.ts'
import { INDEX_VERSION, migrate, readVersion } from './schema.ts'
import { SqliteIndex } from './sqlite-index.ts'

export interface OpenIndexOptions {
  /** A file, or `:memory:`. */
  readonly location: string
  readonly busyTimeoutMs: number
  /** Another way to open a database, for tests that make it fail. */
  readonly openDatabase?: ((location: string) => SqliteDatabase) | undefined
}

/** A higher number is damage: no Cairn that exists has written it. */
const MAX_VERSIONS_AHEAD = 10_000

/** undefined: a newer Cairn has written it, and this one must leave it alone. */
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

/** To WAL it is not switched beside a writer, and SQLite says so at once, whatever its timeout: several first processes would fail. */
function whileBusy(patienceMs: number, work: () => void): void {
  for (let leftMs = patienceMs; ; leftMs -= PAUSE_MS) {
    try {
      work()
      return
    } catch (error) {
      if (sqliteErrorCode(error) !== SQLITE.BUSY || leftMs <= 0) throw error
      pauseMs(PAUSE_MS)
    }
  }
}
