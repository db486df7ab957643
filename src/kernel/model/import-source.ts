export const SYNC_STATUSES = ['succeeded', 'partial', 'failed'] as const
/** `partial`: some of it could not be taken, and the rest was. */
export type SyncStatus = (typeof SYNC_STATUSES)[number]

/** A place that is imported from again and again (seed D, sources.json). */
export interface ImportSource {
  /** What its events are known by. Small letters, digits and `-`. */
  readonly id: string
  /** A format that `cairn import` knows. */
  readonly type: string
  /** A file or a folder, absolute. */
  readonly path: string
  /** The vault for what names no agent. */
  readonly agent?: string
  /** UTC ISO, like all moments here. */
  readonly createdAt: string
  readonly updatedAt: string
  readonly lastSyncedAt: string | null
  readonly lastSyncStatus: SyncStatus | null
  /** What went wrong, free of secrets. */
  readonly lastSyncError: string | null
  /** How many things the last sync added. */
  readonly lastImportedCount: number
}

/** Equal for sources that would have the same read: what a user says yes to. */
export function sourceTerms({ id, type, path, agent }: ImportSource): string {
  return JSON.stringify([id, type, path, agent ?? null])
}
