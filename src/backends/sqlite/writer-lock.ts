import { CairnError } from '../../model/errors.ts'
import type { WriterLock } from '../../pipeline/store/writer-lock.ts'
import type { Disk } from '../../system/disk.ts'
import { loadSqlite, SQLITE, type SqliteDatabase, sqliteErrorCode } from './driver.ts'

/**
 * The right to write, between processes: SQLite's write lock on a file that holds nothing. The system releases it
 * when a process dies, however it dies, and it works alike on Linux, macOS and Windows. It is a file of its own so that a
 * damaged index can be replaced while the lock is held.
 */
export function sqliteWriterLock(location: string, disk: Disk): WriterLock {
  let held: { database: SqliteDatabase; inode: number } | undefined

  const inodeNow = () => disk.stamp(location)?.inode
  const close = () => {
    held?.database.close()
    held = undefined
  }
  const open = () => {
    const database = new (loadSqlite().DatabaseSync)(location)
    database.exec('PRAGMA busy_timeout = 0')
    return { database, inode: inodeNow() ?? -1 }
  }

  return {
    tryAcquire() {
      try {
        // Somebody deleted `.vault/`: others would lock the new file, and this one no longer keeps them out.
        if (held !== undefined && held.inode !== inodeNow()) close()
        held ??= open()
        held.database.exec('BEGIN IMMEDIATE')
        if (held.inode === inodeNow()) return true
        close()
        return false
      } catch (error) {
        const code = sqliteErrorCode(error)
        if (code === SQLITE.BUSY || code === SQLITE.LOCKED) return false
        close()
        if (code === SQLITE.NOTADB || code === SQLITE.CORRUPT) throw noLock(location, error)
        if (code === SQLITE.READONLY || code === SQLITE.CANTOPEN) throw readOnly(location, error)
        throw error
      }
    },
    release() {
      held?.database.exec('ROLLBACK')
    },
    close,
  }
}

/** It holds nothing, so nothing is lost with it. Not removed by itself: somebody may hold the lock of a file we cannot read. */
function noLock(location: string, cause: unknown): CairnError {
  return new CairnError({
    code: 'store_io',
    message: `The lock file ${location} is no database, so nobody can be kept from writing at the same time.`,
    hint: 'Remove the file: it holds nothing, and the next write makes it anew.',
    cause,
  })
}

function readOnly(location: string, cause: unknown): CairnError {
  return new CairnError({
    code: 'vault_read_only',
    message: `The lock file ${location} cannot be written, so nothing here can be changed.`,
    hint: 'Check the permissions of the .memory folder, or work on a copy of the project.',
    cause,
  })
}
