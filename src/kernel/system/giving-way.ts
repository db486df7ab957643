import type { Clock } from './clock.ts'

/** Nobody has asked for so long: whoever opened a page has what it needs first. */
const QUIET_MS = 700
/** Where somebody always asks, a piece of work has its turn after so long. */
const MAX_WAIT_MS = 10_000

/** Lets what nobody waits for give way to what somebody does, in a process with one thread for both. */
export interface GivingWay {
  /** Somebody asked. */
  note(): void
  /** Waits until nobody asks, though never for ever. Keeps no process alive. */
  turn(): Promise<void>
  /** From now on nobody is waited for. */
  end(): void
}

export function givingWay(clock: Pick<Clock, 'nowMs' | 'alarm'>): GivingWay {
  let lastMs = Number.NEGATIVE_INFINITY
  const ending = new AbortController()
  const ended = new Promise<void>(resolve => {
    ending.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  return {
    note() {
      lastMs = clock.nowMs()
    },
    async turn() {
      // Whoever has asked meanwhile is heard of by letting the event loop go round: work that only awaits promises holds it still.
      await new Promise(resolve => setImmediate(resolve))
      const endMs = clock.nowMs() + MAX_WAIT_MS
      while (!ending.signal.aborted) {
        const leftMs = Math.min(lastMs + QUIET_MS, endMs) - clock.nowMs()
        if (leftMs <= 0) return
        const alarm = clock.alarm(leftMs)
        await Promise.race([alarm.passed, ended])
        alarm.cancel()
      }
    },
    end: () => ending.abort(),
  }
}
