import type { ConflictPair, ConflictReason, ConflictType } from '../../model/conflict.ts'
import type { Entry } from '../../model/entry.ts'
import { type ConflictVerdict, findConflict } from './conflicts.ts'
import { languageOf, type ReadStatement, wordFor } from './statement.ts'

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
    reason: reasonAsWritten(verdict.reason, older, newer),
  }
}

/** The rules know concepts; a person reads the words that the entries have. */
function reasonAsWritten(
  { words, sides, ...reason }: ConflictReason,
  { content: older }: Entry,
  { content: newer }: Entry,
): ConflictReason {
  const language = languageOf(older, newer)
  const wordIn = (concept: string, ...texts: readonly string[]) =>
    texts.map(text => wordFor(concept, text, language)).find(word => word !== undefined)
  // What no entry has as one word (`by hand`) is left out where others tell.
  const found = words.flatMap(concept => wordIn(concept, older, newer) ?? [])
  const side = (concepts: readonly string[], ...texts: readonly string[]) => [
    ...new Set(concepts.map(concept => wordIn(concept, ...texts) ?? concept)),
  ]
  return {
    ...reason,
    words: [...new Set(found.length > 0 ? found : words)],
    ...(sides !== undefined && {
      sides: [side(sides[0], older, newer), side(sides[1], newer, older)] as const,
    }),
  }
}

function typeOf({ type, confidence }: Extract<ConflictVerdict, { conflict: true }>): ConflictType {
  if (type === 'superseded') return 'superseded'
  return confidence < LEAST_SURE ? 'ambiguous' : 'contradictory'
}
