import type { ConflictPair, ConflictReason, ConflictType } from '../../kernel/model/conflict.ts'
import { soundRow, storedJson } from './stored-value.ts'

/** Of `conflict c` with the older entry `o` and the newer one `n`. */
export const PAIR_COLUMNS = 'o.id AS older, n.id AS newer, c.type, c.confidence, c.reason, c.detected_ms'
export const PAIR_ORDER = 'ORDER BY c.confidence DESC, o.id'

/** Of an entry `n`: its text may say that it replaces another. */
export const NAMING_TEXT = `(${['supersedes', 'replaces', 'substitui'].map(verb => `lower(n.content) LIKE '%${verb}%[[%'`).join(' OR ')})`

export interface PairRow {
  readonly older: string
  readonly newer: string
  readonly type: string
  readonly confidence: number
  readonly reason: string
  readonly detected_ms: number
}

export function pairOfRow(row: PairRow): ConflictPair {
  soundRow(row)
  return {
    older: row.older,
    newer: row.newer,
    type: row.type as ConflictType,
    confidence: row.confidence,
    reason: storedJson<ConflictReason>('the reason of a conflict', row.reason),
    detectedAt: row.detected_ms,
  }
}
