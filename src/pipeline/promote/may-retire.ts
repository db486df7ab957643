import type { Entry } from '../../model/entry.ts'

/**
 * Whether the newer one may take the place of the older without anybody being asked. What a person pinned is for a person to retire, and a guess of
 * the machine (a candidate) retires only another guess.
 */
export function mayRetire(older: Pick<Entry, 'status'>, newer: Pick<Entry, 'status'>): boolean {
  if (older.status === 'pinned') return false
  return newer.status !== 'candidate' || older.status === 'candidate'
}
