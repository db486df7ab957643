/** Why upkeep or a review changes something, as a code next to the text for the terminal. */
export const REPORTED_REASONS = [
  'expired',
  'faded',
  'unused',
  'over_limit',
  'checkpoint_expired',
  'checkpoint_damaged',
  'session_old',
  'snapshot_old',
  'migrated',
  'review',
  'left_open',
  'full',
  'distilled',
  'old',
  'in_archive',
  'index_damaged',
] as const

export interface ReportedReason {
  readonly code: (typeof REPORTED_REASONS)[number]
  readonly days?: number
  readonly count?: number
}

/** The reported form of a reason in a plan or manifest: `{ code: 'expired', idleDays: 91, ttlDays: 90 }`. undefined for other values. */
export function reportedReasonOf(reason: unknown): ReportedReason | undefined {
  if (typeof reason !== 'object' || reason === null) return undefined
  const { code: name, idleDays, ageDays, mostEntries, sessions } = reason as Record<string, unknown>
  const code = REPORTED_REASONS.find(known => known === name)
  if (code === undefined) return undefined
  const days = typeof idleDays === 'number' ? idleDays : ageDays
  return {
    code,
    ...(typeof days === 'number' && { days }),
    ...(typeof mostEntries === 'number' && { count: mostEntries }),
    ...(typeof sessions === 'number' && { count: sessions }),
  }
}
