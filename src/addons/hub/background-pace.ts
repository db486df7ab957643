import type { Clock } from '../../kernel/system/clock.ts'

/**
 * Paces the background work (vectors, comparisons) of all projects together. Without it, writes to a hundred projects would start a
 * hundred background tasks, and requests would wait behind them in the queue for a connection. A write causes about three tasks: 30 ms are
 * enough for ten writes a second, and use a tenth of a core.
 */
const PAUSE_MS = 30
/** A task waits until no request is running, and checks at this interval; on a hub that is always busy, one task starts each second. */
const LOOK_MS = 10
const MAX_MS = 1_000

interface BackgroundPace {
  /** Whether requests are running: they come first. */
  giveWayTo(isAnswering: () => boolean): void
  /** A pure delay that takes no turn: it must not block tasks with work. */
  wait(ms: number): Promise<void>
  /** Waits for a turn, first come, first served. Does not prevent the process from ending. */
  turn(): Promise<void>
  /** Releases all waiting tasks, now and later. */
  end(): void
  isEnded(): boolean
}

export function backgroundPace(clock: Pick<Clock, 'alarm'>): BackgroundPace {
  const ending = new AbortController()
  const ended = new Promise<void>(resolve => {
    ending.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  let last: Promise<void> = Promise.resolve()
  let isAnswering = () => false
  const wait = async (ms: number) => {
    if (ending.signal.aborted) return
    const alarm = clock.alarm(ms)
    await Promise.race([alarm.passed, ended])
    alarm.cancel()
  }
  const pause = async () => {
    await wait(PAUSE_MS)
    for (let waited = PAUSE_MS; waited < MAX_MS && isAnswering(); waited += LOOK_MS) await wait(LOOK_MS)
  }
  return {
    giveWayTo(given) {
      isAnswering = given
    },
    wait,
    turn() {
      last = last.then(pause)
      return last
    },
    end: () => ending.abort(),
    isEnded: () => ending.signal.aborted,
  }
}
