import { CairnError } from '../../kernel/model/errors.ts'
import { DamagedRow } from '../sql/stored-value.ts'
import { SQLITE, sqliteErrorCode } from './driver.ts'

/** What a value of another type, or a table that contradicts its index, leads to. It may also be a fault of Cairn: the index is checked then. */
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

/** The bytes are not a database, or tables are missing from it: nothing that waiting would mend. */
export function isDamaged(error: unknown): boolean {
  const code = sqliteErrorCode(error)
  if (code === SQLITE.CORRUPT || code === SQLITE.NOTADB || error instanceof DamagedRow) return true
  return (
    error instanceof Error &&
    !(error instanceof CairnError) &&
    /no such (table|column)|has no column named|malformed/.test(error.message)
  )
}
