import {
  type AccessCounters,
  daysSinceLife,
  effectiveImportance,
  NO_ACCESS,
  type Retirable,
} from './decay.ts'
import { hasExpired, mayRetire, ttlDaysOf } from './ttl.ts'

/** Every limit of upkeep; 0 turns one off. */
export const UPKEEP_SETTINGS = {
  /** Entries that the machine captured, pinned and confirmed ones too: above this, eviction begins … */
  mostEntries: 3_000,
  /** … and goes on down to this many. */
  keptEntries: 2_700,
  /** What was accessed so recently is not evicted. */
  recentHours: 24,
  /** A candidate that nobody ever asked for is retired when it has faded below this. */
  leastImportance: 0.05,
}
export type UpkeepSettings = Readonly<typeof UPKEEP_SETTINGS>

export interface UpkeepSnapshot {
  readonly entries: readonly Retirable[]
  readonly countersById: ReadonlyMap<string, AccessCounters>
  /** Confirmed by a person's word; an access confirms a candidate too, and such an entry may be retired. */
  readonly confirmedByPerson: ReadonlySet<string>
  readonly nowMs: number
}

export type UpkeepReason =
  | { readonly code: 'expired'; readonly idleDays: number; readonly ttlDays: number }
  | { readonly code: 'faded'; readonly effectiveImportance: number; readonly least: number }
  | { readonly code: 'over_limit'; readonly effectiveImportance: number; readonly mostEntries: number }

export interface PlannedRemoval {
  readonly id: string
  readonly reason: UpkeepReason
}

/** What goes to the archive, by why. No entry stands in two lists. */
export interface UpkeepPlan {
  readonly expire: readonly PlannedRemoval[]
  readonly fade: readonly PlannedRemoval[]
  /** Least important first. */
  readonly evict: readonly PlannedRemoval[]
}

interface Weighed {
  readonly entry: Retirable
  readonly counters: AccessCounters
  readonly importance: number
  readonly idleDays: number
}

/**
 * What upkeep would move to the archive now:
 *
 *   all entries ─▶ captured by the machine, neither pinned nor confirmed by a person
 *                    ├─ idle longer than its kind lives, accessed less than 3 times   → expire
 *                    ├─ a candidate never accessed, faded below the least importance  → fade
 *                    └─ more than 3,000 left: the least important until 2,700         → evict
 *
 * It depends on the snapshot alone and not on its order; planned again after it was applied, nothing is left to do.
 */
export function planUpkeep(snapshot: UpkeepSnapshot, settings: UpkeepSettings = UPKEEP_SETTINGS): UpkeepPlan {
  const { entries, countersById, confirmedByPerson, nowMs } = snapshot
  const expire: PlannedRemoval[] = []
  const fade: PlannedRemoval[] = []
  const left: Weighed[] = []
  let captured = 0
  for (const entry of entries) {
    if (entry.origin === 'person') continue
    const isConfirmedByPerson = confirmedByPerson.has(entry.id)
    if (!mayRetire(entry, isConfirmedByPerson)) {
      captured++
      continue
    }
    const counters = countersById.get(entry.id) ?? NO_ACCESS
    const importance = effectiveImportance(entry, counters, nowMs)
    const idleDays = daysSinceLife(entry, counters, nowMs)
    if (hasExpired({ entry, counters, isConfirmedByPerson, nowMs })) {
      const ttlDays = ttlDaysOf(entry.kind)
      expire.push({ id: entry.id, reason: { code: 'expired', idleDays: Math.floor(idleDays), ttlDays } })
    } else if (hasFaded(entry, counters, importance, settings)) {
      const least = settings.leastImportance
      fade.push({ id: entry.id, reason: { code: 'faded', effectiveImportance: importance, least } })
    } else {
      captured++
      left.push({ entry, counters, importance, idleDays })
    }
  }
  return {
    expire: expire.sort(byId),
    fade: fade.sort(byId),
    evict: planEviction(left, captured, nowMs, settings),
  }
}

function hasFaded(
  entry: Retirable,
  { accessCount }: AccessCounters,
  importance: number,
  { leastImportance }: UpkeepSettings,
): boolean {
  return entry.status === 'candidate' && accessCount === 0 && importance < leastImportance
}

function planEviction(
  left: readonly Weighed[],
  captured: number,
  nowMs: number,
  { mostEntries, keptEntries, recentHours }: UpkeepSettings,
): PlannedRemoval[] {
  if (mostEntries === 0 || captured <= mostEntries) return []
  const recentMs = nowMs - recentHours * 3_600_000
  return (
    left
      // An access in the future is a wrong clock, and counts as recent. To have arrived is no access: the limit holds at once.
      .filter(
        ({ counters: { accessCount, lastAccessMs } }) =>
          accessCount === 0 || lastAccessMs === undefined || lastAccessMs < recentMs,
      )
      .sort((a, b) => a.importance - b.importance || b.idleDays - a.idleDays || byId(a.entry, b.entry))
      // A kept number above the limit would evict again and again.
      .slice(0, captured - Math.min(keptEntries, mostEntries))
      .map(({ entry, importance }) => ({
        id: entry.id,
        reason: { code: 'over_limit', effectiveImportance: importance, mostEntries },
      }))
  )
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}
