import { pathToFileURL } from 'node:url'
import type { IndexInspector } from '../../features/validate/decide/ports.ts'
import { type Disk, errnoOf } from '../../kernel/system/disk.ts'
import type { MemoryPaths } from '../../kernel/system/paths.ts'
import { loadSqlite, SQLITE, type SqliteDatabase, sqliteErrorCode } from './driver.ts'
import { INDEX_VERSION, readVersion } from './schema.ts'

const MAGIC = 'SQLite format 3\0'
const WHY: Readonly<Record<number, string>> = {
  [SQLITE.NOTADB]: 'it is not a database',
  [SQLITE.CORRUPT]: 'its pages are inconsistent',
}

/**
 * Opens `.vault/index.db` without changing anything. Without a log it is opened as immutable: SQLite then creates no file, so a read-only
 * folder works. With a log, its files exist already.
 */
export function indexInspector(paths: MemoryPaths, disk: Disk): IndexInspector {
  return {
    async inspect(isDeep) {
      const stamp = disk.stamp(paths.index)
      if (stamp === undefined) return { kind: 'absent' }
      if (disk.isFolder(paths.index) === true) return { kind: 'damaged', why: 'it is a folder' }
      // A process died before it filled the file; the next one does.
      if (stamp.size === 0) return { kind: 'absent' }
      let database: SqliteDatabase | undefined
      try {
        const head = disk.readRange(paths.index, 0, MAGIC.length)
        if (head === undefined || Buffer.from(head).toString('latin1') !== MAGIC)
          return { kind: 'damaged', why: 'it is not a database' }
        const hasLog = (disk.stamp(`${paths.index}-wal`)?.size ?? 0) > 0
        const location = hasLog ? paths.index : `${pathToFileURL(paths.index).href}?immutable=1`
        database = new (loadSqlite().DatabaseSync)(location, { readOnly: true })
        return inspect(database, isDeep)
      } catch (error) {
        const errno = errnoOf(error)
        const code = sqliteErrorCode(error)
        if (code === SQLITE.NOTADB || code === SQLITE.CORRUPT)
          return { kind: 'damaged', why: WHY[code] ?? 'it cannot be read' }
        if (/no such (table|column)|malformed/.test((error as Error).message))
          return { kind: 'damaged', why: 'its tables are not those of an index' }
        if (code === undefined && errno === undefined) throw error
        return { kind: 'unreachable', why: `it could not be opened (${errno ?? code})` }
      } finally {
        database?.close()
      }
    },
  }
}

function inspect(database: SqliteDatabase, isDeep: boolean): Awaited<ReturnType<IndexInspector['inspect']>> {
  database.exec('PRAGMA busy_timeout = 1000')
  const version = readVersion(database)
  if (version > INDEX_VERSION) return { kind: 'newer' }
  // The next process that writes brings it up to date.
  if (version < INDEX_VERSION) return { kind: 'unreachable', why: 'an older Cairn made it' }
  if (isDeep) {
    const { quick_check: result } = database.prepare('PRAGMA quick_check(1)').get() as { quick_check: string }
    if (result !== 'ok') return { kind: 'damaged', why: 'its pages are inconsistent' }
  }
  const rows = database.prepare('SELECT path, size, mtime_ms AS mtimeMs, inode FROM file').all()
  return { kind: 'read', files: rows as { path: string; size: number; mtimeMs: number; inode: number }[] }
}
