/** The longest time without a pause: a hub answers other requests between two steps of long work. */
const MAX_BUSY_MS = 20

/** Await it between two steps of work. It takes time only if the last pause was a while ago. */
export function pauses(): () => Promise<void> {
  let sinceMs = performance.now()
  return async () => {
    if (performance.now() - sinceMs < MAX_BUSY_MS) return
    await new Promise(resolve => setImmediate(resolve))
    sinceMs = performance.now()
  }
}

/** Runs a generator to its end, with pauses between its steps. */
export async function withPauses<Result>(steps: Generator<unknown, Result>): Promise<Result> {
  const pause = pauses()
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await pause()
  }
}
