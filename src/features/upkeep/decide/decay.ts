import { DEFAULT_KIND, homeOfKind, type Kind } from '../../../kernel/model/category.ts'
import { type Entry, isSuggestion } from '../../../kernel/model/entry.ts'

/**
 * The current importance of an entry (seed C, section 16). Computed on read and never written, so that upkeep is idempotent and git sees
 * no changes.
 *
 *   effective  importance × access decay × status × access resistance
 *
 *   access decay        0.95 ^ (days since the last activity / 7)
 *   status              candidate 0.9, confirmed 1
 *   access resistance   min(1, 0.5 + 0.05 · times accessed)
 *
 * A pinned entry keeps its importance.
 */
const DECAY = {
  weekly: 0.95,
  candidate: 0.9,
  leastResistance: 0.5,
  resistanceGain: 0.05,
} as const

/** The data that upkeep needs of an entry, without its text. */
export type Retirable = Pick<
  Entry,
  'id' | 'agent' | 'kind' | 'status' | 'origin' | 'date' | 'updated' | 'importance'
>

const DAY_MS = 86_400_000
const DAYS_PER_WEEK = 7

/** The counters of an entry in the index. */
export interface AccessCounters {
  readonly accessCount: number
  readonly lastAccessMs?: number
  /** Sessions in which it was injected since its last use. */
  readonly unusedSessions?: number
}

export const NO_ACCESS: AccessCounters = { accessCount: 0 }

export function effectiveImportance(entry: Retirable, counters: AccessCounters, nowMs: number): number {
  if (entry.status === 'pinned') return entry.importance
  const { accessCount } = counters
  const accessDecay = DECAY.weekly ** (daysSinceLife(entry, counters, nowMs) / DAYS_PER_WEEK)
  const status = entry.status === 'candidate' ? DECAY.candidate : 1
  const resistance = Math.min(1, DECAY.leastResistance + DECAY.resistanceGain * accessCount)
  return entry.importance * accessDecay * status * resistance
}

/**
 * Days since it was written, changed or accessed, whichever is latest. An entry with unreadable or future dates counts as of today: a
 * wrong clock must not remove anything.
 */
export function daysSinceLife(entry: Retirable, { lastAccessMs }: AccessCounters, nowMs: number): number {
  const changed = entry.updated === undefined ? Number.NaN : dateMs(entry.updated)
  const signs = [dateMs(entry.date), changed, lastAccessMs ?? Number.NaN].filter(ms => !Number.isNaN(ms))
  return signs.length === 0 ? 0 : Math.max(0, nowMs - Math.max(...signs)) / DAY_MS
}

function dateMs(date: string): number {
  return Date.parse(date.includes('T') && !date.endsWith('Z') ? `${date}Z` : date)
}

/**
 * How many days an unused suggestion or handoff is stored, by kind. The first nine are the seed's (C, section 16); the plain kind of a
 * file has the value of the others in that file.
 */
const TTL_DAYS: Readonly<Record<string, number>> = {
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

/** From this many accesses an entry does not expire. */
const ACCESSES_THAT_KEEP = 3

/** A custom kind has the value of the plain kind of its home file. */
export function ttlDaysOf(kind: Kind): number {
  const plain = DEFAULT_KIND[homeOfKind(kind)]
  return (Object.hasOwn(TTL_DAYS, kind) ? TTL_DAYS[kind] : TTL_DAYS[plain]) ?? Number.POSITIVE_INFINITY
}

interface ExpiryFacts {
  readonly entry: Retirable
  readonly counters: AccessCounters
  readonly isExempt: boolean
  /** The newest handoff of its agent: it stays until the next one. */
  readonly isLatestHandoff: boolean
  readonly nowMs: number
}

/** Only handoffs and suggestions expire by date: never a preference, an entry that a person confirmed, or an agent's candidate. */
export function hasExpired(facts: ExpiryFacts): boolean {
  const { entry, counters, isExempt, isLatestHandoff, nowMs } = facts
  if (!mayRetire(entry, isExempt) || counters.accessCount >= ACCESSES_THAT_KEEP) return false
  const mayExpire =
    entry.kind === 'handoff' ? !isLatestHandoff : isSuggestion(entry) && entry.kind !== 'preference'
  if (!mayExpire) return false
  return daysSinceLife(entry, counters, nowMs) > ttlDaysOf(entry.kind)
}

/** An entry that a person wrote, confirmed or pinned stays until a person removes it. */
export function mayRetire(entry: Retirable, isExempt: boolean): boolean {
  return entry.origin !== 'person' && !isByPerson(entry) && !isExempt
}

/**
 * Judged by the entry itself, because another clone has no record of a colleague's confirmation. A handoff is stored as confirmed
 * without a confirmation.
 */
export function isByPerson({ status, kind }: Retirable): boolean {
  return status === 'pinned' || (status === 'confirmed' && kind !== 'handoff')
}
