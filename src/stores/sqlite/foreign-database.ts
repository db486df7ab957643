import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ForeignDatabase, ForeignDatabases } from '../../addons/import/decide/ports.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { errnoOf } from '../../kernel/system/disk.ts'
import { stampOfPlainFile } from '../../kernel/system/plain-file.ts'
import { loadSqlite, SQLITE, type SqliteDatabase, sqliteErrorCode } from './driver.ts'

const MAGIC = 'SQLite format 3\0'
/** Data that is not in the database file yet: the log of a database in use, or an open write. */
const BESIDE = ['-wal', '-journal'] as const
const MAX_COPIED_BYTES = 2 * 1024 ** 3
const ATTEMPTS = 5

/**
 * Reads the database of another program without leaving a trace in its folder. A database that is not in use is opened as immutable: SQLite
 * then creates no file and takes no lock. Of a database in use, a consistent copy is read.
 */
export const foreignDatabases: ForeignDatabases = {
  async open(file) {
    const real = realPath(file)
    checkMagic(real)
    const isInUse = BESIDE.some(
      ending => (fs.statSync(`${real}${ending}`, { throwIfNoEntry: false })?.size ?? 0) > 0,
    )
    const copy = isInUse ? copyStill(real) : undefined
    const removeCopy = () => {
      if (copy !== undefined) fs.rmSync(path.dirname(copy), { recursive: true, force: true })
    }
    try {
      const location = copy ?? `${pathToFileURL(real).href}?immutable=1`
      // The copy is ours: SQLite applies its log, which a read-only connection cannot do.
      const database = new (loadSqlite().DatabaseSync)(location, { readOnly: copy === undefined })
      return opened(database, file, removeCopy)
    } catch (error) {
      removeCopy()
      throw explained(error, file)
    }
  },
}

function opened(database: SqliteDatabase, file: string, removeCopy: () => void): ForeignDatabase {
  return {
    columns(table) {
      try {
        const rows = database.prepare('SELECT name FROM pragma_table_info(?)').all(table) as {
          name: string
        }[]
        return new Set(rows.map(({ name }) => name))
      } catch (error) {
        throw explained(error, file)
      }
    },
    *rows(sql, ...values) {
      try {
        yield* database.prepare(sql).iterate(...values) as Iterable<Record<string, unknown>>
      } catch (error) {
        throw explained(error, file)
      }
    },
    close() {
      database.close()
      removeCopy()
    },
  }
}

function realPath(file: string): string {
  try {
    return fs.realpathSync.native(file)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' && errnoOf(error) !== 'ELOOP') throw error
    throw new CairnError({
      code: 'file_not_found',
      message: `The file ${file} does not exist.`,
      hint: 'Check the path; `cairn import discover` shows what can be imported here.',
      cause: error,
    })
  }
}

function checkMagic(file: string): void {
  if (stampOfPlainFile(file) === undefined) throw unreadable(file, 'it is not a plain file')
  const fd = fs.openSync(file, 'r')
  try {
    const head = Buffer.alloc(MAGIC.length)
    fs.readSync(fd, head, 0, head.length, 0)
    if (head.toString('latin1') !== MAGIC) throw unreadable(file, 'it is not a SQLite database')
  } finally {
    fs.closeSync(fd)
  }
}

/** Copies into a private folder, again if a writer changed the files meanwhile. */
function copyStill(file: string): string {
  const parts = ['', ...BESIDE].map(ending => `${file}${ending}`)
  const stamps = () => JSON.stringify(parts.map(part => stampOfPlainFile(part) ?? null))
  const bytes = parts.reduce((sum, part) => sum + (stampOfPlainFile(part)?.size ?? 0), 0)
  if (bytes > MAX_COPIED_BYTES) throw unreadable(file, 'it is in use, and too large to copy')
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-import-'))
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = stamps()
    for (const part of parts)
      if (stampOfPlainFile(part) !== undefined) fs.copyFileSync(part, path.join(folder, path.basename(part)))
    if (stamps() === before) return path.join(folder, path.basename(file))
  }
  fs.rmSync(folder, { recursive: true, force: true })
  throw unreadable(file, 'it is written all the time')
}

function explained(error: unknown, file: string): unknown {
  const code = sqliteErrorCode(error)
  // While it steps through rows, the addon has no result code.
  if (code === undefined && errnoOf(error)?.startsWith('ERR_SQLITE') !== true) return error
  const { message } = error as Error
  if (code === SQLITE.NOTADB || /not a database/.test(message))
    return unreadable(file, 'it is not a SQLite database', error)
  if (code === SQLITE.CORRUPT || /malformed/.test(message))
    return unreadable(file, 'its pages are inconsistent', error)
  return unreadable(file, message, error)
}

function unreadable(file: string, why: string, cause?: unknown): CairnError {
  return new CairnError({
    code: 'source_unreadable',
    message: `${file} cannot be read: ${why}.`,
    hint: 'Check the path; close the program that uses it, or import a copy or a backup of it.',
    cause,
  })
}
