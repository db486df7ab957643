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

/** Every limit of upkeep; 0 turns one off. */
export const UPKEEP_SETTINGS = {
  /** Entries of agents and rules, without those that a person confirmed, pinned or brought back: above this, eviction begins … */
  mostEntries: 3_000,
  /** … and continues down to this many. */
  keptEntries: 2_700,
  /** What was accessed so recently is not evicted. */
  recentHours: 24,
  /** A suggestion that was never fetched is archived when its importance has faded below this. */
  leastImportance: 0.05,
  /** An agent's candidate is archived after so many sessions in which it was injected and not used. */
  unusedSessions: 30,
}
export type UpkeepSettings = Readonly<typeof UPKEEP_SETTINGS>

export interface UpkeepSnapshot {
  readonly entries: readonly Retirable[]
  readonly countersById: ReadonlyMap<string, AccessCounters>
  /** Stay whatever they are: a person in this clone confirmed them or brought them back, or this run may not touch their file. */
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
 *   all entries ─▶ of an agent, a rule or an import, neither pinned nor confirmed
 *                    ├─ a suggestion or an old handoff, idle longer than its kind lives   → expire
 *                    ├─ a suggestion never fetched, below the least importance            → fade
 *                    ├─ an agent's candidate, injected in 30 sessions and not used        → fade
 *                    └─ more than 3,000 left: the least important until 2,700             → evict
 *
 * What stays in any case does not count to the 3,000: an eviction that was undone is not made up for with other entries.
 *
 * It depends on the snapshot alone and not on its order; planned again after it was applied, nothing is left to do.
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

/** The newest of each agent, by date. */
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
