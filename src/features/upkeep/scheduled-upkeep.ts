import type { Memory } from '../../kernel/memory.ts'
import type { ClosingPorts } from '../learning/decide/ports.ts'
import type { StatePorts } from '../state/decide/ports.ts'
import type { CompactionOptions } from './apply-compaction.ts'
import type { UpkeepPorts } from './decide/ports.ts'

interface ScheduledUpkeep {
  /** Entries were accessed or many were written, so upkeep may be due. */
  wake(): void
  /** Waits for the current run. */
  stop(): Promise<void>
}

interface ScheduleOptions extends CompactionOptions {
  /** The delay before the first check, after opening or a wake. */
  readonly pauseMs?: number
  /** Awaited before a run starts. */
  readonly turn?: () => Promise<void>
}

/** The actual task of the process comes first. */
const PAUSE_MS = 2_000

/**
 * Runs upkeep in the background when it is due: soon after opening, after a wake, and every `everyMs` in a long-running process
 * (0: not by time). Does not keep the process alive and never makes a call fail. With `upkeep.auto` off it checks and does nothing.
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

  // No caller handles this rejection, and the next run must still happen.
  const noted = (error: unknown) =>
    memory.semantics.note({ code: 'upkeep_failed', message: `Automatic upkeep failed: ${String(error)}` })

  const work = async () => {
    if (isStopped) return
    // Loaded for the check only, so that a process that only searches does not pay for it.
    const { compactWhenDue, isUpkeepDue } = await import('./upkeep.ts')
    if (turn !== undefined) {
      // A turn blocks other work, so it is not taken just to find that nothing is due.
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
