/** One connection for the duration of a transaction. */
export interface SqlConnection {
  query<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>
  /** Statements without values, one after the other. */
  run(sql: string): Promise<void>
  /** Says that no statement follows: the commit is sent without waiting for the answers. Absent where that gains nothing. */
  endsHere?(): void
}

/**
 * How a transaction ends: `waited for` (the default) waits for the commit; `left` wrote nothing, so the end is not awaited; `sent along`
 * sends all statements and the commit before the first answer, in one round trip.
 */
export type TransactionEnd = 'waited for' | 'left' | 'sent along'

/**
 * PostgreSQL: a server behind a pool (`node-postgres.ts`), or the in-process database of the tests. 64-bit integers are numbers, bytes are
 * bytes.
 */
export interface SqlPool {
  /** Commits when the work is done; rolls back and rethrows when it fails. */
  transaction<T>(work: (connection: SqlConnection) => Promise<T>, end?: TransactionEnd): Promise<T>
  /** Receives notifications on a channel. After a lost connection it reconnects and calls `onGap`: notices may have been missed. */
  listen(
    channel: string,
    listener: { onNotice(payload: string): void; onGap(): void },
  ): Promise<() => Promise<void>>
  /** Usage of the connections. Absent where there is only one. */
  usage?(): PoolUsage
  close(): Promise<void>
}

interface PoolUsage {
  readonly inUse: number
  readonly idle: number
  /** Transactions that wait for a connection. */
  readonly waiting: number
  readonly most: number
}

/** Independent statements: sent one after the other without waiting. All are awaited, even if one fails. */
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
