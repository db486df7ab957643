/** Mutual exclusion between processes. The system releases it if the process dies. */
export interface WriterLock {
  tryAcquire(): boolean
  release(): void
  close(): void
}

/**
 * The processes that wait for the lock, in order of arrival. Without it, a process that writes in a loop takes the lock again before the
 * others check. It only provides fairness: the lock alone separates writers.
 */
export interface WriterQueue {
  /** How many processes wait that came before the caller. 0: the caller may try to take the lock. */
  countAhead(): number
  /** The caller waits, or still waits. */
  wait(): void
  leave(): void
}
