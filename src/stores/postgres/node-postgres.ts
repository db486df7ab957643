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
  /** Called when an idle connection fails. */
  readonly onIdleError?: (error: Error) => void
}

const INT8 = 20
/** A new connection makes the server plan every statement anew, during a burst of requests: idle connections are preserved for the next burst. */
const IDLE_MS = 10 * 60_000
const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 5_000

/** A pool of connections to a server. The driver is an optional dependency, loaded only for PostgreSQL. */
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
    // Statements are sent before earlier answers arrive: beginning a transaction and setting the project cost no extra round trip.
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
        // A failed attempt closes its connection too: only an established one is reconnected.
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

/** The driver leaves the socket open when it cannot log in (no password): the process would wait a minute until the server gives up. */
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
  // Pending statements fail on their own; an idle connection that ends would crash the process without a listener.
  const onLost = (error: Error) => {
    broken = error
  }
  client.on('error', onLost)
  const release = () => {
    client.off('error', onLost)
    // A lost connection, or one that could not roll back, is not reused.
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

/** Statements of one batch leave in one packet: each write to a socket wakes the server, which costs more than many statements. */
function gather(client: PoolClient): void {
  const stream = (client as Gathering).connection?.stream
  stream?.cork?.()
  process.nextTick(() => stream?.uncork?.())
}

/** Valid for one transaction: a later statement would run outside of it, with the rights of the database owner. */
function lend(client: PoolClient): {
  readonly connection: SqlConnection
  end(): void
  /** For work that ended the transaction itself. */
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
          // Named statements are planned once for each connection.
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
        // The caller that awaits it gets the error; a failed statement is reported first.
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
      hint: 'Run `npm install pg` next to cairn, then try again.',
      cause: error,
    })
  }
}
