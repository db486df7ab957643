import type { Memory } from '../../kernel/memory.ts'
import type { ClosingPorts } from '../learning/decide/ports.ts'
import type { StatePorts } from '../state/decide/ports.ts'
import type { CompactionOptions } from './apply-compaction.ts'
import type { UpkeepPorts } from './decide/ports.ts'

export interface ScheduledUpkeep {
  /** Entries were accessed, or much was written: perhaps it is due. */
  wake(): void
  /** Lets the run at hand be finished. */
  stop(): Promise<void>
}

export interface ScheduleOptions extends CompactionOptions {
  /** How long after opening, or after a wake, it is first looked at. */
  readonly pauseMs?: number
  /** Waited for before a run that is due begins. */
  readonly turn?: () => Promise<void>
}

/** What a process was opened for comes first. */
const PAUSE_MS = 2_000

/**
 * Upkeep when it is due, while nobody waits for it: soon after opening, after a wake, and every `everyMs` in a process that lives long
 * (0: not by time). Keeps no process alive, and never fails anybody's call. `upkeep.auto` off: it looks, and does nothing.
 */
export function scheduleUpkeep(
  memory: Memory & ClosingPorts & UpkeepPorts & StatePorts,
  everyMs = 0,
  { pauseMs = PAUSE_MS, turn, ...options }: ScheduleOptions = {},
): ScheduledUpkeep {
  let alarm: { cancel(): void } | undefined
  let isSoon = false
  let working: Promise<void> = Promise.resolve()
  let isStopped = false

  // Nobody waits for this, so nobody would catch it, and the next one must have its turn.
  const noted = (error: unknown) =>
    memory.semantics.note({ code: 'upkeep_failed', message: `Upkeep by itself failed: ${String(error)}` })

  const work = async () => {
    if (isStopped) return
    // Loaded when it is looked at: a process that only searches pays nothing for it.
    const { compactWhenDue, isUpkeepDue } = await import('./upkeep.ts')
    if (turn !== undefined) {
      // A turn is taken from others: not to find that nothing is due.
      if (!(await isUpkeepDue(memory))) return
      await turn()
      if (isStopped) return
    }
    await compactWhenDue(memory, options)
  }
  const set = (ms: number, soon: boolean) => {
    alarm?.cancel()
    isSoon = soon
    const next = memory.clock.alarm(ms)
    alarm = next
    void next.passed.then(() => {
      if (isStopped || alarm !== next) return
      alarm = undefined
      isSoon = false
      working = working.then(work).catch(noted)
      if (everyMs > 0) set(everyMs, false)
    })
  }
  set(pauseMs, true)
  return {
    wake() {
      if (!isStopped && !isSoon) set(pauseMs, true)
    },
    async stop() {
      isStopped = true
      alarm?.cancel()
      await working
    },
  }
}
