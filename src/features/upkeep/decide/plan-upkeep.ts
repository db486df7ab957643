import { inOrder } from '../../../kernel/model/conflict.ts'
import { isSuggestion } from '../../../kernel/model/entry.ts'
import {
  type AccessCounters,
  daysSinceLife,
  effectiveImportance,
  hasExpired,
  isByPerson,
  mayRetire,
  NO_ACCESS,
  type Retirable,
  ttlDaysOf,
} from './decay.ts'

/** Limits of upkeep; 0 disables one. */
export const UPKEEP_SETTINGS = {
  /** Entries of agents and rules, without those that a person confirmed, pinned or restored: above this, eviction starts … */
  mostEntries: 3_000,
  /** … and continues down to this many. */
  targetEntries: 2_700,
  /** Entries accessed this recently are not evicted. */
  recentHours: 24,
  /** A suggestion that was never fetched is archived when its importance drops below this. */
  leastImportance: 0.05,
  /** An agent's candidate is archived after this many sessions in which it was injected and not used. */
  unusedSessions: 30,
}
type UpkeepSettings = Readonly<typeof UPKEEP_SETTINGS>

export interface UpkeepSnapshot {
  readonly entries: readonly Retirable[]
  readonly countersById: ReadonlyMap<string, AccessCounters>
  /** Never removed: a person in this clone confirmed or restored them, or this run may not change their file. */
  readonly exempt: ReadonlySet<string>
  readonly nowMs: number
}

export type UpkeepReason =
  | { readonly code: 'expired'; readonly idleDays: number; readonly ttlDays: number }
  | { readonly code: 'faded'; readonly effectiveImportance: number; readonly least: number }
  | { readonly code: 'unused'; readonly sessions: number }
  | { readonly code: 'over_limit'; readonly effectiveImportance: number; readonly mostEntries: number }

export interface PlannedRemoval {
  readonly id: string
  readonly reason: UpkeepReason
}

/** Entries to archive, by reason. No entry is in two lists. */
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
 * The entries that upkeep would archive now:
 *
 *   all entries ─▶ of an agent, a rule or an import, neither pinned nor confirmed
 *                    ├─ a suggestion or an old handoff, idle longer than the TTL of its kind → expire
 *                    ├─ a suggestion never fetched, below the minimum importance            → fade
 *                    ├─ an agent's candidate, injected in 30 sessions and not used          → fade
 *                    └─ more than 3,000 left: the least important, down to 2,700            → evict
 *
 * Entries that can never be removed do not count towards the 3,000: an undone eviction is not compensated with other entries.
 *
 * It depends only on the snapshot, not on its order. A plan made after applying it is empty.
 */
export function planUpkeep(snapshot: UpkeepSnapshot, settings: UpkeepSettings = UPKEEP_SETTINGS): UpkeepPlan {
  const { entries, countersById, exempt, nowMs } = snapshot
  const expire: PlannedRemoval[] = []
  const fade: PlannedRemoval[] = []
  const left: Weighed[] = []
  const latestHandoffs = findLatestHandoffs(entries)
  let captured = 0
  for (const entry of entries) {
    if (entry.origin === 'person') continue
    const isExempt = exempt.has(entry.id)
    const isLatestHandoff = latestHandoffs.has(entry.id)
    if (!mayRetire(entry, isExempt) || isLatestHandoff) {
      if (!isExempt && !isByPerson(entry)) captured++
      continue
    }
    const counters = countersById.get(entry.id) ?? NO_ACCESS
    const importance = effectiveImportance(entry, counters, nowMs)
    const idleDays = daysSinceLife(entry, counters, nowMs)
    if (hasExpired({ entry, counters, isExempt, isLatestHandoff, nowMs })) {
      const ttlDays = ttlDaysOf(entry.kind)
      expire.push({ id: entry.id, reason: { code: 'expired', idleDays: Math.floor(idleDays), ttlDays } })
    } else if (isUnused(entry, counters, settings)) {
      fade.push({ id: entry.id, reason: { code: 'unused', sessions: counters.unusedSessions ?? 0 } })
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
  return (
    isSuggestion(entry) && entry.kind !== 'preference' && accessCount === 0 && importance < leastImportance
  )
}

function isUnused(entry: Retirable, { unusedSessions = 0 }: AccessCounters, limits: UpkeepSettings): boolean {
  if (limits.unusedSessions === 0 || entry.status !== 'candidate' || entry.origin !== 'agent') return false
  return unusedSessions >= limits.unusedSessions
}

/** The newest handoff of each agent, by date. */
function findLatestHandoffs(entries: readonly Retirable[]): ReadonlySet<string> {
  const latest = new Map<string, Retirable>()
  for (const entry of entries) {
    if (entry.kind !== 'handoff') continue
    const known = latest.get(entry.agent)
    if (known === undefined || inOrder(known, entry)[1] === entry) latest.set(entry.agent, entry)
  }
  return new Set([...latest.values()].map(({ id }) => id))
}

function planEviction(
  left: readonly Weighed[],
  captured: number,
  nowMs: number,
  { mostEntries, targetEntries, recentHours }: UpkeepSettings,
): PlannedRemoval[] {
  if (mostEntries === 0 || captured <= mostEntries) return []
  const recentMs = nowMs - recentHours * 3_600_000
  return (
    left
      // A future access means a wrong clock and counts as recent. Being new is not an access: the limit applies immediately.
      .filter(
        ({ counters: { accessCount, lastAccessMs } }) =>
          accessCount === 0 || lastAccessMs === undefined || lastAccessMs < recentMs,
      )
      .sort((a, b) => a.importance - b.importance || b.idleDays - a.idleDays || byId(a.entry, b.entry))
      // A target above the limit would evict again and again.
      .slice(0, captured - Math.min(targetEntries, mostEntries))
      .map(({ entry, importance }) => ({
        id: entry.id,
        reason: { code: 'over_limit', effectiveImportance: importance, mostEntries },
      }))
  )
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}
