import { CairnError } from '../../kernel/model/errors.ts'
import type { WorkTask } from '../../kernel/model/task.ts'

export function taskOf(row: unknown): WorkTask {
  const { packed } = row as { packed: unknown }
  let task: unknown
  try {
    task = JSON.parse(String(packed))
  } catch (cause) {
    throw damagedBoard(cause)
  }
  if (!isTask(task)) throw damagedBoard()
  return task
}

const STATES: ReadonlySet<unknown> = new Set(['waiting', 'ready', 'running', 'done', 'failed', 'cancelled'])

function isTask(value: unknown): value is WorkTask {
  const task = value as Partial<WorkTask> | null
  return (
    typeof task === 'object' &&
    [task?.id, task?.graph, task?.title, task?.brief, task?.kind].every(text => typeof text === 'string') &&
    [task?.priority, task?.createdMs, task?.place, task?.waitsFor, task?.leases, task?.tries].every(
      Number.isFinite,
    ) &&
    [task?.after, task?.entries, task?.files, task?.attempts].every(Array.isArray) &&
    typeof task?.retry === 'object' &&
    STATES.has(task?.standing?.state)
  )
}

export function damagedBoard(cause?: unknown): CairnError {
  return new CairnError({
    code: 'store_io',
    message: 'The work board cannot be read: .memory/.vault/work.db is damaged.',
    hint: 'Restore it from a backup, or run `cairn doctor --fix`: it renames the file and saves the tasks that can be read.',
    cause,
  })
}
