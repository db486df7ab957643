import type { Clock } from './clock.ts'

/** Background work starts after this long without a request: the page of a user loads first. */
const QUIET_MS = 700
/** With constant requests, background work gets a turn after this long. */
const MAX_WAIT_MS = 10_000

/** Lets background work yield to requests, in a process with one thread for both. */
interface RequestPriority {
  /** A request arrived. */
  note(): void
  /** Waits until there are no requests, up to a maximum. Does not keep the process alive. */
  turn(): Promise<void>
  /** Waits no longer from now on. */
  end(): void
}

export function openRequestPriority(clock: Pick<Clock, 'nowMs' | 'alarm'>): RequestPriority {
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
      // Lets the event loop run once, so that requests that arrived meanwhile are counted: work that only awaits promises blocks it.
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
