import type { Archive } from '../../pipeline/upkeep/archive.ts'
import type { Clock } from '../../system/clock.ts'
import type { Disk } from '../../system/disk.ts'
import type { MemoryPaths } from '../../system/paths.ts'

export function archiveFolder(_parts: {
  readonly paths: MemoryPaths
  readonly disk: Disk
  readonly clock: Clock
  /** Alone among all processes that write to this memory. */
  readonly exclusively: <T>(work: () => T | Promise<T>) => Promise<T>
}): Archive {
  throw new Error('being built')
}
