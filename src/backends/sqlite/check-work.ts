import type { WorkTask } from '../../model/task.ts'
import { loadSqlite } from './driver.ts'
import { type SqliteWorkParts, sqliteWork, taskOf } from './sqlite-work.ts'

/** Of a work board: whether every task of it can be read. */
export function isWorkSound({ location, disk }: Pick<SqliteWorkParts, 'location' | 'disk'>): boolean {
  if (disk.stamp(location) === undefined) return true
  const { isWhole } = readTasks(location)
  return isWhole
}

/** Puts a damaged board aside, and makes a new one of the tasks that can be read. */
export async function mendWork(
  parts: SqliteWorkParts,
): Promise<{ readonly saved: number; readonly aside: string }> {
  const { location, disk, nowMs } = parts
  const { tasks } = readTasks(location)
  const aside = `${location}.damaged-${nowMs()}`
  disk.rename(location, aside)
  for (const end of ['-wal', '-shm'])
    if (disk.stamp(location + end) !== undefined) disk.rename(location + end, aside + end)
  if (tasks.length > 0) {
    const table = sqliteWork(parts)
    await table.change(rows => rows.add(tasks))
    await table.close()
  }
  return { saved: tasks.length, aside }
}

/** As far as the file can be read. */
function readTasks(location: string): { readonly tasks: readonly WorkTask[]; readonly isWhole: boolean } {
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
        // This task is lost; the others are not.
        isWhole = false
      }
    }
  } catch {
    // From here on nothing can be read.
    isWhole = false
  } finally {
    database.close()
  }
  return { tasks: [...tasks.values()], isWhole }
}
