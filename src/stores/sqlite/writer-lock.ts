import { CairnError } from '../../kernel/model/errors.ts'
import type { Disk } from '../../kernel/system/disk.ts'
import type { WriterLock } from '../../kernel/vault/ports.ts'
import { isTooLong, loadSqlite, pathTooLong, SQLITE, type SqliteDatabase, sqliteErrorCode } from './driver.ts'

/**
 * The writer lock between processes: SQLite's write lock on an empty file. The system releases it when a process dies, and it works the
 * same on Linux, macOS and Windows. It is a separate file so that a damaged index can be replaced under the lock. Cairn never writes to it:
 * bytes in it are damage, and are removed.
 */
export function sqliteWriterLock(location: string, disk: Disk): WriterLock {
  let opened: { database: SqliteDatabase; inode: number } | undefined

  const inodeNow = () => disk.stamp(location)?.inode
  const close = () => {
    opened?.database.close()
    opened = undefined
  }
  const open = () => {
    const database = new (loadSqlite().DatabaseSync)(location)
    database.exec('PRAGMA busy_timeout = 0')
    return { database, inode: inodeNow() ?? -1 }
  }

  const acquire = (isMended: boolean): boolean => {
    try {
      // `.vault/` was deleted: other processes would lock the new file, and this lock would not exclude them.
      if (opened !== undefined && opened.inode !== inodeNow()) close()
      opened ??= open()
      opened.database.exec('BEGIN IMMEDIATE')
      if (opened.inode === inodeNow()) return true
      close()
      return false
    } catch (error) {
      const code = sqliteErrorCode(error)
      if (code === SQLITE.BUSY || code === SQLITE.LOCKED) return false
      close()
      if (code === SQLITE.READONLY || code === SQLITE.CANTOPEN) throw readOnly(location, error)
      if (code !== SQLITE.NOTADB && code !== SQLITE.CORRUPT) throw error
      if (isMended) throw noLock(location, error)
      // The same file, so a process with the lock keeps it.
      disk.truncate(location, 0)
      return acquire(true)
    }
  }

  return {
    tryAcquire: () => acquire(false),
    release() {
      opened?.database.exec('ROLLBACK')
    },
    close,
  }
}

function noLock(location: string, cause: unknown): CairnError {
  return new CairnError({
    code: 'store_io',
    message: `The lock file ${location} is not a database, so other processes cannot be excluded from writing.`,
    hint: 'Remove the file: it is empty, and the next write creates it again.',
    cause,
  })
}

function readOnly(location: string, cause: unknown): CairnError {
  if (isTooLong(location)) return pathTooLong(location, cause)
  return new CairnError({
    code: 'vault_read_only',
    message: `The lock file ${location} cannot be written, so this memory cannot be changed.`,
    hint: 'Check the permissions of the .memory folder, or work on a copy of the project.',
    cause,
  })
}
