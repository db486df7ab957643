import { CairnError } from '../../kernel/model/errors.ts'
import { explainPostgres } from './explain-postgres.ts'
import { SCHEMA_VERSION } from './migrate.ts'
import { type OpenPoolOptions, openPool } from './node-postgres.ts'
import type { SqlPool } from './sql-pool.ts'

/** The first version with `bit_count`, which compares vectors. */
const OLDEST_SERVER = 14

const WRONG_PASSWORD = new Set(['28P01', '28000'])
/** The driver's message when the server requires a password. */
const NO_PASSWORD = /client password must be a (?:non-empty )?string/
const NO_DATABASE = '3D000'

/** Opens a pool for an address that a user typed. Errors never contain the password. */
export async function connectTo(options: OpenPoolOptions): Promise<SqlPool> {
  checkAddress(options.url)
  return openPool(options)
}

/** Checks the server at the start: a wrong address, password or version is reported here. */
export async function checkServer(pool: SqlPool): Promise<void> {
  let version: number
  try {
    version = await pool.transaction(async connection => {
      const [row] = await connection.query<{ number: string }>(
        "SELECT current_setting('server_version_num') AS number",
      )
      return Math.floor(Number(row?.number) / 10_000)
    })
  } catch (error) {
    throw explainConnecting(error)
  }
  if (version < OLDEST_SERVER)
    throw new CairnError({
      code: 'store_unreachable',
      message: `The server has PostgreSQL ${version}; a hub needs ${OLDEST_SERVER} or later.`,
      hint: 'Update the server, or point --store at another. Nothing was changed.',
    })
}

function explainConnecting(error: unknown): unknown {
  const code = String((error as { code?: unknown }).code ?? '')
  const user = /user "([^"]*)"/.exec((error as Error).message ?? '')?.[1]
  if (NO_PASSWORD.test((error as Error).message ?? ''))
    return new CairnError({
      code: 'store_unreachable',
      message: 'The database requires a password, and none was given.',
      hint: 'Set PGPASSWORD, or put it into CAIRN_STORE, the file of --store-file, or ~/.pgpass.',
      cause: error,
    })
  if (WRONG_PASSWORD.has(code) || /SASL|password must be a string/.test((error as Error).message ?? ''))
    return new CairnError({
      code: 'store_unreachable',
      message: `The database rejects this user and password${user === undefined ? '' : ` (user ${user.slice(0, 60)})`}.`,
      hint: 'Check the user in --store and the password: in the address, in PGPASSWORD, or in the file of --store-file.',
      cause: error,
    })
  if (code === NO_DATABASE)
    return new CairnError({
      code: 'store_unreachable',
      message: 'The server answers, but the database that --store names does not exist.',
      hint: 'Create it first: createdb <name>, as a user with that right.',
      cause: error,
    })
  const explained = explainPostgres(error)
  if (!(explained instanceof CairnError) || explained.code !== 'store_unreachable') return explained
  return new CairnError({
    code: 'store_unreachable',
    message: `The database cannot be reached: ${(error as Error).message}`,
    hint: 'Check that PostgreSQL runs there and accepts connections from this machine. `psql <address>` tests it.',
    cause: error,
  })
}

function checkAddress(url: string): void {
  const isAddress = /^postgres(?:ql)?:\/\/\S+$/.test(url) && URL.canParse(url)
  if (isAddress) return
  throw new CairnError({
    code: 'invalid_input',
    message: 'The store of a hub must be an address such as postgres://user@host:5432/database.',
    hint: 'Encode special characters of a password: %40 for @, %2F for /. PGPASSWORD needs no encoding.',
  })
}

/** State of the connection between a hub and its database. */
export type DatabaseState =
  | { readonly kind: 'ready'; readonly version: number; readonly roundTripMs: number }
  /** It does not answer, or not in time. */
  | { readonly kind: 'unreachable' }
  /** Its tables are older or newer than this server supports. */
  | { readonly kind: 'behind' | 'newer'; readonly version: number; readonly roundTripMs: number }

/** Load balancers check every second or two, from several places, without a token: one query answers all of them. */
const HOLDS_MS = 1_000
const PATIENCE_MS = 2_000

export function databaseState(pool: SqlPool): () => Promise<DatabaseState> {
  let asked: { readonly state: Promise<DatabaseState>; readonly atMs: number } | undefined
  return () => {
    const nowMs = performance.now()
    if (asked === undefined || nowMs - asked.atMs > HOLDS_MS) asked = { state: ask(pool), atMs: nowMs }
    return asked.state
  }
}

async function ask(pool: SqlPool): Promise<DatabaseState> {
  const startMs = performance.now()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>(resolve => {
    timer = setTimeout(() => resolve(undefined), PATIENCE_MS)
  })
  try {
    const version = await Promise.race([readVersion(pool), late])
    if (version === undefined) return { kind: 'unreachable' }
    const roundTripMs = performance.now() - startMs
    const kind = version === SCHEMA_VERSION ? 'ready' : version < SCHEMA_VERSION ? 'behind' : 'newer'
    return { kind, version, roundTripMs }
  } finally {
    clearTimeout(timer)
  }
}

/** undefined: the query failed, for whatever reason; other requests report the reason. */
async function readVersion(pool: SqlPool): Promise<number | undefined> {
  try {
    return await pool.transaction(async connection => {
      const [row] = await connection.query<{ version: number }>('SELECT version FROM schema_version')
      return row?.version ?? 0
    })
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}
