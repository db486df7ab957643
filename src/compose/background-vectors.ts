import type { ConflictPorts } from '../features/conflicts/decide/ports.ts'
import type { DocumentPorts, MeaningPorts, SearchPorts } from '../features/search/decide/ports.ts'
import { embedWaiting } from '../features/search/meaning.ts'
import { TURN_MS, type UpkeepPorts } from '../features/upkeep/decide/ports.ts'
import type { Memory } from '../kernel/memory.ts'

/** Delay after the last write, so that a burst is one unit of work. */
const PAUSE_MS = 200
/** A text takes about 20 ms of this process: a small batch, then the result is saved and the rest is checked again. */
const TEXTS_AT_ONCE = 8

interface BackgroundVectors {
  /** Called after a write: its vector is made soon. */
  wake(): void
  /** Finishes the current texts; the next process that opens the memory makes the rest. */
  stop(): Promise<void>
}

/**
 * Makes the vectors of new entries and compares them with their neighbours, a few at a time, in the background. Does not prevent the
 * process from ending. Other work goes first before every text and every comparison.
 */
export function backgroundVectors(
  memory: Memory & SearchPorts & MeaningPorts & DocumentPorts & ConflictPorts & UpkeepPorts,
  { turn = nextTurn }: { readonly turn?: () => Promise<void> } = {},
): BackgroundVectors {
  let alarm: { readonly ms: number; cancel(): void } | undefined
  let working: Promise<void> = Promise.resolve()
  let isStopped = false
  let isOurTurn = false
  // No caller would catch it: the next search reports that vectors are missing.
  const noted = (error: unknown) =>
    memory.semantics.note({
      code: 'vectors_failed',
      message: `Vectors could not be made, or entries not compared: ${String(error)}`,
    })
  /** Also after a failure and when this server stops: another need not wait until the turn expires. */
  const endTurn = async () => {
    if (!isOurTurn) return
    isOurTurn = false
    await memory.turns.end('vectors')
  }

  const work = async () => {
    try {
      isOurTurn = await memory.turns.take('vectors')
      if (!isOurTurn) return lookAgainLater()
      const few = { limit: TEXTS_AT_ONCE, turn }
      const hasStopped = () => isStopped
      const { embedded, waiting } = await embedWaiting(memory, { ...few, isStopped: hasStopped })
      if (embedded > 0 && waiting > 0) return wake()
      // Not at the top of the file: read-only commands never compare.
      const { compareEntries } = await import('../features/conflicts/find-conflicts.ts')
      const left = await compareEntries(memory, hasStopped, few)
      if (left.compared > 0 && left.waiting > 0) return wake()
      await endTurn()
    } catch (error) {
      noted(error)
      await endTurn().catch(noted)
    }
  }
  /** Another server does this work, and may die before it ends. */
  const lookAgainLater = () => wake(TURN_MS)
  const wake = (pauseMs = PAUSE_MS) => {
    if (isStopped || (alarm !== undefined && alarm.ms <= pauseMs)) return
    alarm?.cancel()
    const set = { ...memory.clock.alarm(pauseMs), ms: pauseMs }
    alarm = set
    set.passed.then(() => {
      if (alarm !== set) return
      alarm = undefined
      if (!isStopped) working = working.then(work)
    })
  }
  return {
    wake: () => wake(),
    async stop() {
      isStopped = true
      alarm?.cancel()
      await working
      await endTurn().catch(noted)
    },
  }
}

/** Lets other work of this process go first, once. */
function nextTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
