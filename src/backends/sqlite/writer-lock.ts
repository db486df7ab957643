import { CairnError } from '../../model/errors.ts'
import type { WriterLock } from '../../pipeline/store/writer-lock.ts'
import { loadSqlite, SQLITE, type SqliteDatabase, sqliteErrorCode } from './driver.ts'

/**
 * The right to write, between processes: SQLite's write lock on a file that holds nothing. The system releases it
 * when a process dies, however it dies, and it works alike on Linux, macOS and Windows. It is a file of its own so that a
 * damaged index can be replaced while the lock is held.
 */
export function sqliteWriterLock(location: string): WriterLock {
  let database: SqliteDatabase | undefined

  return {
    tryAcquire() {
      try {
        if (database === undefined) {
          database = new (loadSqlite().DatabaseSync)(location)
          database.exec('PRAGMA busy_timeout = 0')
        }
        database.exec('BEGIN IMMEDIATE')
        return true
      } catch (error) {
        const code = sqliteErrorCode(error)
        if (code === SQLITE.BUSY || code === SQLITE.LOCKED) return false
        this.close()
        if (code === SQLITE.READONLY || code === SQLITE.CANTOPEN) throw readOnly(location, error)
        throw error
      }
    },
    release() {
      database?.exec('ROLLBACK')
    },
    close() {
      database?.close()
      database = undefined
    },
  }
}

function readOnly(location: string, cause: unknown): CairnError {
  return new CairnError({
    code: 'vault_read_only',
    message: `The lock file ${location} cannot be written, so nothing here can be changed.`,
    hint: 'Check the permissions of the .memory folder, or work on a copy of the project.',
    cause,
  })
}
