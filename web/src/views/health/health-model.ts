import type { Answered } from '../../api/client.ts'

export type HealthAnswer = Answered<'health'>
export type Compaction = NonNullable<HealthAnswer['upkeep']['last']>

/** Retrieval looks at less when its p95 is above this (`src/features/search/decide/slo.ts`). */
export const RETRIEVAL_TARGET_MS = 300

/** A value for every day of a range, 0 where nothing is known, so that a gap is seen as one. */
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
] as const satisfies readonly (keyof Compaction)[]
type Counted = (typeof COUNTED)[number]

/** What a run of upkeep did, without what it did not. */
export function runSummary(run: Compaction): readonly (readonly [Counted, number])[] {
  return COUNTED.map(name => [name, run[name]] as const).filter(([, count]) => count > 0)
}

/** Milliseconds with as many digits as tell something. */
export function milliseconds(value: number): string {
  return value < 10 ? `${Math.round(value * 10) / 10} ms` : `${Math.round(value)} ms`
}

/** Millionths of a US dollar as a price. */
export function dollars(microUsd: number): string {
  return `$${(microUsd / 1_000_000).toFixed(microUsd > 0 && microUsd < 10_000 ? 4 : 2)}`
}
