import { safePaths } from './backends/files/safe-path.ts'
import { sqliteWork } from './backends/sqlite/sqlite-work.ts'
import type { WorkBoard } from './pipeline/work/work-board.ts'
import type { Clock } from './system/clock.ts'
import type { Disk } from './system/disk.ts'
import type { MemoryPaths } from './system/paths.ts'
import { boardOver } from './work/open-board.ts'

/** The board of a project on this machine: loaded by the first call, and opened by the first that has something to read or write. */
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
      // The first write of all makes the memory, with its .gitignore.
      onCreate: () => exclusively(() => undefined),
    }),
  )
}
