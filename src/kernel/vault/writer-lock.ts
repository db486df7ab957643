/** Mutual exclusion between processes. Released by the system when its holder dies. */
export interface WriterLock {
  tryAcquire(): boolean
  release(): void
  close(): void
}

/**
 * Who waits for the lock, in the order of arrival. Without it, a process that writes in a loop takes the lock again before the others look.
 * Only fairness depends on it: the lock alone keeps writers apart.
 */
export interface WriterQueue {
  /** How many wait that came before the caller. 0: the caller may try to take the lock. */
  countAhead(): number
  /** The caller waits, or still waits. */
  wait(): void
  leave(): void
}
