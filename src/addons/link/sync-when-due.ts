import type { Memory } from '../../kernel/memory.ts'
import type { LinkLog } from './decide/link-state.ts'
import type { LinkPorts } from './decide/ports.ts'

const EVERY_MS = 3 * 60_000
const MAX_PAUSE_MS = 60 * 60_000

/** Whether an automatic sync is due: a few minutes after the last, with growing pauses while the hub is unreachable. */
function isSyncDue(log: LinkLog | undefined, nowMs: number): boolean {
  if (log === undefined) return true
  const pauseMs = Math.min(MAX_PAUSE_MS, EVERY_MS * 2 ** Math.min(log.failures, 10))
  const passedMs = nowMs - log.attemptedMs
  // After the clock was set back, the elapsed time is unknown.
  return passedMs < 0 || passedMs >= pauseMs
}

/** Without a link this reads one small file. */
export async function isAutomaticSyncDue(memory: Memory & LinkPorts): Promise<boolean> {
  if (memory.isUserMemory) return false
  if ((await memory.hubLink.address()) === undefined) return false
  return isSyncDue(await memory.hubLink.log(), memory.clock.nowMs())
}
