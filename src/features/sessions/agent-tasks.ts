import type { TaskState, WorkTask } from '../../kernel/model/task.ts'
import type { TaskPorts } from './decide/ports.ts'

/** What a worker holds on the work board, and what became of what it took. */
export interface AgentTasks {
  readonly running: readonly RunningTask[]
  /** The newest first. */
  readonly ended: readonly EndedTaskOfAgent[]
}

interface RunningTask {
  readonly id: string
  readonly title: string
  readonly since: string
  readonly progress?: string
}

interface EndedTaskOfAgent {
  readonly id: string
  readonly title: string
  readonly outcome: 'done' | 'failed' | 'expired' | 'cancelled'
  readonly at: string
  /** What it reported: the result, or why it failed. */
  readonly report?: string
}

/** By themselves, so that a long plan of tasks hides none that somebody holds. What waits may have been tried. */
const LOOKS: readonly (readonly TaskState[])[] = [
  ['running'],
  ['done', 'failed', 'cancelled'],
  ['waiting', 'ready'],
]
/** Tasks that are looked at in each, and shown of one worker. */
const LOOKED_AT = 500
const MAX_SHOWN = 5
const REPORT_CHARACTERS = 200

/** By worker. Empty where there is no work board. */
export async function tasksByWorker(memory: TaskPorts): Promise<ReadonlyMap<string, AgentTasks>> {
  if (!(await memory.work.exists())) return new Map()
  const looks = await Promise.all(
    LOOKS.map(states => memory.work.list({ states, limit: LOOKED_AT, offset: 0 })),
  )
  const running = new Map<string, RunningTask[]>()
  const ended = new Map<string, (EndedTaskOfAgent & { readonly atMs: number })[]>()
  for (const task of looks.flatMap(({ tasks }) => tasks)) {
    const { standing } = task
    if (standing.state === 'running') addTo(running, standing.lease.worker, runningTask(task, standing.lease))
    for (const attempt of task.attempts) {
      const report = attempt.failure?.message ?? (attempt.outcome === 'done' ? resultOf(task) : undefined)
      addTo(ended, attempt.worker, {
        id: task.id,
        title: task.title,
        outcome: attempt.outcome,
        at: new Date(attempt.endMs).toISOString(),
        atMs: attempt.endMs,
        ...(report !== undefined && { report: report.slice(0, REPORT_CHARACTERS) }),
      })
    }
  }
  return new Map(
    [...new Set([...running.keys(), ...ended.keys()])].map(worker => [
      worker,
      {
        running: running.get(worker) ?? [],
        ended: (ended.get(worker) ?? [])
          .sort((a, b) => b.atMs - a.atMs)
          .slice(0, MAX_SHOWN)
          .map(({ atMs: _, ...task }) => task),
      },
    ]),
  )
}

function runningTask(
  { id, title, progress }: WorkTask,
  { sinceMs }: { readonly sinceMs: number },
): RunningTask {
  return {
    id,
    title,
    since: new Date(sinceMs).toISOString(),
    ...(progress !== undefined && { progress: progress.note }),
  }
}

function resultOf({ standing }: WorkTask): string | undefined {
  return standing.state === 'done' && standing.result.text !== '' ? standing.result.text : undefined
}

function addTo<T>(map: Map<string, T[]>, key: string, value: T): void {
  map.set(key, [...(map.get(key) ?? []), value])
}
