/** Time and randomness, as one argument: a test passes its own. */
export interface Clock {
  nowMs(): number
  /** A whole number, 0 <= n < bound. Distinguishes two clones; it protects no secret, so a cold start need not load crypto for it. */
  random(bound: number): number
  sleep(ms: number): Promise<void>
  /** Resolves after this time, unless cancelled; does not keep the process alive. */
  alarm(ms: number): { readonly passed: Promise<void>; cancel(): void }
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  random: bound => Math.floor(Math.random() * bound),
  sleep: ms => new Promise(resolve => setTimeout(resolve, ms)),
  alarm(ms) {
    let timer: NodeJS.Timeout | undefined
    const passed = new Promise<void>(resolve => {
      timer = setTimeout(resolve, ms)
      timer.unref()
    })
    return { passed, cancel: () => clearTimeout(timer) }
  },
}
