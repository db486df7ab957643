import type { EntryCounters } from '../../kernel/vault/ports.ts'
import { soundRow } from '../sql/stored-value.ts'
import type { SqliteStatement } from './driver.ts'

interface StatementSource {
  statement(sql: string): SqliteStatement
}

/** Since the last upkeep, of all entries together. */
const SINCE_UPKEEP = 'accesses_since_upkeep'

export interface CounterRow {
  readonly fingerprint: string
  readonly count: number | null
  readonly last_ms: number | null
}

/** Of `entry e LEFT JOIN access a`. */
export const COUNTER_COLUMNS = 'e.fingerprint, a.count, a.last_ms'

export function countersOfRow(row: CounterRow): EntryCounters {
  const { fingerprint, count, last_ms } = soundRow(row)
  return { fingerprint, accessCount: count ?? 0, ...(last_ms !== null && { lastAccessMs: last_ms }) }
}

/** Not an access: from then on it is known here, and nobody could have asked for it before. */
export function noteArrival(index: StatementSource, id: string, nowMs: number): void {
  index.statement('INSERT OR IGNORE INTO access (id, count, last_ms) VALUES (?, 0, ?)').run(id, nowMs)
}

export function countAccesses(index: StatementSource, count: number): void {
  index
    .statement(
      `INSERT INTO meta (key, value) VALUES ('${SINCE_UPKEEP}', ?)
       ON CONFLICT (key) DO UPDATE SET value = value + excluded.value`,
    )
    .run(count)
}

export function accessesSinceUpkeep(index: StatementSource): number {
  const row = index.statement('SELECT value FROM meta WHERE key = ?').get(SINCE_UPKEEP)
  return Number((row as { value: number } | undefined)?.value ?? 0)
}

export function forgetAccessesSinceUpkeep(index: StatementSource): void {
  index.statement('DELETE FROM meta WHERE key = ?').run(SINCE_UPKEEP)
}
