import { composePostgresEngine } from '../../src/compose/compose-postgres.ts'
import type { Composed } from '../../src/compose/composed.ts'
import { remember } from '../../src/features/entries/write-entries.ts'
import { numberOfProject } from '../../src/stores/postgres/postgres-directory.ts'
import type { SqlPool } from '../../src/stores/postgres/sql-pool.ts'

/** The memory of a project, as one server has it open. */
export async function openMemory(pool: SqlPool, name: string): Promise<Composed> {
  const number = await numberOfProject(pool, name, 0)
  return composePostgresEngine({
    pool,
    project: { name, number, createdMs: 0 },
    actor: { host: 'test', agent: 'dev' },
  })
}

export async function keep(engine: Composed, content: string): Promise<string> {
  const [kept] = await remember(engine, [{ content, agent: 'dev' }])
  if (kept === undefined) throw new Error('nothing was remembered')
  return kept.entry.id
}

export async function contentsOf({ store }: Composed): Promise<string[]> {
  const { entries } = await store.listEntries({ filter: {}, limit: 100_000, offset: 0 })
  return entries.map(({ content }) => content).sort()
}

/** What a project counts, beside what it would count from its entries alone. */
export async function countedAndRebuilt(pool: SqlPool, engine: Composed, name: string) {
  const number = await numberOfProject(pool, name, 0)
  const counted = () =>
    pool.transaction(async connection => ({
      terms: await connection.query('SELECT token, df FROM term WHERE project = $1 ORDER BY token', [number]),
      statistics: await connection.query('SELECT statistics FROM project WHERE project = $1', [number]),
      access: await connection.query('SELECT count(*)::int AS n FROM access WHERE project = $1', [number]),
      analysed: await connection.query('SELECT key, lengths FROM analysed WHERE project = $1 ORDER BY key', [
        number,
      ]),
    }))
  const before = await counted()
  await engine.store.rebuildIndex()
  return { before, after: await counted() }
}

/** Each write has a number; there is none that nobody has. */
export async function journalNumbers(
  pool: SqlPool,
  name: string,
): Promise<{ numbers: number[]; revision: number }> {
  const number = await numberOfProject(pool, name, 0)
  return pool.transaction(async connection => {
    const rows = await connection.query<{ number: number }>(
      'SELECT number FROM journal WHERE project = $1 ORDER BY number',
      [number],
    )
    const [row] = await connection.query<{ revision: number }>(
      'SELECT revision FROM project WHERE project = $1',
      [number],
    )
    return { numbers: rows.map(each => each.number), revision: row?.revision ?? -1 }
  })
}

export const countTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
