import {
  CONFLICT_TYPES,
  pairKey,
  RESOLUTIONS,
  type Resolution,
  type ResolvedConflict,
} from '../../../kernel/model/conflict.ts'
import { AUTOMATIC } from '../../../kernel/model/entry.ts'

/** The decisions of people in curation.json. Automatic decisions of 0.1.0 are skipped, so that no guess hides an entry. */
export function readResolutions(stored: unknown): ResolvedConflict[] {
  return readableResolutions(stored).filter(({ by }) => by !== AUTOMATIC.host)
}

/** All records. Unreadable ones are skipped: a person may have edited the file. */
export function readableResolutions(stored: unknown): ResolvedConflict[] {
  return Array.isArray(stored) ? stored.filter(isResolved) : []
}

function isResolved(value: unknown): value is ResolvedConflict {
  if (typeof value !== 'object' || value === null) return false
  const { entryA, entryB, conflictType, resolution, holds, said, resolvedAt } =
    value as Partial<ResolvedConflict>
  return (
    typeof entryA === 'string' &&
    typeof entryB === 'string' &&
    typeof resolvedAt === 'number' &&
    CONFLICT_TYPES.includes(conflictType as ResolvedConflict['conflictType']) &&
    RESOLUTIONS.includes(resolution as Resolution) &&
    (holds === undefined ? isEven(resolution) : holds === entryA || holds === entryB) &&
    Array.isArray(said) &&
    said.length === 2
  )
}

/** Both entries are still injected. */
function isEven(resolution: Resolution | undefined): boolean {
  return resolution === 'both' || resolution === 'not_a_conflict'
}

/** The entry whose place the other has taken. */
export function loserOf({ entryA, entryB, holds }: ResolvedConflict): string | undefined {
  if (holds === undefined) return undefined
  return holds === entryA ? entryB : entryA
}

/** Whether both entries still have the content that they had at the decision. */
export function isStillValid(
  { entryA, entryB, said }: ResolvedConflict,
  printOf: (id: string) => string | undefined,
): boolean {
  return printOf(entryA) === said[0] && printOf(entryB) === said[1]
}

/** Adds a decision to the list. It replaces an earlier one about the same pair; unknown records stay unchanged. */
export function withResolution(stored: unknown, resolved: ResolvedConflict): unknown[] {
  const key = pairKey(resolved.entryA, resolved.entryB)
  const others = (Array.isArray(stored) ? stored : []).filter(
    one => !isResolved(one) || pairKey(one.entryA, one.entryB) !== key,
  )
  return [...others, resolved]
}
