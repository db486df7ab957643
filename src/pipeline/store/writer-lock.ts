/** Mutual exclusion between processes. Released by the system when its holder dies. */
export interface WriterLock {
  tryAcquire(): boolean
  release(): void
  close(): void
}
