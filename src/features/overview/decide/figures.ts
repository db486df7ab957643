import type { JournalRecord } from '../../../kernel/model/journal.ts'

/** What came and went on one day, UTC. */
export interface DayCount {
  readonly added: number
  readonly removed: number
}

export interface GrowthDay extends DayCount {
  /** `2026-03-16` */
  readonly day: string
  /** How many entries there were at its end. */
  readonly entries: number
}

/** The change of the number of entries by one journal record. Moved or reworded entries count as neither. */
export function countRecord({ changes }: JournalRecord): DayCount {
  let added = 0
  let removed = 0
  for (const change of changes) {
    if (change.type !== 'entry' || change.from !== undefined) continue
    if (change.before === null && change.after !== null) added++
    if (change.before !== null && change.after === null) removed++
  }
  return { added, removed }
}

/**
 * A row for every day, oldest first, calculated backwards from the current number:
 *
 *   entries at the end of a day = entries at the end of the next day − added on the next day + removed on it
 */
export function growthOf(
  byDay: ReadonlyMap<string, DayCount>,
  { days, today, total }: { readonly days: number; readonly today: string; readonly total: number },
): GrowthDay[] {
  const rows: GrowthDay[] = []
  let entries = total
  for (let back = 0; back < days; back++) {
    const day = dayBefore(today, back)
    const { added, removed } = byDay.get(day) ?? { added: 0, removed: 0 }
    rows.push({ day, entries: Math.max(0, entries), added, removed })
    entries += removed - added
  }
  return rows.reverse()
}

export function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10)
}

export interface Percentiles {
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly count: number
}

/** By nearest rank. undefined without valid samples. */
export function percentilesOf(samples: readonly number[]): Percentiles | undefined {
  const sorted = samples.filter(sample => Number.isFinite(sample) && sample >= 0).sort((a, b) => a - b)
  if (sorted.length === 0) return undefined
  const at = (share: number) => tenths(sorted[Math.ceil(share * sorted.length) - 1] ?? 0)
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), count: sorted.length }
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10
}
