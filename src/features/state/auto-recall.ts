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

/** Whether automatic recall should run: it is on, its interval has passed, and there are new events. Cheap enough to check after every command. */
export function isRecallDue(memory: Memory & SessionPorts & StatePorts): Promise<boolean> {
  return memory.store.reading(() => isDueNow(memory))
}

async function isDueNow(memory: Memory & SessionPorts & StatePorts): Promise<boolean> {
  const config = await memory.config()
  if (!config['automation.autoRecall']) return false
  const reading = await memory.state.read()
  // A person must see a state that cannot be used: `cairn recall` reports it and rebuilds it.
  if (reading.kind === 'damaged' || reading.kind === 'newer') return false
  const [newest] = (await memory.events.newest(1)).events
  if (newest === undefined) return false
  if (reading.kind === 'none') return true
  const { lastRecalledAt, recallCursors } = reading.state.maintenance
  if (recallCursors[newest.sourceId]?.id === newest.id) return false
  const sinceMs = memory.clock.nowMs() - Date.parse(lastRecalledAt ?? '1970-01-01')
  // A clock that was set back must not block it for ever.
  return Math.abs(sinceMs) >= config['automation.intervalMinutes'] * MINUTE_MS
}

/** Automatic recall. Never throws for errors of the store: `cairn recall` and `cairn status` report the backlog. */
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
    // Loaded only when it is due.
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

interface ScheduledRecall {
  /** Call after a session was closed or events were added: recall may be due. */
  wake(): void
  /** Waits for the current run. */
  stop(): Promise<void>
}

/** The main work of the process comes first. */
const PAUSE_MS = 3_000

/** Recalls in the background when it is due. Does not keep the process alive. */
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
  // No caller awaits this run, so its error is reported, and the next run can start.
  const reportFailure = (error: unknown) =>
    memory.semantics.note({ code: 'recall_failed', message: `Automatic recall failed: ${String(error)}` })
  return {
    wake() {
      if (isStopped || alarm !== undefined) return
      const next = memory.clock.alarm(pauseMs)
      alarm = next
      void next.passed.then(() => {
        if (isStopped || alarm !== next) return
        alarm = undefined
        working = working.then(() => recallWhenDue(memory)).catch(reportFailure)
      })
    },
    async stop() {
      isStopped = true
      alarm?.cancel()
      await working
    },
  }
}
