import type { WorkBoard } from '../addons/work/decide/work-board.ts'
import { boardOver } from '../addons/work/work-board.ts'
import type { Clock } from '../kernel/system/clock.ts'
import type { Disk } from '../kernel/system/disk.ts'
import type { MemoryPaths } from '../kernel/system/paths.ts'
import { safePaths } from '../stores/files/safe-path.ts'
import { sqliteWork } from '../stores/sqlite/sqlite-work.ts'

/** The work board of a project on this machine: loaded by the first call, and opened by the first read or write. */
export function composeWork({
  paths,
  disk,
  clock,
  exclusively,
}: {
  readonly paths: MemoryPaths
  readonly disk: Disk
  readonly clock: Clock
  readonly exclusively: <T>(work: () => T | Promise<T>) => Promise<T>
}): WorkBoard {
  safePaths(paths, disk).check(paths.work)
  return boardOver(
    sqliteWork({
      location: paths.work,
      disk,
      nowMs: () => clock.nowMs(),
      // The first write creates the memory with its .gitignore.
      onCreate: () => exclusively(() => undefined),
    }),
  )
}
