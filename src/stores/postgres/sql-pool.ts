/** One connection while a transaction lasts. */
export interface SqlConnection {
  query<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>
  /** Statements without values, one after the other. */
  run(sql: string): Promise<void>
  /** What was asked so far is all: the transaction ends with it, without waiting for the answers first. Absent where nothing would be gained. */
  endsHere?(): void
}

/**
 * How a transaction ends.
 *
 *   waited for   the default: what was written is there when the work is answered
 *   left         nothing was written, so that nobody waits for the end
 *   sent along   all statements are asked before the first answer comes, and the end goes with them: one round trip in all
 */
export type TransactionEnd = 'waited for' | 'left' | 'sent along'

/**
 * PostgreSQL, wherever it runs: a server behind a pool (`node-postgres.ts`), or the one in this process that tests use.
 * Whole numbers of 64 bits come as numbers, bytes as bytes.
 */
export interface SqlPool {
  /** Commits when the work is done; rolls back, and throws what it threw, when it fails. */
  transaction<T>(work: (connection: SqlConnection) => Promise<T>, end?: TransactionEnd): Promise<T>
  /** Hears what is notified on a channel, also after the connection was lost and made again, of which `onGap` tells: something may have been missed. */
  listen(
    channel: string,
    listener: { onNotice(payload: string): void; onGap(): void },
  ): Promise<() => Promise<void>>
  /** How its connections are used. Absent where there is only one. */
  usage?(): PoolUsage
  close(): Promise<void>
}

export interface PoolUsage {
  readonly inUse: number
  readonly idle: number
  /** Transactions that wait for a connection. */
  readonly waiting: number
  readonly most: number
}

/** Statements that need nothing of each other's answers: sent one after the other without waiting. All are waited for, also when one fails. */
export async function inOneGo<const T extends readonly Promise<unknown>[]>(
  asked: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const settled = await Promise.allSettled(asked)
  const failed = settled.find(each => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return settled.map(each => (each as PromiseFulfilledResult<unknown>).value) as {
    -readonly [K in keyof T]: Awaited<T[K]>
  }
}
