import type { ConflictPair, ConflictType } from '../../model/conflict.ts'
import type { Entry } from '../../model/entry.ts'
import { type ConflictVerdict, findConflict } from './conflicts.ts'
import type { ReadStatement } from './statement.ts'

/** Below this a contradiction rests on little: it is shown as one that may be none. */
const LEAST_SURE = 0.65

/** Reports of what was done, what is to do, and where a session stood: they say nothing that could stop being true. */
const TELLS_NO_STATE: ReadonlySet<string> = new Set(['file_change', 'task_progress', 'task', 'handoff'])

export function mayConflict({ kind, category }: Pick<Entry, 'kind' | 'category'>): boolean {
  return category !== 'tasks' && category !== 'handoffs' && !TELLS_NO_STATE.has(kind)
}

/** By date; ids of one minute tell which came first. */
export function inOrder<One extends Pick<Entry, 'id' | 'date'>>(a: One, b: One): readonly [One, One] {
  const isOrdered = a.date === b.date ? a.id < b.id : a.date < b.date
  return isOrdered ? [a, b] : [b, a]
}

export interface PairToJudge {
  readonly a: Entry
  readonly b: Entry
  /** Of their vectors, when both have one. */
  readonly cosine?: number | undefined
  /** Keeps what was read of an entry while it is compared with others. */
  readonly read?: ReadStatement
}

/** What two entries are to each other in the seed's words; undefined: they can both hold. */
export function judgePair({ a, b, cosine, read }: PairToJudge): Omit<ConflictPair, 'detectedAt'> | undefined {
  const [older, newer] = inOrder(a, b)
  const verdict = findConflict({
    a: older,
    b: newer,
    ...(cosine !== undefined && { cosine }),
    ...(read !== undefined && { read }),
  })
  if (!verdict.conflict) return undefined
  const confidence = Math.round(verdict.confidence * 100) / 100
  return {
    older: older.id,
    newer: newer.id,
    type: typeOf(verdict),
    confidence,
    reason: { code: verdict.reason.code, words: [...new Set(verdict.reason.words)] },
  }
}

function typeOf({ type, confidence }: Extract<ConflictVerdict, { conflict: true }>): ConflictType {
  if (type === 'superseded') return 'superseded'
  return confidence < LEAST_SURE ? 'ambiguous' : 'contradictory'
}
