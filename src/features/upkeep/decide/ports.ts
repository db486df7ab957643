import type { Archive } from './archive.ts'
import type { BackgroundTurns } from './background-turns.ts'
import type { MemoryFiles } from './memory-files.ts'
import type { UpkeepIndex } from './upkeep-index.ts'

export interface UpkeepPorts {
  readonly archive: Archive
  readonly upkeepIndex: UpkeepIndex
  /** What upkeep moves to the archive beside entries, and its log. */
  readonly memoryFiles: MemoryFiles
  /** Which of several servers does the background work. */
  readonly turns: BackgroundTurns
}
