import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { asStorageError, errnoOf } from '../../kernel/system/disk.ts'
import type { ConflictPorts } from '../conflicts/decide/ports.ts'
import type { FreshnessPorts } from '../freshness/decide/ports.ts'
import type { ModelPorts } from '../learning/decide/ports.ts'
import type { MeaningPorts, SearchPorts } from '../search/decide/ports.ts'
import type { SessionPorts } from '../sessions/decide/ports.ts'
import type { UpkeepPorts } from '../upkeep/decide/ports.ts'
import type { StatePorts } from './decide/ports.ts'
import type { Recalled } from './recall.ts'

const MINUTE_MS = 60_000

/** Recall by itself: on, so long after the last as it is set to, and something has happened since. Cheap enough to ask after a command. */
export function isRecallDue(memory: Memory & SessionPorts & StatePorts): Promise<boolean> {
  return memory.store.reading(() => lookWhetherDue(memory))
}

async function lookWhetherDue(memory: Memory & SessionPorts & StatePorts): Promise<boolean> {
  const config = await memory.config()
  if (!config['automation.autoRecall']) return false
  const reading = await memory.state.read()
  // What cannot be used is for a person to see: `cairn recall` tells of it and makes it again.
  if (reading.kind === 'damaged' || reading.kind === 'newer') return false
  const [newest] = (await memory.events.newest(1)).events
  if (newest === undefined) return false
  if (reading.kind === 'none') return true
  const { lastRecalledAt, recallCursors } = reading.state.maintenance
  if (recallCursors[newest.sourceId]?.id === newest.id) return false
  const sinceMs = memory.clock.nowMs() - Date.parse(lastRecalledAt ?? '1970-01-01')
  // A clock that was set back must not keep it from ever running.
  return Math.abs(sinceMs) >= config['automation.intervalMinutes'] * MINUTE_MS
}

/** Recall that nobody asked for. Never throws for trouble of the store: what waits is told by `cairn recall` and `cairn status`. */
export async function recallWhenDue(
  memory: Memory &
    SearchPorts &
    SessionPorts &
    ModelPorts &
    ConflictPorts &
    FreshnessPorts &
    UpkeepPorts &
    StatePorts,
): Promise<Recalled | undefined> {
  try {
    if (!(await isRecallDue(memory)) || !(await memory.turns.take('recall'))) return undefined
    const provider = (await memory.config())['automation.provider']
    // Loaded when it is due: whoever only asks whether it is pays nothing for it.
    const { recall } = await import('./recall.ts')
    try {
      return await recall(memory, { provider, isAutomatic: true, section: 'all', source: 'all' })
    } finally {
      await memory.turns.end('recall')
    }
  } catch (error) {
    if (error instanceof CairnError) return undefined
    if (errnoOf(error) !== undefined && asStorageError(error, 'The state') instanceof CairnError)
      return undefined
    throw error
  }
}

export interface ScheduledRecall {
  /** A session was closed, or events came in: perhaps it is due. */
  wake(): void
  /** Lets the run at hand be finished. */
  stop(): Promise<void>
}

/** What a process was opened for comes first. */
const PAUSE_MS = 3_000

/** Recall when it is due, while nobody waits for it. Keeps no process alive. */
export function scheduleRecall(
  memory: Memory &
    SearchPorts &
    MeaningPorts &
    SessionPorts &
    ModelPorts &
    ConflictPorts &
    FreshnessPorts &
    UpkeepPorts &
    StatePorts,
  { pauseMs = PAUSE_MS }: { readonly pauseMs?: number } = {},
): ScheduledRecall {
  let alarm: { cancel(): void } | undefined
  let working: Promise<unknown> = Promise.resolve()
  let isStopped = false
  // Nobody waits for this, so nobody would catch it, and the next one must have its turn.
  const noted = (error: unknown) =>
    memory.semantics.note({ code: 'recall_failed', message: `Recall by itself failed: ${String(error)}` })
  return {
    wake() {
      if (isStopped || alarm !== undefined) return
      const next = memory.clock.alarm(pauseMs)
      alarm = next
      void next.passed.then(() => {
        if (isStopped || alarm !== next) return
        alarm = undefined
        working = working.then(() => recallWhenDue(memory)).catch(noted)
      })
    },
    async stop() {
      isStopped = true
      alarm?.cancel()
      await working
    },
  }
}
