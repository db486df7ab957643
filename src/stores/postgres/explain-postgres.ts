import { CairnError } from '../../kernel/model/errors.ts'

/** Classes of SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const CONNECTION = '08'
const SHUTTING_DOWN = new Set(['57P01', '57P02', '57P03'])
const TOO_MANY_CONNECTIONS = '53300'
const DISK_FULL = '53100'
/** Waited too long for somebody who writes, or they waited for each other and this one was chosen to give way. */
const HELD_UP = new Set(['55P03', '40P01'])
const CANCELLED = '57014'
const READ_ONLY = '25006'
/** A text with U+0000, or with half of a pair of surrogates, which JavaScript takes and PostgreSQL does not. */
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

/** What the database says, as we say it. What is not known to be about the server is handed on: it is a fault of ours. */
export function explainPostgres(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof CairnError) return error
  const code = String((error as { code?: unknown }).code ?? '')
  if (HELD_UP.has(code))
    return new CairnError({
      code: 'store_locked',
      message: 'Others have been writing to this memory for too long.',
      hint: 'Try again; raise `lock.timeoutMs` in the configuration if a long import is running.',
      cause: error,
    })
  if (NO_TEXT.has(code) || (code === NO_JSON && /type json/.test(error.message)))
    return new CairnError({
      code: 'invalid_input',
      message: 'What was given holds a character that the database cannot keep: U+0000, or half of a pair.',
      hint: 'Take it out, and send it again. Nothing was written.',
      cause: error,
    })
  if (code === CANCELLED)
    return new CairnError({
      code: 'store_unreachable',
      message:
        'The database broke off what was asked: it took too long, or somebody there cancelled it. Nothing was written.',
      hint: 'Try again; look at the load of the database, and at its `statement_timeout`, when it happens often.',
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
      message: 'The database takes no writes now: it is a standby, or set to read-only.',
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
      // Not where it stands: whoever asks a hub has no business there.
      message: 'The database cannot be reached.',
      hint: 'Whether the last change arrived is not known: look before you repeat it. Try again when the server is back.',
      cause: error,
    })
  return error
}
