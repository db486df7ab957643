import { pathToFileURL } from 'node:url'
import { CairnError } from '../../kernel/model/errors.ts'
import { type Disk, errnoOf } from '../../kernel/system/disk.ts'
import { loadSqlite, SQLITE, type SqliteDatabase, sqliteErrorCode } from './driver.ts'
import { INDEX_VERSION, readVersion } from './schema.ts'
import { SqliteIndex } from './sqlite-index.ts'

/** A writer holds it for a moment at most; whoever asks many memories cannot wait for one. */
const PATIENCE_MS = 200

/**
 * The index of a memory that is only looked into: nothing is migrated, rebuilt or written, and no file is left beside it. Without a log it
 * is opened as something that nobody changes; with one, its files are there already.
 */
export function openIndexToRead(location: string, disk: Disk): SqliteIndex {
  const stamp = disk.stamp(location)
  if (stamp === undefined || stamp.size === 0) throw unread('it has no index yet')
  let database: SqliteDatabase | undefined
  try {
    const hasLog = (disk.stamp(`${location}-wal`)?.size ?? 0) > 0
    const opened = hasLog ? location : `${pathToFileURL(location).href}?immutable=1`
    database = new (loadSqlite().DatabaseSync)(opened, { readOnly: true })
    database.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}`)
    const version = readVersion(database)
    if (version > INDEX_VERSION) throw unread('a newer Cairn keeps its index')
    if (version < INDEX_VERSION) throw unread('an older Cairn has made its index')
    return new SqliteIndex(database, location)
  } catch (error) {
    database?.close()
    throw explainUnread(error)
  }
}

/** What went wrong, in words for somebody who asked another project. A fault of ours stays what it is. */
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
    message: `not searched, since ${why}; \`cairn status\` there puts it right.`,
    hint: 'Run `cairn status` in that project.',
    cause,
  })
}
