import { SCHEMA_VERSION } from './migrate.ts'
import type { SqlPool } from './sql-pool.ts'

/** How a hub stands to its database. */
export type DatabaseState =
  | { readonly kind: 'ready'; readonly version: number; readonly roundTripMs: number }
  /** It answers nothing, or not in time. */
  | { readonly kind: 'unreachable' }
  /** Its tables are older, or newer, than what this server knows. */
  | { readonly kind: 'behind' | 'newer'; readonly version: number; readonly roundTripMs: number }

/** Balancers ask every second or two, from several places, and without a token: the database is asked for all of them at once. */
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

/** undefined: it cannot be asked, for whatever reason; whoever asks it for something else is told which. */
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
