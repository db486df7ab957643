import type { Clock } from '../system/clock.ts'

/**
 * Between two pieces of work that nobody waits for (a vector, a comparison), of all projects together. Written to in a hundred projects at
 * once, a hub would otherwise work on a hundred in the background, and those who wait would stand behind them in the queue for a connection.
 * A write makes about three pieces: 30 ms are enough for ten writes a second, and a tenth of a core.
 */
const PAUSE_MS = 30

export interface BackgroundPace {
  /** Waits for its turn; who asked first comes first. Keeps no process alive. */
  turn(): Promise<void>
  /** From now on nobody waits. */
  end(): void
  isEnded(): boolean
}

export function backgroundPace(clock: Pick<Clock, 'alarm'>): BackgroundPace {
  const ending = new AbortController()
  const ended = new Promise<void>(resolve => {
    ending.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  let last: Promise<void> = Promise.resolve()
  const pause = async () => {
    if (ending.signal.aborted) return
    const alarm = clock.alarm(PAUSE_MS)
    await Promise.race([alarm.passed, ended])
    alarm.cancel()
  }
  return {
    turn() {
      last = last.then(pause)
      return last
    },
    end: () => ending.abort(),
    isEnded: () => ending.signal.aborted,
  }
}
