import { CairnError } from '../../kernel/model/errors.ts'

/** Classes of SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const CONNECTION = '08'
const SHUTTING_DOWN = new Set(['57P01', '57P02', '57P03'])
const TOO_MANY_CONNECTIONS = '53300'
const DISK_FULL = '53100'
/** Lock timeout, or chosen as the victim of a deadlock. */
const HELD_UP = new Set(['55P03', '40P01'])
const CANCELLED = '57014'
const READ_ONLY = '25006'
/** A text with U+0000 or an unpaired surrogate, which JavaScript accepts and PostgreSQL does not. */
const NO_TEXT = new Set(['22021', '22P05'])
const NO_JSON = '22P02'
const SOCKET = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EHOSTUNREACH',
])

/** Turns an error of the database into a `CairnError`. Errors that are not known to be about the server are passed on: they are bugs. */
export function explainPostgres(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof CairnError) return error
  const code = String((error as { code?: unknown }).code ?? '')
  if (HELD_UP.has(code))
    return new CairnError({
      code: 'store_locked',
      message: 'Timed out: other clients have been writing to this memory for too long.',
      hint: 'Try again; raise `lock.timeoutMs` in the configuration if a long import is running.',
      cause: error,
    })
  if (NO_TEXT.has(code) || (code === NO_JSON && /type json/.test(error.message)))
    return new CairnError({
      code: 'invalid_input',
      message:
        'The text contains a character that the database cannot store: U+0000 or an unpaired surrogate.',
      hint: 'Nothing was written. Remove the character and try again.',
      cause: error,
    })
  if (code === CANCELLED)
    return new CairnError({
      code: 'store_unreachable',
      message:
        'The database cancelled the statement: it took too long, or an administrator stopped it. Nothing was written.',
      hint: 'Try again. If it happens often, check the load of the database and its `statement_timeout`.',
      cause: error,
    })
  if (code === DISK_FULL)
    return new CairnError({
      code: 'disk_full',
      message: 'The disk of the database is full; nothing was written.',
      hint: 'Free some space on the database server, then try again.',
      cause: error,
    })
  if (code === READ_ONLY)
    return new CairnError({
      code: 'vault_read_only',
      message: 'The database is read-only: it is a standby, or set to read-only.',
      hint: 'Point the store at the primary server.',
      cause: error,
    })
  if (
    code.startsWith(CONNECTION) ||
    SHUTTING_DOWN.has(code) ||
    code === TOO_MANY_CONNECTIONS ||
    SOCKET.has(code) ||
    /Connection terminated|not queryable|timeout exceeded when trying to connect/i.test(error.message)
  )
    return new CairnError({
      code: 'store_unreachable',
      // Without the address: a client of the hub must not see it.
      message: 'The database cannot be reached.',
      hint: 'The last change may or may not have been saved: check before you repeat it. Try again when the server is back.',
      cause: error,
    })
  return error
}
