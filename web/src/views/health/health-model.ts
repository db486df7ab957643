import type { Answered } from '../../api/client.ts'

export type HealthAnswer = Answered<'health'>
export type UpkeepRunCounts = NonNullable<HealthAnswer['upkeep']['last']>

/** Retrieval considers fewer entries when its p95 exceeds this (`src/features/search/decide/slo.ts`). */
export const RETRIEVAL_TARGET_MS = 300

/** A value for every day of a range, 0 for days without data, so that gaps are visible. */
export function everyDay(
  days: readonly string[],
  rows: readonly { readonly day: string; readonly tokens: number }[],
): readonly number[] {
  const tokensByDay = new Map(rows.map(({ day, tokens }) => [day, tokens]))
  return days.map(day => tokensByDay.get(day) ?? 0)
}

const COUNTED = [
  'entriesExpired',
  'entriesFaded',
  'entriesEvicted',
  'entriesConfirmed',
  'conversationsTrimmed',
  'sessionsArchived',
  'eventsPruned',
  'checkpointsCleaned',
  'snapshotsArchived',
  'vaultEntriesMerged',
  'batchesExpired',
] as const satisfies readonly (keyof UpkeepRunCounts)[]
type Counted = (typeof COUNTED)[number]

/** The non-zero counts of an upkeep run. */
export function runSummary(run: UpkeepRunCounts): readonly (readonly [Counted, number])[] {
  return COUNTED.map(name => [name, run[name]] as const).filter(([, count]) => count > 0)
}

/** Milliseconds with a useful number of digits. */
export function milliseconds(value: number): string {
  return value < 10 ? `${Math.round(value * 10) / 10} ms` : `${Math.round(value)} ms`
}

/** Millionths of a US dollar as a price. */
export function dollars(microUsd: number): string {
  return `$${(microUsd / 1_000_000).toFixed(microUsd > 0 && microUsd < 10_000 ? 4 : 2)}`
}
