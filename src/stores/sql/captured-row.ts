import type { RetirableEntry } from '../../features/upkeep/decide/ports.ts'
import type { Origin, Status } from '../../kernel/model/entry.ts'
import { soundRow } from './stored-value.ts'

/** Without the content: a hundred thousand of them would fill the memory, and the plan does not read it. */
export const CAPTURED_COLUMNS =
  'e.id, e.agent, e.kind, e.status, e.origin, e.date, e.updated, e.importance, e.fingerprint, a.count, a.last_ms, a.unused'

export interface CapturedRow {
  readonly id: string
  readonly agent: string
  readonly kind: string
  readonly status: string
  readonly origin: string
  readonly date: string
  readonly updated: string | null
  readonly importance: number
  readonly fingerprint: string
  readonly count: number | null
  readonly last_ms: number | null
  readonly unused: number | null
}

export function capturedOfRow(row: CapturedRow): RetirableEntry {
  soundRow(row)
  return {
    id: row.id,
    agent: row.agent,
    kind: row.kind,
    status: row.status as Status,
    origin: row.origin as Origin,
    date: row.date,
    ...(row.updated !== null && { updated: row.updated }),
    importance: row.importance,
    fingerprint: row.fingerprint,
    accessCount: row.count ?? 0,
    ...(row.last_ms !== null && { lastAccessMs: row.last_ms }),
    ...(row.unused !== null && row.unused > 0 && { unusedSessions: row.unused }),
  }
}
