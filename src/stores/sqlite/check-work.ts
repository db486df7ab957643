import type { WorkTask } from '../../kernel/model/task.ts'
import type { Disk } from '../../kernel/system/disk.ts'
import { loadSqlite } from './driver.ts'
import { taskOf } from './task-row.ts'

/** Renames a damaged board and returns its new name. */
export function renameDamaged(
  location: string,
  { disk, nowMs }: { readonly disk: Disk; readonly nowMs: number },
): string {
  const aside = `${location}.damaged-${nowMs}`
  for (const end of ['', '-wal', '-shm'])
    if (disk.stamp(location + end) !== undefined) disk.rename(location + end, aside + end)
  return aside
}

/** The readable tasks of a board. */
export function readTasks(location: string): {
  readonly tasks: readonly WorkTask[]
  readonly isWhole: boolean
} {
  const tasks = new Map<string, WorkTask>()
  let isWhole = true
  const database = new (loadSqlite().DatabaseSync)(location)
  try {
    database.exec('PRAGMA busy_timeout = 5000')
    const { integrity_check: result } = database.prepare('PRAGMA integrity_check(1)').get() as {
      integrity_check: string
    }
    isWhole = result === 'ok'
    database.prepare('SELECT task, before FROM dependency LIMIT 1').get()
    for (const row of database.prepare('SELECT packed FROM task NOT INDEXED').iterate()) {
      try {
        const task = taskOf(row)
        tasks.set(task.id, task)
      } catch {
        // Only this task is lost.
        isWhole = false
      }
    }
  } catch {
    // The rest cannot be read.
    isWhole = false
  } finally {
    database.close()
  }
  return { tasks: [...tasks.values()], isWhole }
}
