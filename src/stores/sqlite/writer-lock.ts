import { CairnError } from '../../kernel/model/errors.ts'
import type { Disk } from '../../kernel/system/disk.ts'
import type { WriterLock } from '../../kernel/vault/ports.ts'
import { isTooLong, loadSqlite, pathTooLong, SQLITE, type SqliteDatabase, sqliteErrorCode } from './driver.ts'

/**
 * The right to write, between processes: SQLite's write lock on a file that holds nothing. The system releases it
 * when a process dies, however it dies, and it works alike on Linux, macOS and Windows. It is a file of its own so that a
 * damaged index can be replaced while the lock is held. Nothing is ever written to it: bytes in it are damage, and are removed.
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

  const acquire = (isMended: boolean): boolean => {
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
      if (code === SQLITE.READONLY || code === SQLITE.CANTOPEN) throw readOnly(location, error)
      if (code !== SQLITE.NOTADB && code !== SQLITE.CORRUPT) throw error
      if (isMended) throw noLock(location, error)
      // The same file, so whoever holds the lock keeps it.
      disk.truncate(location, 0)
      return acquire(true)
    }
  }

  return {
    tryAcquire: () => acquire(false),
    release() {
      held?.database.exec('ROLLBACK')
    },
    close,
  }
}

function noLock(location: string, cause: unknown): CairnError {
  return new CairnError({
    code: 'store_io',
    message: `The lock file ${location} is no database, so nobody can be kept from writing at the same time.`,
    hint: 'Remove the file: it holds nothing, and the next write makes it anew.',
    cause,
  })
}

function readOnly(location: string, cause: unknown): CairnError {
  if (isTooLong(location)) return pathTooLong(location, cause)
  return new CairnError({
    code: 'vault_read_only',
    message: `The lock file ${location} cannot be written, so nothing here can be changed.`,
    hint: 'Check the permissions of the .memory folder, or work on a copy of the project.',
    cause,
  })
}
