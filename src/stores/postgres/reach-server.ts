import { CairnError } from '../../kernel/model/errors.ts'
import { explainPostgres } from './explain-postgres.ts'
import { type OpenPoolOptions, openPool } from './node-postgres.ts'
import type { SqlPool } from './sql-pool.ts'

/** `bit_count`, by which vectors are compared, came with it. */
const OLDEST_SERVER = 14

const WRONG_PASSWORD = new Set(['28P01', '28000'])
/** What the driver says when the server wants an answer made of a password. */
const NO_PASSWORD = /client password must be a (?:non-empty )?string/
const NO_DATABASE = '3D000'

/** Opens a pool by an address that somebody typed. What goes wrong is told without the password. */
export async function connectTo(options: OpenPoolOptions): Promise<SqlPool> {
  checkAddress(options.url)
  return openPool(options)
}

/** Asks a server that was never asked before: this is where a wrong address, password or version shows. */
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
      message: 'The database asks for a password, and none was given.',
      hint: 'Give it in PGPASSWORD, in the address of CAIRN_STORE, or in the file of --store-file; ~/.pgpass works too.',
      cause: error,
    })
  if (WRONG_PASSWORD.has(code) || /SASL|password must be a string/.test((error as Error).message ?? ''))
    return new CairnError({
      code: 'store_unreachable',
      message: `The database does not take this user and password${user === undefined ? '' : ` (user ${user.slice(0, 60)})`}.`,
      hint: 'Look at the user in --store and at the password: in the address, in PGPASSWORD, or in the file of --store-file.',
      cause: error,
    })
  if (code === NO_DATABASE)
    return new CairnError({
      code: 'store_unreachable',
      message: 'The server is there, and the database that --store names is not.',
      hint: 'Create it first: createdb <name>, as a user who may.',
      cause: error,
    })
  const explained = explainPostgres(error)
  if (!(explained instanceof CairnError) || explained.code !== 'store_unreachable') return explained
  return new CairnError({
    code: 'store_unreachable',
    message: `The database cannot be reached: ${(error as Error).message}`,
    hint: 'Is PostgreSQL running there, and does it listen to this machine? `psql <address>` tries the same.',
    cause: error,
  })
}

function checkAddress(url: string): void {
  const isAddress = /^postgres(?:ql)?:\/\/\S+$/.test(url) && URL.canParse(url)
  if (isAddress) return
  throw new CairnError({
    code: 'invalid_input',
    message: 'The store of a hub is an address such as postgres://user@host:5432/database.',
    hint: 'Characters of a password that mean something in an address are written %40 for @, %2F for /. PGPASSWORD takes it as it is.',
  })
}
