import type { Memory } from '../../kernel/memory.ts'
import { type Entry, isReadBy } from '../../kernel/model/entry.ts'
import type { WorkTask } from '../../kernel/model/task.ts'
import type { WorkPorts } from './decide/work-board.ts'

/** Length limit of one result that is handed over: a worker with ten of them still has room to work. `work show` has the whole result. */
const HANDED_CHARACTERS = 4_000
const MAX_ENTRIES = 50

/** The context that a worker needs. */
export interface HandOver {
  /** Named by the task, or remembered by its dependencies. */
  readonly entries: readonly Entry[]
  /** Named, but missing or not readable by this agent. */
  readonly missing: readonly string[]
  readonly files: readonly string[]
  readonly results: readonly HandedResult[]
}

interface HandedResult {
  readonly task: string
  readonly title: string
  readonly text: string
  readonly isCut: boolean
}

export async function handOver(
  memory: Memory & WorkPorts,
  task: WorkTask,
  agent: string | undefined,
): Promise<HandOver> {
  const before = await memory.work.find(task.after)
  const results = task.after.flatMap(id => {
    const other = before.get(id)
    return other?.standing.state === 'done' ? [{ other, result: other.standing.result }] : []
  })
  const ids = [...new Set([...task.entries, ...results.flatMap(({ result }) => result.entries)])]
  const entries: Entry[] = []
  const missing: string[] = ids.slice(MAX_ENTRIES)
  for (const id of ids.slice(0, MAX_ENTRIES)) {
    const entry = await memory.store.findEntry(id)
    if (entry !== undefined && isReadBy(entry, agent)) entries.push(entry)
    else missing.push(id)
  }
  return {
    entries,
    missing,
    files: [...new Set([...task.files, ...results.flatMap(({ result }) => result.files)])],
    results: results.map(({ other, result }) => ({
      task: other.id,
      title: other.title,
      text: result.text.slice(0, HANDED_CHARACTERS),
      isCut: result.text.length > HANDED_CHARACTERS,
    })),
  }
}
