import { DEFAULT_KIND, homeOfKind, type Kind } from '../../../kernel/model/category.ts'
import { isSuggestion } from '../../../kernel/model/entry.ts'
import { type AccessCounters, daysSinceLife, type Retirable } from './decay.ts'

/**
 * How long a suggestion or a handoff is stored without being used, in days by kind. The first nine are the seed's (C, section 16);
 * the plain kinds of a file follow those that stand in the same file.
 */
export const TTL_DAYS: Readonly<Record<string, number>> = {
  task_progress: 14,
  discovery: 21,
  file_change: 21,
  warning: 30,
  decision: 90,
  error: 90,
  pattern: 180,
  architecture: 180,
  preference: 365,

  handoff: 14,
  task: 30,
  lesson: 180,
  project: 180,
}

/** So often accessed, an entry does not expire. */
export const ACCESSES_THAT_KEEP = 3

/** A kind of one's own lives as long as the plain kind of its home file. */
export function ttlDaysOf(kind: Kind): number {
  const plain = DEFAULT_KIND[homeOfKind(kind)]
  return (Object.hasOwn(TTL_DAYS, kind) ? TTL_DAYS[kind] : TTL_DAYS[plain]) ?? Number.POSITIVE_INFINITY
}

export interface ExpiryFacts {
  readonly entry: Retirable
  readonly counters: AccessCounters
  readonly isExempt: boolean
  /** The newest handoff of its agent: it stays until the next one. */
  readonly isLatestHandoff: boolean
  readonly nowMs: number
}

/** By date expire handoffs and suggestions alone: never a preference, never what a person confirmed, never an agent's candidate. */
export function hasExpired(facts: ExpiryFacts): boolean {
  const { entry, counters, isExempt, isLatestHandoff, nowMs } = facts
  if (!mayRetire(entry, isExempt) || counters.accessCount >= ACCESSES_THAT_KEEP) return false
  const mayExpire =
    entry.kind === 'handoff' ? !isLatestHandoff : isSuggestion(entry) && entry.kind !== 'preference'
  if (!mayExpire) return false
  return daysSinceLife(entry, counters, nowMs) > ttlDaysOf(entry.kind)
}

/** What a person wrote, confirmed or pinned stays until a person removes it. */
export function mayRetire(entry: Retirable, isExempt: boolean): boolean {
  return entry.origin !== 'person' && !isByPerson(entry) && !isExempt
}

/**
 * The entry itself says that a person stands behind it: what a colleague confirmed is not on record in another clone. A handoff is
 * written as confirmed without anybody's word.
 */
export function isByPerson({ status, kind }: Retirable): boolean {
  return status === 'pinned' || (status === 'confirmed' && kind !== 'handoff')
}
