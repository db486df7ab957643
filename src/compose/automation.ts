import { syncWhileOpen } from '../addons/link/sync-while-open.ts'
import { watchWhenLinked } from '../addons/obsidian/watch-when-linked.ts'
import { scheduleRecall } from '../features/state/auto-recall.ts'
import { scheduleUpkeep } from '../features/upkeep/scheduled-upkeep.ts'
import { backgroundVectors } from './background-vectors.ts'
import { type Composed, isCheckout } from './composed.ts'

/**
 * Background work while a memory is open: vectors, upkeep, recall (with a sync of import sources before it, where configured), notes of a
 * linked vault, sync with a linked hub.
 */
export interface Automation {
  /** Called after a write. */
  wake(): void
  /** Finishes the current work, then stops. */
  stop(): Promise<void>
}

/** How often to check for due work. The settings decide how often work is due. */
const LOOK_EVERY_MS = 10 * 60_000

/** Does not prevent the process from ending, and costs nothing while nothing is due. */
export function automate(
  memory: Composed,
  /** Awaited before each unit of work: a server lets its requests go first. */
  given: {
    readonly turn?: () => Promise<void>
    /** Delay after opening before the first check whether upkeep is due. */
    readonly upkeepPauseMs?: number
  } = {},
): Automation {
  const vectors = backgroundVectors(memory, given)
  const tidying = scheduleUpkeep(memory, LOOK_EVERY_MS, {
    ...(given.turn !== undefined && { turn: given.turn }),
    ...(given.upkeepPauseMs !== undefined && { pauseMs: given.upkeepPauseMs }),
  })
  const folding = scheduleRecall(memory)
  const besideFiles = isCheckout(memory) ? [watchWhenLinked(memory), syncWhileOpen(memory)] : []
  let alarm: { cancel(): void } | undefined
  let isStopped = false
  const lookAgain = () => {
    const next = memory.clock.alarm(LOOK_EVERY_MS)
    alarm = next
    void next.passed.then(() => {
      if (isStopped) return
      folding.wake()
      lookAgain()
    })
  }
  // For writes by other processes, or while no server ran.
  vectors.wake()
  folding.wake()
  lookAgain()
  return {
    wake() {
      vectors.wake()
      folding.wake()
    },
    async stop() {
      isStopped = true
      alarm?.cancel()
      await Promise.all([tidying, folding, vectors, ...besideFiles].map(each => each.stop()))
    },
  }
}
