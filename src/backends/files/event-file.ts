import type { EventLog } from '../../pipeline/capture/event-log.ts'
import type { Clock } from '../../system/clock.ts'
import type { Disk } from '../../system/disk.ts'
import type { MemoryPaths } from '../../system/paths.ts'

export function eventFile(_parts: {
  readonly paths: MemoryPaths
  readonly disk: Disk
  readonly clock: Clock
  /** Alone among all processes that write to this memory. */
  readonly exclusively: <T>(work: () => T | Promise<T>) => Promise<T>
}): EventLog {
  throw new Error('being built')
}
