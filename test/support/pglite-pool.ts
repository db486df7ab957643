import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import type { SqlPool } from '../../src/backends/postgres/sql-pool.ts'

/** PostgreSQL in this process. It has one connection: transactions wait for each other. */
export async function openPglite(): Promise<SqlPool> {
  const database = await PGlite.create({ extensions: { vector } })
  return {
    transaction: work =>
      database.transaction(transaction =>
        work({
          query: async <Row>(sql: string, values: readonly unknown[] = []) =>
            (await transaction.query<Row>(sql, [...values])).rows,
          run: async sql => {
            await transaction.exec(sql)
          },
        }),
      ),
    listen: async (channel, { onNotice }) => database.listen(channel, onNotice),
    close: () => database.close(),
  }
}
