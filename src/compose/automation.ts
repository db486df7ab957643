import { syncWhileOpen } from '../addons/link/sync-while-open.ts'
import { watchWhenLinked } from '../addons/obsidian/watch-when-linked.ts'
import { scheduleRecall } from '../features/state/auto-recall.ts'
import { scheduleUpkeep } from '../features/upkeep/scheduled-upkeep.ts'
import { backgroundVectors } from './background-vectors.ts'
import { type Composed, isCheckout } from './composed.ts'

/** What happens by itself while a memory is open: vectors, upkeep, recall (which syncs import sources first, where that is set), notes of a linked vault, sync with a linked hub. */
export interface Automation {
  /** Something was kept. */
  wake(): void
  /** Lets what is at hand be finished. */
  stop(): Promise<void>
}

/** How often it is looked whether something is due. How often it is due is for the settings to say. */
const LOOK_EVERY_MS = 10 * 60_000

/** Keeps no process alive, and costs nothing while nothing is due. */
export function automate(
  memory: Composed,
  /** Waited for before each piece of work: who is asked by others lets them pass. */
  given: {
    readonly turn?: () => Promise<void>
    /** How long after opening it is first looked whether upkeep is due. */
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
  // What others have written since, or this user while no server ran.
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
