import type { ConflictPorts } from '../features/conflicts/decide/ports.ts'
import type { DocumentPorts, MeaningPorts, SearchPorts } from '../features/search/decide/ports.ts'
import { embedWaiting } from '../features/search/meaning.ts'
import { TURN_MS, type UpkeepPorts } from '../features/upkeep/decide/ports.ts'
import type { Memory } from '../kernel/memory.ts'

/** After the last write, so that a burst is one piece of work. */
const PAUSE_MS = 200
/** A text takes some 20 ms of this process: a few, then what was made is kept in mind and looked at anew. */
const TEXTS_AT_ONCE = 8

export interface BackgroundVectors {
  /** Something was written: its vector is to be made, soon. */
  wake(): void
  /** Lets the texts at hand be finished; what waits is made by whoever opens the memory next. */
  stop(): Promise<void>
}

/**
 * Makes the vectors of what was just kept, and compares it with its neighbours, a few at a time, while nobody waits for it. Keeps no
 * process alive. Before every text and every comparison others have their turn.
 */
export function backgroundVectors(
  memory: Memory & SearchPorts & MeaningPorts & DocumentPorts & ConflictPorts & UpkeepPorts,
  { turn = nextTurn }: { readonly turn?: () => Promise<void> } = {},
): BackgroundVectors {
  let alarm: { readonly ms: number; cancel(): void } | undefined
  let working: Promise<void> = Promise.resolve()
  let isStopped = false
  let isOurTurn = false
  // Nobody waits for this, so nobody would catch it: the next search tells that vectors are missing.
  const noted = (error: unknown) =>
    memory.semantics.note({
      code: 'vectors_failed',
      message: `Vectors could not be made, or entries not compared: ${String(error)}`,
    })
  /** Also after a failure and when this server stops: another need not wait until the turn is over by itself. */
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
      // Not at the top of the file: what only reads never compares.
      const { compareEntries } = await import('../features/conflicts/find-conflicts.ts')
      const left = await compareEntries(memory, hasStopped, few)
      if (left.compared > 0 && left.waiting > 0) return wake()
      await endTurn()
    } catch (error) {
      noted(error)
      await endTurn().catch(noted)
    }
  }
  /** Another server is at it, and may die over it. */
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

/** Whatever else lives in this process comes first, once. */
function nextTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
