import type { Clock } from '../../kernel/system/clock.ts'

/**
 * Between two pieces of work that nobody waits for (a vector, a comparison), of all projects together. Written to in a hundred projects at
 * once, a hub would otherwise work on a hundred in the background, and those who wait would stand behind them in the queue for a connection.
 * A write makes about three pieces: 30 ms are enough for ten writes a second, and a tenth of a core.
 */
const PAUSE_MS = 30
/** Then a piece waits until nobody is being answered, and looks so often; a hub that always is lets one go each second. */
const LOOK_MS = 10
const MAX_MS = 1_000

export interface BackgroundPace {
  /** Those who are answered come first, for as long as this says that somebody is. */
  giveWayTo(isAnswering: () => boolean): void
  /** Waits so long and takes no turn: who only waits must not stand before those who have work. */
  wait(ms: number): Promise<void>
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
