import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import type { SqlPool } from '../../src/stores/postgres/sql-pool.ts'

/** Test files of one thread share it, although each has its own modules: it takes more than a second to start, and a lot of memory. */
const shared = globalThis as { cairnPglite?: Promise<PGlite> }

/**
 * A schema of its own in the PostgreSQL of this process. It has one connection: transactions wait for each other, whoever's they are, and
 * nothing that lasts longer than a transaction may be set on it.
 */
export async function pgliteSchema(name: string): Promise<SqlPool> {
  shared.cairnPglite ??= start()
  const database = await shared.cairnPglite
  await database.exec(`CREATE SCHEMA ${name}`)
  const unlisten = new Set<() => Promise<void>>()
  return {
    transaction: work =>
      database.transaction(async transaction => {
        await transaction.exec(`SET LOCAL search_path TO ${name}, public`)
        return work({
          query: async <Row>(sql: string, values: readonly unknown[] = []) =>
            (await transaction.query<Row>(sql, [...values])).rows,
          run: async sql => {
            await transaction.exec(sql)
          },
        })
      }),

    async listen(channel, { onNotice }) {
      const stop = await database.listen(channel, onNotice)
      unlisten.add(stop)
      return async () => {
        if (unlisten.delete(stop)) await stop()
      }
    },

    async close() {
      for (const stop of unlisten) await stop()
      unlisten.clear()
      await database.exec(`DROP SCHEMA IF EXISTS ${name} CASCADE`)
    },
  }
}

/** The extension is in `public`, where every schema finds it: a database has it once. */
async function start(): Promise<PGlite> {
  const database = await PGlite.create({ extensions: { vector } })
  await database.exec('CREATE EXTENSION vector SCHEMA public')
  return database
}
