import { type FreshnessParts, isCurrent } from './freshness.ts'

/** So many times longer than it took a look holds: looking takes an eleventh of the time at most, however many ask. */
const TIMES_AS_LONG = 10

/**
 * Whether the index is current, for a process that is asked many times a second: a look at every file serves those who ask right after it.
 * The journal, in which every writer of ours writes first, is looked at each time; what is held is only that no editor and no git
 * changed a file since.
 */
export class HeldLook {
  readonly #longestMs: number
  #index: FreshnessParts['index'] | undefined
  #untilMs = 0

  /** 0: every question looks for itself. */
  constructor(longestMs: number) {
    this.#longestMs = longestMs
  }

  isCurrent(parts: FreshnessParts): boolean {
    const { index, journal } = parts
    const startMs = performance.now()
    if (index === this.#index && startMs < this.#untilMs && index.settled()?.bytes === journal.bytes())
      return true
    const isSo = isCurrent(parts)
    const endMs = performance.now()
    this.#index = isSo ? index : undefined
    this.#untilMs = endMs + Math.min(this.#longestMs, TIMES_AS_LONG * (endMs - startMs))
    return isSo
  }
}
