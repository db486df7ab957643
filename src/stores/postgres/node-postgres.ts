import type { Pool as PgPool, PoolClient, PoolConfig } from 'pg'
import { CairnError } from '../../kernel/model/errors.ts'
import { textHash } from '../../kernel/system/content-hash.ts'
import type { SqlConnection, SqlPool, TransactionEnd } from './sql-pool.ts'
import { inOneGo } from './sql-pool.ts'

export interface OpenPoolOptions {
  /** `postgres://user:password@host:5432/database` */
  readonly url: string
  readonly most?: number
  readonly connectTimeoutMs?: number
  /** Called with a failure of a connection that nobody was using. */
  readonly onIdleError?: (error: Error) => void
}

const INT8 = 20
/** A new one costs the server a process that plans every statement anew, right when many ask: after a burst they stay for the next. */
const IDLE_MS = 10 * 60_000
const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 5_000

/** A server. The driver is an optional dependency: who keeps the memory in files never loads it. */
export async function openPool({
  url,
  most = 10,
  connectTimeoutMs = 5_000,
  onIdleError = () => undefined,
}: OpenPoolOptions): Promise<SqlPool> {
  const pg = await loadDriver()
  const types = {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
  }
  const settings = { connectionString: url, connectionTimeoutMillis: connectTimeoutMs, types }
  const Client = closingClient(pg.Client)
  const pool: PgPool = new pg.Pool({
    ...settings,
    Client,
    max: most,
    idleTimeoutMillis: IDLE_MS,
    application_name: 'cairn',
    keepAlive: true,
    // What is asked before the last answer came is sent at once: to begin and to say for which project costs no round trip.
    pipeline: true,
  } as PoolConfig)
  pool.on('error', onIdleError)
  return {
    transaction: (work, end = 'waited for') => inTransaction(pool, work, end),

    async listen(channel, { onNotice, onGap }) {
      let isOver = false
      let client = new Client(settings)
      const connect = async (): Promise<void> => {
        const next = new Client(settings)
        // An attempt that failed ends as well: only one that listened is made again.
        let isListening = false
        next.on('notification', notice => onNotice(notice.payload ?? ''))
        next.on('error', onIdleError)
        next.on('end', () => {
          if (isListening && !isOver) reconnect().catch(onIdleError)
        })
        try {
          await next.connect()
          await next.query(`LISTEN ${pg.escapeIdentifier(channel)}`)
        } catch (error) {
          next.end().catch(onIdleError)
          throw error
        }
        isListening = true
        client = next
        if (isOver) await next.end()
      }
      const reconnect = async (): Promise<void> => {
        for (let pauseMs = FIRST_PAUSE_MS; !isOver; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
          await new Promise(resolve => setTimeout(resolve, pauseMs))
          try {
            await connect()
            if (!isOver) onGap()
            return
          } catch (error) {
            onIdleError(error as Error)
          }
        }
      }
      await connect()
      return async () => {
        isOver = true
        await client.end()
      }
    },

    usage: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      most,
    }),

    close: () => pool.end(),
  }
}

interface Login {
  readonly connection?: {
    readonly stream?: { destroy(): void }
    on(event: 'error', listener: () => void): void
  }
}

/**
 * The driver leaves the socket open when it cannot log in (no password to answer with): the process would wait until the server gives up,
 * a minute later.
 */
function closingClient(Client: typeof import('pg').Client): typeof import('pg').Client {
  return class extends Client {
    constructor(config?: ConstructorParameters<typeof Client>[0]) {
      super(config)
      const { connection } = this as Login
      connection?.on('error', () => connection.stream?.destroy())
    }
  }
}

async function inTransaction<T>(
  pool: PgPool,
  work: (connection: SqlConnection) => Promise<T>,
  end: TransactionEnd,
): Promise<T> {
  const client = await pool.connect()
  const lent = lend(client)
  let broken: Error | undefined
  // What was asked fails of itself; a connection that ends while nothing is asked would take the process with it if nobody heard.
  const onLost = (error: Error) => {
    broken = error
  }
  client.on('error', onLost)
  const release = () => {
    client.off('error', onLost)
    // One that was lost, or could not even roll back, is not lent again.
    client.release(broken)
  }
  let isLeft = false
  try {
    gather(client)
    const asked = [client.query('BEGIN'), work(lent.connection)] as const
    if (end === 'sent along') {
      lent.end()
      const [, result] = await inOneGo([...asked, client.query('COMMIT')])
      return result
    }
    const [, result] = await inOneGo(asked)
    lent.end()
    const ended = lent.ended() ?? client.query('COMMIT')
    if (end === 'left') {
      isLeft = true
      ended.catch(onLost).finally(release)
    } else await ended
    return result
  } catch (error) {
    lent.end()
    broken ??= await rollBack(client)
    throw error
  } finally {
    if (!isLeft) release()
  }
}

async function rollBack(client: PoolClient): Promise<Error | undefined> {
  try {
    await client.query('ROLLBACK')
    return undefined
  } catch (error) {
    return error as Error
  }
}

interface Gathering {
  readonly connection?: { readonly stream?: { cork?(): void; uncork?(): void } }
}

/** What is asked in one go leaves in one packet: each write to a socket wakes the server, and costs more than many a question. */
function gather(client: PoolClient): void {
  const stream = (client as Gathering).connection?.stream
  stream?.cork?.()
  process.nextTick(() => stream?.uncork?.())
}

/** For one transaction: who asks after its end would ask outside of any, as whoever owns the database. */
function lend(client: PoolClient): {
  readonly connection: SqlConnection
  end(): void
  /** Where the work has ended the transaction itself. */
  ended(): Promise<unknown> | undefined
} {
  let isOver = false
  let ended: Promise<unknown> | undefined
  const ask = <T>(query: () => Promise<T>): Promise<T> => {
    if (isOver) return Promise.reject(new Error('the transaction is over'))
    gather(client)
    return query()
  }
  return {
    connection: {
      query: <Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> =>
        ask(async () => {
          // By a name of its own each text is planned once a connection.
          const { rows } = await client.query({ name: statementName(sql), text: sql, values: [...values] })
          return rows as Row[]
        }),
      run: sql =>
        ask(async () => {
          await client.query(sql)
        }),
      endsHere() {
        isOver = true
        ended = client.query('COMMIT')
        // Who waits for it hears of it; a statement that fails is heard of first.
        ended.catch(() => undefined)
      },
    },
    end() {
      isOver = true
    },
    ended: () => ended,
  }
}

const nameBySql = new Map<string, string>()

function statementName(sql: string): string {
  let name = nameBySql.get(sql)
  if (name === undefined) {
    name = `cairn_${textHash(sql)}`
    nameBySql.set(sql, name)
  }
  return name
}

async function loadDriver(): Promise<typeof import('pg')> {
  try {
    return (await import('pg')).default as unknown as typeof import('pg')
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new CairnError({
      code: 'store_unreachable',
      message: 'The driver for PostgreSQL is not installed.',
      hint: 'Run `npm install pg` beside cairn, then try again.',
      cause: error,
    })
  }
}
