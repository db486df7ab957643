import type { Entry } from '../../model/entry.ts'
import { quarantineFactor } from '../../model/quarantine.ts'

/**
 * What an entry's importance is worth today (seed C, section 16). Computed on read from what is stored, never written: upkeep
 * twice equals upkeep once, and git stays quiet.
 *
 *   effective  importance × access decay × status × access resistance × quarantine
 *
 *   access decay        0.95 ^ (days since the last sign of life / 7)
 *   status              candidate 0.9, confirmed 1
 *   access resistance   min(1, 0.5 + 0.05 · times accessed)
 *   quarantine          0.8 for a candidate that nobody asked for within a day (model/quarantine.ts)
 *
 * A pinned entry keeps its importance.
 */
export const DECAY = {
  weekly: 0.95,
  candidate: 0.9,
  leastResistance: 0.5,
  resistanceGain: 0.05,
} as const

/** What upkeep has to know of an entry: not its words. */
export type Retirable = Pick<Entry, 'id' | 'kind' | 'status' | 'origin' | 'date' | 'updated' | 'importance'>

const DAY_MS = 86_400_000
const DAYS_PER_WEEK = 7

/** What the index counts of an entry. */
export interface AccessCounters {
  readonly accessCount: number
  readonly lastAccessMs?: number
}

export const NO_ACCESS: AccessCounters = { accessCount: 0 }

export function effectiveImportance(entry: Retirable, counters: AccessCounters, nowMs: number): number {
  if (entry.status === 'pinned') return entry.importance
  const { accessCount } = counters
  const accessDecay = DECAY.weekly ** (daysSinceLife(entry, counters, nowMs) / DAYS_PER_WEEK)
  const status = entry.status === 'candidate' ? DECAY.candidate : 1
  const resistance = Math.min(1, DECAY.leastResistance + DECAY.resistanceGain * accessCount)
  const quarantine = quarantineFactor({ status: entry.status, sinceMs: writtenMs(entry), accessCount, nowMs })
  return entry.importance * accessDecay * status * resistance * quarantine
}

/**
 * Days since it was written, changed or accessed, whichever came last. An entry whose dates cannot be read, or lie in the
 * future, counts as of today: a wrong clock must not take anything away.
 */
export function daysSinceLife(entry: Retirable, { lastAccessMs }: AccessCounters, nowMs: number): number {
  const changed = entry.updated === undefined ? Number.NaN : dateMs(entry.updated)
  const signs = [dateMs(entry.date), changed, lastAccessMs ?? Number.NaN].filter(ms => !Number.isNaN(ms))
  return signs.length === 0 ? 0 : Math.max(0, nowMs - Math.max(...signs)) / DAY_MS
}

function writtenMs(entry: Retirable): number {
  const ms = dateMs(entry.date)
  return Number.isNaN(ms) ? Number.POSITIVE_INFINITY : ms
}

function dateMs(date: string): number {
  return Date.parse(date.includes('T') && !date.endsWith('Z') ? `${date}Z` : date)
}
